import { SQL } from "bun";
import { hasPostgres, startPostgres } from "../../../test/helpers/postgres.ts";
import type { Measure } from "../figures.ts";

/** A PostgreSQL for one measure. */
export interface BenchPostgres {
  /** What it is, for people. */
  about: string;
  /** Of the process to which the others belong. */
  pid: number;
  /** Makes a database; returns its address. */
  newDatabase(name: string): Promise<string>;
}

/** Works with a PostgreSQL that is there meanwhile; says that there is none where it is not installed. */
export async function withPostgres(
  title: string,
  work: (postgres: BenchPostgres) => Promise<Measure>,
): Promise<Measure> {
  if (!hasPostgres) return { title, how: "PostgreSQL is not installed on this machine.", figures: [] };
  const server = await startPostgres({ asInstalled: true });
  try {
    const own = server.urlOf("postgres");
    const [row] = await query<{ server_version: string }>(own, "SHOW server_version");
    const version = row?.server_version.split(" ")[0] ?? "";
    return await work({
      about: `PostgreSQL ${version} is on the same machine and disk, with the settings that it is installed with, and is reached by a local socket.`,
      pid: server.pid(),
      async newDatabase(name) {
        await query(
          own,
          `CREATE DATABASE ${name} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
        );
        return server.urlOf(name);
      },
    });
  } finally {
    await server.stop();
  }
}

/** Runs one statement, on a connection of its own. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    return [...(await sql.unsafe<Row[]>(text))];
  } finally {
    await sql.close();
  }
}
