import { Database } from "bun:sqlite";

interface PlainEntry {
  title: string;
  text: string;
  language: string;
}

/**
 * A full-text index of SQLite as it comes, in memory: what an evaluation of search is held against. It shares nothing
 * with the index that readers search.
 */
export function openPlainIndex() {
  const database = new Database(":memory:", { strict: true });
  database.run(
    "CREATE VIRTUAL TABLE entries USING fts5 (title, text, language UNINDEXED, tokenize = 'porter unicode61')",
  );
  const insert = database.query<null, [string, string, string]>(
    "INSERT INTO entries (title, text, language) VALUES (?, ?, ?)",
  );
  const best = database.query<{ rowid: number }, [number, string, string, number]>(
    `SELECT rowid FROM entries
     WHERE rank MATCH 'bm25(' || ?1 || ', 1.0)' AND entries MATCH ?2 AND ?3 IN ('', language)
     ORDER BY rank LIMIT ?4`,
  );

  return {
    add(entries: readonly PlainEntry[]): void {
      database.transaction(() => {
        for (const { title, text, language } of entries) insert.run(title, text, language);
      })();
    },

    /** The numbers of the entries with any of the words, in the order in which they were added, best first. */
    find(
      words: readonly string[],
      { titleWeight, language, limit }: { titleWeight: number; language: string; limit: number },
    ): number[] {
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
      return best.all(titleWeight, match, language, limit).map(({ rowid }) => rowid - 1);
    },

    close: () => database.close(),
  };
}
