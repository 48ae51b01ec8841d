import { Database } from "bun:sqlite";
import type { PlainIndex } from "@docent/finding/search/search-store";

/** What FTS5 makes of the entries, its words stemmed by Porter. */
export function openPlainIndex(): PlainIndex {
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
    add(entries) {
      database.transaction(() => {
        for (const { title, text, language } of entries) insert.run(title, text, language);
      })();
    },

    find(words, { titleWeight, language, limit }) {
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
      return best.all(titleWeight, match, language, limit).map(({ rowid }) => rowid - 1);
    },

    close: () => database.close(),
  };
}
