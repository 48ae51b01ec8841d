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
import type { Database } from "../database/database.ts";

const CONVERSATIONS = `
  SELECT turns.id, turns.thread_id, turns.created_at AS at, turns.question, turns.answer, turns.outcome,
    turns.rewritten_json, turns.looks_json, turns.caller, turns.current_path, turns.responder, turns.model,
    turns.cited_json, feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.site_id = $siteId AND turns.replaced_at IS NULL`;
const NEWEST = `
  ${CONVERSATIONS} AND turns.created_at >= $from AND (turns.created_at, turns.id) < ($at, $id)
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`;
const OLDEST = `
  ${CONVERSATIONS} AND turns.created_at < $to AND (turns.created_at, turns.id) > ($at, $id)
  ORDER BY turns.created_at, turns.id LIMIT $limit`;
const TITLES = `
  SELECT passages.id, pages.title FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE passages.id = ANY($ids::int[]) AND passages.site_id = $siteId`;
const THREAD = "SELECT created_at, reader FROM threads WHERE id = $threadId AND site_id = $siteId";
const TURNS = `
  SELECT id, question_message_id, question, answer, created_at AS asked_at, finished_at AS answered_at
  FROM turns WHERE thread_id = $threadId AND replaced_at IS NULL ORDER BY position DESC LIMIT $limit`;
/** Of days that were deleted, those that began in the period count: what is left of them tells no more than the day. */
const CALLERS = `
  SELECT coalesce(sum(count), 0) AS total, coalesce(sum(count) FILTER (WHERE caller = 'web'), 0) AS web,
    coalesce(sum(count) FILTER (WHERE caller = 'api'), 0) AS api
  FROM (
    SELECT count(*) AS count, caller FROM turns
    WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND created_at < $to GROUP BY caller
    UNION ALL
    SELECT count, caller FROM turn_counts
    WHERE site_id = $siteId AND extract(epoch FROM (day || ' 00:00Z')::timestamptz) * 1000 >= $from
      AND extract(epoch FROM (day || ' 00:00Z')::timestamptz) * 1000 < $to) AS counted`;

export function createConversationStore(database: Database): ConversationStore {
  async function withTitles(siteId: number, rows: ConversationRow[]): Promise<StoredConversation[]> {
    const ids = citedIn(rows);
    return toConversations(
      rows,
      ids.length === 0 ? [] : await database.all<TitleRow>(TITLES, { siteId, ids }),
    );
  }

  return {
    async conversations(siteId, { from, to }, { order, behind, limit }) {
      const rows =
        order === "newest"
          ? await database.all<ConversationRow>(NEWEST, {
              siteId,
              from,
              limit,
              ...(behind ?? { at: to, id: "" }),
            })
          : await database.all<ConversationRow>(OLDEST, {
              siteId,
              to,
              limit,
              ...(behind ?? placeBefore(from)),
            });
      return withTitles(siteId, rows);
    },

    async thread(siteId, threadId, turnsMax, readBy) {
      const found = await database.get<{ createdAt: number; reader: string | null }>(THREAD, {
        siteId,
        threadId,
      });
      if (found === undefined || isAnothers(found, readBy)) return undefined;
      const rows = await database.all<RowOf<ThreadTurn>>(TURNS, { threadId, limit: turnsMax });
      return { createdAt: found.createdAt, turns: rows.reverse().map(fieldsOf) };
    },

    async callers(siteId, { from, to }) {
      const counts = await database.get<CallerCounts>(CALLERS, { siteId, from, to });
      return counts ?? { web: 0, api: 0, total: 0 };
    },
  };
}
