import { openPostgres, openPostgresTables } from "./postgres/postgres.ts";
import { openPlainIndex, openSqliteTables, sqlite } from "./sqlite/sqlite.ts";
import type { Storage, StorageOptions } from "./storage.ts";

export { moveTables } from "./move/move.ts";
export { withEnvironment } from "./postgres/postgres.ts";

/** Opens what keeps everything: the PostgreSQL database that servers share, or SQLite in the data directory. */
export function openStorage({ shared, ...options }: StorageOptions): Promise<Storage> {
  if (shared === undefined) return sqlite.open(options);
  return openPostgres({ ...shared, ...options, isServer: options.locked, openPlainIndex });
}

/** Opens the tables of a storage, to move them. Whose directory it is, the caller has locked. */
export function openTables({ shared, ...options }: StorageOptions) {
  return shared === undefined ? openSqliteTables(options) : openPostgresTables({ ...shared, ...options });
}

// What is done to a data directory while nothing has it open.
export const { lockServer, lockIngests, restore } = sqlite;
