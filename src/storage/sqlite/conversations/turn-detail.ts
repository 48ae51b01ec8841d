import type { Database } from "bun:sqlite";
import { and, eq } from "drizzle-orm";
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
import { turns } from "../../sql/tables/conversations.ts";
import { visibleJoins, visibleWhere } from "../../visible-rows.ts";
import { typed } from "../typed.ts";
import { prepareGeneration } from "../visible-generation.ts";

type Values = Record<string, string | number>;

const PASSAGE_CHARACTERS = 2000;
const THREAD_TURNS_MAX = 200;

export const TURN_QUERIES = {
  turn: `SELECT turns.id, thread_id AS threadId, turns.created_at AS at, finished_at AS finishedAt,
      replaced_at AS replacedAt, fp, caller, current_path AS currentPath, filter_json AS filterJson, question, searched,
      rewritten_json AS rewrittenJson, looks_json AS looksJson,
      answer, outcome, generation, responder, model, prompt_tokens AS promptTokens,
      prompt_tokens_estimated AS promptTokensEstimated, completion_tokens AS completionTokens,
      support_share AS supportShare, cached, curated, queue_ms AS queueMs, retrieval_ms AS retrievalMs,
      rewrite_ms AS rewriteMs,
      first_token_ms AS firstTokenMs, total_ms AS totalMs, retrieved_json AS retrievedJson, cited_json AS citedJson,
      feedback.helpful, feedback.comment
    FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
    WHERE turns.id = $turnId AND turns.site_id = $siteId`,
  thread: `SELECT id, created_at AS at, question, outcome FROM turns
    WHERE thread_id = $threadId AND replaced_at IS NULL ORDER BY position DESC LIMIT ${THREAD_TURNS_MAX}`,
  passages: `SELECT passages.id, pages.title, passages.headings_json AS headingsJson, pages.version, pages.language,
      substr(passages.text, 1, ${PASSAGE_CHARACTERS}) AS text
    FROM json_each($ids) AS wanted JOIN passages ON passages.id = wanted.value AND passages.site_id = $siteId
    JOIN pages ON pages.id = passages.page_id`,
  /** Of the same passages, those that readers still find. */
  visible: `SELECT passages.id FROM json_each($ids) AS wanted
    JOIN passages ON passages.id = wanted.value AND passages.site_id = $siteId ${visibleJoins("passages")}
    JOIN pages ON pages.id = passages.page_id WHERE pages.hidden = 0 AND ${visibleWhere("passages")}`,
  paths: `SELECT DISTINCT pages.path FROM json_each($paths) AS wanted
    JOIN pages ON pages.site_id = $siteId AND pages.path = wanted.value ${visibleJoins("pages")}
    WHERE pages.kind = 'page' AND pages.hidden = 0 AND ${visibleWhere("pages")}`,
};

export function createTurnStore(database: Database): TurnStore {
  const statements = prepare(database);
  return {
    async turn(siteId, turnId) {
      const row = statements.turn.get({ siteId, turnId });
      if (row === null) return undefined;
      const thread = statements.thread.all({ threadId: row.threadId }).reverse();
      return {
        ...toTurn(row),
        ...toDetails(row, retrievedNow(statements, siteId, row)),
        thread: thread.map(fieldsOf),
      };
    },

    async threadOf(siteId, turnId) {
      return typed(database)
        .select({ threadId: turns.threadId })
        .from(turns)
        .where(and(eq(turns.id, turnId), eq(turns.siteId, siteId)))
        .get()?.threadId;
    },
  };
}

function prepare(database: Database) {
  return {
    turn: database.query<TurnRow, Values>(TURN_QUERIES.turn),
    thread: database.query<RowOf<NeighbourTurn>, Values>(TURN_QUERIES.thread),
    passages: database.query<TurnPassageRow, Values>(TURN_QUERIES.passages),
    visible: database.query<{ id: number }, Values>(TURN_QUERIES.visible),
    paths: database.query<{ path: string }, Values>(TURN_QUERIES.paths),
    generationOf: prepareGeneration(database),
  };
}

function retrievedNow(statements: ReturnType<typeof prepare>, siteId: number, row: TurnRow): RetrievedNow {
  const generation = statements.generationOf(siteId);
  const { ids: wantedIds, paths: wantedPaths } = retrievedBy(row);
  const ids = JSON.stringify(wantedIds);
  const paths = JSON.stringify(wantedPaths);
  return {
    passages: statements.passages.all({ siteId, ids }),
    visibleIds: new Set(statements.visible.all({ siteId, ids, generation }).map(({ id }) => id)),
    paths: new Set(statements.paths.all({ siteId, paths, generation }).map(({ path }) => path)),
  };
}
