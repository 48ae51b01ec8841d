import type { Database } from "bun:sqlite";
import type {
  CallerCounts,
  ConversationStore,
  StoredConversation,
  ThreadTurn,
} from "../../../analytics/stores.ts";
import {
  type ConversationRow,
  citedIn,
  isAnothers,
  placeBefore,
  type TitleRow,
  toConversations,
} from "../../rows/conversations.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";

type Values = Record<string, string | number>;

const CONVERSATIONS = `
  SELECT turns.id, turns.thread_id AS threadId, turns.created_at AS at, turns.question, turns.answer, turns.outcome,
         turns.rewritten_json AS rewrittenJson, turns.looks_json AS looksJson,
         turns.caller, turns.current_path AS currentPath, turns.responder, turns.model, turns.cited_json AS citedJson,
         feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.site_id = $siteId AND turns.replaced_at IS NULL`;

export const CONVERSATION_QUERIES = {
  newest: `${CONVERSATIONS} AND turns.created_at >= $from AND (turns.created_at, turns.id) < ($at, $id)
    ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`,
  oldest: `${CONVERSATIONS} AND turns.created_at < $to AND (turns.created_at, turns.id) > ($at, $id)
    ORDER BY turns.created_at, turns.id LIMIT $limit`,
  titles: `SELECT passages.id, pages.title FROM passages JOIN pages ON pages.id = passages.page_id
    WHERE passages.id IN (SELECT value FROM json_each($ids)) AND passages.site_id = $siteId`,
  thread: "SELECT created_at AS createdAt, reader FROM threads WHERE id = $threadId AND site_id = $siteId",
  turns: `SELECT id, question_message_id AS questionMessageId, question, answer, created_at AS askedAt,
      finished_at AS answeredAt FROM turns WHERE thread_id = $threadId AND replaced_at IS NULL
    ORDER BY position DESC LIMIT $limit`,
  // The index holds all of it; SQLite would read the turns themselves. Of days that were deleted, those that began in the
  // period count: what is left of them tells no more than the day.
  callers: `SELECT coalesce(sum(count), 0) AS total, coalesce(sum(count * (caller = 'web')), 0) AS web,
      coalesce(sum(count * (caller = 'api')), 0) AS api
    FROM (
      SELECT 1 AS count, caller FROM turns INDEXED BY turns_in_conversations
      WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND created_at < $to
      UNION ALL
      SELECT count, caller FROM turn_counts
      WHERE site_id = $siteId AND unixepoch(day) * 1000 >= $from AND unixepoch(day) * 1000 < $to)`,
};

export function createConversationStore(database: Database): ConversationStore {
  const newest = database.query<ConversationRow, Values>(CONVERSATION_QUERIES.newest);
  const oldest = database.query<ConversationRow, Values>(CONVERSATION_QUERIES.oldest);
  const titles = database.query<TitleRow, Values>(CONVERSATION_QUERIES.titles);
  const thread = database.query<{ createdAt: number; reader: string | null }, Values>(
    CONVERSATION_QUERIES.thread,
  );
  const turns = database.query<RowOf<ThreadTurn>, Values>(CONVERSATION_QUERIES.turns);
  const callers = database.query<CallerCounts, Values>(CONVERSATION_QUERIES.callers);

  function withTitles(siteId: number, rows: ConversationRow[]): StoredConversation[] {
    const ids = citedIn(rows);
    return toConversations(rows, ids.length === 0 ? [] : titles.all({ siteId, ids: JSON.stringify(ids) }));
  }

  return {
    async conversations(siteId, { from, to }, { order, behind, limit }) {
      const rows =
        order === "newest"
          ? newest.all({ siteId, from, limit, ...(behind ?? { at: to, id: "" }) })
          : oldest.all({ siteId, to, limit, ...(behind ?? placeBefore(from)) });
      return withTitles(siteId, rows);
    },

    async thread(siteId, threadId, turnsMax, readBy) {
      const found = thread.get({ siteId, threadId });
      if (found === null || isAnothers(found, readBy)) return undefined;
      const rows = turns.all({ threadId, limit: turnsMax }).reverse();
      return { createdAt: found.createdAt, turns: rows.map(fieldsOf) };
    },

    async callers(siteId, { from, to }) {
      return callers.get({ siteId, from, to }) ?? { web: 0, api: 0, total: 0 };
    },
  };
}
