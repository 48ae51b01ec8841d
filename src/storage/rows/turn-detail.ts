import type { PageState, RetrievedDetail, TurnDetail } from "@docent/measuring/analytics/stores";
import { z } from "zod";
import { fieldsOf, type RowOf } from "./fields.ts";
import { readLooks, readStrings } from "./json.ts";

export interface TurnRow
  extends RowOf<
    Omit<TurnDetail, "filter" | "rewritten" | "looks" | "retrieved" | "otherCitedUrls" | "thread">
  > {
  rewrittenJson: string;
  looksJson: string;
  filterJson: string | null;
  retrievedJson: string;
  citedJson: string;
}

export interface TurnPassageRow {
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
export interface RetrievedNow {
  passages: readonly TurnPassageRow[];
  /** The passages that readers still find. */
  visibleIds: ReadonlySet<number>;
  /** The paths at which readers still find a page. */
  paths: ReadonlySet<string>;
}

/** What a turn retrieved, by which it is looked up. */
export function retrievedBy(row: Pick<TurnRow, "retrievedJson">): { ids: number[]; paths: string[] } {
  const retrieved = retrievedSchema.parse(JSON.parse(row.retrievedJson));
  return {
    ids: retrieved.map(({ passageId }) => passageId),
    paths: [...new Set(retrieved.map(({ path }) => path))],
  };
}

/** What was found, in the order in which it was, with what it said and whether it is still so. */
export function toDetails(
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

export function toTurn(row: TurnRow): Omit<TurnDetail, "retrieved" | "otherCitedUrls" | "thread"> {
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
