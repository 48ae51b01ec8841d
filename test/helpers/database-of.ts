import { Database } from "bun:sqlite";
import type { Storage } from "../../src/storage/storage.ts";

/** The database of a storage, which the storage itself tells nobody of. */
export function databaseOf({ parts }: { parts: { storage: Storage } }): Database {
  const { storage } = parts;
  if ("database" in storage && storage.database instanceof Database) return storage.database;
  throw new Error("this storage is not SQLite's");
}
