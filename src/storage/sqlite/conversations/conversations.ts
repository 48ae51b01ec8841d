import type { Database } from "bun:sqlite";
import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import { createAnswerCacheStore } from "./answer-cache.ts";
import { createFeedbackStore } from "./feedback.ts";
import { createRetentionStore } from "./retention.ts";
import { createThreadStore } from "./threads.ts";
import { createTurnStore } from "./turn-detail.ts";

/** What readers asked and were answered. */
export function createConversationStores(database: Database, sql: Sql): Storage["conversations"] {
  return {
    threads: createThreadStore(database),
    turns: createTurnStore(database),
    feedback: createFeedbackStore(database),
    answerCache: createAnswerCacheStore(database),
    modelLine: undefined,
    retention: createRetentionStore(database),
  };
}
