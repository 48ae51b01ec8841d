import type { Clock } from "../lib/clock.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { createConversations } from "./conversations.ts";
import { createEvents, type EventStore } from "./events.ts";
import { createExport } from "./export.ts";
import { createFeedback, type FeedbackStore } from "./feedback.ts";
import { createSearchLog, type SearchLogStore } from "./search-log.ts";
import { createSearchReport, type SearchReportStore } from "./search-report.ts";

interface AnalyticsDeps {
  stores: {
    conversations: ConversationStore;
    feedback: FeedbackStore;
    events: EventStore;
    searchLog: SearchLogStore & SearchReportStore;
  };
  clock: Clock;
  /** How many searches may wait in memory for being counted. */
  searchesWaitingMax: number;
}

/** What readers ask, search for, click and say, and what owners read of it. */
export function createAnalytics({ stores, clock, searchesWaitingMax }: AnalyticsDeps) {
  const { conversations, feedback, events, searchLog } = stores;
  return {
    conversations: createConversations(conversations),
    export: createExport({ store: conversations, clock }),
    feedback: createFeedback({ store: feedback, clock }),
    events: createEvents({ store: events, clock }),
    searchLog: createSearchLog({ store: searchLog, clock, waitingMax: searchesWaitingMax }),
    searches: createSearchReport({ store: searchLog, events }),
  };
}

export type Analytics = ReturnType<typeof createAnalytics>;
