import { createAnalytics } from "../analytics/analytics.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Storage } from "../storage/sqlite/sqlite.ts";

/** A few seconds of typing: more wait only where very many search at the same time. */
const SEARCHES_WAITING_MAX = 20_000;

/** What readers do, on the storage. */
export function openAnalytics(storage: Storage, { clock, ids }: { clock: Clock; ids: Ids }) {
  const { conversations, feedback, events, searchLog } = storage;
  const { overview, conversationList, turns, evaluation } = storage;
  return createAnalytics({
    stores: { conversations, feedback, events, searchLog, overview, conversationList, turns, evaluation },
    clock,
    ids,
    searchesWaitingMax: SEARCHES_WAITING_MAX,
  });
}
