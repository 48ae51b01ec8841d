import { type Clock, DAY_MS, MINUTE_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { keepLatest } from "@docent/kernel/lib/remember";
import { createFeedback } from "./analytics/feedback.ts";
import { countedQuery, createSearchLog, createSearchReport } from "./analytics/searches.ts";
import type {
  ConversationListStore,
  ConversationStore,
  EvaluationStore,
  EventStore,
  FeedbackStore,
  OverviewStore,
  ReaderEvent,
  SearchLogStore,
  SearchReportStore,
  TurnStore,
} from "./analytics/stores.ts";
import { createConversations } from "./conversations/conversations.ts";
import { createEvaluation } from "./conversations/evaluation.ts";
import { createExport } from "./conversations/export.ts";
import { createConversationList } from "./conversations/list.ts";
import { createTurns } from "./conversations/turns.ts";
import { createOverview } from "./overview/overview.ts";

export type { FeedbackDesk } from "./analytics/feedback.ts";
export type { SearchLog } from "./analytics/searches.ts";
export { EVENT_TYPES } from "./analytics/stores.ts";
export type { Conversation } from "./conversations/conversations.ts";
export type { ShownEvaluationQuestion } from "./conversations/evaluation.ts";
export { EXPORT_FORMATS, type ExportFormat } from "./conversations/export.ts";
export type { ShownTurn } from "./conversations/turns.ts";
export { isTimeZone } from "./overview/days.ts";

interface AnalyticsDeps {
  stores: {
    conversations: ConversationStore;
    feedback: FeedbackStore;
    events: EventStore;
    searchLog: SearchLogStore & SearchReportStore;
    overview: OverviewStore;
    conversationList: ConversationListStore;
    turns: TurnStore;
    evaluation: EvaluationStore;
  };
  clock: Clock;
  ids: Ids;
  /** How many searches may wait in memory for being counted. */
  searchesWaitingMax: number;
}

/** What readers ask, search for, click and say, and what owners read of it. */
export function createAnalytics({ stores, clock, ids, searchesWaitingMax }: AnalyticsDeps) {
  const { conversations, feedback, events, searchLog } = stores;
  const turns = createTurns(stores.turns);
  return {
    overview: createOverview({ store: stores.overview, clock }),
    sharedQuestions: createSharedQuestions({ store: stores.overview, clock }),
    conversationList: createConversationList(stores.conversationList),
    turns,
    evaluation: createEvaluation({ store: stores.evaluation, turns, clock, ids }),
    conversations: createConversations(conversations),
    export: createExport({ store: conversations, clock }),
    feedback: createFeedback({ store: feedback, clock }),
    events: createEvents({ store: events, clock }),
    searchLog: createSearchLog({ store: searchLog, clock, waitingMax: searchesWaitingMax }),
    searches: createSearchReport({ store: searchLog, events }),
  };
}

export type Analytics = ReturnType<typeof createAnalytics>;

/** What readers click. */
function createEvents({ store, clock }: { store: EventStore; clock: Clock }) {
  return {
    async add(siteId: number, event: ReaderEvent): Promise<void> {
      const query = event.query === undefined ? undefined : countedQuery(event.query) || undefined;
      await store.add(siteId, { ...event, query }, clock());
    },
  };
}

export type Events = ReturnType<typeof createEvents>;

const DAYS = 90;
/** From so many readers on, a question is no longer one person's. */
const READERS_MIN = 3;
/** Somebody with several names could make a question of theirs look shared within an hour. */
const DAYS_MIN = 2;
const BOUNDS = {
  questionsMax: 5000,
  charactersMax: 120,
  readersMin: READERS_MIN,
  daysMin: DAYS_MIN,
  limit: 4,
};
const KEPT_FOR_MS = 10 * MINUTE_MS;
const SITES_KEPT = 500;

/** Gives what several readers of a site ask in the same words, and are answered: the most asked first. */
function createSharedQuestions({ store, clock }: { store: Pick<OverviewStore, "shared">; clock: Clock }) {
  const kept = new Map<number, { at: number; questions: Promise<string[]> }>();
  return async (siteId: number): Promise<string[]> => {
    const now = clock();
    const known = kept.get(siteId);
    if (known !== undefined && now - known.at < KEPT_FOR_MS) return known.questions;
    const period = { from: now - DAYS * DAY_MS, to: now + 1 };
    const questions = store
      .shared(siteId, period, BOUNDS)
      .then((found) => found.map(({ question }) => question))
      .catch((error: unknown) => {
        kept.delete(siteId);
        throw error;
      });
    keepLatest(kept, siteId, { at: now, questions }, SITES_KEPT);
    return questions;
  };
}
