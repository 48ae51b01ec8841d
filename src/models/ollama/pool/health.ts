import type { Clock } from "@docent/kernel/lib/clock";

const PAUSE_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/** The reliability of a server. One that fails rests, each time longer, up to a bound. */
export interface Health {
  /** Whether it rests: it failed, and has not worked since. */
  isResting(): boolean;
  /** Whether it has rested long enough to be tried. */
  isDue(): boolean;
  /** Notes a failure. Returns how long it rests now; undefined where it is resting already. */
  failed(): number | undefined;
  /** Notes that a trial succeeded. The cause of the earlier failure may still be there. */
  recovered(): void;
  /** Notes that it answered a question. */
  worked(): void;
}

/** Follows the health of one server, which counts as good until it fails. */
export function createHealth({ clock, random }: { clock: Clock; random: () => number }): Health {
  let failures = 0;
  let dueAt: number | undefined;
  /** Also ends where the clock was set back: no pause is as long as the rest would seem. */
  const isOver = (until: number) => clock() >= until || until - clock() > PAUSE_MAX_MS;
  return {
    isResting: () => dueAt !== undefined,
    isDue: () => dueAt !== undefined && isOver(dueAt),
    failed() {
      // Several answers that end in one crash are one failure.
      if (dueAt !== undefined && !isOver(dueAt)) return undefined;
      // Spreads out servers that failed together, so that they are not all tried at once.
      const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failures) * (0.5 + random() / 2);
      failures = Math.min(failures + 1, 30);
      dueAt = clock() + pauseMs;
      return pauseMs;
    },
    recovered() {
      dueAt = undefined;
    },
    worked() {
      failures = 0;
      dueAt = undefined;
    },
  };
}
