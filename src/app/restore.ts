import type { Surroundings } from "../app.ts";
import { restore } from "../storage/sqlite/files/restore.ts";
import { checkDirectory, lockRuns, takeServerLock } from "./locks.ts";

/** Puts a backup in the place of the data directory's database. Returns where the replaced one was kept. */
export function restoreBackup(
  { config, clock }: Surroundings,
  file: string,
  name = file,
): string | undefined {
  const lock = takeServerLock(config.data);
  try {
    const endRuns = lockRuns(config.data);
    try {
      return restore(config.data, file, clock(), {
        name,
        checkLock: () => checkDirectory(lock, config.data),
      });
    } finally {
      endRuns();
    }
  } finally {
    lock.release();
  }
}
