import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Takes a lock that the operating system gives back when the process ends, however it ends. Undefined when another
 * process, or another part of this one, holds it. An exclusive transaction on a database of its own is such a lock on
 * every platform; a file with a process id in it is not: it outlives a crash.
 */
export function acquireLock(path: string): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { create: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => {
    database.run("ROLLBACK");
    database.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
}
