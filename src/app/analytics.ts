import { createAnalytics } from "../analytics/analytics.ts";
import type { Clock } from "../lib/clock.ts";
import type { Storage } from "../storage/storage.ts";

/** A few seconds of typing: more wait only where very many search at the same time. */
const SEARCHES_WAITING_MAX = 20_000;

/** What readers do, on the storage. */
export function openAnalytics({ conversations, feedback, events, searchLog }: Storage, clock: Clock) {
  return createAnalytics({
    stores: { conversations, feedback, events, searchLog },
    clock,
    searchesWaitingMax: SEARCHES_WAITING_MAX,
  });
}
