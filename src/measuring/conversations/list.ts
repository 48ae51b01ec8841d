import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { isoTime } from "@docent/kernel/lib/iso-time";
import { type PartQuery, readListPlace, writeListPlace } from "../analytics/list-part.ts";
import type {
  ConversationFilter,
  ConversationListStore,
  ListedTurn,
  ListPlace,
  Period,
} from "../analytics/stores.ts";

/** One look: a few milliseconds in which nobody else is served. */
const LOOKED_AT_ONCE = 500;
/** What one request looks at. Who wants to see further asks on with the cursor. */
const LOOKED_AT_MAX = 20_000;

/** Questions with the beginnings of their answers, for an owner who looks for something. */
export function createConversationList(store: ConversationListStore) {
  return async (
    siteId: number,
    period: Period,
    filter: ConversationFilter,
    { limit, cursor }: PartQuery,
    signal: AbortSignal,
  ) => {
    const found: ListedTurn[] = [];
    let behind = readListPlace(cursor);
    for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += LOOKED_AT_ONCE) {
      signal.throwIfAborted();
      const look = { behind, limit: limit + 1 - found.length, lookedAtMax: LOOKED_AT_ONCE };
      const next = await store.look(siteId, period, filter, look);
      found.push(...next.found);
      if (found.length > limit) return toPart(found.slice(0, limit), found[limit - 1]);
      if (next.lookedAt === undefined) return toPart(found, undefined);
      behind = next.lookedAt;
      await letOthersRun();
    }
    return toPart(found, behind);
  };
}

/** `last` is where the next part begins, where there may be one. */
function toPart(turns: ListedTurn[], last: ListPlace | undefined) {
  return {
    conversations: turns.map(toJson),
    nextCursor: last === undefined ? null : writeListPlace(last),
    hasMore: last !== undefined,
    lookedBackTo: isoTime(last?.at),
  };
}

function toJson({ at, ...turn }: ListedTurn) {
  return {
    id: turn.id,
    askedAt: new Date(at).toISOString(),
    question: turn.question,
    answer: turn.answer,
    outcome: turn.outcome ?? null,
    caller: turn.caller,
    currentPath: turn.currentPath ?? null,
    responder: turn.responder ?? null,
    model: turn.model ?? null,
    curated: turn.curated ?? null,
    cached: turn.cached,
    totalMs: turn.totalMs ?? null,
    helpful: turn.helpful ?? null,
    comment: turn.comment ?? null,
  };
}
