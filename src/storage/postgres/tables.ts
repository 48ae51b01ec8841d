import {
  IS_USED,
  MADE_BY_START,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type TableStore,
} from "../move/tables.ts";
import type { Connection, Database, Queries } from "./database/database.ts";

const ROWS_AT_ONCE = 500;
/** Of a table whose rows are large. */
const LARGE_ROWS_AT_ONCE: Readonly<Record<string, number>> = {
  upload_pieces: 8,
  images: 4,
  segment_rows: 50,
  pages: 50,
};
/** Of a table whose rows have to come in an order. */
const ORDERS: Readonly<Record<string, string>> = {
  organizations: "ORDER BY number",
  upload_pieces: "ORDER BY source_id, number",
};

const COLUMNS = `
  SELECT column_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $table AND is_generated = 'NEVER'
    AND coalesce(identity_generation, '') <> 'ALWAYS'`;
const FLAGS = `
  SELECT table_name AS table, column_name AS column FROM information_schema.columns
  WHERE table_schema = current_schema() AND data_type = 'boolean'`;
/** Ids that were given are not given again. */
const goOnBehind = (table: string, column: string) => `
  SELECT setval(pg_get_serial_sequence('${table}', '${column}'), greatest((SELECT max(${column}) FROM ${table}), 1))`;
const NUMBERED = `
  SELECT table_name AS table, column_name AS column FROM information_schema.columns
  WHERE table_schema = current_schema() AND identity_generation = 'BY DEFAULT'`;

/** The tables of a database, which no server works on meanwhile. */
export function createTableStore(
  database: Database,
  { name, checkAlone, close }: Pick<TableStore, "name" | "checkAlone" | "close">,
): TableStore {
  let reading: Promise<Connection> | undefined;
  return {
    name,
    checkAlone,
    columns: async (table) =>
      (await database.all<{ name: string }>(COLUMNS, { table })).map((row) => row.name),
    isUsed: async () => (await database.get(IS_USED)) !== undefined,
    async *read(table) {
      reading ??= beginReading(database);
      yield* readTable(await reading, table);
    },
    fill: (work) => database.inOneWrite((write) => fill(write, work)),
    async close() {
      const connection = await reading?.catch(() => undefined);
      await connection?.close();
      await close();
    },
  };
}

async function fill(write: Queries, work: Parameters<TableStore["fill"]>[0]): Promise<void> {
  const flags = new Set(
    (await write.all<{ table: string; column: string }>(FLAGS)).map(
      ({ table, column }) => `${table}.${column}`,
    ),
  );
  for (const table of MADE_BY_START) await write.run(`DELETE FROM ${table}`);
  await work(
    (table, rows) => writeRows(write, table, { rows, flags }),
    (table) => readTable(write, table),
  );
  for (const { table, column } of await write.all<{ table: string; column: string }>(NUMBERED))
    await write.all(goOnBehind(table, column));
}

/** A connection of its own, on which everything is as of one moment. */
async function beginReading(database: Database): Promise<Connection> {
  const connection = database.connect(() => {});
  await connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  // What is read is written and compared elsewhere, which may take long.
  await connection.run("SET LOCAL idle_in_transaction_session_timeout = 0");
  return connection;
}

async function* readTable(queries: Queries, { name, columns }: MovedTable): AsyncGenerator<MovedRow[]> {
  const selected = columns.map((column, index) => `${column} AS c${index}`).join(", ");
  await queries.run(`DECLARE moved CURSOR FOR SELECT ${selected} FROM ${name} ${ORDERS[name] ?? ""}`);
  const rowsAtOnce = LARGE_ROWS_AT_ONCE[name] ?? ROWS_AT_ONCE;
  for (;;) {
    const rows = await queries.all<Record<string, MovedValue>>(`FETCH ${rowsAtOnce} FROM moved`);
    if (rows.length === 0) break;
    yield rows.map((row) => columns.map((_, index) => row[`c${index}`] ?? null));
  }
  await queries.run("CLOSE moved");
}

/** As many statements as rows, sent one behind the other: PostgreSQL answers them together. */
async function writeRows(
  write: Queries,
  { name, columns }: MovedTable,
  { rows, flags }: { rows: readonly MovedRow[]; flags: ReadonlySet<string> },
): Promise<void> {
  const isFlag = columns.map((column) => flags.has(`${name}.${column}`));
  const given = columns.map((column, index) => `c${index}${column.endsWith("_json") ? "Json" : ""}`);
  const places = given.map((each) => `$${each}`).join(", ");
  const text = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places})`;
  await Promise.all(
    rows.map((row) => {
      const values = row.map((value, index) => [
        given[index],
        isFlag[index] && value !== null ? value === 1 : value,
      ]);
      return write.run(text, Object.fromEntries(values));
    }),
  );
}
