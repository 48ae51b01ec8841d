import type { FeedbackStore, StoredFeedback } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import type { Database } from "../database/database.ts";

const PUT = `
  INSERT INTO feedback (turn_id, site_id, helpful, comment, created_at, updated_at)
  SELECT id, site_id, $helpful::boolean, $comment::text, $at::bigint, $at::bigint FROM turns
  WHERE id = $messageId AND thread_id = $threadId AND site_id = $siteId AND EXISTS (
      SELECT 1 FROM threads WHERE threads.id = turns.thread_id AND (threads.reader IS NULL OR threads.reader = $readerId::text))
  ON CONFLICT (turn_id) DO UPDATE
    SET helpful = excluded.helpful, comment = excluded.comment, updated_at = excluded.updated_at`;
const LIST = `
  SELECT feedback.turn_id AS id, feedback.created_at AS at, feedback.helpful, feedback.comment, turns.question,
    turns.current_path
  FROM feedback JOIN turns ON turns.id = feedback.turn_id AND turns.replaced_at IS NULL
  WHERE feedback.site_id = $siteId AND feedback.created_at >= $from
    AND (feedback.created_at, feedback.turn_id) < ($at, $id)
  ORDER BY feedback.created_at DESC, feedback.turn_id DESC LIMIT $limit`;

export function createFeedbackStore(database: Database): FeedbackStore {
  return {
    async put(siteId, { readerId = null, comment = null, ...said }, at) {
      return (await database.run(PUT, { siteId, ...said, readerId, comment, at })) > 0;
    },

    async list(siteId, { from, to }, { behind, limit }) {
      const window = { siteId, from, limit, ...(behind ?? { at: to, id: "" }) };
      const rows = await database.all<RowOf<StoredFeedback>>(LIST, window);
      return rows.map((row) => ({ ...fieldsOf(row), helpful: row.helpful === 1 }));
    },
  };
}
