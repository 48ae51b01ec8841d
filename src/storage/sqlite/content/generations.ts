import type { Database } from "bun:sqlite";
import { AppError } from "../../../errors.ts";
import type { GenerationStore } from "../../../ingest/stores.ts";
import { readCounts } from "../../rows.ts";
import type { LockSource } from "../files/files.ts";
import { createPageRemover } from "./page-writer.ts";

interface Row {
  number: number;
  sourceId: number;
  kind: string;
  location: string;
  countsJson: string;
  finishedAt: number;
  isVisible: number;
}

const PAGES_AT_ONCE = 100;

export function createGenerationStore(database: Database, lockSource: LockSource): GenerationStore {
  return {
    async list(siteId) {
      return database
        .query<Row, [number]>(
          `SELECT number, source_id AS sourceId, kind, location, counts_json AS countsJson,
                  coalesce(finished_at, started_at) AS finishedAt, number = sites.generation AS isVisible
           FROM generations
           JOIN sources ON sources.id = generations.source_id
           JOIN sites ON sites.id = generations.site_id
           WHERE generations.site_id = ? AND number IS NOT NULL AND undone_at IS NULL
             AND number >= sites.oldest_generation
           ORDER BY number DESC`,
        )
        .all(siteId)
        .map(({ sourceId, kind, location, countsJson, isVisible, ...row }) => ({
          ...row,
          source: { id: sourceId, kind, location },
          counts: readCounts(countsJson),
          isVisible: isVisible === 1,
        }));
    },

    async show(siteId, number) {
      const release = lockSources(database, lockSource, siteId);
      try {
        database
          .transaction(() => {
            // A run may have ended since the list was read.
            if (!isKept(database, siteId, number)) throw gone(number);
            discardStaged(database, siteId);
            database.query("UPDATE sites SET generation = ? WHERE id = ?").run(number, siteId);
          })
          .immediate();
      } finally {
        release();
      }
    },
  };
}

function isKept(database: Database, siteId: number, number: number): boolean {
  const kept = database.query(
    `SELECT 1 FROM generations JOIN sites ON sites.id = site_id
     WHERE site_id = ? AND number = ? AND undone_at IS NULL AND number >= oldest_generation`,
  );
  return kept.get(siteId, number) !== null;
}

function gone(number: number): AppError {
  return new AppError("not_found", `Generation ${number} is not kept.`, {
    hint: "docent generations list <domain>",
  });
}

/**
 * Takes back the generations that a site went back from, before anything is built on the one that is visible. Each
 * step leaves what readers see as it is, so it can be cut short anywhere and done again.
 */
export function undoLaterGenerations(database: Database, siteId: number, at: number): void {
  const later = database
    .query<{ id: number }, [number]>(
      `SELECT generations.id FROM generations JOIN sites ON sites.id = generations.site_id
       WHERE site_id = ? AND number > sites.generation ORDER BY number DESC`,
    )
    .all(siteId);
  if (later.length === 0) return;
  // Before any page goes: what is half taken back cannot be gone forward to.
  const note = database.query("UPDATE generations SET undone_at = ? WHERE id = ? AND undone_at IS NULL");
  database
    .transaction(() => {
      for (const { id } of later) note.run(at, id);
    })
    .immediate();
  for (const { id } of later) {
    revivePages(database, id);
    removePages(database, id);
  }
}

function revivePages(database: Database, generationId: number): void {
  database
    .transaction(() => {
      for (const table of ["pages", "passages"])
        database.query(`UPDATE ${table} SET died = NULL WHERE died = ?`).run(generationId);
    })
    .immediate();
}

function removePages(database: Database, generationId: number): void {
  const remove = createPageRemover(database);
  const born = database.query<{ id: number }, [number, number]>(
    "SELECT id FROM pages WHERE born = ? LIMIT ?",
  );
  const removeSome = database.transaction(() => {
    const some = born.all(generationId, PAGES_AT_ONCE);
    for (const { id } of some) remove(id);
    return some.length;
  });
  while (removeSome.immediate() > 0);
}

/** What interrupted runs left: it was staged in place of pages that may not be the visible ones any more. */
function discardStaged(database: Database, siteId: number): void {
  const staged = database
    .query<{ id: number }, [number]>("SELECT id FROM generations WHERE site_id = ? AND number IS NULL")
    .all(siteId);
  for (const { id } of staged) {
    revivePages(database, id);
    removePages(database, id);
    database.query("DELETE FROM generations WHERE id = ?").run(id);
  }
}

function lockSources(database: Database, lockSource: LockSource, siteId: number): () => void {
  const held: (() => void)[] = [];
  const release = () => {
    for (const each of held) each();
  };
  const sources = database
    .query<{ id: number; location: string }, [number]>("SELECT id, location FROM sources WHERE site_id = ?")
    .all(siteId);
  for (const { id, location } of sources) {
    const lock = lockSource(id);
    if (!lock) {
      release();
      throw new AppError("conflict", `${location} is being read into this site.`, {
        hint: "Wait until that run has ended, then go back.",
      });
    }
    held.push(lock);
  }
  return release;
}
