/** Milliseconds since 1970. Passed to whatever needs the time, so that a test can decide what time it is. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
