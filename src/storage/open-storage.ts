import { openPlainIndex, openSqliteTables, sqlite } from "./sqlite/sqlite.ts";
import type { Storage, StorageOptions } from "./storage.ts";

export { moveTables } from "./move/move.ts";

/** Opens what keeps everything: the PostgreSQL database that servers share, or SQLite in the data directory. */
export async function openStorage({ shared, ...options }: StorageOptions): Promise<Storage> {
  if (shared === undefined) return sqlite.open(options);
  const { openPostgres } = await loadPostgres();
  return openPostgres({ ...shared, ...options, isServer: options.locked, openPlainIndex });
}

/** Opens the tables of a storage, to move them. Whose directory it is, the caller has locked. */
export async function openTables({ shared, ...options }: StorageOptions) {
  if (shared === undefined) return openSqliteTables(options);
  const { openPostgresTables } = await loadPostgres();
  return openPostgresTables({ ...shared, ...options });
}

/** Few have one: the others start without its client. */
const loadPostgres = () => import("./postgres/postgres.ts");

// What is done to a data directory while nothing has it open.
export const { holdsDatabase, lockServer, lockIngests, restore, examineBackup, removeChecksum } = sqlite;
