import { hasPostgres, newDatabase } from "./postgres.ts";

/** `DOCENT_TEST_DATABASE=postgres`: what opens a data directory keeps everything in PostgreSQL. */
export const isShared = process.env["DOCENT_TEST_DATABASE"] === "postgres";

if (isShared && !hasPostgres) throw new Error("there is no PostgreSQL here to run these tests with");

const databases = new Map<string, Promise<string>>();

/** The PostgreSQL database that goes with a data directory, as settings; none where tests run on SQLite. */
export async function databaseSettings(
  data: string,
): Promise<Partial<Record<"database_url" | "database_connections", string>>> {
  if (!isShared) return {};
  const known = databases.get(data) ?? newDatabase();
  databases.set(data, known);
  // Many servers are there at the same time.
  return { database_url: await known, database_connections: "3" };
}
