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
import type { Database, Values } from "../database/database.ts";

const ANSWER_CHARACTERS = 400;

const NEXT = `
  SELECT id, created_at FROM turns
  WHERE site_id = $siteId AND replaced_at IS NULL AND created_at >= $from AND (created_at, id) < ($at, $id)
  ORDER BY created_at DESC, id DESC`;
/** A word that neither the question nor the answer has in any of the forms in which it may be written. */
const MISSING_WORD = `
  SELECT 1 FROM json_array_elements($wordsJson::text::json) AS words (forms) WHERE NOT EXISTS (
    SELECT 1 FROM json_array_elements_text(forms) AS form
    WHERE turns.question ILIKE form OR turns.answer ILIKE form)`;

const LOOK = `
  WITH next AS MATERIALIZED (${NEXT} LIMIT $lookedAtMax)
  SELECT turns.id, turns.created_at AS at, question, substr(answer, 1, ${ANSWER_CHARACTERS}) AS answer, outcome,
    caller, current_path, responder, model, curated, cached, total_ms, feedback.helpful, feedback.comment
  FROM next JOIN turns ON turns.id = next.id LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE ($outcomes::text[] IS NULL OR outcome = ANY($outcomes::text[]))
    AND ($caller::text IS NULL OR caller = $caller)
    AND ($helpful::boolean IS NULL OR feedback.helpful = $helpful)
    AND ($wordsJson = '[]' OR NOT EXISTS (${MISSING_WORD}))
  ORDER BY turns.created_at DESC, turns.id DESC LIMIT $limit`;
const LOOKED_AT = `${NEXT} LIMIT 1 OFFSET $lookedAtMax - 1`;

export function createConversationListStore(database: Database): ConversationListStore {
  async function lastLookedAt(values: Values): Promise<ListPlace | undefined> {
    const row = await database.get<{ id: string; createdAt: number }>(LOOKED_AT, values);
    return row && { at: row.createdAt, id: row.id };
  }

  return {
    async look(siteId, { from, to }, filter, { behind, limit, lookedAtMax }) {
      const window = { siteId, from, lookedAtMax, ...(behind ?? { at: to, id: "" }) };
      const found = await database.all<RowOf<ListedTurn>>(LOOK, {
        ...window,
        limit,
        ...filterValues(filter),
      });
      return { found: found.map(toListedTurn), lookedAt: await lastLookedAt(window) };
    },
  };
}

function filterValues({ outcomes, helpful, caller, text = "" }: ConversationFilter): Values {
  const words = searchedWords(text).map(substringPatterns);
  return {
    outcomes: outcomes ?? null,
    helpful: helpful ?? null,
    caller: caller ?? null,
    wordsJson: JSON.stringify(words),
  };
}
