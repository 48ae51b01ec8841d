import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { type Disk, makeFolder, systemDisk } from "@docent/kernel/lib/durable-files";
import type { RestoreOptions } from "../../storage.ts";
import { checkBackup, LOG_SUFFIXES, removeDatabase, writeCopy } from "./backup.ts";
import { DATABASE_FILE, reasonOf } from "./open.ts";
import { INCOMING_FILE, removeLeftovers } from "./unfinished-files.ts";

/** How long other commands on the same database may still take. */
const BUSY_MS = 3000;
const POLL_MS = 50;

interface RestoreSettings extends RestoreOptions {
  disk?: Disk;
  busyMs?: number;
}

/**
 * Puts a backup in the place of a data directory's database, which is kept beside it. The caller holds the server's
 * lock. Whenever it is killed, the directory has the one or the other, whole. Returns where the replaced database went.
 */
export function restore(
  directory: string,
  file: string,
  at: number,
  { disk = systemDisk, checkLock = () => {}, busyMs = BUSY_MS, name = file }: RestoreSettings = {},
): string | undefined {
  checkBackup(file, name);
  const target = join(directory, DATABASE_FILE);
  makeFolder(directory, disk);
  removeLeftovers(directory, disk);
  const incoming = join(directory, INCOMING_FILE);
  const replaced = existsSync(target) ? takeOver(target, busyMs) : undefined;
  try {
    bringIn(file, incoming);
    // The file may be another by now than the one that was checked. Nothing was written to the copy yet.
    checkBackup(incoming, name);
    finishCopy(incoming, disk);
    const kept = isSomething(target) ? keep(directory, replaced, at, disk) : undefined;
    checkLock();
    // Windows renames nothing over a file that is open.
    if (process.platform === "win32") replaced?.close();
    putInPlace(incoming, target, disk);
    return kept;
  } catch (error) {
    removeDatabase(incoming, disk);
    throw error;
  } finally {
    replaced?.close();
  }
}

/**
 * Opens the database that is to be replaced, for this process alone and without a write-ahead log, so that the file is
 * whole by itself. Undefined where it is damaged: that is what restoring is for. Raises `conflict` where another process
 * has it open: what that wrote would be lost, and its log be taken for the new database's.
 */
function takeOver(target: string, busyMs: number): Database | undefined {
  // SQLite deletes the log of an empty file, and the log may be all there is.
  if (statSync(target).size === 0) return undefined;
  let busy: unknown;
  for (let waitedMs = 0; waitedMs <= busyMs; waitedMs += POLL_MS) {
    try {
      return openAlone(target);
    } catch (error) {
      if (!isBusy(error)) return undefined;
      busy = error;
    }
    // SQLite waits for a lock by itself, and not for others to close the database.
    Bun.sleepSync(POLL_MS);
  }
  throw new AppError("conflict", `Another command is using the database in ${dirname(target)}.`, {
    hint: "End it first: it may be docent mcp, docent ingest --watch, or an SQLite shell.",
    cause: busy,
  });
}

function openAlone(target: string): Database {
  const database = new Database(target);
  try {
    database.run("PRAGMA journal_mode = DELETE");
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    // The lock is taken with a transaction, and stays.
    database.run("BEGIN EXCLUSIVE");
    database.run("COMMIT");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const isBusy = (error: unknown) =>
  error instanceof Error && "code" in error && /^SQLITE_(?:BUSY|LOCKED)/.test(String(error.code));

/** A copy through SQLite, so that a backup which is itself in use, or has a write-ahead log, arrives whole. */
function bringIn(file: string, incoming: string): void {
  const database = new Database(file, { readonly: true });
  try {
    database.run("PRAGMA trusted_schema = OFF");
    database.query("VACUUM INTO ?").run(incoming);
  } catch (cause) {
    throw notCopied(cause);
  } finally {
    database.close();
  }
}

function finishCopy(incoming: string, disk: Disk): void {
  try {
    endSignIns(incoming);
    disk.syncFile(incoming);
  } catch (cause) {
    throw notCopied(cause);
  }
}

const notCopied = (cause: unknown) =>
  new AppError("unavailable", `The backup could not be copied: ${reasonOf(cause)}`, {
    hint: "Check that the data directory can be written and that the disk has room.",
    cause,
  });

/** A log may be all that there is. */
const isSomething = (target: string) => existsSync(target) || existsSync(`${target}-wal`);

/** Sessions and links that have ended since the backup must not open anything again. Of an older Docent, it has none. */
function endSignIns(file: string): void {
  const database = new Database(file);
  try {
    database.run("PRAGMA secure_delete = ON");
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    for (const { name } of tables.filter(({ name }) => ["member_sessions", "member_links"].includes(name)))
      database.run(`DELETE FROM ${name}`);
  } finally {
    database.close();
  }
}

function keep(directory: string, replaced: Database | undefined, at: number, disk: Disk): string {
  const stamp = new Date(at).toISOString().replaceAll(":", "-");
  const folder = join(directory, "backups");
  makeFolder(folder, disk);
  const taken = readdirSync(folder).filter((name) => name.startsWith(`before-restore-${stamp}`)).length;
  const kept = join(folder, `before-restore-${stamp}${taken === 0 ? "" : `-${taken}`}.db`);
  if (replaced !== undefined && isCopied(replaced, kept, disk)) return kept;
  try {
    keepFiles(join(directory, DATABASE_FILE), kept, disk);
    return kept;
  } catch (cause) {
    throw new AppError("unavailable", `The database that is there could not be kept: ${reasonOf(cause)}`, {
      hint: "Check that the data directory can be written and that the disk has room for it once more.",
      cause,
    });
  }
}

function isCopied(database: Database, file: string, disk: Disk): boolean {
  try {
    writeCopy(database, file, disk);
    return true;
  } catch {
    return false;
  }
}

/** A damaged database cannot be read, and is the very reason to restore: its files are kept as they are. */
function keepFiles(target: string, kept: string, disk: Disk): void {
  const unfinished = `${kept}.partial`;
  for (const suffix of ["-wal", "-journal"].filter((each) => existsSync(target + each))) {
    copyFileSync(target + suffix, kept + suffix);
    disk.syncFile(kept + suffix);
  }
  if (existsSync(target)) copyFileSync(target, unfinished);
  else writeFileSync(unfinished, "");
  disk.syncFile(unfinished);
  disk.rename(unfinished, kept);
  disk.syncFolder(dirname(kept));
}

function putInPlace(incoming: string, target: string, disk: Disk): void {
  // What the old database's log still held would be taken for the new one's, also after a power cut.
  for (const suffix of LOG_SUFFIXES) disk.remove(target + suffix);
  disk.syncFolder(dirname(target));
  disk.rename(incoming, target);
  disk.syncFolder(dirname(target));
}
