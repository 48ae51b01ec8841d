import type { Clock } from "@docent/kernel/lib/clock";
import { type Log, logFailure, reasonFields } from "@docent/kernel/lib/log";
import type { OrganizationTurns, SiteWork } from "@docent/sites/ingest/ingest";

const LOOK_MS = 15_000;

/** A run that is due. */
export interface DueRun extends SiteWork {
  domain: string;
  sourceId: number;
  location: string;
  /** Removes pages even where the source lists far fewer than before. */
  force?: boolean;
}

interface ScheduleDeps {
  /** Sources whose next run is due, the longest waiting first. */
  due(): Promise<DueRun[]>;
  run(due: DueRun, signal: AbortSignal): Promise<void>;
  order: OrganizationTurns;
  clock: Clock;
  log: Log;
  lookMs?: number;
}

/** Runs sources when they are due, several at a time, shared fairly between organizations. */
export function startSchedule(deps: ScheduleDeps) {
  const { due, order, log, lookMs = LOOK_MS } = deps;
  const stop = new AbortController();
  const running = new Map<DueRun, Promise<void>>();
  let waiting: DueRun[] = [];
  let looking: Promise<void> | undefined;

  function begin(each: DueRun): void {
    const ended = runOne(deps, each, stop.signal).finally(() => {
      running.delete(each);
      fill();
    });
    running.set(each, ended);
  }

  function fill(): void {
    // Starts nothing while a look-up is under way: it may be older than a run that has just ended.
    while (looking === undefined && !stop.signal.aborted) {
      const next = order.next(waiting, [...running.keys()]);
      if (next === undefined) return;
      waiting = waiting.filter((each) => each !== next);
      begin(next);
    }
  }

  async function readDue(): Promise<void> {
    // A source stays due until its run has ended.
    const underWay = new Set([...running.keys()].map(({ sourceId }) => sourceId));
    waiting = (await due()).filter(({ sourceId }) => !underWay.has(sourceId));
  }

  const look = () => {
    looking ??= readDue()
      .catch((error) => logFailure(log, "the schedule could not be read", error))
      .finally(() => {
        looking = undefined;
        fill();
      });
  };
  const timer = setInterval(look, lookMs);
  look();

  return {
    /** Aborts the runs that are under way; the next ones take them up again. */
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await looking;
      await Promise.all(running.values());
    },
  };
}

async function runOne({ run, clock, log }: ScheduleDeps, due: DueRun, stop: AbortSignal): Promise<void> {
  const startedAt = clock();
  const about = { site: due.domain, source: due.location };
  try {
    await run(due, stop);
    log.info("a source was read on schedule", { ...about, ms: clock() - startedAt });
  } catch (error) {
    if (!stop.aborted)
      log.warn("a source could not be read on schedule", { ...about, ...reasonFields(error) });
  }
}
