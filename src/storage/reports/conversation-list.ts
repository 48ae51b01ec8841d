import {
  type ConversationFilter,
  type ConversationListStore,
  type ListedTurn,
  type ListPlace,
  searchedWords,
} from "@docent/measuring/analytics/stores";
import { toListedTurn } from "../rows/conversations.ts";
import type { RowOf } from "../rows/fields.ts";
import type { Sql } from "../sql/sql.ts";
import { listJson, statement, type Values } from "../sql/statement.ts";
import { substringPatterns } from "../substring-patterns.ts";

const ANSWER_CHARACTERS = 400;

const NEXT = `
  SELECT id, created_at FROM turns
  WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND (created_at, id) < ($at, $id)
  ORDER BY created_at DESC, id DESC`;

/** Leaves out those where a word is in neither the question nor the answer, in any of the forms in which it may be written. */
const LOOK = statement<RowOf<ListedTurn>>(
  (d) => `
  WITH next AS MATERIALIZED (${NEXT} LIMIT $lookedAtMax)
  SELECT turns.id, turns.created_at AS at, question, substr(answer, 1, ${ANSWER_CHARACTERS}) AS answer, outcome,
    caller, current_path AS "currentPath", responder, model, curated, cached, total_ms AS "totalMs",
    feedback.helpful, feedback.comment
  FROM next ${d.joinNext} turns ON turns.id = next.id LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE (${d.hasNo("outcomes", "text")} OR ${d.isOneOf("outcome", "outcomes", "text")})
    AND (CAST($caller AS text) IS NULL OR caller = $caller)
    AND (CAST($helpful AS boolean) IS NULL OR feedback.helpful = $helpful)
    AND ($wordsJson = '[]' OR NOT EXISTS (
      SELECT 1 FROM ${d.listsIn("wordsJson")} WHERE NOT EXISTS (
        SELECT 1 FROM ${d.stringsIn("list")}
        WHERE turns.question ${d.like} value ESCAPE '\\' OR turns.answer ${d.like} value ESCAPE '\\')))
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`,
);
const LOOKED_AT = statement<ListPlace>(
  `SELECT created_at AS at, id FROM (${NEXT} LIMIT 1 OFFSET $lookedAtMax - 1) AS last`,
);

export const CONVERSATION_LIST_QUERIES = { look: LOOK, lookedAt: LOOKED_AT };

export function createConversationListStore(sql: Sql): ConversationListStore {
  return {
    async look(siteId, { from, to }, filter, { behind, limit, lookedAtMax }) {
      const window = { siteId, from, lookedAtMax, ...(behind ?? { at: to, id: "" }) };
      const found = await sql.all(LOOK, { ...window, limit, ...filterValues(filter) });
      return { found: found.map(toListedTurn), lookedAt: await sql.get(LOOKED_AT, window) };
    },
  };
}

const filterValues = ({ outcomes, helpful, caller, text = "" }: ConversationFilter): Values => ({
  outcomes,
  helpful,
  caller,
  wordsJson: listJson(searchedWords(text).map(substringPatterns)),
});
