import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Disk, systemDisk } from "@docent/kernel/lib/durable-files";
import { LOG_SUFFIXES } from "./backup.ts";
import { DATABASE_FILE } from "./open.ts";

/** Where a restored database is until it takes the other's place. */
export const INCOMING_FILE = `${DATABASE_FILE}.incoming`;

const UNFINISHED = /^before-(?:upgrade|restore)-.*\.db\.partial(?:-wal|-shm|-journal)?$/;
const LOG_OF_KEPT = /^(before-restore-.*\.db)(?:-wal|-shm|-journal)$/;

/**
 * Removes what upgrades and restores left that were killed, and returns its names. The caller holds the server's lock:
 * whatever writes one of these files holds it too, so none is being written.
 */
export function removeLeftovers(directory: string, disk: Disk = systemDisk): string[] {
  const files = leftoversIn(directory);
  for (const file of files) disk.remove(file);
  return files;
}

/** What upgrades and restores have left, or are writing at this moment. */
export function leftoversIn(directory: string): string[] {
  const folder = join(directory, "backups");
  const inBackups = existsSync(folder) ? readdirSync(folder) : [];
  return [
    ...["", ...LOG_SUFFIXES].map((suffix) => join(directory, INCOMING_FILE + suffix)),
    ...inBackups
      .filter((name) => UNFINISHED.test(name) || isLogOfNothing(name, inBackups))
      .map((name) => join(folder, name)),
  ].filter((file) => existsSync(file));
}

/** A log is copied before its database. */
function isLogOfNothing(name: string, names: string[]): boolean {
  const database = LOG_OF_KEPT.exec(name)?.[1];
  return database !== undefined && !names.includes(database);
}
