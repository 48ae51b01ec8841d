import { z } from "zod";
import type { answerJson } from "../../curated/answer-json.ts";
import { DECISIONS } from "../../ingest/ledger.ts";
import type { generationJson, ledgerEntryJson, runJson, sourceJson } from "../../ingest/source-json.ts";
import type { adminKeyJson, assistantKeyJson } from "../../keys/key-json.ts";
import type { organizationJson, siteJson } from "../../sites/site-json.ts";
import { siteSettingsSchema } from "../../sites/sites.ts";

// The replies of the admin API. Each is held to what the code gives: by its type here, and by real replies in a test.

/** A moment, as JSON has it. */
export const moment = z.iso.datetime();
/** Numbers by name. */
const counts = z.record(z.string(), z.number());

export const organizationShape = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: moment.nullable(),
}) satisfies z.ZodType<ReturnType<typeof organizationJson>>;

const siteFields = z.object({
  domain: z.string(),
  organizationId: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  generation: z.int(),
  createdAt: moment.nullable(),
  settings: siteSettingsSchema,
}) satisfies z.ZodType<ReturnType<typeof siteJson>>;
export const siteShape = siteFields.extend({ pages: z.int(), passages: z.int() });

const lifetime = {
  state: z.enum(["active", "revoked", "expired"]),
  createdAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
};
export const assistantKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  key: z.string(),
  /** Of every site of the organization, where it is null. */
  sites: z.array(z.string()).nullable(),
  addresses: z.array(z.string()),
  ...lifetime,
}) satisfies z.ZodType<ReturnType<typeof assistantKeyJson>>;
export const adminKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string().nullable(),
  mayWrite: z.boolean(),
  ...lifetime,
}) satisfies z.ZodType<ReturnType<typeof adminKeyJson>>;
export const newAdminKeyShape = adminKeyShape.extend({ key: z.string() });

export const runShape = z.object({
  startedAt: moment,
  finishedAt: moment.nullable(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  generation: z.int().nullable(),
  counts,
}) satisfies z.ZodType<Loose<NonNullable<ReturnType<typeof runJson>>>>;
export const jobShape = z.object({
  id: z.string(),
  source: z.int(),
  task: z.enum(["read", "remove"]),
  state: z.enum(["waiting", "running", "ended"]),
  requestedAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  generation: z.int().nullable(),
  counts,
});
/** `id` is null for one that nobody asked for here. */
export const underWayShape = z.object({
  id: z.string().nullable(),
  source: z.int(),
  task: z.enum(["read", "remove"]),
  state: z.enum(["waiting", "running"]),
  startedAt: moment.nullable(),
  counts,
});
/** What may be named as a source, besides addresses. */
export const sourceRulesShape = z.object({
  uploadBytesMax: z.int(),
  folders: z.array(z.string()),
  variables: z.array(z.string()),
});
export const sourceShape = z.object({
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
export const ledgerEntryShape = z.object({
  location: z.string(),
  path: z.string().nullable(),
  found: z.string(),
  decision: z.enum(DECISIONS),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  passages: z.int().nullable(),
  tookMs: z.number(),
  decidedAt: moment.nullable(),
}) satisfies z.ZodType<Loose<ReturnType<typeof ledgerEntryJson>>>;
export const ledgerShape = z.object({
  entries: z.array(ledgerEntryShape),
  nextCursor: z.string().nullable(),
  hasMore: z.boolean(),
});
export const generationShape = z.object({
  number: z.int(),
  isVisible: z.boolean(),
  at: moment,
  source: z.object({ id: z.int(), kind: z.string(), location: z.string() }),
  counts,
}) satisfies z.ZodType<ReturnType<typeof generationJson>>;
export const rollbackShape = z.object({ from: z.int(), to: z.int() });

export const answerShape = z.object({
  name: z.string(),
  source: z.string().nullable(),
  version: z.string(),
  language: z.string(),
  questions: z.array(z.string()),
  markdown: z.string(),
  frontMatter: z.record(z.string(), z.unknown()),
  concerns: z.array(z.string()),
}) satisfies z.ZodType<ReturnType<typeof answerJson>>;

export const removedShape = z.object({ threads: z.int(), turns: z.int() });
export const summaryShape = z.object({
  version: z.string(),
  /** Null where a member asks. */
  key: z.object({ organizationId: z.string().nullable(), mayWrite: z.boolean() }).nullable(),
  sites: z.int(),
  sources: z.int(),
  pages: z.int(),
  passages: z.int(),
});
const serverShape = z.object({
  url: z.string(),
  model: z.string().nullable(),
  says: z.string().nullable(),
  reason: z.string().nullable(),
  hint: z.string().nullable(),
});
/** `servers` is told to owners and keys of the server alone. */
export const modelsShape = z.object({
  model: z.string().nullable(),
  servers: z.array(serverShape).optional(),
});

/** The same, where closed lists of words that may grow are read as text. */
type Loose<T> = T extends string ? string : T extends object ? { [Name in keyof T]: Loose<T[Name]> } : T;
