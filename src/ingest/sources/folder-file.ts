import type { BigIntStats } from "node:fs";

/** No file system in use keeps times more coarsely than this. */
const TIME_STEP_MS = 2_000;

/**
 * Names what a file holds by when and where it was written, as git does. A file that was written just now has no such
 * name: it could be written again in the same step of the file system's clock, and nothing would show it.
 */
export function revisionOf(state: BigIntStats, nowMs: number): string | undefined {
  const newestMs = Math.max(Number(state.mtimeMs), Number(state.ctimeMs));
  if (newestMs > nowMs - TIME_STEP_MS) return undefined;
  return [state.mtimeNs, state.ctimeNs, state.size, state.ino].map((part) => part.toString(36)).join("-");
}
