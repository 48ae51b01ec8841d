import type { NeighbourTurn, TurnStore } from "@docent/measuring/analytics/stores";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import {
  type RetrievedNow,
  retrievedBy,
  type TurnPassageRow,
  type TurnRow,
  toDetails,
  toTurn,
} from "../rows/turn-detail.ts";
import type { Sql } from "../sql/sql.ts";
import { columns, select, statement } from "../sql/statement.ts";
import { turns } from "../tables/conversations.ts";
import { generationOf } from "../visible-generation.ts";
import { visibleJoins, visibleWhere } from "../visible-rows.ts";

const PASSAGE_CHARACTERS = 2000;
const THREAD_TURNS_MAX = 200;

const KNOWN = columns(turns, [
  "id",
  "threadId",
  "finishedAt",
  "replacedAt",
  "fp",
  "caller",
  "currentPath",
  "filterJson",
  "question",
  "searched",
  "rewrittenJson",
  "looksJson",
  "answer",
  "outcome",
  "generation",
  "responder",
  "model",
  "promptTokens",
  "promptTokensEstimated",
  "completionTokens",
  "supportShare",
  "cached",
  "curated",
  "queueMs",
  "retrievalMs",
  "rewriteMs",
  "firstTokenMs",
  "totalMs",
  "retrievedJson",
  "citedJson",
]);
const TURN = statement<TurnRow>(`
  SELECT ${KNOWN}, turns.created_at AS at, feedback.helpful, feedback.comment
  FROM turns LEFT JOIN feedback ON feedback.turn_id = turns.id
  WHERE turns.id = $turnId AND turns.site_id = $siteId`);
const THREAD = statement<RowOf<NeighbourTurn>>(`
  SELECT id, created_at AS at, question, outcome FROM turns
  WHERE thread_id = $threadId AND replaced_at IS NULL ORDER BY position DESC LIMIT ${THREAD_TURNS_MAX}`);
const PASSAGES = statement<TurnPassageRow>(
  (d) => `
  SELECT passages.id, pages.title, passages.headings_json AS "headingsJson", pages.version, pages.language,
    substr(passages.text, 1, ${PASSAGE_CHARACTERS}) AS text
  FROM passages JOIN pages ON pages.id = passages.page_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND passages.site_id = $siteId`,
);
/** Of the same passages, those that readers still find. */
const VISIBLE = statement<{ id: number }>(
  (d) => `
  SELECT passages.id FROM passages ${visibleJoins("passages")} JOIN pages ON pages.id = passages.page_id
  WHERE ${d.isOneOf("passages.id", "ids", "int")} AND passages.site_id = $siteId AND NOT pages.hidden
    AND ${visibleWhere("passages")}`,
);
const PATHS = statement<{ path: string }>(
  (d) => `
  SELECT DISTINCT pages.path FROM pages ${visibleJoins("pages")}
  WHERE pages.site_id = $siteId AND ${d.isOneOfLong("pages.path", "paths")} AND pages.kind = 'page'
    AND NOT pages.hidden AND ${visibleWhere("pages")}`,
);
const THREAD_OF = select(turns, ["threadId"], "FROM turns WHERE id = $turnId AND site_id = $siteId");

export const TURN_QUERIES = {
  turn: TURN,
  thread: THREAD,
  passages: PASSAGES,
  visible: VISIBLE,
  paths: PATHS,
};

export function createTurnStore(sql: Sql): TurnStore {
  return {
    async turn(siteId, turnId) {
      const row = await sql.get(TURN, { siteId, turnId });
      if (row === undefined) return undefined;
      const thread = await sql.all(THREAD, { threadId: row.threadId });
      return {
        ...toTurn(row),
        ...toDetails(row, await retrievedNow(sql, siteId, row)),
        thread: thread.reverse().map(fieldsOf),
      };
    },

    async threadOf(siteId, turnId) {
      return (await sql.get(THREAD_OF, { siteId, turnId }))?.threadId;
    },
  };
}

async function retrievedNow(sql: Sql, siteId: number, row: TurnRow): Promise<RetrievedNow> {
  const generation = await generationOf(sql, siteId);
  const { ids, paths } = retrievedBy(row);
  const visible = await sql.all(VISIBLE, { siteId, ids, generation });
  const there = await sql.all(PATHS, { siteId, paths, generation });
  return {
    passages: await sql.all(PASSAGES, { siteId, ids }),
    visibleIds: new Set(visible.map(({ id }) => id)),
    paths: new Set(there.map(({ path }) => path)),
  };
}
