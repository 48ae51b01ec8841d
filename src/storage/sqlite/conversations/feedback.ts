import type { Database } from "bun:sqlite";
import type { FeedbackStore, StoredFeedback } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";

type Values = Record<string, string | number | null>;

export const FEEDBACK_QUERIES = {
  put: `INSERT INTO feedback (turn_id, site_id, helpful, comment, created_at, updated_at)
    SELECT id, site_id, $helpful, $comment, $at, $at FROM turns
    WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
      SELECT 1 FROM threads WHERE threads.id = turns.thread_id AND (threads.reader IS NULL OR threads.reader = $readerId))
    ON CONFLICT (turn_id) DO UPDATE
      SET helpful = excluded.helpful, comment = excluded.comment, updated_at = excluded.updated_at`,
  list: `SELECT feedback.turn_id AS id, feedback.created_at AS at, feedback.helpful, feedback.comment, turns.question,
      turns.current_path AS currentPath
    FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
    WHERE feedback.site_id = $siteId AND feedback.created_at >= $from
      AND (feedback.created_at, feedback.turn_id) < ($at, $id)
    ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`,
};

export function createFeedbackStore(database: Database): FeedbackStore {
  const put = database.query<unknown, Values>(FEEDBACK_QUERIES.put);
  const list = database.query<RowOf<StoredFeedback>, Values>(FEEDBACK_QUERIES.list);
  return {
    async put(siteId, { readerId = null, helpful, comment = null, ...said }, at) {
      const values = { siteId, ...said, readerId, helpful: helpful ? 1 : 0, comment, at };
      return put.run(values).changes > 0;
    },

    async list(siteId, { from, to }, { behind, limit }) {
      const rows = list.all({ siteId, from, limit, ...(behind ?? { at: to, id: "" }) });
      return rows.map((row) => ({ ...fieldsOf(row), helpful: row.helpful === 1 }));
    },
  };
}
