import type { Database } from "bun:sqlite";
import { AppError } from "../../../errors.ts";
import type { IngestStore, RunCounts, Source } from "../../../ingest/stores.ts";
import type { LockSource } from "../files/files.ts";
import { undoLaterGenerations } from "./generations.ts";
import { createPageRemover, createPageStager } from "./page-writer.ts";

const PRUNED_PAGES_AT_ONCE = 100;

export function createIngestStore(database: Database, lockSource: LockSource): IngestStore {
  const stagePage = createPageStager(database);
  const unstage = createUnstager(database);
  const identity = "source_id = $sourceId AND path = $path AND version = $version AND language = $language";
  const visible = `SELECT id FROM pages WHERE ${identity} AND born <> $runId AND died IS NULL`;
  const bury = createMarker(database, visible, "$runId");
  const revive = createMarker(database, `SELECT id FROM pages WHERE ${identity} AND died = $runId`, "NULL");

  const each = (source: Source, runId: number, paths: string[], work: (at: PageAt) => void) =>
    database
      .transaction(() => {
        for (const path of paths) work(pageAt(source, runId, path));
      })
      .immediate();

  return {
    async lock(source) {
      const release = lockSource(source.id);
      if (!release) {
        throw new AppError("conflict", `${source.location} is being ingested already.`, {
          hint: "Wait until that run ends, then run this again: it picks up what has changed since.",
        });
      }
      return release;
    },

    async openRun(source, at) {
      undoLaterGenerations(database, source.siteId, at);
      const staged = database
        .query<{ id: number }, [number]>("SELECT id FROM generations WHERE source_id = ? AND number IS NULL")
        .get(source.id);
      if (staged) return { runId: staged.id, resumed: true };
      const result = database
        .query("INSERT INTO generations (site_id, source_id, started_at) VALUES (?, ?, ?)")
        .run(source.siteId, source.id, at);
      return { runId: Number(result.lastInsertRowid), resumed: false };
    },

    async knownPages(source, runId) {
      const rows = database
        .query<
          { path: string; location: string; contentHash: string; staged: number; dropped: number },
          { sourceId: number; runId: number }
        >(`
          SELECT path, location, content_hash AS contentHash, born = $runId AS staged, died IS $runId AS dropped
          FROM pages WHERE source_id = $sourceId AND (died IS NULL OR died = $runId)`)
        .all({ sourceId: source.id, runId });
      return rows.map((row) => ({ ...row, staged: row.staged === 1, dropped: row.dropped === 1 }));
    },

    async stage(source, runId, pages) {
      database
        .transaction(() => {
          for (const page of pages) {
            const at = pageAt(source, runId, page.path);
            unstage(at);
            bury(at);
            stagePage(source, runId, page);
          }
        })
        .immediate();
    },

    async keep(source, runId, paths) {
      each(source, runId, paths, (at) => {
        unstage(at);
        revive(at);
      });
    },

    async drop(source, runId, paths) {
      each(source, runId, paths, (at) => {
        unstage(at);
        bury(at);
      });
    },

    async publish(source, runId, counts: RunCounts, at) {
      return database
        .transaction(() => {
          const last = database
            .query<{ number: number }, [number]>(
              "SELECT coalesce(max(number), 0) AS number FROM generations WHERE site_id = ?",
            )
            .get(source.siteId);
          const number = (last?.number ?? 0) + 1;
          database
            .query("UPDATE generations SET number = ?, counts_json = ?, finished_at = ? WHERE id = ?")
            .run(number, JSON.stringify(counts), at, runId);
          database.query("UPDATE sites SET generation = ? WHERE id = ?").run(number, source.siteId);
          return number;
        })
        .immediate();
    },

    async discard(runId) {
      database.query("DELETE FROM generations WHERE id = ? AND number IS NULL").run(runId);
    },

    async prune(siteId, keepGenerations) {
      const oldestKept = database
        .query<{ number: number }, [number, number]>(
          `SELECT number FROM generations WHERE site_id = ? AND number IS NOT NULL AND undone_at IS NULL
           ORDER BY number DESC LIMIT 1 OFFSET ?`,
        )
        .get(siteId, keepGenerations - 1)?.number;
      if (oldestKept === undefined) return;
      // Before any page goes: what is gone cannot be returned to.
      database
        .query("UPDATE sites SET oldest_generation = max(oldest_generation, ?) WHERE id = ?")
        .run(oldestKept, siteId);
      while (prunePages(database, siteId, oldestKept) > 0) await Bun.sleep(0);
      pruneSources(database, siteId);
    },
  };
}

interface PageAt extends Record<string, string | number> {
  sourceId: number;
  runId: number;
  path: string;
  version: string;
  language: string;
}

function pageAt(source: Source, runId: number, path: string): PageAt {
  return { sourceId: source.id, runId, path, version: source.version, language: source.language };
}

/** Removes the revision of a page that this run staged, with its passages. */
function createUnstager(database: Database): (at: PageAt) => void {
  const find = database.query<{ id: number }, PageAt>(`
    SELECT id FROM pages
    WHERE source_id = $sourceId AND path = $path AND version = $version AND language = $language AND born = $runId`);
  const remove = createPageRemover(database);
  return (at) => {
    const staged = find.get(at);
    if (staged) remove(staged.id);
  };
}

/** Sets when the page that `find` names, and its passages, stop being visible. */
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
  database
    .transaction(() => {
      for (const { id } of dead) remove(id);
    })
    .immediate();
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
