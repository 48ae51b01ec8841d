import type { Database } from "bun:sqlite";
import { AppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";
import type { ServerLock, StorageOptions } from "../../storage.ts";
import { backUpBeforeUpgrade } from "./backup.ts";
import { appliedMigrations, applyMigrations, MIGRATIONS, pendingMigrations } from "./migrate.ts";
import { checkNothingLost } from "./open.ts";
import { lockServer } from "./server-lock.ts";
import { leftoversIn, removeLeftovers } from "./unfinished-files.ts";

/** What cannot be upgraded can be read only where there is nothing to upgrade. */
export function checkReadable(database: Database, directory: string): void {
  if (pendingMigrations(database).length > 0) throw notUpgraded(directory);
}

export function notUpgraded(directory: string): AppError {
  return new AppError(
    "unavailable",
    `The database in ${directory} has to be upgraded, and cannot be written.`,
    { hint: "Open it once where it can be written, or use the version of Docent that wrote it." },
  );
}

const UPGRADE_WAIT_MS = 3000;
const UPGRADE_POLL_MS = 50;

type UpgradeOptions = Omit<StorageOptions, "synchronous">;

/** Brings a database to the schema of `migrations`, after a backup where there is something to lose. */
export function upgrade(
  database: Database,
  options: UpgradeOptions,
  { migrations = MIGRATIONS, waitMs = UPGRADE_WAIT_MS } = {},
): void {
  const { directory, backups, locked, now, log } = options;
  if (pendingMigrations(database, migrations).length === 0) return;
  const lock = locked ? undefined : waitForServerLock(directory, waitMs);
  try {
    // Another process may have done it while this one waited.
    const pending = pendingMigrations(database, migrations);
    if (appliedMigrations(database).length === 0) checkNothingLost(directory, { isOpen: true });
    if (!locked) tidy(directory, log);
    if (pending.length > 0 && appliedMigrations(database).length > 0) {
      const file = backUpBeforeUpgrade(database, directory, now, backups);
      log.info("the database is upgraded; a backup was made", { file });
    }
    applyMigrations(database, pending, now);
  } finally {
    lock?.release();
  }
}

/** Does what only one process at a time may do to the database, with the server's lock, which the server has already. */
export async function whileAlone<T>(
  { directory, locked }: Pick<StorageOptions, "directory" | "locked">,
  work: () => Promise<T>,
  waitMs = UPGRADE_WAIT_MS,
): Promise<T> {
  const lock = locked ? undefined : waitForServerLock(directory, waitMs);
  try {
    return await work();
  } finally {
    lock?.release();
  }
}

/** Removes what killed upgrades and restores left. The server's lock is held. */
export function tidy(directory: string, log: Log): void {
  try {
    const files = removeLeftovers(directory);
    if (files.length > 0) log.info("what a killed upgrade or restore left was removed", { files });
  } catch (error) {
    log.warn("what a killed upgrade or restore left could not be removed", { error });
  }
}

/**
 * The same for a command that has no lock: while a server, a restore or an upgrade holds it, what is there may be theirs.
 * Where nothing is left the lock is not touched, as a server may be about to take it.
 */
export function tidyAlone(directory: string, log: Log): void {
  if (leftoversIn(directory).length === 0) return;
  const lock = lockServer(directory);
  if (lock === undefined) return;
  try {
    tidy(directory, log);
  } finally {
    lock.release();
  }
}

/** Another command that opens a new data directory holds the lock for a moment; a server holds it for good. */
function waitForServerLock(directory: string, waitMs: number): ServerLock {
  for (let waitedMs = 0; waitedMs <= waitMs; waitedMs += UPGRADE_POLL_MS) {
    const lock = lockServer(directory);
    if (lock) return lock;
    Bun.sleepSync(UPGRADE_POLL_MS);
  }
  throw new AppError("conflict", "The database has to be upgraded, and a server is using it.", {
    hint: "Stop the server, or start it with this version: it upgrades the database itself.",
  });
}
