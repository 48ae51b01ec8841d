import type { GenerationStore } from "../../../ingest/stores.ts";
import type { Lease } from "../../../lib/lease.ts";
import { beingRead, generationGone } from "../../conflicts.ts";
import { type GenerationRow, toGeneration } from "../../rows/runs.ts";
import { noteChange } from "../changes.ts";
import type { Database, Queries } from "../database/database.ts";
import type { Leases } from "../leases.ts";

const PAGES_AT_ONCE = 500;

/** The generations of a site that can be returned to, and the one that readers see. */
const KEPT = `
  generations.site_id = $siteId AND undone_at IS NULL AND number >= sites.oldest_generation`;
const LIST = `
  SELECT number, sources.id AS source_id, sources.kind, sources.location, counts_json, started_at, finished_at,
    sites.generation AS visible
  FROM generations JOIN sources ON sources.id = generations.source_id JOIN sites ON sites.id = generations.site_id
  WHERE ${KEPT} ORDER BY number DESC`;
const IS_KEPT = `
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE ${KEPT} AND number = $number`;
const LOCK_SITE = "SELECT id FROM sites WHERE id = $siteId FOR NO KEY UPDATE";
const SHOW = "UPDATE sites SET generation = $number WHERE id = $siteId";
const SOURCES = "SELECT id, location FROM sources WHERE site_id = $siteId ORDER BY id";
const LATER = `
  SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
  WHERE generations.site_id = $siteId AND number > sites.generation ORDER BY number DESC`;
const UNDO = "UPDATE generations SET undone_at = $undoneAt WHERE id = ANY($ids::int[]) AND undone_at IS NULL";
const STAGED = "SELECT id FROM generations WHERE site_id = $siteId AND number IS NULL";
const REMOVE = "DELETE FROM generations WHERE id = $id";
/** Waits for another that does the same, and goes on behind what that one did: nothing to do means that nothing is left. */
const some = (where: string) => `
  SELECT id FROM pages WHERE ${where} ORDER BY id LIMIT ${PAGES_AT_ONCE} FOR UPDATE`;
const REVIVE_SOME_PAGES = `
  WITH found AS (${some("died = $id")}),
    revived AS (UPDATE pages SET died = NULL FROM found WHERE pages.id = found.id),
    following AS (UPDATE passages SET died = NULL FROM found WHERE passages.page_id = found.id)
  SELECT count(*) AS pages FROM found`;
const REMOVE_SOME_PAGES = `DELETE FROM pages WHERE id IN (${some("born = $id")})`;

export function createGenerationStore(database: Database, leases: Leases): GenerationStore {
  return {
    async list(siteId) {
      return (await database.all<GenerationRow>(LIST, { siteId })).map(toGeneration);
    },

    async show(siteId, number) {
      const lease = await takeSources(database, leases, siteId);
      try {
        await database.inOneWrite(async (write) => {
          await write.run(LOCK_SITE, { siteId });
          // A run may have ended since the list was read.
          if ((await write.get(IS_KEPT, { siteId, number })) === undefined) throw generationGone(number);
          await discardStaged(write, siteId);
          await write.run(SHOW, { siteId, number });
          await noteChange(write, "sites");
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
export async function undoLaterGenerations(
  database: Database,
  siteId: number,
  undoneAt: number,
): Promise<void> {
  const later = await database.all<{ id: number }>(LATER, { siteId });
  if (later.length === 0) return;
  // Before any page goes: what is half taken back cannot be gone forward to.
  await database.run(UNDO, { undoneAt, ids: later.map(({ id }) => id) });
  for (const { id } of later) {
    while ((await database.inOneWrite((write) => reviveSomePages(write, id))) > 0);
    while ((await database.inOneWrite((write) => removeSomePages(write, id))) > 0);
  }
}

const reviveSomePages = async (write: Queries, id: number): Promise<number> =>
  (await write.get<{ pages: number }>(REVIVE_SOME_PAGES, { id }))?.pages ?? 0;

const removeSomePages = (write: Queries, id: number): Promise<number> => write.run(REMOVE_SOME_PAGES, { id });

/** Removes what interrupted runs left: it was staged in place of pages that may not be the visible ones any more. */
async function discardStaged(write: Queries, siteId: number): Promise<void> {
  for (const { id } of await write.all<{ id: number }>(STAGED, { siteId })) {
    while ((await reviveSomePages(write, id)) > 0);
    while ((await removeSomePages(write, id)) > 0);
    await write.run(REMOVE, { id });
  }
}

/** Takes the leases of all sources of a site. Raises `conflict` where one of them is being read. */
async function takeSources(database: Database, leases: Leases, siteId: number): Promise<Lease> {
  const sources = await database.all<{ id: number; location: string }>(SOURCES, { siteId });
  const lease = await leases.take(
    "source",
    sources.map(({ id }) => id),
  );
  if (!("heldBy" in lease)) return lease;
  throw beingRead(sources.find(({ id }) => id === lease.id)?.location ?? "A source");
}
