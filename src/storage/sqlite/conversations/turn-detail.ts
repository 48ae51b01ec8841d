import type { Database } from "bun:sqlite";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type {
  NeighbourTurn,
  PageState,
  RetrievedDetail,
  TurnDetail,
  TurnStore,
} from "../../../analytics/stores.ts";
import { fieldsOf, type RowOf, readLooks, readStrings } from "../../rows.ts";
import { turns, typed } from "../tables.ts";
import { prepareGeneration, visibleJoins, visibleWhere } from "../visible-rows.ts";

interface TurnRow
  extends RowOf<
    Omit<TurnDetail, "filter" | "rewritten" | "looks" | "retrieved" | "otherCitedUrls" | "thread">
  > {
  rewrittenJson: string;
  looksJson: string;
  filterJson: string | null;
  retrievedJson: string;
  citedJson: string;
}

interface PassageRow {
  id: number;
  title: string;
  headingsJson: string;
  version: string;
  language: string;
  text: string;
}

type Values = Record<string, string | number>;

const retrievedSchema = z.array(
  z.object({ passageId: z.number(), path: z.string(), anchor: z.string(), relevance: z.number() }),
);
const citedSchema = z.array(z.object({ passageId: z.number(), url: z.string() }));
const filterSchema = z.object({
  version: z.string().optional(),
  language: z.string().optional(),
  tag: z.string().optional(),
  groups: z.array(z.string()).optional(),
});

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
      return { ...toTurn(row), ...detailsOf(statements, siteId, row), thread: thread.map(fieldsOf) };
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
    passages: database.query<PassageRow, Values>(TURN_QUERIES.passages),
    visible: database.query<{ id: number }, Values>(TURN_QUERIES.visible),
    paths: database.query<{ path: string }, Values>(TURN_QUERIES.paths),
    generationOf: prepareGeneration(database),
  };
}

/** What was found, in the order in which it was, with what it said and whether it is still so. */
function detailsOf(
  statements: ReturnType<typeof prepare>,
  siteId: number,
  row: TurnRow,
): Pick<TurnDetail, "retrieved" | "otherCitedUrls"> {
  const retrieved = retrievedSchema.parse(JSON.parse(row.retrievedJson));
  const cited = citedSchema.parse(JSON.parse(row.citedJson));
  const generation = statements.generationOf(siteId);
  const ids = JSON.stringify(retrieved.map(({ passageId }) => passageId));
  const known = new Map(statements.passages.all({ siteId, ids }).map((each) => [each.id, each]));
  const same = new Set(statements.visible.all({ siteId, ids, generation }).map(({ id }) => id));
  const wanted = JSON.stringify([...new Set(retrieved.map(({ path }) => path))]);
  const paths = statements.paths.all({ siteId, paths: wanted, generation });
  const there = new Set(paths.map(({ path }) => path));
  const citedUrls = new Map(cited.map(({ passageId, url }) => [passageId, url]));
  const found = new Set(retrieved.map(({ passageId }) => passageId));
  const others = cited.filter(({ passageId }) => !found.has(passageId));
  return {
    retrieved: retrieved.map((each) => {
      const { passageId, path } = each;
      const page: PageState = same.has(passageId) ? "same" : there.has(path) ? "changed" : "gone";
      return { ...each, citedUrl: citedUrls.get(passageId), page, content: contentOf(known.get(passageId)) };
    }),
    otherCitedUrls: [...new Set(others.map(({ url }) => url))],
  };
}

function contentOf(passage: PassageRow | undefined): RetrievedDetail["content"] {
  if (passage === undefined) return undefined;
  const { title, headingsJson, version, language, text } = passage;
  return { title, headingPath: readStrings(headingsJson), version, language, text: text.toWellFormed() };
}

function toTurn(row: TurnRow): Omit<TurnDetail, "retrieved" | "otherCitedUrls" | "thread"> {
  const { filterJson, rewrittenJson, looksJson, retrievedJson: _, citedJson: __, ...turn } = row;
  return {
    ...fieldsOf(turn),
    filter: filterJson === null ? undefined : filterSchema.parse(JSON.parse(filterJson)),
    rewritten: readStrings(rewrittenJson),
    looks: readLooks(looksJson),
    cached: turn.cached === 1,
    helpful: turn.helpful === null ? undefined : turn.helpful === 1,
  };
}
