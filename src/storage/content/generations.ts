import type { Lease } from "@docent/kernel/lib/lease";
import type { GenerationStore } from "@docent/sites/ingest/stores";
import { beingRead, generationGone } from "../conflicts.ts";
import { type GenerationRow, toGeneration } from "../rows/runs.ts";
import { all, get, run, type Sql, type Steps } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

/** How runs of sources exclude each other. */
interface SourceLocks {
  /** Takes those of sources; the id of one that somebody else has. */
  take(sourceIds: readonly number[]): Promise<Lease | { id: number }>;
}

/** What a run and a way back tell everybody, in a way of the engine's own. */
export interface Publishing {
  locks: SourceLocks;
  /** Tells all who keep sites in memory that they are out of date, with the write that this is a part of. */
  noteChange(): Steps<void>;
}

const PAGES_AT_ONCE = 100;

/** The generations of a site that can be returned to, and the one that readers see. */
const KEPT = `
  generations.site_id = $siteId AND undone_at IS NULL AND number >= sites.oldest_generation`;
const LIST = statement<GenerationRow>(`
  SELECT number, sources.id AS "sourceId", sources.kind, sources.location, counts_json AS "countsJson",
    started_at AS "startedAt", finished_at AS "finishedAt", sites.generation AS visible
  FROM generations JOIN sources ON sources.id = generations.source_id JOIN sites ON sites.id = generations.site_id
  WHERE ${KEPT} ORDER BY number DESC`);
const IS_KEPT = statement(`
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE ${KEPT} AND number = $number`);
export const LOCK_SITE = statement(({ onPostgres }) =>
  onPostgres("SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE"),
);
export const SHOW = statement("UPDATE sites SET generation = $number WHERE id = $siteId");
const SOURCES = statement<{ id: number; location: string }>(
  "SELECT id, location FROM sources WHERE site_id = $siteId ORDER BY id",
);
const LATER = statement<{ id: number }>(`
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND number > sites.generation ORDER BY number DESC`);
const UNDO = statement(
  (d) =>
    `UPDATE generations SET undone_at = $undoneAt WHERE ${d.isOneOf("id", "ids", "int")} AND undone_at IS NULL`,
);
const STAGED = statement<{ id: number }>(
  "SELECT id FROM generations WHERE site_id = $siteId AND number IS NULL",
);
const REMOVE = statement("DELETE FROM generations WHERE id = $id");
const DEAD = statement<{ id: number }>(
  ({ onPostgres }) =>
    `SELECT id FROM pages WHERE died = $id ORDER BY id LIMIT ${PAGES_AT_ONCE} ${onPostgres("FOR UPDATE")}`,
);
const REVIVE = statement((d) => `UPDATE pages SET died = NULL WHERE ${d.isOneOf("id", "ids", "int")}`);
const REVIVE_PASSAGES = statement(
  (d) => `UPDATE passages SET died = NULL WHERE ${d.isOneOf("page_id", "ids", "int")}`,
);
/** Waits for another that does the same, and goes on behind what that one did: nothing to do means that nothing is left. */
const REMOVE_SOME_PAGES = statement(
  ({ onPostgres }) => `
  DELETE FROM pages WHERE id IN (
    SELECT id FROM pages WHERE born = $id ORDER BY id LIMIT ${PAGES_AT_ONCE} ${onPostgres("FOR UPDATE")})`,
);

export function createGenerationStore(sql: Sql, { locks, noteChange }: Publishing): GenerationStore {
  return {
    async list(siteId) {
      return (await sql.all(LIST, { siteId })).map(toGeneration);
    },

    async show(siteId, number) {
      const lease = await takeSources(sql, locks, siteId);
      try {
        await sql.inOneWrite(function* () {
          yield* run(LOCK_SITE, { siteId });
          // A run may have ended since the list was read.
          if ((yield* get(IS_KEPT, { siteId, number })) === undefined) throw generationGone(number);
          yield* discardStaged(siteId);
          yield* run(SHOW, { siteId, number });
          yield* noteChange();
        });
      } finally {
        await lease.release();
      }
    },
  };
}

/**
 * Takes back the generations that a site went back from, before anything is built on the one that is visible. Each
 * step leaves what readers see as it is, so it can be cut short anywhere and done again.
 */
export async function undoLaterGenerations(sql: Sql, siteId: number, undoneAt: number): Promise<void> {
  const later = await sql.all(LATER, { siteId });
  if (later.length === 0) return;
  // Before any page goes: what is half taken back cannot be gone forward to.
  await sql.run(UNDO, { undoneAt, ids: later.map(({ id }) => id) });
  for (const { id } of later) {
    while ((await sql.inOneWrite(() => reviveSomePages(id))) > 0);
    while ((await sql.run(REMOVE_SOME_PAGES, { id })) > 0);
  }
}

function* reviveSomePages(id: number): Steps<number> {
  const ids = (yield* all(DEAD, { id })).map((page) => page.id);
  yield* run(REVIVE, { ids });
  yield* run(REVIVE_PASSAGES, { ids });
  return ids.length;
}

/** Removes what interrupted runs left: it was staged in place of pages that may not be the visible ones any more. */
function* discardStaged(siteId: number): Steps<void> {
  for (const { id } of yield* all(STAGED, { siteId })) {
    while ((yield* reviveSomePages(id)) > 0);
    while ((yield* run(REMOVE_SOME_PAGES, { id })) > 0);
    yield* run(REMOVE, { id });
  }
}

/** Takes the locks of all sources of a site. Raises `conflict` where one of them is being read. */
async function takeSources(sql: Sql, locks: SourceLocks, siteId: number): Promise<Lease> {
  const sources = await sql.all(SOURCES, { siteId });
  const lease = await locks.take(sources.map(({ id }) => id));
  if (!("id" in lease)) return lease;
  throw beingRead(sources.find(({ id }) => id === lease.id)?.location ?? "A source");
}
