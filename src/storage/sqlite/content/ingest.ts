import type { Database } from "bun:sqlite";
import { and, desc, eq, isNotNull, isNull, lte, max, sql } from "drizzle-orm";
import type { IngestStore, RunEnd, Source, StagedPage } from "../../../ingest/stores.ts";
import { heldLease } from "../../../lib/lease.ts";
import type { MenuEntry, PageRedirect } from "../../../pages/navigation/navigation.ts";
import { beingIngested } from "../../conflicts.ts";
import { readMenu, readRedirects, readStrings, writeRedirects } from "../../rows/json.ts";
import { generations, sourceRuns } from "../../sql/tables/content.ts";
import { sites } from "../../sql/tables/people.ts";
import type { OwnChanges } from "../changes.ts";
import type { TakeLock } from "../files/files.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";
import { undoLaterGenerations } from "./generations.ts";
import { knownImages, pruneImages } from "./images.ts";
import { createPageRemover, createPageStager } from "./page-writer.ts";

const PRUNED_PAGES_AT_ONCE = 100;

export function createIngestStore(
  database: Database,
  { lockSource, siteChanges }: { lockSource: TakeLock; siteChanges: OwnChanges },
): IngestStore {
  const db = typed(database);
  const staging = prepareStaging(database);

  return {
    async lock(source) {
      const release = lockSource(source.id);
      if (!release) throw beingIngested(source.location);
      return heldLease(release);
    },

    openRun: async (source, at) => openRun(db, source, at),
    knownPages: async (source, runId) => knownPages(database, source.id, runId),

    async stage(source, runId, pages) {
      inOneWrite(database, () => {
        for (const page of pages) staging.stage(source, runId, page);
      });
    },

    async keep(source, runId, paths) {
      inOneWrite(database, () => {
        for (const path of paths) staging.keep(pageAt(source, runId, path));
      });
    },

    async drop(source, runId, paths) {
      inOneWrite(database, () => {
        for (const path of paths) staging.drop(pageAt(source, runId, path));
      });
    },

    async publish(source, runId, end) {
      const number = publish(db, source.siteId, runId, end);
      siteChanges.note();
      return number;
    },
    menu: async (source) => menuOf(db, source),
    redirects: async (source) => redirectsOf(db, source),

    async discard(runId) {
      db.delete(generations)
        .where(and(eq(generations.id, runId), isNull(generations.number)))
        .run();
    },

    prune: (siteId, keepGenerations) => prune(db, siteId, keepGenerations),
  };
}

/** Goes on with the run of a source that was interrupted, or begins one. */
function openRun(db: TypedDatabase, { id: sourceId, siteId }: Source, startedAt: number) {
  undoLaterGenerations(db, siteId, startedAt);
  const { id } = generations;
  const isStaged = and(eq(generations.sourceId, sourceId), isNull(generations.number));
  const staged = db.select({ id }).from(generations).where(isStaged).get();
  if (staged) return { runId: staged.id, resumed: true };
  const begun = db.insert(generations).values({ siteId, sourceId, startedAt }).returning({ id }).get();
  return { runId: begun.id, resumed: false };
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

function knownPages(database: Database, sourceId: number, runId: number) {
  const images = knownImages(database, sourceId);
  return database
    .query<KnownRow, { sourceId: number; runId: number }>(
      `SELECT id, path, location, content_hash AS contentHash, groups_json AS groupsJson, born = $runId AS staged, died IS $runId AS dropped
       FROM pages WHERE source_id = $sourceId AND (died IS NULL OR died = $runId)`,
    )
    .all({ sourceId, runId })
    .map(({ id, groupsJson, ...row }) => ({
      ...row,
      groups: readStrings(groupsJson),
      staged: row.staged === 1,
      dropped: row.dropped === 1,
      images: images.get(id) ?? [],
    }));
}

/** Gives what was staged the next number of its site, by which readers see it. */
function publish(
  db: TypedDatabase,
  siteId: number,
  runId: number,
  { counts, menu, redirects, ledgerRun, at: finishedAt }: RunEnd,
): number {
  return inOneWrite(db.$client, () => {
    const ofSite = eq(generations.siteId, siteId);
    const last = db
      .select({ number: max(generations.number) })
      .from(generations)
      .where(ofSite)
      .get();
    const number = (last?.number ?? 0) + 1;
    db.update(generations)
      .set({
        number,
        countsJson: JSON.stringify(counts),
        finishedAt,
        ...(menu === undefined ? {} : { menuJson: JSON.stringify(menu) }),
        ...(redirects === undefined ? {} : { redirectsJson: writeRedirects(redirects) }),
      })
      .where(eq(generations.id, runId))
      .run();
    if (ledgerRun !== undefined)
      db.update(sourceRuns)
        .set({
          generation: number,
          countsJson: JSON.stringify(counts),
          message: ledgerRun.incomplete ?? null,
        })
        .where(and(eq(sourceRuns.id, ledgerRun.id), isNull(sourceRuns.finishedAt)))
        .run();
    db.update(sites).set({ generation: number }).where(eq(sites.id, siteId)).run();
    return number;
  });
}

/** The menu that readers see of a source's pages. */
function menuOf(db: TypedDatabase, source: Source): MenuEntry[] {
  const json = lastSaid(db, source, generations.menuJson);
  return json === undefined ? [] : readMenu(json);
}

/** Where readers are led from old addresses of a source's pages. */
function redirectsOf(db: TypedDatabase, source: Source): PageRedirect[] {
  const json = lastSaid(db, source, generations.redirectsJson);
  return json === undefined ? [] : readRedirects(json);
}

/** What the latest generation of a source that says something says, of those that readers may see. */
function lastSaid(
  db: TypedDatabase,
  { id: sourceId, siteId }: Source,
  column: typeof generations.menuJson | typeof generations.redirectsJson,
): string | undefined {
  const found = db
    .select({ json: column })
    .from(generations)
    .innerJoin(sites, eq(sites.id, generations.siteId))
    .where(
      and(
        eq(generations.siteId, siteId),
        eq(generations.sourceId, sourceId),
        lte(generations.number, sites.generation),
        isNull(generations.undoneAt),
        isNotNull(column),
      ),
    )
    .orderBy(desc(generations.number))
    .limit(1)
    .get();
  return found?.json ?? undefined;
}

/** Takes away what no kept generation shows any more: large menus are as large as many pages. */
const PRUNE_SAID = ["menu_json", "redirects_json"].map(
  (column) => `
  UPDATE generations SET ${column} = NULL
  WHERE site_id = ?1 AND ${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM generations AS later
    WHERE later.source_id = generations.source_id AND later.number > generations.number AND later.number <= ?2
      AND later.undone_at IS NULL AND later.${column} IS NOT NULL)`,
);

async function prune(db: TypedDatabase, siteId: number, keepGenerations: number): Promise<void> {
  const { siteId: ofSite, number, undoneAt } = generations;
  const oldestKept = db
    .select({ number })
    .from(generations)
    .where(and(eq(ofSite, siteId), isNotNull(number), isNull(undoneAt)))
    .orderBy(desc(number))
    .limit(1)
    .offset(keepGenerations - 1)
    .get()?.number;
  if (oldestKept === undefined || oldestKept === null) return;
  // Before any page goes: what is gone cannot be returned to.
  db.update(sites)
    .set({ oldestGeneration: sql`max(${sites.oldestGeneration}, ${oldestKept})` })
    .where(eq(sites.id, siteId))
    .run();
  db.$client.query("DELETE FROM calibrations WHERE site_id = ? AND generation < ?").run(siteId, oldestKept);
  for (const statement of PRUNE_SAID) db.$client.query(statement).run(siteId, oldestKept);
  while (prunePages(db.$client, siteId, oldestKept) > 0) await Bun.sleep(0);
  while (pruneImages(db.$client, siteId) > 0) await Bun.sleep(0);
  pruneSources(db.$client, siteId);
}

interface PageAt extends Record<string, string | number> {
  sourceId: number;
  runId: number;
  path: string;
}

const pageAt = (source: Source, runId: number, path: string): PageAt => ({
  sourceId: source.id,
  runId,
  path,
});

const IDENTITY = "source_id = $sourceId AND path = $path";
const STAGED = `SELECT id FROM pages WHERE ${IDENTITY} AND born = $runId`;
const VISIBLE = `SELECT id FROM pages WHERE ${IDENTITY} AND born <> $runId AND died IS NULL`;
const DROPPED = `SELECT id FROM pages WHERE ${IDENTITY} AND died = $runId`;

/** What a run does with one page: nobody sees it before the run is published. */
function prepareStaging(database: Database) {
  const stagePage = createPageStager(database);
  const removePage = createPageRemover(database);
  const staged = database.query<{ id: number }, PageAt>(STAGED);
  const bury = createMarker(database, VISIBLE, "$runId");
  const revive = createMarker(database, DROPPED, "NULL");
  /** Removes the revision of a page that this run staged before. */
  const unstage = (at: PageAt) => {
    const before = staged.get(at);
    if (before) removePage(before.id);
  };
  return {
    stage(source: Source, runId: number, page: StagedPage) {
      const at = pageAt(source, runId, page.path);
      unstage(at);
      bury(at);
      stagePage(source, runId, page);
    },
    keep(at: PageAt) {
      unstage(at);
      revive(at);
    },
    drop(at: PageAt) {
      unstage(at);
      bury(at);
    },
  };
}

/** Sets in which generation the page that `find` names dies, and its passages with it. */
function createMarker(database: Database, find: string, died: "$runId" | "NULL"): (at: PageAt) => void {
  const select = database.query<{ id: number }, PageAt>(find);
  const value = died === "NULL" ? "NULL" : "?1";
  const page = database.query(`UPDATE pages SET died = ${value} WHERE id = ?2`);
  const passages = database.query(`UPDATE passages SET died = ${value} WHERE page_id = ?2`);
  return (at) => {
    for (const { id } of select.all(at)) {
      page.run(at.runId, id);
      passages.run(at.runId, id);
    }
  };
}

function prunePages(database: Database, siteId: number, oldestKept: number): number {
  const dead = database
    .query<{ id: number }, [number, number, number]>(
      `SELECT pages.id FROM pages JOIN generations ON generations.id = pages.died
       WHERE pages.site_id = ? AND generations.number <= ? LIMIT ?`,
    )
    .all(siteId, oldestKept, PRUNED_PAGES_AT_ONCE);
  const remove = createPageRemover(database);
  inOneWrite(database, () => {
    for (const { id } of dead) remove(id);
  });
  return dead.length;
}

/** Removes the sources that were taken away, once nothing that is kept came from them. */
function pruneSources(database: Database, siteId: number): void {
  database
    .query(
      `DELETE FROM sources WHERE site_id = ?1 AND removed_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.source_id = sources.id)
         AND NOT EXISTS (SELECT 1 FROM generations JOIN sites ON sites.id = generations.site_id
           WHERE generations.source_id = sources.id AND (number IS NULL OR number >= sites.oldest_generation))`,
    )
    .run(siteId);
}
