import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { makeFolder } from "@docent/kernel/lib/durable-files";
import { isReadOnly, openReadOnly } from "./open-read-only.ts";

export const DATABASE_FILE = "docent.db";

/** Whether a data directory has a database. */
export const holdsDatabase = (directory: string): boolean => existsSync(join(directory, DATABASE_FILE));

const NEW_PAGE_BYTES = 8192;

/** Keeps the hot part of a small database, and a command small. */
const MEMORY_BYTES = 16_000_000;

interface OpenOptions {
  /** `full` waits for the disk at every commit. */
  synchronous: "normal" | "full";
  /** How much of the database is kept in memory at most, once it was read. */
  memoryBytes?: number | undefined;
}

/** Opens the database of a data directory, for reading alone where it cannot be written. Makes the directory where there is none. */
export function openDatabase(directory: string, options: OpenOptions): Database {
  let database: Database | undefined;
  const file = join(directory, DATABASE_FILE);
  try {
    // Before SQLite looks: it deletes the log of an empty database.
    if (sizeOf(file) === 0) checkNothingLost(directory);
    if (isReadOnly(file)) return openReadOnly(file);
    makeFolder(directory);
    database = new Database(file, { create: true, strict: true });
    applyPragmas(database, options);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      "unavailable",
      `The data directory ${directory} cannot be opened: ${reasonOf(cause)}`,
      {
        hint: "Check that the directory is yours and can be written, that the disk is not full, and that docent.db is a Docent database.",
        cause,
      },
    );
  }
}

/**
 * Raises `conflict` where a directory has no database, or an empty one, and was used before: what follows would pass for
 * a new installation, and let whoever comes first be its owner.
 */
export function checkNothingLost(directory: string, { isOpen = false } = {}): void {
  const log = `${DATABASE_FILE}-wal`;
  const backups = backupsIn(join(directory, "backups"));
  // The log of a database that is open is its own, as one is left where its first start was killed.
  const hasLog = !isOpen && sizeOf(join(directory, log)) > 0;
  if (!hasLog && backups.length === 0) return;
  const [newest] = backups.sort((a, b) => b.changedAt - a.changedAt);
  const others = "To begin anew, name another directory with --data, or move away what is in this one.";
  throw new AppError(
    "conflict",
    `The data directory ${directory} was used before, and its database ${DATABASE_FILE} is missing or empty.`,
    {
      hint: `${hasLog ? `Put back the ${DATABASE_FILE} that ${log} belongs to, or restore` : "Restore"} a backup${newest ? `: docent restore ${newest.file}` : ""}. ${others}`,
    },
  );
}

function backupsIn(folder: string): { file: string; changedAt: number }[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".db")) : [];
  return names.map((name) => {
    const file = join(folder, name);
    return { file, changedAt: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function applyPragmas(database: Database, { synchronous, memoryBytes = MEMORY_BYTES }: OpenOptions): void {
  // First, so that the pragmas below wait for another process instead of failing.
  database.run("PRAGMA busy_timeout = 5000");
  // Counts for a new database alone. Most passages are larger than half a page of SQLite's default, so each would have
  // one for itself: on real docs, a passage takes 4.8 kB in all instead of 5.3.
  database.run(`PRAGMA page_size = ${NEW_PAGE_BYTES}`);
  // Readers and the one writer do not wait for each other, and a crash loses nothing that was committed.
  database.run("PRAGMA journal_mode = WAL");
  // In WAL, normal can lose the last commits to a power cut, never to a crash of the process, and never corrupts.
  database.run(`PRAGMA synchronous = ${synchronous}`);
  database.run("PRAGMA foreign_keys = ON");
  // What is deleted is overwritten: a reader's words would lie in unused parts of the file otherwise. Measured, it costs
  // an ingest nothing.
  database.run("PRAGMA secure_delete = ON");
  // Negative is KiB.
  database.run(`PRAGMA cache_size = -${Math.round(memoryBytes / 1024)}`);
  // A large ingest would otherwise leave a write-ahead log of its size on the disk.
  database.run("PRAGMA journal_size_limit = 67108864");
  // Sorting a large result on the disk would write where the operator may not expect it.
  database.run("PRAGMA temp_store = MEMORY");
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
