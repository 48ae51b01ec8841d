import { MINUTE_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Parts } from "../app/parts.ts";
import { repeat } from "./repeat.ts";

const LOOK_MS = MINUTE_MS;

interface BackupsWork extends Pick<Parts, "backups"> {
  people: { audit: Pick<Parts["people"]["audit"], "record"> };
  lookMs?: number;
}

/** Makes backups when they are due, one at a time. */
export function makeBackups({ backups, people: { audit }, lookMs = LOOK_MS }: BackupsWork, log: Log) {
  /** A backup that the audit log does not have yet. */
  let unrecorded: string | undefined;

  /** A database that cannot be written can be copied: the backup is there, and its entry follows. */
  async function record(): Promise<void> {
    if (unrecorded === undefined) return;
    await audit.record({ kind: "server" }, { kind: "backup.taken", subject: { name: unrecorded } });
    unrecorded = undefined;
  }

  return repeat({
    async work(signal) {
      if (unrecorded !== undefined) await record().catch(() => {});
      const made = await backups.makeIfDue(signal);
      if (made === undefined) return;
      const { file, bytes, removed } = made;
      log.info("a scheduled backup was made and checked", { file, bytes, removed: removed.length });
      unrecorded = file;
      await record().catch((error) =>
        log.warn("a scheduled backup is not in the audit log yet", { file, ...reasonFields(error) }),
      );
    },
    everyMs: lookMs,
    onFailure: (error) => log.warn("a scheduled backup could not be made", reasonFields(error)),
  });
}
