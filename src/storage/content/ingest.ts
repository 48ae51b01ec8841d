import { AppError } from "@docent/kernel/errors";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Source } from "@docent/reading/source";
import type { IngestStore, KnownPage, RunEnd, StagedPage } from "@docent/sites/ingest/stores";
import { beingIngested } from "../conflicts.ts";
import { readMenu, readRedirects, readStrings, writeRedirects } from "../rows/json.ts";
import type { Dialect } from "../sql/dialect.ts";
import { all, get, run, type Sql, type Steps } from "../sql/sql.ts";
import { type Statement, statement } from "../sql/statement.ts";
import { wholeText } from "../whole-text.ts";
import { LOCK_SITE, type Publishing, SHOW, undoLaterGenerations } from "./generations.ts";
import { knownImages, pruneImages, stageImages } from "./images.ts";

/** What a run needs of the engine. */
export interface Running extends Publishing {
  /** Writes pages with their passages, which is the most of what a run does; returns their ids by their paths. */
  stagePages(source: Source, runId: number, pages: readonly StagedPage[]): Steps<ReadonlyMap<string, number>>;
  /** Makes the name by which a server holds a run, where another one may take it over; undefined where there can be one alone. */
  newId: (() => string) | undefined;
}

const PRUNED_PAGES_AT_ONCE = 100;

/** Goes on with the run of a source that was interrupted. */
const RESUME = statement<{ id: number }>(({ engine }) =>
  engine === "postgres"
    ? "UPDATE generations SET holder = $holder WHERE source_id = $sourceId AND number IS NULL RETURNING id"
    : "SELECT id FROM generations WHERE source_id = $sourceId AND number IS NULL",
);
const BEGIN = statement<{ id: number }>(
  ({ onPostgres }) => `
  INSERT INTO generations (site_id, source_id, started_at ${onPostgres(", holder")})
  VALUES ($siteId, $sourceId, $startedAt ${onPostgres(", $holder")}) RETURNING id`,
);
/** Keeps whoever opens the run next waiting until this write has ended. */
const HOLDS = statement(({ onPostgres }) =>
  onPostgres(
    "SELECT id FROM generations WHERE id = $runId AND number IS NULL AND holder = $holder FOR SHARE",
  ),
);
const DISCARD = statement(
  ({ onPostgres }) => `
  DELETE FROM generations WHERE id = $runId AND number IS NULL ${onPostgres("AND holder = $holder")}`,
);
const KNOWN = statement<KnownRow>(`
  SELECT id, path, location, content_hash AS "contentHash", groups_json AS "groupsJson", born = $runId AS staged,
    coalesce(died = $runId, FALSE) AS dropped
  FROM pages WHERE source_id = $sourceId AND (died IS NULL OR died = $runId) ORDER BY id`);

const identity = (d: Dialect) => `source_id = $sourceId AND ${d.isOneOfLong("path", "paths")}`;
const UNSTAGE = statement(
  (d) => `DELETE FROM pages WHERE ${identity(d)} AND ${d.unindexed("born")} = $runId`,
);
const BURY = statement<{ id: number }>(
  (d) => `
  UPDATE pages SET died = $runId WHERE ${identity(d)} AND born <> $runId AND died IS NULL RETURNING id`,
);
const BURY_PASSAGES = statement(
  (d) => `UPDATE passages SET died = $runId WHERE ${d.isOneOf("page_id", "ids", "int")}`,
);
const REVIVE = statement<{ id: number }>(
  (d) => `UPDATE pages SET died = NULL WHERE ${identity(d)} AND ${d.unindexed("died")} = $runId RETURNING id`,
);
const REVIVE_PASSAGES = statement(
  (d) => `UPDATE passages SET died = NULL WHERE ${d.isOneOf("page_id", "ids", "int")}`,
);

const NEXT_NUMBER = statement<{ number: number }>(
  "SELECT coalesce(max(number), 0) + 1 AS number FROM generations WHERE site_id = $siteId",
);
const PUBLISH = statement(`
  UPDATE generations SET number = $number, counts_json = $countsJson, finished_at = $finishedAt,
    menu_json = coalesce(CAST($menuJson AS text), menu_json),
    redirects_json = coalesce(CAST($redirectsJson AS text), redirects_json)
  WHERE id = $runId`);
const NOTE_PUBLISHED = statement(`
  UPDATE source_runs SET generation = $number, counts_json = $countsJson, message = $incomplete
  WHERE id = $ledgerRunId AND finished_at IS NULL`);
/** What the latest generation of a source that says something says, of those that readers may see. */
const lastSaid = (column: "menu_json" | "redirects_json") =>
  statement<{ json: string }>(`
  SELECT ${column} AS json FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND source_id = $sourceId AND number <= sites.generation
    AND undone_at IS NULL AND ${column} IS NOT NULL
  ORDER BY number DESC LIMIT 1`);
const MENU = lastSaid("menu_json");
const REDIRECTS = lastSaid("redirects_json");

const OLDEST_KEPT = statement<{ number: number }>(`
  SELECT number FROM generations WHERE site_id = $siteId AND number IS NOT NULL AND undone_at IS NULL
  ORDER BY number DESC LIMIT 1 OFFSET $keepGenerations - 1`);
/** Before any page goes: what is gone cannot be returned to. */
const KEEP_FROM = statement(
  (d) => `
  UPDATE sites SET oldest_generation = ${d.greater("oldest_generation", "$oldest")} WHERE id = $siteId`,
);
const PRUNE_CALIBRATIONS = statement(
  "DELETE FROM calibrations WHERE site_id = $siteId AND generation < $oldest",
);
/** Takes away what no kept generation shows any more: large menus are as large as many pages. */
const pruneSaid = (column: "menu_json" | "redirects_json") =>
  statement(`
  UPDATE generations SET ${column} = NULL
  WHERE site_id = $siteId AND ${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM generations AS later
    WHERE later.source_id = generations.source_id AND later.number > generations.number AND later.number <= $oldest
      AND later.undone_at IS NULL AND later.${column} IS NOT NULL)`);
const PRUNE_SAID = [pruneSaid("menu_json"), pruneSaid("redirects_json")];
/** Waits for another that does the same, so that what is kept of a source is told from what is only going. */
const PRUNE_PAGES = statement(
  ({ onPostgres }) => `
  DELETE FROM pages WHERE id IN (
    SELECT pages.id FROM generations JOIN pages ON pages.died = generations.id
    WHERE generations.site_id = $siteId AND generations.number <= $oldest
    ${onPostgres("ORDER BY pages.id")} LIMIT ${PRUNED_PAGES_AT_ONCE} ${onPostgres("FOR UPDATE OF pages")})`,
);
/** Removes the sources that were taken away, once nothing that is kept came from them. */
const PRUNE_SOURCES = statement(`
  DELETE FROM sources WHERE site_id = $siteId AND removed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.source_id = sources.id)
    AND NOT EXISTS (SELECT 1 FROM generations JOIN sites ON sites.id = generations.site_id
      WHERE generations.source_id = sources.id AND (number IS NULL OR number >= sites.oldest_generation))`);

export function createIngestStore(sql: Sql, running: Running): IngestStore {
  const runs = createRuns(sql, running.newId);
  const { locks, noteChange } = running;
  return {
    async lock({ id, location }) {
      const lease = await locks.take([id]);
      if ("id" in lease) throw beingIngested(location);
      return lease;
    },

    openRun: runs.open,
    knownPages: ({ id }, runId) => knownPages(sql, id, runId),

    stage: (source, runId, pages) => runs.write(runId, () => stage(running, source, runId, pages)),
    keep: (source, runId, paths) => runs.write(runId, () => keep({ sourceId: source.id, runId, paths })),
    drop: (source, runId, paths) => runs.write(runId, () => drop({ sourceId: source.id, runId, paths })),

    publish: ({ siteId }, runId, end) =>
      runs.write(runId, function* () {
        const number = yield* publish(siteId, runId, end);
        yield* noteChange();
        return number;
      }),
    async menu(source) {
      const json = await saidLast(sql, MENU, source);
      return json === undefined ? [] : readMenu(json);
    },
    async redirects(source) {
      const json = await saidLast(sql, REDIRECTS, source);
      return json === undefined ? [] : readRedirects(json);
    },

    discard: runs.discard,
    prune: (siteId, keepGenerations) => prune(sql, siteId, keepGenerations),
  };
}

/**
 * The runs that this server has opened. One whose lease was lost may be another server's by now, which opened it anew:
 * what is still written to it here is refused.
 */
function createRuns(sql: Sql, newId: Running["newId"]) {
  const holders = new Map<number, string>();

  async function open({ id: sourceId, siteId }: Source, startedAt: number) {
    await undoLaterGenerations(sql, siteId, startedAt);
    const holder = newId?.();
    const staged = await sql.get(RESUME, { sourceId, holder });
    const begun = staged ?? (await sql.get(BEGIN, { siteId, sourceId, startedAt, holder }));
    if (begun === undefined) throw new Error("the run that was just begun is not there");
    if (holder !== undefined) holders.set(begun.id, holder);
    return { runId: begun.id, resumed: staged !== undefined };
  }

  const write = <R>(runId: number, body: () => Steps<R>): Promise<R> =>
    sql.inOneWrite(function* () {
      const holder = holders.get(runId);
      if (newId !== undefined && (yield* get(HOLDS, { runId, holder })) === undefined) throw runLost();
      return yield* body();
    });

  async function discard(runId: number): Promise<void> {
    await sql.run(DISCARD, { runId, holder: holders.get(runId) });
    holders.delete(runId);
  }

  return { open, write, discard };
}

const runLost = () =>
  new AppError("conflict", "Another server reads this source now.", {
    hint: "This one lost its connection to PostgreSQL meanwhile. What the other one finds is published.",
  });

interface KnownRow {
  id: number;
  path: string;
  location: string;
  contentHash: string;
  groupsJson: string;
  staged: number;
  dropped: number;
}

async function knownPages(sql: Sql, sourceId: number, runId: number): Promise<KnownPage[]> {
  const images = await knownImages(sql, sourceId);
  return (await sql.all(KNOWN, { sourceId, runId })).map(({ id, groupsJson, ...row }) => ({
    ...row,
    groups: readStrings(groupsJson),
    staged: row.staged === 1,
    dropped: row.dropped === 1,
    images: images.get(id) ?? [],
  }));
}

/** Some pages of a source, in a run. */
interface PagesAt {
  sourceId: number;
  runId: number;
  paths: readonly string[];
}

/** Nobody sees what is staged before the run is published. Of pages of one path, the last counts. */
function* stage(
  { stagePages }: Running,
  source: Source,
  runId: number,
  pages: readonly StagedPage[],
): Steps<void> {
  const staged = [...new Map(pages.map((page) => [wholeText(page.path), page])).values()];
  yield* drop({ sourceId: source.id, runId, paths: staged.map(({ path }) => path) });
  const idOf = yield* stagePages(source, runId, staged);
  for (const page of staged) {
    const pageId = idOf.get(wholeText(page.path));
    if (pageId !== undefined) yield* stageImages(pageId, source.siteId, page);
  }
}

function* keep({ sourceId, runId, paths }: PagesAt): Steps<void> {
  yield* run(UNSTAGE, { sourceId, runId, paths });
  const ids = (yield* all(REVIVE, { sourceId, runId, paths })).map(({ id }) => id);
  yield* run(REVIVE_PASSAGES, { ids });
}

function* drop({ sourceId, runId, paths }: PagesAt): Steps<void> {
  yield* run(UNSTAGE, { sourceId, runId, paths });
  const ids = (yield* all(BURY, { sourceId, runId, paths })).map(({ id }) => id);
  yield* run(BURY_PASSAGES, { runId, ids });
}

/** Gives what was staged the next number of its site, by which readers see it. */
function* publish(
  siteId: number,
  runId: number,
  { counts, menu, redirects, ledgerRun, at: finishedAt }: RunEnd,
): Steps<number> {
  yield* run(LOCK_SITE, { siteId });
  const number = (yield* get(NEXT_NUMBER, { siteId }))?.number ?? 1;
  const countsJson = JSON.stringify(counts);
  const menuJson = menu && JSON.stringify(menu);
  const redirectsJson = redirects && writeRedirects(redirects);
  yield* run(PUBLISH, { runId, number, countsJson, finishedAt, menuJson, redirectsJson });
  if (ledgerRun !== undefined) {
    const { id: ledgerRunId, incomplete } = ledgerRun;
    yield* run(NOTE_PUBLISHED, { ledgerRunId, number, countsJson, incomplete });
  }
  yield* run(SHOW, { siteId, number });
  return number;
}

const saidLast = async (
  sql: Sql,
  said: Statement<{ json: string }>,
  { id: sourceId, siteId }: Source,
): Promise<string | undefined> => (await sql.get(said, { siteId, sourceId }))?.json;

async function prune(sql: Sql, siteId: number, keepGenerations: number): Promise<void> {
  const kept = await sql.get(OLDEST_KEPT, { siteId, keepGenerations });
  if (kept === undefined) return;
  const pruned = { siteId, oldest: kept.number };
  await sql.run(KEEP_FROM, pruned);
  await sql.run(PRUNE_CALIBRATIONS, pruned);
  for (const said of PRUNE_SAID) await sql.run(said, pruned);
  while ((await sql.run(PRUNE_PAGES, pruned)) > 0) await letOthersRun();
  while ((await pruneImages(sql, siteId)) > 0) await letOthersRun();
  await sql.run(PRUNE_SOURCES, { siteId });
}
