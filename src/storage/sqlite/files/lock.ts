import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { reasonOf } from "./open.ts";

/**
 * Takes a lock that the operating system gives back when the process ends, however it ends. Undefined when another
 * process, or another part of this one, holds it. An exclusive transaction on a database of its own is such a lock on
 * every platform; a file with a process id in it is not: it outlives a crash.
 */
export function acquireLock(path: string): (() => void) | undefined {
  const database = openLockFile(path);
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw cannotLock(path, error);
  }
  // Closing ends the transaction, and once more is nothing.
  return () => database.close();
}

/** Takes all of the locks in a folder that have ever been taken. Undefined when one of them is held. */
export function acquireAllLocks(folder: string): (() => void) | undefined {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".lock")) : [];
  const held: (() => void)[] = [];
  const release = () => {
    for (const each of held) each();
  };
  for (const name of names) {
    const lock = acquireLock(join(folder, name));
    if (!lock) {
      release();
      return undefined;
    }
    held.push(lock);
  }
  return release;
}

/** Which file or folder a path leads to, whatever it is called; undefined where it leads nowhere. */
export function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

function openLockFile(path: string): Database {
  try {
    // Whatever is in a data directory is the operator's alone, whoever makes it first.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return new Database(path, { create: true });
  } catch (error) {
    throw cannotLock(path, error);
  }
}

/** Says that a lock cannot be had, held or not. */
export function cannotLock(path: string, cause: unknown): AppError {
  return new AppError("unavailable", `The lock ${path} cannot be taken: ${reasonOf(cause)}`, {
    hint: "Check that the data directory can be written and that the disk is not full.",
    cause,
  });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
}
