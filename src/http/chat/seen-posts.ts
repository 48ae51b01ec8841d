import { keepLatest } from "../../lib/keep-latest.ts";

/** How many are remembered at most. */
const SEEN_MAX = 20_000;

/** Remembers signed posts for as long as their signatures are good: whoever listened in may not send one again. */
export interface SeenPosts {
  /** Whether it comes for the first time. */
  take(signature: string, nowMs: number): boolean;
}

/** `keptMs` is how long a signature may be sent: as far as its time may be from ours, to either side. */
export function createSeenPosts(keptMs: number): SeenPosts {
  const seen = new Map<string, number>();
  return {
    take(signature, nowMs) {
      const before = seen.get(signature);
      if (before !== undefined && nowMs - before <= keptMs) return false;
      keepLatest(seen, signature, nowMs, SEEN_MAX);
      return true;
    },
  };
}
