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
const REVIVE_PAGES = "UPDATE pages SET died = NULL WHERE died = $id";
const REVIVE_PASSAGES = "UPDATE passages SET died = NULL WHERE died = $id";
const REMOVE_SOME_PAGES = `
  DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE born = $id ORDER BY id LIMIT ${PAGES_AT_ONCE})`;

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
    await database.inOneWrite((write) => revivePages(write, id));
    await removePages(database, id);
  }
}

async function revivePages(write: Queries, id: number): Promise<void> {
  await write.run(REVIVE_PAGES, { id });
  await write.run(REVIVE_PASSAGES, { id });
}

async function removePages(queries: Queries, id: number): Promise<void> {
  while ((await queries.run(REMOVE_SOME_PAGES, { id })) > 0);
}

/** Removes what interrupted runs left: it was staged in place of pages that may not be the visible ones any more. */
async function discardStaged(write: Queries, siteId: number): Promise<void> {
  for (const { id } of await write.all<{ id: number }>(STAGED, { siteId })) {
    await revivePages(write, id);
    await removePages(write, id);
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
