import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasPostgres, newDatabase } from "./postgres.ts";

/** `DOCENT_TEST_DATABASE=postgres`: what opens a data directory keeps everything in PostgreSQL. */
export const isShared = process.env["DOCENT_TEST_DATABASE"] === "postgres";

if (isShared && !hasPostgres) throw new Error("there is no PostgreSQL here to run these tests with");

const databases = new Map<string, Promise<string>>();
const settled = new Map<string, string>();

const settingsOf = (url: string) =>
  // Many servers are there at the same time.
  ({ database_url: url, database_connections: "3" });

/** The PostgreSQL database that goes with a data directory, as settings; none where tests run on SQLite. */
export async function databaseSettings(data: string): Promise<Partial<ReturnType<typeof settingsOf>>> {
  if (!isShared) return {};
  const made = databases.get(data) ?? newDatabase();
  databases.set(data, made);
  settled.set(data, await made);
  return settledSettings(data);
}

/** Gives a data directory the copy of another's database, which nobody has open. */
export async function copyDatabase(from: string, data: string): Promise<void> {
  const made = newDatabase({ copyOf: await databases.get(from) });
  databases.set(data, made);
  settled.set(data, await made);
}

/** The same, where the database is there already. */
export function settledSettings(data: string): Partial<ReturnType<typeof settingsOf>> {
  const url = settled.get(data);
  return url === undefined ? {} : settingsOf(url);
}

/** The folder of a data directory with the archives that were sent: what servers share is only copied there. */
export const uploadsFolder = (data: string): string => join(data, isShared ? "shared-uploads" : "uploads");

/** The archives in a site's folder, by their sources, and what is not whole yet by its name. */
export const uploadsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/^(\d+)-\d+$/, "$1")) : [];
