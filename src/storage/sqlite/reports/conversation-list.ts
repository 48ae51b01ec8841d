import type { Database } from "bun:sqlite";
import {
  type ConversationFilter,
  type ConversationListStore,
  type ListedTurn,
  type ListPlace,
  searchedWords,
} from "../../../analytics/stores.ts";
import { toListedTurn } from "../../rows/conversations.ts";
import type { RowOf } from "../../rows/fields.ts";
import { substringPatterns } from "../../substring-patterns.ts";

type Values = Record<string, string | number | null>;

const ANSWER_CHARACTERS = 400;

const NEXT = `
  SELECT id, created_at FROM turns
  WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND (created_at, id) < ($at, $id)
  ORDER BY created_at DESC, id DESC`;
/** A word that neither the question nor the answer has in any of the forms in which it may be written. */
const MISSING_WORD = `
  SELECT 1 FROM json_each($words) AS words WHERE NOT EXISTS (
    SELECT 1 FROM json_each(words.value) AS form
    WHERE turns.question LIKE form.value ESCAPE '\\' OR turns.answer LIKE form.value ESCAPE '\\')`;

export const CONVERSATION_LIST_QUERIES = {
  look: `WITH next AS MATERIALIZED (${NEXT} LIMIT $lookedAtMax)
    SELECT turns.id, turns.created_at AS at, question, substr(answer, 1, ${ANSWER_CHARACTERS}) AS answer, outcome,
      caller, current_path AS currentPath, responder, model, curated, cached, total_ms AS totalMs,
      feedback.helpful, feedback.comment
    FROM next CROSS JOIN turns ON turns.id = next.id LEFT JOIN feedback ON feedback.turn_id = turns.id
    WHERE ($outcomes IS NULL OR outcome IN (SELECT value FROM json_each($outcomes)))
      AND ($caller IS NULL OR caller = $caller)
      AND ($helpful IS NULL OR feedback.helpful = $helpful)
      AND ($words = '[]' OR NOT EXISTS (${MISSING_WORD}))
    ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`,
  lookedAt: `${NEXT} LIMIT 1 OFFSET $lookedAtMax - 1`,
};

export function createConversationListStore(database: Database): ConversationListStore {
  const look = database.query<RowOf<ListedTurn>, Values>(CONVERSATION_LIST_QUERIES.look);
  const lookedAt = database.query<{ id: string; created_at: number }, Values>(
    CONVERSATION_LIST_QUERIES.lookedAt,
  );

  function lastLookedAt(values: Values): ListPlace | undefined {
    const row = lookedAt.get(values);
    return row === null ? undefined : { at: row.created_at, id: row.id };
  }

  return {
    async look(siteId, { from, to }, filter, { behind, limit, lookedAtMax }) {
      const window = { siteId, from, lookedAtMax, ...(behind ?? { at: to, id: "" }) };
      const found = look.all({ ...window, limit, ...filterValues(filter) }).map(toListedTurn);
      return { found, lookedAt: lastLookedAt(window) };
    },
  };
}

function filterValues({ outcomes, helpful, caller, text = "" }: ConversationFilter): Values {
  const words = searchedWords(text).map(substringPatterns);
  return {
    outcomes: outcomes === undefined ? null : JSON.stringify(outcomes),
    helpful: helpful === undefined ? null : Number(helpful),
    caller: caller ?? null,
    words: JSON.stringify(words),
  };
}
