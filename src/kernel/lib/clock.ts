/** Milliseconds since 1970. Passed in wherever the time is needed, so that tests can set it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** How long ago something was. Endless where it lies ahead: the clock was put back since, and nobody knows. */
export const sinceMs = (clock: Clock, at: number): number => {
  const ms = clock() - at;
  return ms < 0 ? Number.POSITIVE_INFINITY : ms;
};

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
