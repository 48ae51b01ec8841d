import { dlopen, type Library } from "bun:ffi";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { ServerLock } from "../../storage.ts";
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

/** What the C library is called; the first name that can be loaded is used. */
const LIBRARIES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
};
const SYMBOLS = { flock: { args: ["i32", "i32"], returns: "i32" } } as const;
/** LOCK_EX and LOCK_NB: for one holder, and without waiting. */
const AT_ONCE_FOR_ONE = 2 | 4;

/**
 * A lock on a folder itself, which goes with it wherever it is moved, and which nobody takes away by deleting a file.
 * "held" where another process, or another part of this one, has it; undefined where the system has no such lock:
 * Windows, where no file that is open can be deleted, and some network file systems.
 */
function acquireFolderLock(folder: string): { release(): void } | "held" | undefined {
  const flock = openFlock();
  if (flock === undefined) return undefined;
  const lock = tryLock(flock, folder);
  if (lock !== undefined) return lock;
  // A lock that is held and a file system without locks are refused alike. A folder that nobody locks for longer than
  // this look tells which it is.
  const probed = join(folder, "locks");
  mkdirSync(probed, { recursive: true, mode: 0o700 });
  const probe = tryLock(flock, probed);
  probe?.release();
  return probe === undefined ? undefined : "held";
}

type Flock = Library<typeof SYMBOLS>["symbols"]["flock"];

function tryLock(flock: Flock, folder: string): { release(): void } | undefined {
  // No other program that this one starts inherits it: it ends with this process.
  const descriptor = openSync(folder, "r");
  if (flock(descriptor, AT_ONCE_FOR_ONE) !== 0) {
    closeSync(descriptor);
    return undefined;
  }
  let isHeld = true;
  return {
    release() {
      // The number may be another file's by now.
      if (isHeld) closeSync(descriptor);
      isHeld = false;
    },
  };
}

function openFlock(): Flock | undefined {
  for (const name of LIBRARIES[process.platform] ?? []) {
    try {
      return dlopen(name, SYMBOLS).symbols.flock;
    } catch {
      // Another name, or none.
    }
  }
  return undefined;
}
