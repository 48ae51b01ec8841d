import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { MovedRow, MovedTable, MovedValue, TableStore } from "../../move/tables.ts";
import { createUploadPieces } from "./upload-pieces.ts";

const ROWS_AT_ONCE = 500;

/** Archives are files here. */
const UPLOADS = "upload_pieces";

/** The id of a segment's row holds both its segment and its number. */
const SEGMENT_ROWS = { segment_id: "id / 16777216", number: "id % 16777216", bytes: "bytes" };

/** The tables of an open data directory, which nobody else writes to meanwhile. */
export function createTableStore(
  database: Database,
  { name, directory, close }: { name: string; directory: string; close(): Promise<void> },
): TableStore {
  const pieces = createUploadPieces(database, join(directory, "uploads"));
  const read = (table: MovedTable) =>
    table.name === UPLOADS ? pieces.read(table) : readTable(database, table);
  const write = async (table: MovedTable, rows: readonly MovedRow[]) =>
    table.name === UPLOADS ? pieces.write(table, rows) : writeRows(database, table, rows);
  return {
    name,
    async columns(table) {
      if (table === UPLOADS) return pieces.columns;
      if (table === "segment_rows") return Object.keys(SEGMENT_ROWS);
      const rows = database
        .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
        .all();
      return rows.map((row) => row.name);
    },
    async isUsed() {
      const found =
        "SELECT 1 FROM organizations UNION ALL SELECT 1 FROM members UNION ALL SELECT 1 FROM admin_keys LIMIT 1";
      return database.query(found).get() !== null;
    },
    read,
    async fill(work) {
      // A connection of its own, so that nothing else comes between.
      database.run("BEGIN IMMEDIATE");
      try {
        // What an opening has written by itself is made of what comes.
        database.run("DELETE FROM meta");
        await work(write, read);
        database.run("COMMIT");
      } catch (error) {
        pieces.takeBack();
        database.run("ROLLBACK");
        throw error;
      }
    },
    close,
  };
}

const selected = ({ name, columns }: MovedTable) =>
  name === "segment_rows"
    ? columns.map((column) => Object.entries(SEGMENT_ROWS).find(([known]) => known === column)?.[1] ?? column)
    : columns;

async function* readTable(database: Database, table: MovedTable): AsyncGenerator<MovedRow[]> {
  const text = `SELECT ${selected(table).join(", ")} FROM ${table.name}${orderOf(table.name)}`;
  let some: MovedRow[] = [];
  for (const row of database.query<Record<string, MovedValue>, []>(text).iterate()) {
    some.push(Object.values(row));
    if (some.length < ROWS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** The order in which organizations were added is known by nothing else. */
const orderOf = (table: string) => (table === "organizations" ? " ORDER BY rowid" : "");

function writeRows(database: Database, { name, columns }: MovedTable, rows: readonly MovedRow[]): void {
  if (name === "segment_rows") {
    writeSegmentRows(database, columns, rows);
    return;
  }
  const places = columns.map(() => "?").join(", ");
  const insert = database.query<null, MovedValue[]>(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`,
  );
  for (const row of rows) insert.run(...row);
}

function writeSegmentRows(database: Database, columns: readonly string[], rows: readonly MovedRow[]): void {
  const insert = database.query<null, MovedValue[]>(
    "INSERT INTO segment_rows (id, bytes) VALUES (? * 16777216 + ?, ?)",
  );
  const at = Object.keys(SEGMENT_ROWS).map((column) => columns.indexOf(column));
  for (const row of rows) insert.run(...at.map((index) => row[index] ?? null));
}
