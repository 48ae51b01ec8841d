import { dlopen, type Library } from "bun:ffi";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

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
export function acquireFolderLock(folder: string): { release(): void } | "held" | undefined {
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
