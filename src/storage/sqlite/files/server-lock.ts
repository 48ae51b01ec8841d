import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ServerLock } from "../../storage.ts";
import { acquireFolderLock } from "./folder-lock.ts";
import { acquireLock, cannotLock, fileAt } from "./lock.ts";
import { DATABASE_FILE } from "./open.ts";

const LOCK_FILE = "server.lock";

/**
 * Locks the directory itself, where the system can, and a file in it, which other versions of Docent look at too.
 * Undefined where either is held.
 */
export function lockServer(directory: string): ServerLock | undefined {
  const folderLock = lockFolder(directory);
  if (folderLock === "held") return undefined;
  let releaseFile: (() => void) | undefined;
  try {
    releaseFile = acquireLock(join(directory, LOCK_FILE));
  } finally {
    if (releaseFile === undefined) folderLock?.release();
  }
  return releaseFile && watched(directory, releaseFile, folderLock);
}

function watched(
  directory: string,
  taken: () => void,
  folderLock: { release(): void } | undefined,
): ServerLock {
  const file = join(directory, LOCK_FILE);
  let releaseFile = taken;
  let held = fileAt(file);
  const database = join(directory, DATABASE_FILE);
  const where = fileAt(directory);
  let opened: string | undefined;
  return {
    release() {
      releaseFile();
      folderLock?.release();
    },
    look() {
      if (fileAt(directory) !== where) return "moved";
      const found = fileAt(database);
      // Before the server opens it there may be none.
      opened ??= found;
      if (found !== opened) return "database";
      if (held !== undefined && fileAt(file) === held) return undefined;
      const again = acquireLock(file);
      if (again === undefined) return "taken";
      releaseFile();
      releaseFile = again;
      held = fileAt(file);
      return undefined;
    },
  };
}

function lockFolder(directory: string) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return acquireFolderLock(directory);
  } catch (error) {
    throw cannotLock(join(directory, LOCK_FILE), error);
  }
}
