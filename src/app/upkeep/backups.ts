import { MINUTE_MS } from "../../lib/clock.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Parts } from "../parts.ts";
import { repeat } from "./repeat.ts";

const LOOK_MS = MINUTE_MS;

interface BackupsWork extends Pick<Parts, "backups"> {
  people: { audit: Pick<Parts["people"]["audit"], "record"> };
  lookMs?: number;
}

/** Makes backups when they are due, one at a time. */
export function makeBackups({ backups, people: { audit }, lookMs = LOOK_MS }: BackupsWork, log: Log) {
  return repeat({
    async work(signal) {
      const made = await backups.makeIfDue(signal);
      if (made === undefined) return;
      const { file, bytes, removed } = made;
      log.info("a scheduled backup was made and checked", { file, bytes, removed: removed.length });
      await audit.record({ kind: "server" }, { kind: "backup.taken", subject: { name: file } });
    },
    everyMs: lookMs,
    onFailure: (error) => log.warn("a scheduled backup could not be made", reasonFields(error)),
  });
}
