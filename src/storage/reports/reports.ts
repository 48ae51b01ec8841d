import type { Sql } from "../sql/sql.ts";
import type { Storage } from "../storage.ts";
import { createConversationListStore } from "./conversation-list.ts";
import { createConversationStore } from "./conversations.ts";
import { createEvaluationStore } from "./evaluation.ts";
import { createEventStore } from "./events.ts";
import { createGapStore } from "./gaps.ts";
import { createGenerationReportStore } from "./generation-reports.ts";
import { createGoldenStore } from "./golden.ts";
import { createOverviewStore } from "./overview.ts";
import { createSearchLogStore } from "./search-log.ts";

/** What owners read of what readers do. */
export function createReportStores(sql: Sql): Storage["reports"] {
  return {
    overview: createOverviewStore(sql),
    conversations: createConversationStore(sql),
    conversationList: createConversationListStore(sql),
    gaps: createGapStore(sql),
    events: createEventStore(sql),
    searchLog: createSearchLogStore(sql),
    evaluation: createEvaluationStore(sql),
    golden: createGoldenStore(sql),
    generationReports: createGenerationReportStore(sql),
  };
}
