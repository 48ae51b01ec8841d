import type { Search } from "@docent/finding/search/search";
import { normalizePath } from "@docent/reading/page/page-path";
import { type PageRedirect, redirectTargetOf } from "@docent/reading/page/redirects";
import { spellingsOf } from "@docent/sites/pages/pages";
import { readWrittenPlace } from "@docent/sites/pages/written-place";
import type { Standing } from "./comparison.ts";
import type { GoldenQuestion } from "./stores.ts";

/** As many pages as a reader looks at. */
const PAGES_MAX = 10;
/** A page may have several passages among those that are found. */
const PASSAGES_MAX = 20;

/** A state of a site's index that questions are asked of. */
export interface AskedIndex {
  find: Search["find"];
  siteId: number;
  /** The relevance from which the best passage is enough for an answer. */
  relevanceMin: number;
  /** The old addresses of its pages. */
  redirects: readonly PageRedirect[];
}

/** A question as it is searched for. */
export type SearchedQuestion = Pick<Parameters<Search["find"]>[0], "text" | "filter" | "audience">;

/** What a question found: the pages, best first, none where no passage is relevant enough for an answer. */
interface Found {
  pages: string[];
  relevance: number;
  isAnswered: boolean;
  generation: number;
}

/** Searches as for an answer. What a model would make of it is not asked: the same index gives the same pages. */
export async function findPages(index: AskedIndex, question: SearchedQuestion): Promise<Found> {
  const { find, siteId, relevanceMin } = index;
  const { generation, hits } = await find({ ...question, siteId, pageSize: PASSAGES_MAX });
  const relevance = Math.max(0, ...hits.map((hit) => hit.relevance));
  const isAnswered = hits.length > 0 && relevance >= relevanceMin;
  const paths = [...new Set(hits.map(({ path }) => path))].slice(0, PAGES_MAX);
  return { pages: isAnswered ? paths : [], relevance, isAnswered, generation };
}

/** The pages that an owner expects, by their paths: those that they are called by, and those to which they have moved. */
function expectedPaths(
  { expected }: Pick<GoldenQuestion, "expected">,
  redirects: AskedIndex["redirects"],
): Set<string> {
  const paths = new Set(expected.map((place) => readWrittenPlace(place, undefined).path));
  const plain = new Set([...paths].map(normalizePath));
  for (const { from, to } of redirects) if (plain.has(from)) paths.add(redirectTargetOf(to).path);
  return paths;
}

/** A golden question as whoever it is for asks it. */
const asSearched = ({ question, version, language, groups }: GoldenQuestion): SearchedQuestion => ({
  text: question,
  filter: { ...(version === "" ? {} : { version }), ...(language === "" ? {} : { language }) },
  audience: groups ?? "everything",
});

/** Where a golden question finds its page, with all pages before it. */
export interface Stood {
  standing: Standing;
  pages: string[];
  generation: number;
}

export async function ask(index: AskedIndex, question: GoldenQuestion): Promise<Stood> {
  const { pages, relevance, isAnswered, generation } = await findPages(index, asSearched(question));
  const expected = expectedPaths(question, index.redirects);
  const isExpected = (path: string) => expected.has(path);
  const exact = pages.findIndex(isExpected);
  // A page that is published at another ending than when the question was written is the same page.
  const place = exact < 0 ? pages.findIndex((path) => spellingsOf(path).some(isExpected)) : exact;
  const page = pages[place];
  const standing: Standing = {
    ...(page === undefined ? {} : { rank: place + 1, page }),
    ...(pages[0] === undefined ? {} : { first: pages[0] }),
    relevance: Math.round(relevance * 1000) / 1000,
    isAnswered,
  };
  return { standing, pages, generation };
}

/** A golden question, and where it finds its page now. */
export interface StandingQuestion {
  question: GoldenQuestion;
  /** Undefined where there was no time to ask it. */
  standing: Standing | undefined;
}
