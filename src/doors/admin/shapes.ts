import type { answerJson } from "@docent/answering/curated/curated";
import type { enrichmentJson } from "@docent/finding/enrich/enrich";
import { type explanationJson, PAGE_STANDINGS, STANDINGS } from "@docent/finding/search/explain";
import { ACTOR_KINDS, type Audit } from "@docent/people/audit/audit";
import type { adminKeyJson } from "@docent/people/keys/admin-keys";
import type { assistantKeyJson } from "@docent/people/keys/keys";
import type { memberJson } from "@docent/people/members/member";
import type { siteSecretJson } from "@docent/people/readers/readers";
import type { FidelityReport } from "@docent/sites/ingest/ingest";
import type {
  generationJson,
  ledgerEntryJson,
  listedEntryJson,
  runJson,
  sourceJson,
} from "@docent/sites/ingest/json";
import { DECISIONS } from "@docent/sites/ingest/stores";
import type { inventoryEntryJson, inventoryPageJson } from "@docent/sites/pages/inventory";
import { PHRASE_NAMES, type phrasesFor } from "@docent/sites/site/phrases";
import { answerWhenSchema, enrichmentSchema, siteSettingsSchema } from "@docent/sites/site/settings";
import type { organizationJson, siteJson } from "@docent/sites/site/sites";
import { z } from "zod";
import { moment, roleShape } from "../session/shapes.ts";

// The replies of the admin API. Each is held to what the code gives: by its type here, and by real replies in a test.

/** Counts by name. */
const counts = z.lazy(() => z.record(z.string(), z.number()).meta({ id: "Counts" }));

export const organizationShape = z.lazy(() =>
  z.object({ id: z.string(), name: z.string(), createdAt: moment.nullable() }).meta({ id: "Organization" }),
) satisfies z.ZodType<ReturnType<typeof organizationJson>>;

const siteFields = () =>
  z.object({
    domain: z.string(),
    organizationId: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    generation: z.int(),
    createdAt: moment.nullable(),
    settings: siteSettingsSchema.meta({ id: "SiteSettings" }),
  }) satisfies z.ZodType<ReturnType<typeof siteJson>>;
export const siteShape = z.lazy(() =>
  siteFields().extend({ pages: z.int(), passages: z.int() }).meta({ id: "Site" }),
);

const lifetime = {
  state: z.enum(["active", "revoked", "expired"]).meta({ id: "KeyState" }),
  createdAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
};
export const assistantKeyShape = z.lazy(() =>
  z
    .object({
      id: z.string(),
      name: z.string(),
      organizationId: z.string(),
      key: z.string(),
      /** Null: every site of the organization. */
      sites: z.array(z.string()).nullable(),
      addresses: z.array(z.string()),
      ...lifetime,
    })
    .meta({ id: "AssistantKey" }),
) satisfies z.ZodType<ReturnType<typeof assistantKeyJson>>;
const adminKeyFields = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string().nullable(),
    mayWrite: z.boolean(),
    ...lifetime,
  }) satisfies z.ZodType<ReturnType<typeof adminKeyJson>>;
export const adminKeyShape = z.lazy(() => adminKeyFields().meta({ id: "AdminKey" }));
export const newAdminKeyShape = z.lazy(() =>
  adminKeyFields().extend({ key: z.string() }).meta({ id: "CreatedAdminKey" }),
);

const readerSecretFields = () =>
  z.object({
    id: z.string(),
    createdAt: moment.nullable(),
    lastUsedAt: moment.nullable(),
  }) satisfies z.ZodType<ReturnType<typeof siteSecretJson>>;
export const newReaderSecretShape = z.lazy(() =>
  readerSecretFields().extend({ secret: z.string() }).meta({ id: "CreatedReaderSecret" }),
);
export const siteReadersShape = z.lazy(() =>
  z
    .object({
      /** For people: who can read the site now. */
      sentence: z.string(),
      secrets: z.array(readerSecretFields().meta({ id: "ReaderSecret" })),
    })
    .meta({ id: "SiteReadersNow" }),
);

const runTask = z.enum(["read", "remove"]).meta({ id: "RunTask" });
/** The docs of a generator, as far as a person needs to see them to know whether they were read rightly. */
const docsShape = z.lazy(() =>
  z
    .object({
      pages: z.int(),
      menu: z.array(
        z
          .object({ label: z.string(), below: z.array(z.string()), more: z.int() })
          .meta({ id: "RecognizedMenuEntry" }),
      ),
      menuMore: z.int(),
      samples: z.array(
        z
          .object({
            location: z.string(),
            path: z.string(),
            /** Its address below the site's URL. */
            href: z.string(),
          })
          .meta({ id: "RecognizedPage" }),
      ),
      unknowns: z.array(
        z
          .object({
            /** What an answer is given for; null where none would change what is read. */
            name: z.string().nullable(),
            question: z.string(),
            guess: z.string(),
          })
          .meta({ id: "OpenQuestion" }),
      ),
    })
    .meta({ id: "RecognizedDocs" }),
);
const addressesShape = z.lazy(() =>
  z
    .object({
      asked: z.int(),
      answering: z.int(),
      missing: z.array(z.object({ address: z.string(), why: z.string() }).meta({ id: "MissingAddress" })),
      /** Places on those pages that citations lead to; null where none was looked for. */
      anchors: z
        .object({ asked: z.int(), there: z.int(), missing: z.array(z.string()) })
        .meta({ id: "AnchorCheck" })
        .nullable(),
      /** Why it is not known whether pages answer. */
      note: z.string().nullable(),
    })
    .meta({ id: "AddressCheck" }),
);
/** A run that has begun, whoever asked for it. */
export const runShape = z.lazy(() =>
  z
    .object({
      startedAt: moment,
      finishedAt: moment.nullable(),
      outcome: z.string().nullable(),
      message: z.string().nullable(),
      generation: z.int().nullable(),
      /** The docs generator that the source was recognized by. */
      generator: z.string().nullable(),
      /** Of the last run that recognized something: what its docs looked like. */
      docs: docsShape.nullable(),
      /** Whether pages answered at their published addresses, where that was asked. */
      addresses: addressesShape.nullable(),
      counts,
    })
    .meta({ id: "Run" }),
) satisfies z.ZodType<Loose<NonNullable<ReturnType<typeof runJson>>>>;
/** A run that was asked for here, from when it was asked for. */
export const jobShape = z.lazy(() =>
  z
    .object({
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
    })
    .meta({ id: "RequestedRun" }),
);
export const underWayShape = z.lazy(() =>
  z
    .object({
      /** Null for a run that was begun by a schedule or the command line. */
      id: z.string().nullable(),
      source: z.int(),
      task: runTask,
      state: z.enum(["waiting", "running"]),
      startedAt: moment.nullable(),
      counts,
    })
    .meta({ id: "RunUnderWay" }),
);
/** What may be named as a source, besides addresses. */
export const sourceRulesShape = z.lazy(() =>
  z
    .object({
      uploadBytesMax: z.int(),
      folders: z.array(z.string()),
      variables: z.array(z.string()),
      /** Wikis and trackers that are read through their API. */
      servers: z.array(z.object({ kind: z.string(), name: z.string() }).meta({ id: "ServerKind" })),
    })
    .meta({ id: "SourceRules" }),
);
export const sourceShape = z.lazy(() =>
  z
    .object({
      number: z.int(),
      kind: z.string(),
      place: z.string(),
      version: z.string(),
      language: z.string(),
      authorization: z.string().nullable(),
      /** Whom its pages are for; empty: everyone. */
      groups: z.array(z.string()),
      /** What was answered of a generator's configuration, by the names of open questions. */
      answers: z.record(z.string(), z.string()).meta({ id: "SourceAnswers" }),
      /** Where its pages are published: they have the addresses and ids of that site. */
      published: z.string().nullable(),
      everyMs: z.int().nullable(),
      nextRunAt: moment.nullable(),
      /** Why it is not read at present, whoever asks for it: what was read before stays. */
      notRead: z.string().nullable(),
      lastRun: runShape.nullable(),
    })
    .meta({ id: "Source" }),
) satisfies z.ZodType<Loose<ReturnType<typeof sourceJson>>>;
/** What may be decided of a page. */
export const decisionShape = z.enum(DECISIONS).meta({ id: "Decision" });
const ledgerEntryFields = () =>
  z.object({
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
export const ledgerEntryShape = z.lazy(() =>
  ledgerEntryFields()
    .extend({
      /** The page that readers see of it. */
      page: z
        .object({
          title: z.string(),
          /** Of a PDF or of slides: how many of its pages were read. */
          documentPages: z.int().nullable(),
        })
        .meta({ id: "LedgerPage" })
        .nullable(),
    })
    .meta({ id: "LedgerEntry" }),
) satisfies z.ZodType<Loose<ReturnType<typeof listedEntryJson>>>;
export const ledgerShape = z.lazy(() =>
  z
    .object({ entries: z.array(ledgerEntryShape), nextCursor: z.string().nullable(), hasMore: z.boolean() })
    .meta({ id: "Ledger" }),
);
export const generationShape = z.lazy(() =>
  z
    .object({
      number: z.int(),
      isVisible: z.boolean(),
      at: moment,
      source: z
        .object({ id: z.int(), kind: z.string(), location: z.string() })
        .meta({ id: "GenerationSource" }),
      counts,
    })
    .meta({ id: "Generation" }),
) satisfies z.ZodType<ReturnType<typeof generationJson>>;
const findingsShape = z
  .object({
    count: z.int(),
    examples: z.array(
      z
        .object({
          /** Null for what became no page. */
          path: z.string().nullable(),
          /** The page's title, or where it is in its source. */
          place: z.string(),
          detail: z.string(),
        })
        .meta({ id: "Finding" }),
    ),
  })
  .meta({ id: "Findings" });
export const fidelityShape = z.lazy(() =>
  z
    .object({
      generation: z.int(),
      /** How many were looked at. */
      pages: z.int(),
      /** Whether the site has more pages than are looked at. */
      isPart: z.boolean(),
      markup: findingsShape,
      images: findingsShape,
      links: findingsShape,
      leftOut: findingsShape,
      /** What of how sources were read does not look like a site that was read whole. */
      signs: findingsShape,
    })
    .meta({ id: "FidelityReport" }),
) satisfies z.ZodType<FidelityReport>;
export const enrichmentShape = z.lazy(() =>
  z
    .object({
      mode: enrichmentSchema,
      passages: z.int(),
      /** Different passages with questions, and those for which the model wrote nothing that can be used. */
      written: z.int(),
      refused: z.int(),
      /** What models have written today, for all sites together, and what they may. */
      minutesToday: z.number(),
      minutesPerDay: z.number(),
      /** Whether search uses it. */
      isCounted: z.boolean(),
      /** With fewer kept questions, the owner decides without them. */
      questionsMin: z.int(),
      measure: z
        .object({
          measuredAt: moment.nullable(),
          generation: z.int(),
          written: z.int(),
          questions: z.int(),
          better: z.int(),
          worse: z.int(),
          ndcgWith: z.number(),
          ndcgWithout: z.number(),
          low: z.number(),
          high: z.number(),
        })
        .meta({ id: "EnrichmentMeasure" })
        .nullable(),
      samples: z.array(
        z
          .object({
            path: z.string(),
            title: z.string(),
            headings: z.array(z.string()),
            questions: z.array(z.string()),
            words: z.array(z.string()),
            model: z.string(),
            madeAt: moment.nullable(),
          })
          .meta({ id: "EnrichmentSample" }),
      ),
    })
    .meta({ id: "Enrichment" }),
) satisfies z.ZodType<ReturnType<typeof enrichmentJson>>;

export const removedEnrichmentShape = z.lazy(() =>
  z.object({ removed: z.int() }).meta({ id: "RemovedEnrichment" }),
);

export const rollbackShape = z.lazy(() =>
  z.object({ from: z.int(), to: z.int() }).meta({ id: "RolledBack" }),
);

export const answerShape = z.lazy(() =>
  z
    .object({
      name: z.string(),
      source: z.string().nullable(),
      version: z.string(),
      language: z.string(),
      questions: z.array(z.string()),
      markdown: z.string(),
      frontMatter: z.record(z.string(), z.unknown()).meta({ id: "FrontMatter" }),
      concerns: z.array(z.string()),
    })
    .meta({ id: "CuratedAnswer" }),
) satisfies z.ZodType<ReturnType<typeof answerJson>>;

export const removedShape = z.lazy(() =>
  z.object({ threads: z.int(), turns: z.int() }).meta({ id: "DeletedCounts" }),
);
export const summaryShape = z.lazy(() =>
  z
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
    .meta({ id: "Summary" }),
);
const serverShape = z.lazy(() =>
  z
    .object({
      url: z.string(),
      model: z.string().nullable(),
      says: z.string().nullable(),
      reason: z.string().nullable(),
      hint: z.string().nullable(),
    })
    .meta({ id: "ModelServer" }),
);
/** `servers` is told to owners and keys of the server alone. */
export const modelsShape = z.lazy(() =>
  z
    .object({ model: z.string().nullable(), servers: z.array(serverShape).optional() })
    .meta({ id: "ModelStatus" }),
);

/** A type whose closed lists of words are plain text, because they may grow. */
type Loose<T> = T extends string ? string : T extends object ? { [Name in keyof T]: Loose<T[Name]> } : T;

// What the index of a site holds, and why something in it is found or not.

const pageFields = () =>
  z.object({
    path: z.string(),
    title: z.string(),
    version: z.string(),
    language: z.string(),
    source: z.int(),
    location: z.string(),
    hidden: z.boolean(),
    passages: z.int(),
    updatedAt: moment.nullable(),
  }) satisfies z.ZodType<ReturnType<typeof inventoryEntryJson>>;
export const pageEntryShape = z.lazy(() => pageFields().meta({ id: "ListedPage" }));
export const pageListShape = z.lazy(() =>
  z
    .object({ pages: z.array(pageEntryShape), nextCursor: z.string().nullable(), hasMore: z.boolean() })
    .meta({ id: "PageList" }),
);
export const indexedPageShape = z.lazy(() =>
  pageFields()
    .extend({
      description: z.string().nullable(),
      tags: z.array(z.string()),
      /** Whom it is for; empty: everyone. `(nobody)`: nobody. */
      groups: z.array(z.string()),
      content: z.array(
        z
          .object({
            headings: z.array(z.string()),
            anchor: z.string(),
            markdown: z.string(),
            tokens: z.int(),
            hasVector: z.boolean(),
          })
          .meta({ id: "IndexedPassage" }),
      ),
    })
    .meta({ id: "IndexedPage" }),
) satisfies z.ZodType<ReturnType<typeof inventoryPageJson>>;

const ranked = z.lazy(() => z.object({ rank: z.int() }).meta({ id: "Rank" }).nullable());
const placed = z.lazy(() =>
  z.object({ rank: z.int().nullable(), score: z.number() }).meta({ id: "Placing" }).nullable(),
);
const explainedPassageShape = z.lazy(() =>
  z
    .object({
      path: z.string(),
      version: z.string(),
      language: z.string(),
      title: z.string(),
      headings: z.array(z.string()),
      anchor: z.string(),
      snippet: z.string(),
      has: z.array(z.string()),
      lacks: z.array(z.string()),
      linked: z.array(z.string()),
      keyword: ranked,
      nearest: placed,
      fused: ranked,
      relevance: z.number(),
      standing: z.enum(STANDINGS).meta({ id: "Standing" }),
      rank: z.int().nullable(),
    })
    .meta({ id: "ExplainedPassage" }),
);
const explainedPageShape = z.lazy(() =>
  pageFields()
    .extend({
      standing: z.enum(PAGE_STANDINGS).meta({ id: "PageStanding" }),
      ranked: z.array(explainedPassageShape),
    })
    .meta({ id: "ExplainedPage" }),
);
const searchFields = () =>
  z.object({
    generation: z.int(),
    /** The words that were searched for in the place of misspelled ones. */
    corrected: z.array(
      z.object({ written: z.string(), corrected: z.string() }).meta({ id: "CorrectedWord" }),
    ),
    sitePassages: z.int(),
    terms: z.array(
      z.object({ word: z.string(), term: z.string(), passages: z.int() }).meta({ id: "ExplainedTerm" }),
    ),
    phrases: z.array(z.string()),
    names: z.array(z.string()),
    hasVectors: z.boolean(),
    typicalSimilarity: z.number().nullable(),
    proposed: z.int(),
    passages: z.array(explainedPassageShape),
  }) satisfies z.ZodType<ReturnType<typeof explanationJson>>;
export const explanationShape = z.lazy(() =>
  searchFields()
    .extend({
      /** A question whose best passage is less relevant than this is not answered from the docs. */
      gate: z
        .object({ relevanceMin: z.number(), best: z.number(), passes: z.boolean() })
        .meta({ id: "Gate" }),
      pageSize: z.int(),
      /** What is known of the page that was asked after; null where none was. */
      page: z
        .object({
          path: z.string(),
          pages: z.array(explainedPageShape),
          ledger: z.array(ledgerEntryFields().extend({ source: z.int() }).meta({ id: "SourceLedgerEntry" })),
        })
        .meta({ id: "ExplainedPath" })
        .nullable(),
    })
    .meta({ id: "Explanation" }),
);

/** The chat models that a site may choose. */
export const offeredModelsShape = z.lazy(() =>
  z
    .object({
      own: z.string().nullable(),
      models: z.array(
        z
          .object({
            name: z.string(),
            contextTokens: z.int(),
            seesPictures: z.boolean(),
            canThink: z.boolean(),
          })
          .meta({ id: "ChatModel" }),
      ),
      isWhole: z.boolean(),
    })
    .meta({ id: "ChatModelList" }),
);

const phrasesShape = z.lazy(() =>
  z.record(z.enum(PHRASE_NAMES), z.string()).meta({ id: "DefaultPhrases" }),
) satisfies z.ZodType<ReturnType<typeof phrasesFor>>;

/** What holds where a site's settings do not say. */
export const siteDefaultsShape = z.lazy(() =>
  z
    .object({
      /** null: the server has an exact number instead. */
      answerWhen: answerWhenSchema.nullable(),
      relevanceMin: z.number(),
      curatedMin: z.number(),
      /** Of an organization, in all. 0: no limit. */
      hourlyMessages: z.int(),
      /** By the first part of a language's tag. */
      phrases: z.record(z.string(), phrasesShape).meta({ id: "PhrasesByLanguage" }),
    })
    .meta({ id: "SiteDefaults" }),
);

/** The server itself, for whoever looks after it. */
export const serverStateShape = z.lazy(() =>
  z
    .object({
      version: z.string(),
      startedAt: moment,
      publicUrl: z.string(),
      /** What it keeps, in bytes. */
      data: z
        .object({
          directory: z.string(),
          /** What keeps it, with its version: `SQLite 3.54.0`, `PostgreSQL 15.18`. */
          engine: z.string(),
          /** How many servers of Docent share the database; null where it is this server's own. */
          servers: z.int().nullable(),
          databaseBytes: z.int(),
          backupsBytes: z.int(),
          otherBytes: z.int(),
          /** Left on the disk that it is on; null where that cannot be told. */
          freeBytes: z.int().nullable(),
        })
        .meta({ id: "ServerData" }),
      /** The backups that it makes by itself; null where it makes none. */
      backups: z
        .object({
          everyHours: z.int(),
          folder: z.string(),
          nextAt: moment,
          /** No backup has come to a good end in twice the time between two. */
          isOverdue: z.boolean(),
          /** The newest that was made and checked. */
          newest: z
            .object({ file: z.string(), bytes: z.int(), at: moment })
            .meta({ id: "ScheduledBackup" })
            .nullable(),
          /** Why none was made since. */
          failure: z
            .object({ at: moment, says: z.string(), hint: z.string().nullable() })
            .meta({ id: "BackupFailure" })
            .nullable(),
        })
        .meta({ id: "ScheduledBackups" })
        .nullable(),
      /** How it is held back from the network; null where it is not sealed. */
      sealed: z
        .object({
          /** Whether the kernel refuses connections besides Docent's own guard. */
          byKernel: z.boolean(),
          says: z.string(),
        })
        .meta({ id: "ServerSeal" })
        .nullable(),
      /** The bundle that was installed last; null where none was. */
      bundle: z
        .object({
          id: z.string(),
          madeAt: moment,
          /** The version of Docent that made it. */
          docent: z.string(),
          installedAt: moment,
          /** The fingerprint of the key that it had to be signed with; null where any bundle was taken. */
          signedBy: z.string().nullable(),
        })
        .meta({ id: "InstalledBundle" })
        .nullable(),
      /** Where its metrics are read; null where nothing is measured. */
      metricsUrl: z.string().nullable(),
      /** Answers that are being written, and questions that wait for a model. */
      load: z.object({ running: z.int(), waiting: z.int() }).meta({ id: "Load" }),
    })
    .meta({ id: "Server" }),
);

// The replies of the operations that manage members.

export const memberShape = z.lazy(() =>
  z
    .object({
      id: z.string(),
      name: z.string(),
      isServerOwner: z.boolean(),
      /** In the organizations that are open to who asks. */
      roles: z.array(z.object({ organizationId: z.string(), role: roleShape }).meta({ id: "MemberRole" })),
      state: z.enum(["active", "invited"]),
      /** The provider that vouches for them, `proxy` for the proxy that signs in; null where they have a password. */
      provider: z.string().nullable(),
      lastSeenAt: moment.nullable(),
    })
    .meta({ id: "Member" }),
) satisfies z.ZodType<ReturnType<typeof memberJson>>;
/** The link is told this once. */
const linkFields = () => z.object({ link: z.string(), expiresAt: moment });
export const memberLinkShape = z.lazy(() => linkFields().meta({ id: "MemberLink" }));
export const newMemberShape = z.lazy(() =>
  linkFields().extend({ member: memberShape }).meta({ id: "InvitedMember" }),
);

// The replies of the operations that show the audit log.

const auditEntryFields = () => ({
  id: z.string(),
  at: moment,
  /** What was done to what. More kinds may come. */
  kind: z.string(),
  /** Who did it: a member or an admin key by the name that it had then. Nobody signs in at the command line. */
  actor: z
    .object({ kind: z.enum(ACTOR_KINDS), id: z.string().nullable(), name: z.string().nullable() })
    .meta({ id: "AuditActor" }),
  /** The domain that the site had then. */
  site: z.string().nullable(),
  /** To what it was done, where it has an id or a name. */
  subject: z.object({ id: z.string().nullable(), name: z.string().nullable() }).meta({ id: "AuditSubject" }),
  /** What entries of this kind tell besides. */
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()]))
    .meta({ id: "AuditDetails" }),
});
export const auditEntryShape = z.lazy(() => z.object(auditEntryFields()).meta({ id: "AuditEntry" }));
export const auditListShape = z.lazy(() =>
  z
    .object({ entries: z.array(auditEntryShape), nextCursor: z.string().nullable(), hasMore: z.boolean() })
    .meta({ id: "AuditList" }),
) satisfies z.ZodType<Awaited<ReturnType<Audit["list"]>>>;
