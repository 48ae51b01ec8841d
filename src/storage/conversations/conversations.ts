import type { Sql } from "../sql/sql.ts";
import type { Storage } from "../storage.ts";
import { createAnswerCacheStore } from "./answer-cache.ts";
import { createFeedbackStore } from "./feedback.ts";
import { createRetentionStore } from "./retention.ts";
import { createThreadStore } from "./threads.ts";
import { createTurnStore } from "./turn-detail.ts";

/** What the engine does in a way of its own. */
interface OwnConversations extends Pick<Storage["conversations"], "modelLine"> {
  /** The server that writes answers here, where several may. */
  serverId: string | undefined;
  /** Takes what was deleted out of the files, where the engine does not do so by itself. */
  forget: () => Promise<void>;
}

/** What readers asked and were answered. */
export const createConversationStores = (
  sql: Sql,
  { serverId, modelLine, forget }: OwnConversations,
): Storage["conversations"] => ({
  threads: createThreadStore(sql, serverId),
  turns: createTurnStore(sql),
  feedback: createFeedbackStore(sql),
  answerCache: createAnswerCacheStore(sql),
  modelLine,
  retention: createRetentionStore(sql, forget),
});
