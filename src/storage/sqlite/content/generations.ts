import type { Database } from "bun:sqlite";
import { and, desc, eq, gt, gte, isNull } from "drizzle-orm";
import type { Generation, GenerationStore } from "../../../ingest/stores.ts";
import { beingRead, generationGone } from "../../conflicts.ts";
import { toGeneration } from "../../rows/runs.ts";
import { generations, sources } from "../../sql/tables/content.ts";
import { sites } from "../../sql/tables/people.ts";
import type { OwnChanges } from "../changes.ts";
import type { TakeLock } from "../files/files.ts";
import { inOneWrite } from "../one-write.ts";
import { type TypedDatabase, typed } from "../typed.ts";
import { createPageRemover } from "./page-writer.ts";

const PAGES_AT_ONCE = 100;

export function createGenerationStore(
  database: Database,
  { lockSource, siteChanges }: { lockSource: TakeLock; siteChanges: OwnChanges },
): GenerationStore {
  const db = typed(database);
  return {
    list: async (siteId) => list(db, siteId),

    async show(siteId, number) {
      const release = lockSources(db, lockSource, siteId);
      try {
        inOneWrite(database, () => {
          // A run may have ended since the list was read.
          if (!isKept(db, siteId, number)) throw generationGone(number);
          discardStaged(db, siteId);
          db.update(sites).set({ generation: number }).where(eq(sites.id, siteId)).run();
        });
        siteChanges.note();
      } finally {
        release();
      }
    },
  };
}

/** The generations of a site that can be returned to, and the one that readers see. */
const keptOf = (siteId: number) =>
  and(
    eq(generations.siteId, siteId),
    isNull(generations.undoneAt),
    gte(generations.number, sites.oldestGeneration),
  );

function list(db: TypedDatabase, siteId: number): Generation[] {
  const { countsJson, startedAt, finishedAt } = generations;
  return db
    .select({
      number: generations.number,
      sourceId: sources.id,
      kind: sources.kind,
      location: sources.location,
      countsJson,
      startedAt,
      finishedAt,
      visible: sites.generation,
    })
    .from(generations)
    .innerJoin(sources, eq(sources.id, generations.sourceId))
    .innerJoin(sites, eq(sites.id, generations.siteId))
    .where(keptOf(siteId))
    .orderBy(desc(generations.number))
    .all()
    .flatMap(({ number, ...row }) => (number === null ? [] : [toGeneration({ number, ...row })]));
}

function isKept(db: TypedDatabase, siteId: number, number: number): boolean {
  const found = db
    .select({ id: generations.id })
    .from(generations)
    .innerJoin(sites, eq(sites.id, generations.siteId))
    .where(and(keptOf(siteId), eq(generations.number, number)))
    .get();
  return found !== undefined;
}

/**
 * Takes back the generations that a site went back from, before anything is built on the one that is visible. Each
 * step leaves what readers see as it is, so it can be cut short anywhere and done again.
 */
export function undoLaterGenerations(db: TypedDatabase, siteId: number, undoneAt: number): void {
  const later = db
    .select({ id: generations.id })
    .from(generations)
    .innerJoin(sites, eq(sites.id, generations.siteId))
    .where(and(eq(generations.siteId, siteId), gt(generations.number, sites.generation)))
    .orderBy(desc(generations.number))
    .all();
  if (later.length === 0) return;
  // Before any page goes: what is half taken back cannot be gone forward to.
  inOneWrite(db.$client, () => {
    for (const { id } of later)
      db.update(generations)
        .set({ undoneAt })
        .where(and(eq(generations.id, id), isNull(generations.undoneAt)))
        .run();
  });
  for (const { id } of later) {
    revivePages(db.$client, id);
    removePages(db.$client, id);
  }
}

function revivePages(database: Database, generationId: number): void {
  inOneWrite(database, () => {
    for (const table of ["pages", "passages"])
      database.query(`UPDATE ${table} SET died = NULL WHERE died = ?`).run(generationId);
  });
}

function removePages(database: Database, generationId: number): void {
  const remove = createPageRemover(database);
  const born = database.query<{ id: number }, [number, number]>(
    "SELECT id FROM pages WHERE born = ? LIMIT ?",
  );
  const removeSome = () => {
    const some = born.all(generationId, PAGES_AT_ONCE);
    for (const { id } of some) remove(id);
    return some.length;
  };
  while (inOneWrite(database, removeSome) > 0);
}

/** Removes what interrupted runs left: it was staged in place of pages that may not be the visible ones any more. */
function discardStaged(db: TypedDatabase, siteId: number): void {
  const { id } = generations;
  const isStaged = and(eq(generations.siteId, siteId), isNull(generations.number));
  for (const staged of db.select({ id }).from(generations).where(isStaged).all()) {
    revivePages(db.$client, staged.id);
    removePages(db.$client, staged.id);
    db.delete(generations).where(eq(id, staged.id)).run();
  }
}

/** Takes the locks of all sources of a site. Raises `conflict` where one of them is being read. */
function lockSources(db: TypedDatabase, lockSource: TakeLock, siteId: number): () => void {
  const held: (() => void)[] = [];
  const release = () => {
    for (const each of held) each();
  };
  const { id, location } = sources;
  for (const source of db.select({ id, location }).from(sources).where(eq(sources.siteId, siteId)).all()) {
    const lock = lockSource(source.id);
    if (!lock) {
      release();
      throw beingRead(source.location);
    }
    held.push(lock);
  }
  return release;
}
