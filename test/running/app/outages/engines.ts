import { SQL } from "bun";
import type { Parts } from "../../../../src/running/app/parts.ts";
import { databaseOf } from "../../../helpers/database-of.ts";
import { otherWriter } from "../../../helpers/other-writer.ts";
import { startPgbouncer } from "../../../helpers/pgbouncer.ts";
import { canStartPostgres, type OwnServer, startPostgres } from "../../../helpers/postgres.ts";
import { within } from "../../../helpers/shared-place.ts";

/** A kind of storage that can be taken away while something is done. */
export interface Engine {
  settings: Record<string, string>;
  rows<Row>(parts: Parts, statement: string): Promise<Row[]>;
  /** Takes it away from all that is open on a data directory, until something was done meanwhile. */
  away(open: readonly Parts[], directory: string, meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export type StartEngine = () => Promise<Engine>;

/** Another process writes: whoever reads still can, and nobody else writes. */
const sqlite: StartEngine = async () => ({
  settings: {},
  rows: async <Row>(parts: Parts, statement: string) => databaseOf({ parts }).query<Row>(statement).all(),
  async away(open, directory, meanwhile) {
    const all = { run: (sql: string) => open.forEach((parts) => void databaseOf({ parts }).run(sql)) };
    const writer = otherWriter(directory, all);
    writer.begin();
    await meanwhile();
    writer.end();
  },
  async close() {},
});

/** PostgreSQL is stopped and started again, as its operator does. */
const postgres: StartEngine = async () => {
  const server = await startPostgres({ kept: true });
  const url = await databaseOn(server);
  return {
    settings: settingsOf(url),
    rows: (_parts, statement) => rowsAt(url, statement),
    away: (_open, _directory, meanwhile) => server.restart({ gently: true, meanwhile }),
    close: () => server.stop(),
  };
};

/** What stands before PostgreSQL is killed, and started again: PostgreSQL itself goes on. */
export const pooled: StartEngine = async () => {
  const server = await startPostgres({ kept: true });
  const url = await databaseOn(server);
  const pooler = await startPgbouncer(server, "session", ["default_pool_size = 40"]);
  return {
    settings: settingsOf(pooler.urlOf(NAME)),
    rows: (_parts, statement) => rowsAt(url, statement),
    away: (_open, _directory, meanwhile) => pooler.restart({ meanwhile }),
    async close() {
      await pooler.stop();
      await server.stop();
    },
  };
};

async function rowsAt<Row>(url: string, statement: string): Promise<Row[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    const rows: Row[] = await sql.unsafe(statement);
    return rows;
  } finally {
    await sql.close();
  }
}

const NAME = "upkeep";

async function databaseOn(server: OwnServer): Promise<string> {
  await within(server.urlOf("postgres"), `CREATE DATABASE ${NAME}`);
  return server.urlOf(NAME);
}

const settingsOf = (url: string) => ({ database_url: url, database_connections: "3" });

export const ENGINES = [
  ["SQLite", sqlite] as const,
  ...(canStartPostgres ? [["PostgreSQL", postgres] as const] : []),
];
