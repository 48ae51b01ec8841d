import type {
  CallerCounts,
  ConversationStore,
  StoredConversation,
  ThreadTurn,
} from "@docent/measuring/analytics/stores";
import {
  type ConversationRow,
  citedIn,
  isAnothers,
  placeBefore,
  type TitleRow,
  toConversations,
} from "../rows/conversations.ts";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import type { Sql } from "../sql/sql.ts";
import { select, statement } from "../sql/statement.ts";
import { threads } from "../tables/conversations.ts";

const CONVERSATIONS = `
  SELECT turns.id, turns.thread_id AS "threadId", turns.created_at AS at, turns.question, turns.answer, turns.outcome,
    turns.rewritten_json AS "rewrittenJson", turns.looks_json AS "looksJson", turns.caller,
    turns.current_path AS "currentPath", turns.responder, turns.model, turns.cited_json AS "citedJson",
    feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.site_id = $siteId AND turns.replaced_at IS NULL`;
const NEWEST = statement<ConversationRow>(`
  ${CONVERSATIONS} AND turns.created_at >= $from AND (turns.created_at, turns.id) < ($at, $id)
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`);
const OLDEST = statement<ConversationRow>(`
  ${CONVERSATIONS} AND turns.created_at < $to AND (turns.created_at, turns.id) > ($at, $id)
  ORDER BY turns.created_at, turns.id LIMIT $limit`);
const TITLES = statement<TitleRow>(
  (d) => `
  SELECT passages.id, pages.title FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND passages.site_id = $siteId`,
);
const THREAD = select(
  threads,
  ["createdAt", "reader"],
  "FROM threads WHERE id = $threadId AND site_id = $siteId",
);
const TURNS = statement<RowOf<ThreadTurn>>(`
  SELECT id, question_message_id AS "questionMessageId", question, answer, created_at AS "askedAt",
    finished_at AS "answeredAt"
  FROM turns WHERE thread_id = $threadId AND replaced_at IS NULL ORDER BY position DESC LIMIT $limit`);
/**
 * The index holds all of it; SQLite would read the turns themselves. Of days that were deleted, those that began in the
 * period count: what is left of them tells no more than the day.
 */
const CALLERS = statement<CallerCounts>(
  (d) => `
  SELECT coalesce(sum(count), 0) AS total, coalesce(sum(count) FILTER (WHERE caller = 'web'), 0) AS web,
    coalesce(sum(count) FILTER (WHERE caller = 'api'), 0) AS api
  FROM (
    SELECT 1 AS count, caller FROM turns ${d.along("turns_in_conversations")}
    WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND created_at < $to
    UNION ALL
    SELECT count, caller FROM turn_counts
    WHERE site_id = $siteId AND ${d.beginningOf("day")} >= $from AND ${d.beginningOf("day")} < $to) AS counted`,
);

export const CONVERSATION_QUERIES = {
  newest: NEWEST,
  oldest: OLDEST,
  titles: TITLES,
  thread: THREAD,
  turns: TURNS,
  callers: CALLERS,
};

export function createConversationStore(sql: Sql): ConversationStore {
  async function withTitles(siteId: number, rows: ConversationRow[]): Promise<StoredConversation[]> {
    const ids = citedIn(rows);
    return toConversations(rows, ids.length === 0 ? [] : await sql.all(TITLES, { siteId, ids }));
  }

  return {
    async conversations(siteId, { from, to }, { order, behind, limit }) {
      const rows =
        order === "newest"
          ? await sql.all(NEWEST, { siteId, from, limit, ...(behind ?? { at: to, id: "" }) })
          : await sql.all(OLDEST, { siteId, to, limit, ...(behind ?? placeBefore(from)) });
      return withTitles(siteId, rows);
    },

    async thread(siteId, threadId, turnsMax, readBy) {
      const found = await sql.get(THREAD, { siteId, threadId });
      if (found === undefined || isAnothers(found, readBy)) return undefined;
      const rows = await sql.all(TURNS, { threadId, limit: turnsMax });
      return { createdAt: found.createdAt, turns: rows.reverse().map(fieldsOf) };
    },

    async callers(siteId, { from, to }) {
      return (await sql.get(CALLERS, { siteId, from, to })) ?? { web: 0, api: 0, total: 0 };
    },
  };
}
