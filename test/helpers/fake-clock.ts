import type { Clock } from "../../src/kernel/lib/clock.ts";

/** 2026-01-02T03:04:05.000Z: no test may depend on what time it really is. */
export const TEST_TIME = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface FakeClock {
  clock: Clock;
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is told to move. */
export function fakeClock(start = TEST_TIME): FakeClock {
  let now = start;
  return {
    clock: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
