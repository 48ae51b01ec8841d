import type {
  NeighbourTurn,
  PageState,
  RetrievedDetail,
  TurnDetail,
  TurnStore,
} from "@docent/measuring/analytics/stores";
import { z } from "zod";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readLooks, readStrings } from "../rows/json.ts";
import { visibleJoins, visibleWhere } from "../rows-of-generation.ts";
import type { Sql } from "../sql/sql.ts";
import { columns, select, statement } from "../sql/statement.ts";
import { turns } from "../tables/conversations.ts";
import { generationOf } from "../visible-generation.ts";

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

interface TurnPassageRow {
  id: number;
  title: string;
  headingsJson: string;
  version: string;
  language: string;
  text: string;
}

const retrievedSchema = z.lazy(() =>
  z.array(z.object({ passageId: z.number(), path: z.string(), anchor: z.string(), relevance: z.number() })),
);
const citedSchema = z.lazy(() => z.array(z.object({ passageId: z.number(), url: z.string() })));
const filterSchema = z.lazy(() =>
  z.object({
    version: z.string().optional(),
    language: z.string().optional(),
    tag: z.string().optional(),
    groups: z.array(z.string()).optional(),
  }),
);

/** What the index has today of what a turn retrieved. */
interface RetrievedNow {
  passages: readonly TurnPassageRow[];
  /** The passages that readers still find. */
  visibleIds: ReadonlySet<number>;
  /** The paths at which readers still find a page. */
  paths: ReadonlySet<string>;
}

/** What a turn retrieved, by which it is looked up. */
function retrievedBy(row: Pick<TurnRow, "retrievedJson">): { ids: number[]; paths: string[] } {
  const retrieved = retrievedSchema.parse(JSON.parse(row.retrievedJson));
  return {
    ids: retrieved.map(({ passageId }) => passageId),
    paths: [...new Set(retrieved.map(({ path }) => path))],
  };
}

/** What was found, in the order in which it was, with what it said and whether it is still so. */
function toDetails(
  row: TurnRow,
  { passages, visibleIds, paths }: RetrievedNow,
): Pick<TurnDetail, "retrieved" | "otherCitedUrls"> {
  const retrieved = retrievedSchema.parse(JSON.parse(row.retrievedJson));
  const cited = citedSchema.parse(JSON.parse(row.citedJson));
  const known = new Map(passages.map((each) => [each.id, each]));
  // Of a passage, several sections may be cited: each is found in its order.
  const citedOf = Map.groupBy(cited, ({ passageId }) => passageId);
  const found = new Set(retrieved.map(({ passageId }) => passageId));
  const others = cited.filter(({ passageId }) => !found.has(passageId));
  return {
    retrieved: retrieved.map((each) => {
      const { passageId, path } = each;
      const page: PageState = visibleIds.has(passageId) ? "same" : paths.has(path) ? "changed" : "gone";
      const citedUrl = citedOf.get(passageId)?.shift()?.url;
      return { ...each, citedUrl, page, content: contentOf(known.get(passageId)) };
    }),
    otherCitedUrls: [...new Set(others.map(({ url }) => url))],
  };
}

function contentOf(passage: TurnPassageRow | undefined): RetrievedDetail["content"] {
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
