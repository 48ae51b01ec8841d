import type { Clock } from "./clock.ts";
import type { Log, LogFields } from "./log.ts";

const EVENTS_MAX = 100;

/** The same log, which writes each warning once in so long: what goes wrong with every request would drown the rest. */
export function createCalmLog(log: Log, { everyMs, clock }: { everyMs: number; clock: Clock }): Log {
  const writtenAt = new Map<string, number>();
  return {
    ...log,
    warn(event: string, fields?: LogFields) {
      const last = writtenAt.get(event);
      if (last !== undefined && clock() - last < everyMs) return;
      if (writtenAt.size >= EVENTS_MAX) writtenAt.clear();
      writtenAt.set(event, clock());
      log.warn(event, fields);
    },
  };
}
