import { type Clock, DAY_MS, HOUR_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";

interface Steadiness {
  clock: Clock;
  log: Log;
  /** Milliseconds since some moment, which no clock that is set changes. */
  elapsedMs?: () => number;
}

type Work = (signal: AbortSignal) => Promise<unknown>;

/**
 * Deletes what is old, but not where the clock was put ahead by more than a day since the last round: whoever sets it right
 * again before the next one has lost nothing.
 */
export function createSteadily({ clock, log, elapsedMs = () => performance.now() }: Steadiness) {
  return (work: Work): Work => {
    let before: { at: number; elapsed: number } | undefined;
    return async (signal) => {
      const now = { at: clock(), elapsed: elapsedMs() };
      const aheadMs = before === undefined ? 0 : now.at - before.at - (now.elapsed - before.elapsed);
      before = now;
      if (aheadMs <= DAY_MS) await work(signal);
      else
        log.warn("the clock was put ahead: what is old is deleted in the next round, and not now", {
          hours: Math.round(aheadMs / HOUR_MS),
        });
    };
  };
}

export type Steadily = ReturnType<typeof createSteadily>;
