import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { asc, eq } from "drizzle-orm";
import { z } from "zod";
import { AppError } from "../errors.ts";
import {
  type IngestStore,
  type RunCounts,
  SOURCE_KINDS,
  type Source,
  type SourceSpec,
  type StagedPage,
} from "../ingest/store.ts";
import { acquireLock } from "./lock.ts";
import { typed } from "./open.ts";
import { createPassageIndexer } from "./passage-terms.ts";
import { sources } from "./tables.ts";

const PRUNED_PAGES_AT_ONCE = 100;
const sourceKindSchema = z.enum(SOURCE_KINDS);

export function createIngestStore(database: Database, directory: string): IngestStore {
  const db = typed(database);
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
    async openSource(spec, at) {
      const { siteId, kind, location, version, language } = spec;
      database
        .query(
          `INSERT INTO sources (site_id, kind, location, version, language, created_at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
        )
        .run(siteId, kind, location, version, language, at);
      const row = database
        .query<{ id: number }, [number, string, string, string, string]>(
          "SELECT id FROM sources WHERE site_id = ? AND kind = ? AND location = ? AND version = ? AND language = ?",
        )
        .get(siteId, kind, location, version, language);
      if (!row) throw new Error("the source that was just written is not there");
      return { id: row.id, ...spec } satisfies Source & SourceSpec;
    },

    async listSources(siteId) {
      const rows = db.select().from(sources).where(eq(sources.siteId, siteId)).orderBy(asc(sources.id)).all();
      return rows.map(({ kind, createdAt: _, ...row }) => ({ ...row, kind: sourceKindSchema.parse(kind) }));
    },

    async lock(source) {
      const release = acquireLock(join(directory, "locks", `source-${source.id}.lock`));
      if (!release) {
        throw new AppError("conflict", `${source.location} is being ingested already.`, {
          hint: "Wait until that run ends, then run this again: it picks up what has changed since.",
        });
      }
      return release;
    },

    async openRun(source, at) {
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
          { path: string; contentHash: string; staged: number; dropped: number },
          { sourceId: number; runId: number }
        >(`
          SELECT path, content_hash AS contentHash, born = $runId AS staged, died IS $runId AS dropped
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
          "SELECT number FROM generations WHERE site_id = ? AND number IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?",
        )
        .get(siteId, keepGenerations - 1)?.number;
      if (oldestKept === undefined) return;
      while (prunePages(database, siteId, oldestKept) > 0) await Bun.sleep(0);
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

function createPageStager(database: Database) {
  const insertPage = database.query(`
    INSERT INTO pages (site_id, source_id, path, location, version, language, title, description, front_matter_json, hidden,
                       markdown, content_hash, born)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertPassage = database.query(`
    INSERT INTO passages (page_id, site_id, position, headings_json, anchor, markdown, text, languages_json, tokens, born)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const index = createPassageIndexer(database);

  return ({ id: sourceId, siteId, version, language }: Source, runId: number, page: StagedPage): void => {
    const { path, location, title, description, frontMatter, hidden, markdown, contentHash } = page;
    const pageId = insertPage.run(
      ...[siteId, sourceId, path, location, version, language, title, description ?? null],
      ...[JSON.stringify(frontMatter), hidden ? 1 : 0, markdown, contentHash, runId],
    ).lastInsertRowid;
    for (const passage of page.passages) {
      const { lastInsertRowid } = insertPassage.run(
        ...[
          pageId,
          siteId,
          passage.position,
          JSON.stringify(passage.headingPath),
          passage.anchor,
          passage.markdown,
        ],
        ...[passage.text, JSON.stringify(passage.codeLanguages), passage.tokensEstimated, runId],
      );
      index({
        id: Number(lastInsertRowid),
        siteId,
        title,
        headings: passage.headingPath,
        text: passage.text,
      });
    }
  };
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

function createPageRemover(database: Database): (pageId: number) => void {
  const terms = database.query(
    "DELETE FROM passage_terms WHERE rowid IN (SELECT id FROM passages WHERE page_id = ?)",
  );
  const page = database.query("DELETE FROM pages WHERE id = ?");
  return (pageId) => {
    terms.run(pageId);
    page.run(pageId);
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
