/**
 * The time in milliseconds, finer than Date.now: a moment can travel from one process to another with a
 * token.
 */
export const now = (): number => performance.timeOrigin + performance.now();
