import { Database, SQLiteError } from "bun:sqlite";
import { SQL } from "bun";
import { isUnstorable } from "../../src/kernel/errors.ts";
import type { LimitStore } from "../../src/people/limits/limits.ts";
import type { TestDocent } from "./docent.ts";
import { settledSettings } from "./shared-database.ts";

/** A database in which nothing can be stored, and that has room again. */
export interface FullDisk {
  free(): Promise<void>;
}

/** Lets a server's database take no more: SQLite finds its disk full, and PostgreSQL accepts no writes. */
export async function fillDisk({ app, data }: Pick<TestDocent, "app" | "data">): Promise<FullDisk> {
  const { storage } = app.parts;
  if ("database" in storage && storage.database instanceof Database) return fillSqlite(storage.database);
  const url = settledSettings(data)?.database_url;
  if (url === undefined) throw new Error("this storage cannot be filled");
  const { limits } = storage.people;
  await setReadOnly(url, "on");
  await untilWrites(limits, false);
  return {
    async free() {
      await setReadOnly(url, "off");
      await untilWrites(limits, true);
    },
  };
}

/** Waits until every connection of the server is one of after the change. */
async function untilWrites(limits: LimitStore, isStored: boolean): Promise<void> {
  const write = () =>
    limits.add([{ meter: "filler", subject: "", slice: 0, count: 1, expiresAt: 0 }], 0).then(
      () => isStored,
      (error: unknown) => !isStored && isUnstorable(error),
    );
  while ((await Promise.all(Array.from({ length: 12 }, write))).includes(false)) await Bun.sleep(20);
}

function fillSqlite(database: Database): FullDisk {
  database.run("CREATE TABLE filler (bytes BLOB)");
  database.run(
    "INSERT INTO threads (id, site_id, created_at, updated_at) SELECT 'filler', id, 0, 0 FROM sites LIMIT 1",
  );
  const count = database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
  database.run(`PRAGMA max_page_count = ${count}`);
  // Some pages have room for small rows yet.
  for (const bytes of [4000, 400, 40]) while (fits(database, FILLING_TURN, bytes));
  // A turn takes pages of indexes too: it left those that are fewer.
  while (fits(database, "INSERT INTO filler (bytes) VALUES (zeroblob(?))", 4000));
  return {
    async free() {
      database.run("PRAGMA max_page_count = 1000000");
      database.run("DROP TABLE filler");
      database.run("DELETE FROM threads WHERE id = 'filler'");
    },
  };
}

const FILLING_TURN = `
  INSERT INTO turns (id, thread_id, site_id, position, question_message_id, fp, caller, question, outcome, created_at)
  SELECT hex(randomblob(13)), id, site_id, 0, hex(randomblob(8)), '', 'api', hex(zeroblob(? / 2)), 'stopped', 0
  FROM threads WHERE id = 'filler'`;

function fits(database: Database, insert: string, bytes: number): boolean {
  try {
    database.run(insert, [bytes]);
    return true;
  } catch (error) {
    if (error instanceof SQLiteError && error.code === "SQLITE_FULL") return false;
    throw error;
  }
}

/** Connections that are open keep what they began with: they are ended. */
async function setReadOnly(url: string, value: "on" | "off"): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe("SET default_transaction_read_only = off");
  await sql.unsafe(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
  await sql.unsafe(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await sql.end();
}
