import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import MiniSearch from "minisearch";
import { baselineWords } from "../../../src/measuring/eval/baseline.ts";
import { openDocent } from "./docent.ts";
import type { BenchPassage, RetrievalSpec } from "./spec.ts";

/** A search engine: returns the paths of the best pages, best first. */
export interface Engine {
  find(question: string, limit: number): Promise<string[]>;
  /** Its index on the disk, once it is made; null for one in memory. */
  bytes(): number | null;
  close(): void;
}

interface Opening {
  data: string;
  /** A place for an index on the disk. */
  file: string;
  passages: () => AsyncIterable<BenchPassage>;
}

/**
 * Opens each engine that runs in Bun; the other libraries get passages. Titles count twice there, as their
 * guides recommend.
 */
export const OPEN: Partial<Record<RetrievalSpec["engine"], (opening: Opening) => Promise<Engine>>> = {
  docent: ({ data }) => openDocent(data),
  fts5: openFts5,
  minisearch: openMiniSearch,
};

async function openFts5({ file, passages }: Opening): Promise<Engine> {
  const database = new Database(file, { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run(
    "CREATE VIRTUAL TABLE passages USING fts5 (path UNINDEXED, title, headings, text, tokenize = 'porter unicode61')",
  );
  const insert = database.query<null, [string, string, string, string]>(
    "INSERT INTO passages VALUES (?, ?, ?, ?)",
  );
  database.run("BEGIN");
  for await (const { path, title, headings, text } of passages()) insert.run(path, title, headings, text);
  database.run("COMMIT");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const best = database.query<{ path: string }, [string, number]>(
    `SELECT path FROM passages
     WHERE passages MATCH ? AND rank MATCH 'bm25(0.0, 2.0, 1.0, 1.0)' ORDER BY rank LIMIT ?`,
  );
  return {
    async find(question, limit) {
      const words = baselineWords(question).map((word) => `"${word}"`);
      return words.length === 0 ? [] : best.all(words.join(" OR "), limit).map(({ path }) => path);
    },
    bytes: () => statSync(file).size,
    close: () => database.close(),
  };
}

async function openMiniSearch({ passages }: Opening): Promise<Engine> {
  const index = new MiniSearch<BenchPassage & { id: number }>({
    fields: ["title", "headings", "text"],
    storeFields: ["path"],
  });
  let id = 0;
  for await (const passage of passages()) index.add({ ...passage, id: id++ });
  return {
    async find(question, limit) {
      const found = index.search(question, { boost: { title: 2 } });
      return found.slice(0, limit).map(({ path }) => String(path));
    },
    bytes: () => null,
    close: () => {},
  };
}
