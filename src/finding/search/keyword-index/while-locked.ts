import { whileHeld } from "@docent/kernel/lib/lease";
import { sleep } from "@docent/kernel/lib/sleep";
import type { SegmentStore } from "./segment-store.ts";

const WAIT_MS = { least: 50, most: 1000 };
/** Who has waited for long waits longer still before he asks again, by this share of it. */
const WAITED_SHARE = 0.25;

/**
 * How long one waits before one asks for a lock again. Asking takes a connection to the database where servers share one,
 * and a merge lasts for minutes; but who waited for a moment is not to wait for much more than that.
 */
export function lockWaitMs(waitedMs: number): number {
  return Math.min(Math.max(WAIT_MS.least, waitedMs * WAITED_SHARE), WAIT_MS.most);
}

/** Nobody else writes the site's index meanwhile, so what is unfinished at the start was left by a killed process. */
export async function whileLocked<T>(
  store: SegmentStore,
  siteId: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let lease = await store.lock(siteId);
  for (let waitedMs = 0; lease === undefined; ) {
    const waitMs = lockWaitMs(waitedMs);
    await sleep(waitMs, signal);
    waitedMs += waitMs;
    lease = await store.lock(siteId);
  }
  return whileHeld(lease, signal, async (held) => {
    await store.remove(await store.unfinished(siteId));
    return work(held);
  });
}
