import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@docent/kernel/lib/log";
import type { Storage, StorageOptions, VectorMeasure } from "../../storage.ts";
import { backUpSoundly } from "./backup.ts";
import { acquireAllLocks, acquireLock } from "./lock.ts";
import { DATABASE_FILE, openDatabase } from "./open.ts";
import { isReadOnly } from "./open-read-only.ts";
import { checkReadable, tidy, tidyAlone, upgrade } from "./upgrade.ts";
import { loadVectors } from "./vector-extension.ts";
import { vectorLibrary } from "./vector-library.ts";

export { examineBackup } from "./backup.ts";
export { removeChecksum } from "./checksum.ts";
export { holdsDatabase } from "./open.ts";
export { restore } from "./restore.ts";
export { lockServer } from "./server-lock.ts";
export { createTableStore } from "./tables.ts";
export { notUpgraded, whileAlone } from "./upgrade.ts";

/** The files of a data directory while its database is open. */
interface OpenFiles extends Pick<Storage, "isReadOnly" | "describe" | "fault" | "backUp" | "close"> {
  database: Database;
  vectors: VectorMeasure;
  /** Takes the lock of a source's runs; undefined where another run of it has it. */
  lockSource: TakeLock;
  /** Takes the lock of what writes a site's keyword index; undefined where another writer has it. */
  lockIndex: TakeLock;
}

/** Takes the lock of one of those that have one, by its id. */
export type TakeLock = (id: number) => (() => void) | undefined;

/** Opens the database of a data directory, at the schema of this binary, with what measures vectors in it. */
export async function openFiles(options: StorageOptions): Promise<OpenFiles> {
  const { directory, synchronous, memoryBytes, locked, log } = options;
  if (locked) tidy(directory, log);
  const isRead = isReadOnly(join(directory, DATABASE_FILE));
  const database = openDatabase(directory, { synchronous, memoryBytes });
  try {
    if (isRead) checkReadable(database, directory);
    else {
      if (!locked) tidyAlone(directory, log);
      upgrade(database, options);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  const vectors = loadVectors(database, await vectorLibrary(), directory);
  return {
    database,
    isReadOnly: isRead,
    vectors,
    describe: async () => ({
      engine: engineOf(database),
      vectors,
      bytes: sizeOf(directory),
      servers: undefined,
      warnings: [],
    }),
    lockSource: (sourceId) => acquireLock(join(locksOf(directory), `source-${sourceId}.lock`)),
    lockIndex: (siteId) => acquireLock(join(locksOf(directory), `index-${siteId}.lock`)),
    fault: async () => faultOf(database),
    backUp: async (file) => backUpSoundly(database, file),
    async close() {
      if (!isRead) takeInLog(database, log);
      database.close();
    },
  };
}

/** The locks of every run of every source, and of every keyword index. */
export const lockIngests = (directory: string) => acquireAllLocks(locksOf(directory));

const locksOf = (directory: string) => join(directory, "locks");

function engineOf(database: Database): string {
  const row = database.query<{ version: string }, []>("SELECT sqlite_version() AS version").get();
  return `SQLite ${row?.version ?? ""}`.trim();
}

function faultOf(database: Database): string | undefined {
  const row = database.query<{ quick_check: string }, []>("PRAGMA quick_check").get();
  return row?.quick_check === "ok" ? undefined : (row?.quick_check ?? "no answer");
}

function sizeOf(directory: string): { database: number; log: number } {
  const bytes = (file: string) => statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
  return { database: bytes(DATABASE_FILE), log: bytes(`${DATABASE_FILE}-wal`) };
}

/** What is in the write-ahead log goes into the database, so that the one file is whole when copied. */
function takeInLog(database: Database, log: Log): void {
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // On a full or read-only disk it stays where it is, and is read from there the next time.
    log.debug("the write-ahead log could not be taken in", { error });
  }
}

/** Takes what was deleted out of the log. Where another process reads, it is emptied the next time: nobody waits for it. */
export function emptyLog(database: Database): void {
  const { timeout = 0 } = database.query<{ timeout: number }, []>("PRAGMA busy_timeout").get() ?? {};
  database.run("PRAGMA busy_timeout = 0");
  try {
    database.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } finally {
    database.run(`PRAGMA busy_timeout = ${timeout}`);
  }
}
