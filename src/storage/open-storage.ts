import { openPostgres } from "./postgres/postgres.ts";
import { openPlainIndex, sqlite } from "./sqlite/sqlite.ts";
import type { Storage, StorageOptions } from "./storage.ts";

/** Opens what keeps everything: the PostgreSQL database that servers share, or SQLite in the data directory. */
export function openStorage({ shared, ...options }: StorageOptions): Promise<Storage> {
  if (shared === undefined) return sqlite.open(options);
  return openPostgres({ ...shared, ...options, isServer: options.locked, openPlainIndex });
}

// What is done to a data directory while nothing has it open.
export const { lockServer, lockIngests, restore } = sqlite;
