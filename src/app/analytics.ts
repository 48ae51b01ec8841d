import { createAnalytics } from "../analytics/analytics.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Storage } from "../storage/storage.ts";

/** A few seconds of typing: more wait only where very many search at the same time. */
const SEARCHES_WAITING_MAX = 20_000;

/** What readers do, on the storage. */
export function openAnalytics(storage: Storage, { clock, ids }: { clock: Clock; ids: Ids }) {
  const { feedback, turns } = storage.conversations;
  return createAnalytics({
    stores: { ...storage.reports, feedback, turns },
    clock,
    ids,
    searchesWaitingMax: SEARCHES_WAITING_MAX,
  });
}
