import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

const LOOK_MS = 15_000;
/** A site whose source takes long holds up no other site. */
const RUNS_AT_ONCE = 2;

/** A run that is due. */
export interface DueRun {
  domain: string;
  sourceId: number;
  location: string;
  /** Takes pages away even where the source lists far fewer than before. */
  force?: boolean;
}

interface ScheduleDeps {
  /** Sources whose next run is due, the longest waiting first. */
  due(): Promise<DueRun[]>;
  run(due: DueRun, signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Log;
  lookMs?: number;
}

/** Runs sources when they are due: those of one site one after the other, those of two sites side by side. */
export function startSchedule({ due, run, clock, log, lookMs = LOOK_MS }: ScheduleDeps) {
  const stop = new AbortController();
  /** What is under way, by site. */
  const running = new Map<string, { sourceId: number; ended: Promise<void> }>();
  let waiting: DueRun[] = [];
  let looking: Promise<void> | undefined;

  async function runOne(each: DueRun): Promise<void> {
    const startedAt = clock();
    const about = { site: each.domain, source: each.location };
    try {
      await run(each, stop.signal);
      log.info("a source was read on schedule", { ...about, ms: clock() - startedAt });
    } catch (error) {
      if (!stop.signal.aborted) log.warn("a source could not be read on schedule", { ...about, error });
    }
  }

  function begin(each: DueRun): void {
    const { domain, sourceId } = each;
    const ended = runOne(each).finally(() => {
      running.delete(domain);
      fill();
    });
    running.set(domain, { sourceId, ended });
  }

  function fill(): void {
    // What is being looked up may be older than what ends meanwhile: nothing is begun before it is there.
    while (looking === undefined && !stop.signal.aborted && running.size < RUNS_AT_ONCE) {
      const next = waiting.find(({ domain }) => !running.has(domain));
      if (next === undefined) return;
      waiting = waiting.filter((each) => each !== next);
      begin(next);
    }
  }

  async function readDue(): Promise<void> {
    // A source is due until its run has ended.
    const underWay = new Set([...running.values()].map(({ sourceId }) => sourceId));
    waiting = (await due()).filter(({ sourceId }) => !underWay.has(sourceId));
  }

  const look = () => {
    looking ??= readDue()
      .catch((error) => log.error("the schedule could not be read", { error }))
      .finally(() => {
        looking = undefined;
        fill();
      });
  };
  const timer = setInterval(look, lookMs);
  look();

  return {
    /** Ends the runs that are under way: the next ones take them up again. */
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await looking;
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
