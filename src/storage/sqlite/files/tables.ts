import type { Database } from "bun:sqlite";
import { join } from "node:path";
import {
  IS_USED,
  MADE_BY_START,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type TableStore,
} from "../../move/tables.ts";
import { createUploadPieces } from "./upload-pieces.ts";

const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 8_000_000;

const lengthOf = (value: MovedValue): number =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 0;

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
    // Whoever moves it holds the lock of its server.
    checkAlone: async () => {},
    async columns(table) {
      if (table === UPLOADS) return pieces.columns;
      if (table === "segment_rows") return Object.keys(SEGMENT_ROWS);
      const rows = database
        .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
        .all();
      return rows.map((row) => row.name);
    },
    async isUsed() {
      return database.query(IS_USED).get() !== null;
    },
    read,
    async fill(work) {
      // A connection of its own, so that nothing else comes between.
      database.run("BEGIN IMMEDIATE");
      try {
        for (const table of MADE_BY_START) database.run(`DELETE FROM ${table}`);
        await work(write, read);
        pieces.sync();
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
  let bytes = 0;
  for (const row of database.query<Record<string, MovedValue>, []>(text).iterate()) {
    const values = Object.values(row);
    some.push(values);
    bytes += values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
    if (some.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield some;
    some = [];
    bytes = 0;
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
