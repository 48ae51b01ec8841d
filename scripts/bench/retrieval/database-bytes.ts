import { Database } from "bun:sqlite";

/** What a table holds, by the beginning of its name. The first that fits counts. */
const HOLDS: readonly (readonly [string, string])[] = [
  ["passage_vectors", "vectors"],
  ["segment", "keyword index"],
  ["passages", "passages"],
  ["pages", "pages"],
];

/** The bytes of a database by what they hold: indexes count with their tables. */
export function readDatabaseBytes(file: string): Record<string, number> {
  const database = new Database(file, { readonly: true, strict: true });
  try {
    const rows = database
      .query<{ table: string; bytes: number }, []>(
        `SELECT coalesce(s.tbl_name, d.name) AS "table", sum(d.pgsize) AS bytes
         FROM dbstat d LEFT JOIN sqlite_schema s ON s.name = d.name GROUP BY 1`,
      )
      .all();
    const held: Record<string, number> = {};
    for (const { table, bytes } of rows) {
      const what = HOLDS.find(([start]) => table.startsWith(start))?.[1] ?? "the rest";
      held[what] = (held[what] ?? 0) + bytes;
    }
    return held;
  } finally {
    database.close();
  }
}
