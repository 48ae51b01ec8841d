import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const LOOK_MS = 15_000;

/** A run that is due. */
export interface DueRun {
  domain: string;
  sourceId: number;
  location: string;
}

interface ScheduleDeps {
  /** Sources whose next run is due, the longest waiting first. */
  due(): Promise<DueRun[]>;
  run(due: DueRun, signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Log;
  lookMs?: number;
}

/** Runs sources when they are due, one after the other. */
export function startSchedule({ due, run, clock, log, lookMs = LOOK_MS }: ScheduleDeps) {
  const stop = new AbortController();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (const each of await due()) {
      if (stop.signal.aborted) return;
      const startedAt = clock();
      const about = { site: each.domain, source: each.location };
      try {
        await run(each, stop.signal);
        log.info("a source was read on schedule", { ...about, ms: clock() - startedAt });
      } catch (error) {
        if (!stop.signal.aborted) log.warn("a source could not be read on schedule", { ...about, error });
      }
    }
  }

  const look = () => {
    working ??= work()
      .catch((error) => log.error("the schedule could not be read", { error }))
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(look, lookMs);
  look();

  return {
    /** Ends a run that is under way: the next one takes it up again. */
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
