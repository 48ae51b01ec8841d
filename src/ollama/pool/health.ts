import type { Clock } from "../../lib/clock.ts";

const PAUSE_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/** Whether a server can be relied on. One that fails is left alone: longer each time, but never for long. */
export interface Health {
  /** Whether it is left alone: it failed, and has not been seen to work since. */
  isResting(): boolean;
  /** Whether it has been left alone for long enough to be tried. */
  isDue(): boolean;
  /** Returns for how long it is left alone from now on; undefined where it is already, and nothing is new. */
  failed(): number | undefined;
  /** Notes that it was tried, and seems to be well. What it failed at before may still be wrong with it. */
  recovered(): void;
  /** Notes that it answered a question. */
  worked(): void;
}

/** Follows the health of one server, taken to be good until it fails. */
export function createHealth({ clock, random }: { clock: Clock; random: () => number }): Health {
  let failures = 0;
  let dueAt: number | undefined;
  /** Also where the clock was put back: no pause is as long as what seems to be left then. */
  const isOver = (until: number) => clock() >= until || until - clock() > PAUSE_MAX_MS;
  return {
    isResting: () => dueAt !== undefined,
    isDue: () => dueAt !== undefined && isOver(dueAt),
    failed() {
      // Several answers that end with one crash are one failure.
      if (dueAt !== undefined && !isOver(dueAt)) return undefined;
      // Jitter, so that several servers which went away together are not all asked at the same moment.
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
