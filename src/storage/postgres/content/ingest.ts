import { AppError } from "../../../errors.ts";
import type { Source } from "../../../ingest/source.ts";
import type { IngestStore, KnownPage, RunEnd } from "../../../ingest/stores.ts";
import { beingIngested } from "../../conflicts.ts";
import { readMenu, readRedirects, readStrings, writeRedirects } from "../../rows/json.ts";
import { wholeText } from "../../whole-text.ts";
import { noteChange } from "../changes.ts";
import type { Database, Queries } from "../database/database.ts";
import type { Leases } from "../leases.ts";
import { isOfRun } from "../page-paths.ts";
import { undoLaterGenerations } from "./generations.ts";
import { knownImages, pruneImages } from "./images.ts";
import { stagePages } from "./page-writer.ts";

const PRUNED_PAGES_AT_ONCE = 200;

const LOCK_SITE = "SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE";
const RESUME = `
  UPDATE generations SET holder = $holder WHERE source_id = $sourceId AND number IS NULL RETURNING id`;
const BEGIN = `
  INSERT INTO generations (site_id, source_id, started_at, holder) VALUES ($siteId, $sourceId, $startedAt, $holder)
  RETURNING id`;
/** Keeps whoever opens the run next waiting until this write has ended. */
const HOLDS =
  "SELECT id FROM generations WHERE id = $runId AND number IS NULL AND holder = $holder FOR SHARE";
const KNOWN = `
  SELECT id, path, location, content_hash, groups_json, born = $runId AS staged, coalesce(died = $runId, false) AS dropped
  FROM pages WHERE source_id = $sourceId AND (died IS NULL OR died = $runId) ORDER BY id`;

const IDENTITY = `
  source_id = $sourceId AND md5(path) IN (SELECT md5(wanted) FROM unnest($paths::text[]) AS wanted)
  AND path = ANY($paths::text[])`;
const UNSTAGE = `DELETE FROM pages WHERE ${IDENTITY} AND ${isOfRun("born", "$runId")}`;
/** The generation in which pages die, and their passages with them. */
const bury = (died: string, where: string) => `
  WITH marked AS (UPDATE pages SET died = ${died} WHERE ${IDENTITY} AND ${where} RETURNING id)
  UPDATE passages SET died = ${died} FROM marked WHERE passages.page_id = marked.id`;
const BURY = bury("$runId", "born <> $runId AND died IS NULL");
const REVIVE = bury("NULL", isOfRun("died", "$runId"));

const NEXT_NUMBER = "SELECT coalesce(max(number), 0) + 1 AS number FROM generations WHERE site_id = $siteId";
const PUBLISH = `
  UPDATE generations SET number = $number, counts_json = $countsJson, finished_at = $finishedAt,
    menu_json = coalesce($menuJson::text, menu_json), redirects_json = coalesce($redirectsJson::text, redirects_json)
  WHERE id = $runId`;
const NOTE_PUBLISHED = `
  UPDATE source_runs SET generation = $number, counts_json = $countsJson, message = $incomplete
  WHERE id = $ledgerRunId AND finished_at IS NULL`;
const SHOW = "UPDATE sites SET generation = $number WHERE id = $siteId";
const DISCARD = "DELETE FROM generations WHERE id = $runId AND number IS NULL AND holder = $holder";
/** What the latest generation of a source that says something says, of those that readers may see. */
const lastSaid = (column: "menu_json" | "redirects_json") => `
  SELECT ${column} AS json FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND source_id = $sourceId AND number <= sites.generation
    AND undone_at IS NULL AND ${column} IS NOT NULL
  ORDER BY number DESC LIMIT 1`;
const MENU = lastSaid("menu_json");
const REDIRECTS = lastSaid("redirects_json");

const OLDEST_KEPT = `
  SELECT number FROM generations WHERE site_id = $siteId AND number IS NOT NULL AND undone_at IS NULL
  ORDER BY number DESC LIMIT 1 OFFSET $keepGenerations - 1`;
/** Before any page goes: what is gone cannot be returned to. */
const KEEP_FROM = `
  UPDATE sites SET oldest_generation = greatest(oldest_generation, $oldest) WHERE id = $siteId`;
const PRUNE_CALIBRATIONS = "DELETE FROM calibrations WHERE site_id = $siteId AND generation < $oldest";
/** Takes away what no kept generation shows any more: large menus are as large as many pages. */
const PRUNE_SAID = ["menu_json", "redirects_json"].map(
  (column) => `
  UPDATE generations SET ${column} = NULL
  WHERE site_id = $siteId AND ${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM generations AS later
    WHERE later.source_id = generations.source_id AND later.number > generations.number AND later.number <= $oldest
      AND later.undone_at IS NULL AND later.${column} IS NOT NULL)`,
);
/** Waits for another that does the same, so that what is kept of a source is told from what is only going. */
const PRUNE_PAGES = `
  DELETE FROM pages WHERE id IN (
    SELECT pages.id FROM generations JOIN pages ON pages.died = generations.id
    WHERE generations.site_id = $siteId AND generations.number <= $oldest
    ORDER BY pages.id LIMIT ${PRUNED_PAGES_AT_ONCE} FOR UPDATE OF pages)`;
/** Removes the sources that were taken away, once nothing that is kept came from them. */
const PRUNE_SOURCES = `
  DELETE FROM sources WHERE site_id = $siteId AND removed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.source_id = sources.id)
    AND NOT EXISTS (SELECT 1 FROM generations JOIN sites ON sites.id = generations.site_id
      WHERE generations.source_id = sources.id AND (number IS NULL OR number >= sites.oldest_generation))`;

export function createIngestStore(
  database: Database,
  { leases, newId }: { leases: Leases; newId: () => string },
): IngestStore {
  const runs = createRuns(database, newId);
  return {
    async lock({ id, location }) {
      const lease = await leases.take("source", [id]);
      if ("heldBy" in lease) throw beingIngested(location);
      return lease;
    },

    openRun: runs.open,
    knownPages: ({ id }, runId) => knownPages(database, id, runId),

    stage: (source, runId, pages) =>
      runs.write(runId, async (write) => {
        const staged = [...new Map(pages.map((page) => [wholeText(page.path), page])).values()];
        const at = pagesAt(
          source,
          runId,
          staged.map(({ path }) => path),
        );
        await write.run(UNSTAGE, at);
        await write.run(BURY, at);
        await stagePages(write, source, runId, staged);
      }),

    keep: (source, runId, paths) =>
      runs.write(runId, async (write) => {
        const at = pagesAt(source, runId, paths);
        await write.run(UNSTAGE, at);
        await write.run(REVIVE, at);
      }),

    drop: (source, runId, paths) =>
      runs.write(runId, async (write) => {
        const at = pagesAt(source, runId, paths);
        await write.run(UNSTAGE, at);
        await write.run(BURY, at);
      }),

    publish: ({ siteId }, runId, end) => runs.write(runId, (write) => publish(write, siteId, runId, end)),
    async menu(source) {
      const json = await saidLast(database, MENU, source);
      return json === undefined ? [] : readMenu(json);
    },
    async redirects(source) {
      const json = await saidLast(database, REDIRECTS, source);
      return json === undefined ? [] : readRedirects(json);
    },

    discard: runs.discard,
    prune: (siteId, keepGenerations) => prune(database, siteId, keepGenerations),
  };
}

/**
 * The runs that this server has opened. One whose lease was lost may be another server's by now, which opened it anew:
 * what is still written to it here is refused.
 */
function createRuns(database: Database, newId: () => string) {
  const holders = new Map<number, string>();

  async function open({ id: sourceId, siteId }: Source, startedAt: number) {
    await undoLaterGenerations(database, siteId, startedAt);
    const holder = newId();
    const staged = await database.get<{ id: number }>(RESUME, { sourceId, holder });
    const run =
      staged ?? (await database.get<{ id: number }>(BEGIN, { siteId, sourceId, startedAt, holder }));
    if (run === undefined) throw new Error("the run that was just begun is not there");
    holders.set(run.id, holder);
    return { runId: run.id, resumed: staged !== undefined };
  }

  const write = <R>(runId: number, work: (write: Queries) => Promise<R>): Promise<R> =>
    database.inOneWrite(async (queries) => {
      const holder = holders.get(runId) ?? null;
      if ((await queries.get(HOLDS, { runId, holder })) === undefined) throw runLost();
      return work(queries);
    });

  async function discard(runId: number): Promise<void> {
    await database.run(DISCARD, { runId, holder: holders.get(runId) ?? null });
    holders.delete(runId);
  }

  return {
    open,
    write,
    discard,
  };
}

const runLost = () =>
  new AppError("conflict", "Another server reads this source now.", {
    hint: "This one lost its connection to PostgreSQL meanwhile. What the other one finds is published.",
  });

async function knownPages(database: Database, sourceId: number, runId: number): Promise<KnownPage[]> {
  const images = await knownImages(database, sourceId);
  const rows = await database.all<KnownRow>(KNOWN, { sourceId, runId });
  return rows.map(({ id, groupsJson, ...row }) => ({
    ...row,
    groups: readStrings(groupsJson),
    staged: row.staged === 1,
    dropped: row.dropped === 1,
    images: images.get(id) ?? [],
  }));
}

interface KnownRow {
  id: number;
  path: string;
  location: string;
  contentHash: string;
  groupsJson: string;
  staged: number;
  dropped: number;
}

const pagesAt = ({ id: sourceId }: Source, runId: number, paths: readonly string[]) => ({
  sourceId,
  runId,
  paths,
});

/** Gives what was staged the next number of its site, by which readers see it. */
async function publish(
  write: Queries,
  siteId: number,
  runId: number,
  { counts, menu, redirects, ledgerRun, at: finishedAt }: RunEnd,
): Promise<number> {
  await write.run(LOCK_SITE, { siteId });
  const next = await write.get<{ number: number }>(NEXT_NUMBER, { siteId });
  const number = next?.number ?? 1;
  const countsJson = JSON.stringify(counts);
  await write.run(PUBLISH, {
    runId,
    number,
    countsJson,
    finishedAt,
    menuJson: menu === undefined ? null : JSON.stringify(menu),
    redirectsJson: redirects === undefined ? null : writeRedirects(redirects),
  });
  if (ledgerRun !== undefined) {
    const { id: ledgerRunId, incomplete = null } = ledgerRun;
    await write.run(NOTE_PUBLISHED, { ledgerRunId, number, countsJson, incomplete });
  }
  await write.run(SHOW, { siteId, number });
  await noteChange(write, "sites");
  return number;
}

async function saidLast(
  database: Database,
  text: string,
  { id: sourceId, siteId }: Source,
): Promise<string | undefined> {
  return (await database.get<{ json: string }>(text, { siteId, sourceId }))?.json;
}

async function prune(database: Database, siteId: number, keepGenerations: number): Promise<void> {
  const kept = await database.get<{ number: number }>(OLDEST_KEPT, { siteId, keepGenerations });
  if (kept === undefined) return;
  const pruned = { siteId, oldest: kept.number };
  await database.run(KEEP_FROM, pruned);
  await database.run(PRUNE_CALIBRATIONS, pruned);
  for (const statement of PRUNE_SAID) await database.run(statement, pruned);
  while ((await database.inOneWrite((write) => write.run(PRUNE_PAGES, pruned))) > 0);
  while ((await pruneImages(database, siteId)) > 0);
  await database.run(PRUNE_SOURCES, { siteId });
}
