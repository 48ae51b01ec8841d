import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Operations on a disk that must survive a crash or a power cut. A power cut keeps what was synced, and any
 * part of the rest in any order.
 */
export interface Disk {
  /** Waits until the content of a file is on the disk. */
  syncFile(file: string): void;
  /** Waits until a folder's entries are on the disk: files made, renamed and removed. */
  syncFolder(folder: string): void;
  rename(from: string, to: string): void;
  /** Does nothing where there is no such file. */
  remove(file: string): void;
}

export const systemDisk: Disk = {
  // Windows syncs only files that are open for writing.
  syncFile: (file) => sync(file, "r+"),
  syncFolder(folder) {
    // Windows cannot open a folder and need not: NTFS journals names in order.
    if (process.platform !== "win32") sync(folder, "r");
  },
  rename: renameSync,
  remove: (file) => rmSync(file, { force: true }),
};

/** Makes a folder and its parents, readable by the owner only; each is on the disk when it returns. */
export function makeFolder(folder: string, disk: Disk = systemDisk): void {
  // The parent of "data" is ".", and so is that of ".": only whole paths come to an end.
  const whole = resolve(folder);
  const first = mkdirSync(whole, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = dirname(made)) disk.syncFolder(dirname(made));
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
