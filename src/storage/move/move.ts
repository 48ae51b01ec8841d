import { AppError } from "@docent/kernel/errors";
import { wholeJson } from "../whole-text.ts";
import { type MovedRow, type MovedTable, type MovedValue, TABLES, type TableStore } from "./tables.ts";

interface MoveProgress {
  table: string;
  rows: number;
}

interface Moved {
  tables: number;
  rows: number;
}

/**
 * Copies everything from one storage to another, and reads it again there: what was written is compared with what was
 * read before the other storage keeps it. What is cut short leaves nothing.
 */
export async function moveTables(
  from: TableStore,
  to: TableStore,
  { signal, onTable }: { signal: AbortSignal; onTable?: (progress: MoveProgress) => void },
): Promise<Moved> {
  if (await to.isUsed()) {
    throw new AppError("conflict", `${to.name} is in use: it has sites or members.`, {
      hint: "Name a new database, or a new directory.",
    });
  }
  const tables = await Promise.all(TABLES.map((name) => sharedColumns(name, from, to)));
  let rows = 0;
  const checkAlone = () => Promise.all([from.checkAlone(), to.checkAlone()]);
  await checkAlone();
  await to.fill(async (write, readBack) => {
    for (const table of tables) {
      const read = createDigest();
      for await (const some of from.read(table)) {
        signal.throwIfAborted();
        await write(table, some);
        for (const row of some) read.add(row);
      }
      const written = createDigest();
      for await (const some of readBack(table)) for (const row of some) written.add(row);
      checkSame(table, read, written);
      rows += read.rows();
      onTable?.({ table: table.name, rows: read.rows() });
    }
    // What a server that has come meanwhile writes would be missing, or beside what was moved.
    await checkAlone();
  });
  return { tables: tables.length, rows };
}

/** What only one of them knows of a table, such as which of several servers did something, is not moved. */
async function sharedColumns(name: string, from: TableStore, to: TableStore): Promise<MovedTable> {
  const known = new Set(await to.columns(name));
  const columns = (await from.columns(name)).filter((column) => known.has(column));
  if (columns.length === 0) throw new Error(`the table ${name} has no columns in common`);
  return { name, columns };
}

/** Counts rows, and adds up what they hash to: in whichever order they come. */
function createDigest() {
  let count = 0;
  let sum = 0n;
  return {
    add(row: MovedRow) {
      count += 1;
      sum = (sum + hashOf(row)) & 0xffff_ffff_ffff_ffffn;
    },
    rows: () => count,
    sum: () => sum,
  };
}

type Digest = ReturnType<typeof createDigest>;

function hashOf(row: MovedRow): bigint {
  let hash = 0n;
  for (const value of row) hash = Bun.hash.xxHash64(bytesOf(value), hash);
  return hash;
}

const encoder = new TextEncoder();

/** As both can hold it, whether it is JSON or not. */
const bytesOf = (value: MovedValue): Uint8Array =>
  value instanceof Uint8Array ? value : encoder.encode(wholeJson(`${typeof value}${value}`));

function checkSame({ name }: MovedTable, read: Digest, written: Digest): void {
  if (read.rows() === written.rows() && read.sum() === written.sum()) return;
  throw new AppError("internal", `The table ${name} did not arrive as it was; nothing was kept.`, {
    cause: new Error(`${read.rows()} rows were read, ${written.rows()} written`),
  });
}
