import { afterAll } from "bun:test";
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

/** PostgreSQL is stopped and started again, as its operator does. One server is for all databases of a file of tests. */
function sharedPostgres(): StartEngine {
  let starting: Promise<OwnServer> | undefined;
  afterAll(async () => (await starting)?.stop());
  return async () => {
    starting ??= startPostgres({ kept: true });
    const server = await starting;
    const url = await databaseOn(server);
    return {
      settings: settingsOf(url),
      rows: (_parts, statement) => rowsAt(url, statement),
      away: (_open, _directory, meanwhile) => server.restart({ gently: true, meanwhile }),
      close: () => within(server.urlOf("postgres"), `DROP DATABASE ${nameIn(url)}`),
    };
  };
}

/** What stands before PostgreSQL is killed, and started again: PostgreSQL itself goes on. */
export const pooled: StartEngine = async () => {
  const server = await startPostgres({ kept: true });
  const url = await databaseOn(server);
  const pooler = await startPgbouncer(server, "session", ["default_pool_size = 40"]);
  return {
    settings: settingsOf(pooler.urlOf(nameIn(url))),
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

let databases = 0;

async function databaseOn(server: OwnServer): Promise<string> {
  const name = `upkeep_${++databases}`;
  await within(server.urlOf("postgres"), `CREATE DATABASE ${name}`);
  return server.urlOf(name);
}

const nameIn = (url: string) => new URL(url).pathname.slice(1);

const settingsOf = (url: string) => ({ database_url: url, database_connections: "3" });

/** The kinds of storage that are here, for a file of tests: asked for as it is loaded. */
export const engines = () => [
  ["SQLite", sqlite] as const,
  ...(canStartPostgres ? [["PostgreSQL", sharedPostgres()] as const] : []),
];
