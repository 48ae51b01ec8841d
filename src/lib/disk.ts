import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What is asked of the disk where neither a crash nor a power cut may leave half of it. A power cut keeps what was
 * synced, and any part of the rest in any order.
 */
export interface Disk {
  /** Waits until the content of a file is on the disk. */
  syncFile(file: string): void;
  /** Waits until the names in a folder are on the disk: of what was made, renamed and removed there. */
  syncFolder(folder: string): void;
  rename(from: string, to: string): void;
  /** Nothing where there is no such file. */
  remove(file: string): void;
}

export const systemDisk: Disk = {
  // Windows syncs only what is open for writing.
  syncFile: (file) => sync(file, "r+"),
  syncFolder(folder) {
    // Windows opens no folder, and needs none: NTFS keeps names in order.
    if (process.platform !== "win32") sync(folder, "r");
  },
  rename: renameSync,
  remove: (file) => rmSync(file, { force: true }),
};

/** Makes a folder, and those on its way, for its owner alone; each is on the disk when it returns. */
export function makeFolder(folder: string, disk: Disk = systemDisk): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) disk.syncFolder(dirname(made));
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
