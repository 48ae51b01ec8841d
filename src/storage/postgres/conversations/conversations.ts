import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { Database } from "../database/database.ts";
import { createAnswerCacheStore } from "./answer-cache.ts";
import { createFeedbackStore } from "./feedback.ts";
import { createModelLine } from "./model-line.ts";
import { createRetentionStore } from "./retention.ts";
import { createThreadStore } from "./threads.ts";
import { createTurnStore } from "./turn-detail.ts";

/** What readers asked and were answered. `serverId` is the server that writes answers here, if one does. */
export function createConversationStores(
  database: Database,
  sql: Sql,
  serverId: string | undefined,
): Storage["conversations"] {
  return {
    threads: createThreadStore(database, serverId),
    turns: createTurnStore(database),
    feedback: createFeedbackStore(database),
    answerCache: createAnswerCacheStore(database),
    modelLine: serverId === undefined ? undefined : createModelLine(database, serverId),
    retention: createRetentionStore(database),
  };
}
