import type { FeedbackStore, StoredFeedback } from "@docent/measuring/analytics/stores";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import type { Sql } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";

const PUT = statement(`
  INSERT INTO feedback (turn_id, site_id, helpful, comment, created_at, updated_at)
  SELECT id, site_id, CAST($helpful AS boolean), CAST($comment AS text), CAST($at AS bigint), CAST($at AS bigint) FROM turns
  WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
    SELECT 1 FROM threads WHERE threads.id = turns.thread_id
      AND (threads.reader IS NULL OR threads.reader = CAST($readerId AS text)))
  ON CONFLICT (turn_id) DO UPDATE
    SET helpful = excluded.helpful, comment = excluded.comment, updated_at = excluded.updated_at`);
const LIST = statement<RowOf<StoredFeedback>>(`
  SELECT feedback.turn_id AS id, feedback.created_at AS at, feedback.helpful, feedback.comment, turns.question,
    turns.current_path AS "currentPath"
  FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.created_at >= $from
    AND (feedback.created_at, feedback.turn_id) < ($at, $id)
  ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`);

export const FEEDBACK_QUERIES = { put: PUT, list: LIST };

export function createFeedbackStore(sql: Sql): FeedbackStore {
  return {
    async put(siteId, { readerId, comment, ...said }, at) {
      return (await sql.run(PUT, { siteId, ...said, readerId, comment, at })) > 0;
    },

    async list(siteId, { from, to }, { behind, limit }) {
      const rows = await sql.all(LIST, { siteId, from, limit, ...(behind ?? { at: to, id: "" }) });
      return rows.map((row) => ({ ...fieldsOf(row), helpful: row.helpful === 1 }));
    },
  };
}
