import { z } from "zod";
import type { answerJson } from "../../curated/curated.ts";
import type { generationJson, ledgerEntryJson, runJson, sourceJson } from "../../ingest/json.ts";
import { DECISIONS } from "../../ingest/ledger.ts";
import type { adminKeyJson, assistantKeyJson } from "../../keys/json.ts";
import type { organizationJson, siteJson } from "../../sites/json.ts";
import { siteSettingsSchema } from "../../sites/sites.ts";

// The replies of the admin API. Each is held to what the code gives: by its type here, and by real replies in a test.

/** A moment, as JSON has it. */
export const moment = z.iso.datetime();
/** Numbers by name. */
const counts = z.record(z.string(), z.number()).meta({ id: "Counts" });

export const organizationShape = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: moment.nullable(),
  })
  .meta({ id: "Organization" }) satisfies z.ZodType<ReturnType<typeof organizationJson>>;

const siteFields = z.object({
  domain: z.string(),
  organizationId: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  generation: z.int(),
  createdAt: moment.nullable(),
  settings: siteSettingsSchema.meta({ id: "SiteSettings" }),
}) satisfies z.ZodType<ReturnType<typeof siteJson>>;
export const siteShape = siteFields.extend({ pages: z.int(), passages: z.int() }).meta({ id: "Site" });

const lifetime = {
  state: z.enum(["active", "revoked", "expired"]).meta({ id: "KeyState" }),
  createdAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
};
const assistantKeyFields = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  key: z.string(),
  /** Of every site of the organization, where it is null. */
  sites: z.array(z.string()).nullable(),
  addresses: z.array(z.string()),
  ...lifetime,
}) satisfies z.ZodType<ReturnType<typeof assistantKeyJson>>;
export const assistantKeyShape = assistantKeyFields.meta({ id: "AssistantKey" });
const adminKeyFields = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string().nullable(),
  mayWrite: z.boolean(),
  ...lifetime,
}) satisfies z.ZodType<ReturnType<typeof adminKeyJson>>;
export const adminKeyShape = adminKeyFields.meta({ id: "AdminKey" });
export const newAdminKeyShape = adminKeyFields.extend({ key: z.string() }).meta({ id: "CreatedAdminKey" });

const runTask = z.enum(["read", "remove"]).meta({ id: "RunTask" });
const runFields = z.object({
  startedAt: moment,
  finishedAt: moment.nullable(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  generation: z.int().nullable(),
  counts,
}) satisfies z.ZodType<Loose<NonNullable<ReturnType<typeof runJson>>>>;
/** A run that has begun, whoever asked for it. */
export const runShape = runFields.meta({ id: "Run" });
const jobFields = z.object({
  id: z.string(),
  source: z.int(),
  task: runTask,
  state: z.enum(["waiting", "running", "ended"]).meta({ id: "RunState" }),
  requestedAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  generation: z.int().nullable(),
  counts,
});
/** A run that was asked for here, from when it was asked for. */
export const jobShape = jobFields.meta({ id: "RequestedRun" });
const underWayFields = z.object({
  /** Null for one that nobody asked for here. */
  id: z.string().nullable(),
  source: z.int(),
  task: runTask,
  state: z.enum(["waiting", "running"]),
  startedAt: moment.nullable(),
  counts,
});
export const underWayShape = underWayFields.meta({ id: "RunUnderWay" });
/** What may be named as a source, besides addresses. */
export const sourceRulesShape = z
  .object({
    uploadBytesMax: z.int(),
    folders: z.array(z.string()),
    variables: z.array(z.string()),
  })
  .meta({ id: "SourceRules" });
const sourceFields = z.object({
  number: z.int(),
  kind: z.string(),
  place: z.string(),
  version: z.string(),
  language: z.string(),
  authorization: z.string().nullable(),
  everyMs: z.int().nullable(),
  nextRunAt: moment.nullable(),
  lastRun: runShape.nullable(),
}) satisfies z.ZodType<Loose<ReturnType<typeof sourceJson>>>;
export const sourceShape = sourceFields.meta({ id: "Source" });
/** What may be decided of a page. */
export const decisionShape = z.enum(DECISIONS).meta({ id: "Decision" });
export const ledgerEntryFields = z.object({
  location: z.string(),
  path: z.string().nullable(),
  found: z.string(),
  decision: decisionShape,
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  passages: z.int().nullable(),
  tookMs: z.number(),
  decidedAt: moment.nullable(),
}) satisfies z.ZodType<Loose<ReturnType<typeof ledgerEntryJson>>>;
export const ledgerEntryShape = ledgerEntryFields.meta({ id: "LedgerEntry" });
export const ledgerShape = z
  .object({
    entries: z.array(ledgerEntryShape),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .meta({ id: "Ledger" });
const generationFields = z.object({
  number: z.int(),
  isVisible: z.boolean(),
  at: moment,
  source: z.object({ id: z.int(), kind: z.string(), location: z.string() }).meta({ id: "GenerationSource" }),
  counts,
}) satisfies z.ZodType<ReturnType<typeof generationJson>>;
export const generationShape = generationFields.meta({ id: "Generation" });
export const rollbackShape = z.object({ from: z.int(), to: z.int() }).meta({ id: "RolledBack" });

const answerFields = z.object({
  name: z.string(),
  source: z.string().nullable(),
  version: z.string(),
  language: z.string(),
  questions: z.array(z.string()),
  markdown: z.string(),
  frontMatter: z.record(z.string(), z.unknown()).meta({ id: "FrontMatter" }),
  concerns: z.array(z.string()),
}) satisfies z.ZodType<ReturnType<typeof answerJson>>;
export const answerShape = answerFields.meta({ id: "CuratedAnswer" });

export const removedShape = z.object({ threads: z.int(), turns: z.int() }).meta({ id: "DeletedCounts" });
export const summaryShape = z
  .object({
    version: z.string(),
    /** Null where a member asks. */
    key: z
      .object({ organizationId: z.string().nullable(), mayWrite: z.boolean() })
      .meta({ id: "KeyRights" })
      .nullable(),
    sites: z.int(),
    sources: z.int(),
    pages: z.int(),
    passages: z.int(),
  })
  .meta({ id: "Summary" });
const serverShape = z
  .object({
    url: z.string(),
    model: z.string().nullable(),
    says: z.string().nullable(),
    reason: z.string().nullable(),
    hint: z.string().nullable(),
  })
  .meta({ id: "ModelServer" });
/** `servers` is told to owners and keys of the server alone. */
export const modelsShape = z
  .object({
    model: z.string().nullable(),
    servers: z.array(serverShape).optional(),
  })
  .meta({ id: "ModelStatus" });

/** The same, where closed lists of words that may grow are read as text. */
type Loose<T> = T extends string ? string : T extends object ? { [Name in keyof T]: Loose<T[Name]> } : T;
