import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../src/storage/sqlite/files/open.ts";

/** Another process that writes for long: from `begin` to `end` nothing else can be stored, which is said at once. */
export function otherWriter(directory: string, asked: { run(sql: string): unknown }) {
  asked.run("PRAGMA busy_timeout = 0");
  const other = new Database(join(directory, DATABASE_FILE));
  return { begin: () => void other.run("BEGIN IMMEDIATE"), end: () => other.close() };
}
