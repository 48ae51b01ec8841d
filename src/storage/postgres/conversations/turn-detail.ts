import type { NeighbourTurn, TurnStore } from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf } from "../../rows/fields.ts";
import {
  type RetrievedNow,
  retrievedBy,
  type TurnPassageRow,
  type TurnRow,
  toDetails,
  toTurn,
} from "../../rows/turn-detail.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import type { Database } from "../database/database.ts";
import { generationOf } from "../visible-generation.ts";

const PASSAGE_CHARACTERS = 2000;
const THREAD_TURNS_MAX = 200;

const TURN = `
  SELECT turns.id, thread_id, turns.created_at AS at, finished_at, replaced_at, fp, caller, current_path, filter_json,
    question, searched, rewritten_json, looks_json, answer, outcome, generation, responder, model, prompt_tokens,
    prompt_tokens_estimated, completion_tokens, support_share, cached, curated, queue_ms, retrieval_ms, rewrite_ms,
    first_token_ms, total_ms, retrieved_json, cited_json, feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.id = $turnId AND turns.site_id = $siteId`;
const THREAD = `
  SELECT id, created_at AS at, question, outcome FROM turns
  WHERE thread_id = $threadId AND replaced_at IS NULL ORDER BY position DESC LIMIT ${THREAD_TURNS_MAX}`;
const PASSAGES = `
  SELECT passages.id, pages.title, passages.headings_json, pages.version, pages.language,
    substr(passages.text, 1, ${PASSAGE_CHARACTERS}) AS text
  FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE passages.id = ANY($ids::int[]) AND passages.site_id = $siteId`;
/** Of the same passages, those that readers still find. */
const VISIBLE = `
  SELECT passages.id FROM passages ${visibleJoins("passages")} JOIN pages ON pages.id = passages.page_id
  WHERE passages.id = ANY($ids::int[]) AND passages.site_id = $siteId AND NOT pages.hidden AND ${visibleWhere("passages")}`;
const PATHS = `
  SELECT DISTINCT pages.path FROM unnest($paths::text[]) AS wanted (path)
  JOIN pages ON pages.site_id = $siteId AND md5(pages.path) = md5(wanted.path) AND pages.path = wanted.path
  ${visibleJoins("pages")} WHERE pages.kind = 'page' AND NOT pages.hidden AND ${visibleWhere("pages")}`;
const THREAD_OF = "SELECT thread_id FROM turns WHERE id = $turnId AND site_id = $siteId";

export function createTurnStore(database: Database): TurnStore {
  return {
    async turn(siteId, turnId) {
      const row = await database.get<TurnRow>(TURN, { siteId, turnId });
      if (row === undefined) return undefined;
      const thread = await database.all<RowOf<NeighbourTurn>>(THREAD, { threadId: row.threadId });
      return {
        ...toTurn(row),
        ...toDetails(row, await retrievedNow(database, siteId, row)),
        thread: thread.reverse().map(fieldsOf),
      };
    },

    async threadOf(siteId, turnId) {
      return (await database.get<{ threadId: string }>(THREAD_OF, { siteId, turnId }))?.threadId;
    },
  };
}

async function retrievedNow(database: Database, siteId: number, row: TurnRow): Promise<RetrievedNow> {
  const generation = await generationOf(database, siteId);
  const { ids, paths } = retrievedBy(row);
  const visible = await database.all<{ id: number }>(VISIBLE, { siteId, ids, generation });
  const there = await database.all<{ path: string }>(PATHS, { siteId, paths, generation });
  return {
    passages: await database.all<TurnPassageRow>(PASSAGES, { siteId, ids }),
    visibleIds: new Set(visible.map(({ id }) => id)),
    paths: new Set(there.map(({ path }) => path)),
  };
}
