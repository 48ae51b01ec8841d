import { join, resolve } from "node:path";
import { examineBackup } from "@docent/storage/open-storage";
import type { Storage } from "@docent/storage/storage";
import type { Surroundings } from "../app/surroundings.ts";
import { createBackups, type ScheduledBackups } from "../backups/backups.ts";

/** The backups that a server makes by itself. Of PostgreSQL it makes none. */
export function openScheduledBackups(
  { config, clock, runSelf }: Surroundings,
  storage: Pick<Storage, "backUp">,
): ScheduledBackups {
  const own = resolve(config.data, "backups");
  const isShared = config.database_url !== "";
  return createBackups({
    settings: isShared ? { ...config, backup_every_hours: 0 } : config,
    folder: config.backup_folder === "" ? own : resolve(config.backup_folder),
    stateFile: join(own, "scheduled.json"),
    // Copying and checking a large database takes a while, in which nobody else would be answered here.
    write: async (file, signal) => (runSelf ? runSelf(["backup", file], signal) : storage.backUp(file)),
    async verify(file, signal) {
      if (runSelf) await runSelf(["backup", "verify", file], signal);
      else examineBackup(file);
    },
    clock,
  });
}

/** What to do about a schedule that PostgreSQL makes nothing of; undefined where there is none. */
export function unusedSchedule({
  config,
}: Pick<Surroundings, "config">): { says: string; hint: string } | undefined {
  if (config.database_url === "" || config.backup_every_hours === 0) return undefined;
  return {
    says: "backup_every_hours is set, and Docent makes no backup of a PostgreSQL database",
    hint: "Use pg_dump on a schedule, or what your PostgreSQL is backed up with, and set backup_every_hours to 0.",
  };
}
