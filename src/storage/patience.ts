import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { sleep } from "@docent/kernel/lib/sleep";
import type { Waiting } from "./storage.ts";

/** Does work again that failed because the database was away, once it is back. */
export interface Patience {
  /**
   * Work that either did nothing where it fails, or may be done twice. Raises `unavailable`, with what to do, where the
   * database is away for longer than is waited for.
   */
  outlast<T>(work: () => Promise<T>): Promise<T>;
  /** The same for what other work relies on, and what was lost with the database: nothing else is begun meanwhile. */
  regain<T>(work: () => Promise<T>): Promise<T>;
}

interface PatienceOptions extends Waiting {
  /** Whether a failure is one of the database's absence, which ends by itself, or part of one that has begun. */
  isAway(error: unknown, hasBegun: boolean): boolean;
  /** What an operator can do about it. */
  remedyOf(error: unknown): string | undefined;
  log: Log;
  now?: () => number;
  pause?: (signal: AbortSignal | undefined) => Promise<void>;
}

/** How soon it is tried again: often enough that a short absence costs little, rarely enough to disturb nobody. */
const PAUSE_MS = 500;
/** Longer than any one try takes: where none has failed for so long, the database was back meanwhile. */
const FORGOTTEN_MS = 120_000;

const pauseAwhile = (signal: AbortSignal | undefined) =>
  signal === undefined ? Bun.sleep(PAUSE_MS) : sleep(PAUSE_MS, signal);

/** What is known of the database's absence. Work that goes on side by side says it once. */
function createAbsence({ secondsMax, remedyOf, log }: PatienceOptions, now: () => number) {
  /** What comes after work that waited in vain does not wait as long once more. */
  let away: { since: number; failedAt: number } | undefined;

  return {
    /** Returns since when it is away. */
    note(error: unknown): number {
      const at = now();
      if (away !== undefined && at - away.failedAt < FORGOTTEN_MS) {
        away.failedAt = at;
        return away.since;
      }
      away = { since: at, failedAt: at };
      const hint = remedyOf(error);
      log.warn("the database is away: this waits for it", {
        secondsMax,
        reason: error instanceof Error ? error.message : String(error),
        ...(hint === undefined ? {} : { hint }),
      });
      return at;
    },

    /** What waited was done. Anything else tells nothing: a database that cannot be written may well be read. */
    end(): void {
      if (away === undefined) return;
      log.warn("the database is back: this goes on", { ms: Math.round(now() - away.since) });
      away = undefined;
    },
  };
}

export function createPatience(options: PatienceOptions): Patience {
  const { isAway, stops, now = () => performance.now(), pause = pauseAwhile } = options;
  const regaining = new Set<Promise<void>>();
  const absence = createAbsence(options, now);

  async function attempt<T>(work: () => Promise<T>, before: () => Promise<unknown>): Promise<T> {
    let since: number | undefined;
    for (;;) {
      await before();
      try {
        const done = await work();
        if (since !== undefined) absence.end();
        return done;
      } catch (error) {
        if (!isAway(error, since !== undefined)) throw error;
        const awaySince = absence.note(error);
        since ??= awaySince;
        if (now() - since >= options.secondsMax * SECOND_MS) throw tooLong(options, error);
      }
      await pause(stops);
    }
  }

  return {
    outlast: (work) => attempt(work, () => Promise.all(regaining)),
    async regain(work) {
      const regained = attempt(work, async () => {});
      const ended = regained.then(
        () => {},
        () => {},
      );
      regaining.add(ended);
      try {
        return await regained;
      } finally {
        regaining.delete(ended);
      }
    },
  };
}

function tooLong({ secondsMax, remedyOf }: PatienceOptions, cause: unknown): AppError {
  const remedy = remedyOf(cause);
  return new AppError("unavailable", `The database was away for longer than ${secondsMax} seconds.`, {
    hint: `${remedy === undefined ? "" : `${remedy} `}What was done so far is kept: the same run or command goes on from there. To wait longer, raise database_wait_seconds.`,
    cause,
  });
}
