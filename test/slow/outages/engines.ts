import { Database } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { startPgbouncer } from "../../helpers/pgbouncer.ts";
import { startPostgres } from "../../helpers/postgres.ts";

export const ENGINES = ["SQLite", "PostgreSQL", "PgBouncer"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A kind of storage that can be taken away for a while. */
export interface Engine {
  /** What the program is told of it. */
  environment: Record<string, string>;
  /** Whether Docent makes copies of it. */
  isCopied: boolean;
  /** Rows of a statement, as somebody finds them who looks from outside at the storage of a workplace. */
  rows<Row>(folder: string, statement: string): Promise<Row[]>;
  /** Takes it away for so long, and does something meanwhile. */
  away<T>(folder: string, ms: number, meanwhile: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const startEngine = (name: EngineName): Promise<Engine> =>
  name === "SQLite" ? Promise.resolve(sqliteFile()) : sharedDatabase(name);

const fileIn = (folder: string) => join(folder, "docent-data", "docent.db");

/** Another process writes for long: whoever reads still can, and nobody else writes. */
function sqliteFile(): Engine {
  return {
    environment: {},
    isCopied: true,
    async rows<Row>(folder: string, statement: string) {
      const database = new Database(fileIn(folder), { readonly: true });
      try {
        return database.query<Row, []>(statement).all();
      } finally {
        database.close();
      }
    },
    async away(folder, ms, meanwhile) {
      const database = new Database(fileIn(folder));
      try {
        database.run("PRAGMA busy_timeout = 20000");
        database.run("BEGIN IMMEDIATE");
        const [done] = await Promise.all([meanwhile(), Bun.sleep(ms)]);
        return done;
      } finally {
        database.close();
      }
    },
    async close() {},
  };
}

/** PostgreSQL is stopped and started again, as its operator does; or what stands before it is killed, and started again. */
async function sharedDatabase(name: EngineName): Promise<Engine> {
  const postgres = await startPostgres({ kept: true });
  const admin = new SQL(postgres.urlOf("postgres"), { max: 1 });
  await admin`CREATE DATABASE docent`;
  await admin.close();
  const pooler =
    name === "PgBouncer" ? await startPgbouncer(postgres, "session", ["default_pool_size = 40"]) : undefined;
  return {
    environment: {
      DOCENT_DATABASE_URL: (pooler ?? postgres).urlOf("docent"),
      DOCENT_DATABASE_CONNECTIONS: "4",
    },
    isCopied: false,
    async rows<Row>(_: string, statement: string) {
      const own = new SQL(postgres.urlOf("docent"), { max: 1 });
      try {
        const rows: Row[] = await own.unsafe(statement);
        return rows;
      } finally {
        await own.close();
      }
    },
    async away(_, ms, meanwhile) {
      const done = Promise.withResolvers<Awaited<ReturnType<typeof meanwhile>>>();
      const outage = async () => {
        const [found] = await Promise.all([meanwhile(), Bun.sleep(ms)]);
        done.resolve(found);
      };
      if (pooler === undefined) await postgres.restart({ gently: true, meanwhile: outage });
      else await pooler.restart({ meanwhile: outage });
      return done.promise;
    },
    async close() {
      await pooler?.stop();
      await postgres.stop();
    },
  };
}
