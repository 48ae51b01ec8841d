import { AppError } from "@docent/kernel/errors";
import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { aboutSource } from "@docent/people/audit/audit";
import type { Admin } from "@docent/people/keys/admin-keys";
import { CONNECTOR_KINDS, CONNECTOR_NAMES } from "@docent/reading/connectors/connectors";
import { ADDABLE_KINDS, type SourceSpec } from "@docent/reading/source";
import { listedEntriesJson, sourceJson } from "@docent/sites/ingest/json";
import { DECISIONS, EVERY_MS_MAX, EVERY_MS_MIN, type ListedSource } from "@docent/sites/ingest/stores";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { findSite } from "../../guard/guard.ts";
import { gives, type Operation, reply } from "../../operation.ts";
import { cursorField, describedAs } from "../../request/fields.ts";
import type { AdminOptions } from "../admin.ts";
import { type AdminGuards, adminOperation } from "../guard.ts";
import { decisionShape, ledgerShape, sourceRulesShape, sourceShape } from "../shapes.ts";

export { runOperations, underWayOperations } from "./runs.ts";
export { uploadOperations } from "./uploads.ts";

const interval = describedAs(z.int(), z.int().min(EVERY_MS_MIN).max(EVERY_MS_MAX));
const label = z.string().max(100).optional();
const text = z.string().min(1).max(500).optional();
const groups = z.array(z.string().trim().min(1).max(200)).max(50);
const published = z.string().trim().min(1).max(1000).nullable();
const sourceSchema = z
  .strictObject({
    place: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .regex(/^[^\p{Cc}]*$/u, "must be one line of text"),
    kind: describedAs(z.string().max(20), z.enum(ADDABLE_KINDS)).optional(),
    branch: text,
    subfolder: text,
    version: label,
    language: label,
    /** How often the source is read again; null: on demand alone. */
    everyMs: interval.nullable().optional(),
    /** The environment variable that holds what it signs in with. */
    authorization: z
      .string()
      .regex(/^[A-Za-z_]\w{0,199}$/, "must be the name of an environment variable")
      .optional(),
    /** Whom its pages are for; empty: everyone. */
    groups: groups.optional(),
    /** Where its pages are published; null: that is not known. */
    published: published.optional(),
  })
  .meta({ id: "NewSource" });
type PostedSource = z.infer<typeof sourceSchema>;

const rulesSchema = z.strictObject({ site: z.string().max(63).optional() });
const changeSchema = z
  .strictObject({
    everyMs: interval.nullable().optional(),
    groups: groups.optional(),
    published: published.optional(),
    /** By the names of open questions; an empty text takes an answer back. */
    answers: z
      .record(z.string().min(1).max(100), z.string().max(500))
      .meta({ id: "GivenAnswers" })
      .optional(),
  })
  .meta({ id: "SourceChange" });

const LEDGER_MAX = 1000;
const ledgerSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(LEDGER_MAX).default(100),
  cursor: cursorField,
  decision: z.preprocess(
    (given) => (typeof given === "string" ? [given] : given),
    z.array(decisionShape).max(DECISIONS.length).optional(),
  ),
});

const ledgerCursorSchema = z.tuple([z.string()]);

const SOURCES = "/v1/admin/sites/:domain/sources";
type SourceOptions = Pick<
  AdminOptions,
  | "siteSources"
  | "requestedSources"
  | "ledger"
  | "inventory"
  | "basePath"
  | "settings"
  | "foldersOf"
  | "sites"
  | "door"
>;

/** A site's sources, and the ledger of what was decided of each page. */
export function sourceOperations(options: SourceOptions, guards: AdminGuards): Operation[] {
  return [
    getSourceRules(options, guards),
    listSources(options, guards),
    addSource(options, guards),
    getSource(options, guards),
    changeSource(options, guards),
    listLedgerEntries(options, guards),
  ];
}

function getSourceRules(options: SourceOptions, guards: AdminGuards): Operation {
  const { upload_bytes: uploadBytesMax, source_variables: variables } = options.settings;
  return adminOperation({
    id: "getSourceRules",
    method: "GET",
    path: "/v1/admin/source-rules",
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "Tell what may be named as a source",
    description:
      "`folders` are those of the organization of `site`, or of all that are open to who asks. `variables` are told to keys of the server alone: they may name what a source signs in with.",
    query: rulesSchema,
    replies: gives(200, "The bounds, and the folders of this machine.", sourceRulesShape),
    errors: ["not_found"],
    async run({ admin, query }) {
      const folders = await foldersFor(options, admin, query().site);
      return reply({
        uploadBytesMax,
        folders,
        variables: admin.isServer ? variables : [],
        servers: CONNECTOR_KINDS.map((kind) => ({ kind, name: CONNECTOR_NAMES[kind] })),
      });
    },
  });
}

const listSources = ({ siteSources }: SourceOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listSources",
    method: "GET",
    path: SOURCES,
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "List the sources of a site",
    replies: gives(200, "The sources.", z.array(sourceShape)),
    run: async ({ site }) =>
      reply((await siteSources.list(site().id)).map((each) => sourceJson(each, siteSources.whyNotRead))),
  });

function addSource(options: SourceOptions, guards: AdminGuards): Operation {
  const { basePath } = options;
  return adminOperation({
    id: "addSource",
    method: "POST",
    path: SOURCES,
    tag: "Admin: sources",
    guard: guards.writes,
    records: ["source.added", "source.changed"],
    summary: "Add a source",
    description:
      "One that is there already stays as it is, but for how often it is read, whom it is for and where it is published. A run of it has to be asked for.",
    example: { place: "https://docs.example.com", version: "2.0", everyMs: 21_600_000 },
    replies: {
      ...gives(200, "The source was there.", sourceShape),
      ...gives(201, "The source.", sourceShape),
    },
    body: sourceSchema,
    async run({ admin, site, record, body }) {
      const asked = await body();
      const { source, isNew } = await note(options, admin, site(), asked);
      const changed = (["everyMs", "groups", "published"] as const).filter(
        (name) => asked[name] !== undefined,
      );
      if (isNew) await record({ kind: "source.added", ...aboutSource(source) });
      else if (changed.length > 0)
        await record({ kind: "source.changed", ...aboutSource(source), details: { changed } });
      const location = `${basePath}/v1/admin/sites/${site().domain}/sources/${source.id}`;
      return reply(
        sourceJson(source, options.siteSources.whyNotRead),
        isNew ? { status: 201, location } : {},
      );
    },
  });
}

const getSource = ({ siteSources }: SourceOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getSource",
    method: "GET",
    path: `${SOURCES}/:number`,
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "Show a source",
    replies: gives(200, "The source.", sourceShape),
    run: async ({ site, number }) =>
      reply(sourceJson(await siteSources.get(site().id, number("number")), siteSources.whyNotRead)),
  });

const changeSource = ({ siteSources }: SourceOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "changeSource",
    method: "PATCH",
    path: `${SOURCES}/:number`,
    tag: "Admin: sources",
    guard: guards.writes,
    records: ["source.changed"],
    summary: "Change how a source is read",
    description:
      "`everyMs` is in milliseconds; null is on demand alone. `answers` says what the configuration of a docs generator leaves open, by the `name` of each question in `lastRun.docs`. `groups` says whom the pages are for, and nobody else; empty is everyone. `published` is the address at which the pages of a folder, a repository, an archive or an upload are published: each run takes their addresses and the ids of their headings from there. null takes it back. What is not named stays. The next run reads the source so.",
    example: { everyMs: 86_400_000 },
    replies: gives(200, "The source as it is now.", sourceShape),
    body: changeSchema,
    async run({ site, record, number, body }) {
      let source = await siteSources.get(site().id, number("number"));
      const { everyMs, answers, groups: named, published: address } = await body();
      const changed: string[] = [];
      try {
        if (answers !== undefined) source = await siteSources.answer(source, answers);
        if (answers !== undefined) changed.push("answers");
        if (named !== undefined) source = await siteSources.restrict(source, named);
        if (named !== undefined) changed.push("groups");
        if (address !== undefined) source = await siteSources.publish(source, address);
        if (address !== undefined) changed.push("published");
        if (everyMs !== undefined) source = await siteSources.schedule(source, everyMs);
        if (everyMs !== undefined) changed.push("everyMs");
      } finally {
        // One may be refused behind others that are kept.
        if (changed.length > 0)
          await record({ kind: "source.changed", ...aboutSource(source), details: { changed } });
      }
      return reply(sourceJson(source, siteSources.whyNotRead));
    },
  });

const listLedgerEntries = (
  { siteSources, ledger, inventory }: SourceOptions,
  guards: AdminGuards,
): Operation =>
  adminOperation({
    id: "listLedgerEntries",
    method: "GET",
    path: `${SOURCES}/:number/ledger`,
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "List what was decided of each page",
    replies: gives(200, "A part of the ledger.", ledgerShape),
    query: ledgerSchema,
    async run({ site, number, query }) {
      const source = await siteSources.get(site().id, number("number"));
      const { limit, cursor, decision: decisions } = query();
      const [after] = cursor === undefined ? [] : readCursor(ledgerCursorSchema, cursor);
      const found = await ledger.part(source.id, { after, decisions, limit: limit + 1 });
      const entries = found.slice(0, limit);
      const last = found.length > limit ? entries.at(-1) : undefined;
      return reply({
        entries: await listedEntriesJson(inventory, source, entries),
        nextCursor: last === undefined ? null : writeCursor([last.location]),
        hasMore: last !== undefined,
      });
    },
  });

/** The folders that may be named for a site, or anywhere. A site that is not seen is not there. */
async function foldersFor(
  { sites, foldersOf, door }: SourceOptions,
  admin: Admin,
  domain: string | undefined,
): Promise<string[]> {
  if (domain !== undefined) {
    const sees = ({ organizationId }: Site) => admin.sees(organizationId);
    const { organizationId } = findSite(door.guard.directory, sees, domain);
    return [...(await foldersOf(organizationId))];
  }
  const seen = (await sites.listOrganizations()).filter(({ id }) => admin.sees(id));
  return [...new Set((await Promise.all(seen.map(({ id }) => foldersOf(id)))).flat())];
}

/** Adds a source; of one that is there already only the interval, its groups and where it is published are changed. */
async function note(
  { siteSources, requestedSources }: SourceOptions,
  admin: Admin,
  site: Site,
  { everyMs, groups: named, published: address, ...asked }: PostedSource,
): Promise<{ source: ListedSource; isNew: boolean }> {
  const { id: siteId, organizationId } = site;
  const admitted = await requestedSources.check(
    { ...asked, siteId, organizationId },
    { mayUseCredentials: admin.isServer },
  );
  const known = (await siteSources.list(site.id)).find((source) => isSame(source, admitted.spec));
  const every = { ...(everyMs === undefined ? {} : { everyMs }), groups: named, published: address };
  if (known === undefined)
    return {
      source: await siteSources.add(admitted.spec, { ...every, options: admitted.options }),
      isNew: true,
    };
  if (asked.authorization !== undefined && asked.authorization !== known.options.authorizationVariable)
    throw new AppError("conflict", `${known.location} is there already, and signs in otherwise.`);
  return { source: await siteSources.add(admitted.spec, every), isNew: false };
}

const isSame = (a: SourceSpec, b: SourceSpec) =>
  a.kind === b.kind && a.location === b.location && a.version === b.version && a.language === b.language;
