import { snippet } from "@docent/kernel/text/snippet";
import { shownTerm, wordsOf } from "./analyze.ts";
import { chooseHits } from "./choose-hits.ts";
import type { CorrectedQuestion } from "./correct-words.ts";
import type { Fused, RankedPassage } from "./rank-passages.ts";
import type { Retrieval } from "./retrieve.ts";
import type { SearchQuery } from "./search.ts";

/** A page whose standing is asked for, with its passages. */
export interface AskedPage {
  id: number;
  hidden: boolean;
  passageIds: number[];
}

/** A word of the question. */
interface ExplainedTerm {
  /** As it was written. */
  word: string;
  /** The stem, as in the index. */
  term: string;
  /** How many of the site's passages have it. */
  passages: number;
}

/**
 * Where a passage ended up: in the list, behind its end, joined with a better one of its section, outranked
 * before it was scored word by word, or not proposed by either way of searching.
 */
export const STANDINGS = ["listed", "behind", "joined", "outranked", "not_proposed"] as const;
type Standing = (typeof STANDINGS)[number];

/** Why a page is where it is: the best standing of its passages, or what excludes all of them. */
export const PAGE_STANDINGS = [...STANDINGS, "hidden", "filtered", "no_passages"] as const;
type PageStanding = (typeof PAGE_STANDINGS)[number];

/** How near a passage is to the question in meaning. */
interface Nearness {
  /** Counted from 1 among the nearest passages; undefined where it is not one of them. */
  rank: number | undefined;
  score: number;
}

interface ExplainedPassage {
  passageId: number;
  pageId: number;
  path: string;
  version: string;
  language: string;
  title: string;
  headings: string[];
  anchor: string;
  snippet: string;
  /** The question's words that it contains, and those that it lacks. */
  has: string[];
  lacks: string[];
  /** Those in what links of other pages call its page. */
  linked: string[];
  /** Counted from 1 among the keyword index's proposals; undefined where it is not one of them. */
  keywordRank: number | undefined;
  nearest: Nearness | undefined;
  /** Counted from 1 among all proposals. */
  fusedRank: number | undefined;
  relevance: number;
  standing: Standing;
  /** Counted from 1, in the list and behind its end. */
  rank: number | undefined;
}

interface ExplainedPage {
  pageId: number;
  standing: PageStanding;
  /** Ordered by how much they count for the page. */
  passages: ExplainedPassage[];
}

/** What a search did, step by step. All of it comes from the site's own docs. */
export interface Explanation {
  generation: number;
  /** The words that were searched for in the place of misspelled ones. */
  corrected: CorrectedQuestion["words"];
  /** The number of the site's passages that can be found, whatever the filter. */
  sitePassages: number;
  terms: ExplainedTerm[];
  /** Quoted phrases of the question. */
  phrases: string[];
  /** Names that are searched literally. */
  names: string[];
  /** Whether the search compared meaning, too. */
  hasVectors: boolean;
  /** How near the question is to an average passage of the site. */
  typicalSimilarity: number | undefined;
  /** The number of passages that either way proposed. */
  proposed: number;
  /** The passages that were scored word by word, best first. */
  passages: ExplainedPassage[];
  pages: ExplainedPage[];
}

const SNIPPET_CHARACTERS_MAX = 200;
/** The best passages of a long page say enough. */
const PAGE_PASSAGES_SHOWN = 20;

/** Explains a search by what the search itself computed. */
export async function explain(
  retrieval: Retrieval,
  { text, pageSize }: Pick<SearchQuery, "text" | "pageSize">,
  asked: AskedPage[],
): Promise<Explanation> {
  const { scope, query, frequencies, meaning, fused, ranked } = retrieval;
  const place = placesOf(retrieval, text, pageSize);
  const words = wordsByTerm(retrieval);
  return {
    generation: scope.generation,
    corrected: retrieval.corrected?.words ?? [],
    sitePassages: frequencies.passages,
    terms: query.terms.map((term) => ({
      word: words.get(term) ?? term,
      term: shownTerm(term),
      passages: frequencies.of.get(term) ?? 0,
    })),
    phrases: query.phrases.map((phrase) => phrase.join(" ")),
    names: query.verbatim.filter(({ isGuess }) => !isGuess).map(({ text }) => text),
    hasVectors: meaning !== undefined,
    typicalSimilarity: meaning?.level.typical,
    proposed: fused.length,
    passages: ranked.map((each) => place(each, true)).sort(byStanding),
    pages: await Promise.all(asked.map((page) => explainPage(retrieval, page, place))),
  };
}

type Place = (judged: RankedPassage, wasJudged: boolean) => ExplainedPassage;

/** Places any scored passage beside those that were found. */
function placesOf(retrieval: Retrieval, asked: string, pageSize: number): Place {
  const { words, fused, ranked, query } = retrieval;
  const written = wordsByTerm(retrieval);
  const spoken = (terms: string[]) => [...new Set(terms.map((term) => written.get(term) ?? term))];
  const byWords = withRanks(words.found.map(({ passageId, score }) => [passageId, score]));
  const byMeaning = withRanks(
    fused.flatMap(({ passageId, similarity }) => (similarity === undefined ? [] : [[passageId, similarity]])),
  );
  const byBoth = withRanks(fused.map(({ passageId, score }) => [passageId, score]));
  const list = new Map(
    chooseHits(ranked, ranked.length, asked).map(({ passageId, relevance }, at) => [
      passageId,
      { at, relevance },
    ]),
  );

  function standingOf(passageId: number, wasJudged: boolean): Standing {
    const at = list.get(passageId)?.at;
    if (at !== undefined) return at < pageSize ? "listed" : "behind";
    if (wasJudged) return "joined";
    return byBoth.has(passageId) ? "outranked" : "not_proposed";
  }

  return (each, wasJudged) => {
    const { passageId, pageId, path, version, language, title, headings, anchor } = each;
    const own = list.get(passageId);
    return {
      passageId,
      pageId,
      path,
      version,
      language,
      title,
      headings,
      anchor,
      snippet: snippet(each.text, SNIPPET_CHARACTERS_MAX),
      has: spoken(query.terms.filter((term) => each.has.has(term))),
      lacks: spoken(query.terms.filter((term) => !each.has.has(term))),
      linked: spoken(query.terms.filter((term) => each.linked.includes(term))),
      keywordRank: byWords.get(passageId)?.rank,
      nearest: byMeaning.get(passageId),
      fusedRank: byBoth.get(passageId)?.rank,
      // A passage that was joined with others is as relevant as the best of them.
      relevance: own?.relevance ?? each.relevance,
      standing: standingOf(passageId, wasJudged),
      rank: own === undefined ? undefined : own.at + 1,
    };
  };
}

async function explainPage(
  retrieval: Retrieval,
  { id: pageId, hidden, passageIds }: AskedPage,
  place: Place,
): Promise<ExplainedPage> {
  if (hidden) return { pageId, standing: "hidden", passages: [] };
  if ((await retrieval.pageTest())?.(pageId) === false) return { pageId, standing: "filtered", passages: [] };
  if (passageIds.length === 0) return { pageId, standing: "no_passages", passages: [] };
  const judged = new Set(retrieval.ranked.map(({ passageId }) => passageId));
  const similarities = (await retrieval.meaning?.similarities(passageIds)) ?? new Map<number, number>();
  const known = new Map(retrieval.fused.map((each) => [each.passageId, each]));
  const fused = passageIds.map(
    (passageId): Fused =>
      known.get(passageId) ?? {
        passageId,
        words: undefined,
        similarity: similarities.get(passageId),
        parts: { words: 0, meaning: 0, tracked: 0 },
        score: 0,
      },
  );
  const passages = (await retrieval.rankAll(fused))
    .map((each) => {
      const placed = place(each, judged.has(each.passageId));
      const similarity = similarities.get(each.passageId);
      // The similarity of a passage that was not proposed can be computed all the same.
      const nearest =
        placed.nearest ?? (similarity === undefined ? undefined : { rank: undefined, score: similarity });
      return { ...placed, nearest };
    })
    .sort(byStanding);
  return {
    pageId,
    standing: passages[0]?.standing ?? "no_passages",
    passages: passages.slice(0, PAGE_PASSAGES_SHOWN),
  };
}

/** The words of a question by their terms, because people do not know stems. */
function wordsByTerm({ text, forms }: Pick<Retrieval, "text" | "forms">): Map<string, string> {
  return new Map(
    wordsOf(text)
      .toReversed()
      .flatMap(({ written, identifier, terms, spellings }) =>
        [...terms, ...spellings, ...(identifier === undefined ? [] : [identifier])].map(
          (term) => [forms.get(term) ?? term, written] as const,
        ),
      ),
  );
}

/** The passages ranked from 1, best first. */
function withRanks(scores: (readonly [passageId: number, score: number])[]): Map<number, Nearness> {
  const order = scores.toSorted(([a, mine], [b, other]) => other - mine || a - b);
  return new Map(order.map(([passageId, score], index) => [passageId, { rank: index + 1, score }]));
}

const byStanding = (a: ExplainedPassage, b: ExplainedPassage) =>
  STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
  (a.rank ?? 0) - (b.rank ?? 0) ||
  b.relevance - a.relevance ||
  a.passageId - b.passageId;

/** Enough digits to tell two scores apart. */
const DIGITS = 10_000;

/** An explanation in the admin API's form. */
export function explanationJson(explanation: Explanation) {
  const { typicalSimilarity, passages, pages: _, ...rest } = explanation;
  return {
    ...rest,
    typicalSimilarity: typicalSimilarity === undefined ? null : round(typicalSimilarity),
    passages: passages.map(explainedPassageJson),
  };
}

/** A passage's standing in the admin API's form. */
export function explainedPassageJson(passage: ExplainedPassage) {
  const { passageId: _, pageId: __, keywordRank, nearest, fusedRank, relevance, rank, ...rest } = passage;
  return {
    ...rest,
    keyword: rankJson(keywordRank),
    nearest: nearest === undefined ? null : { rank: nearest.rank ?? null, score: round(nearest.score) },
    fused: rankJson(fusedRank),
    relevance: round(relevance),
    rank: rank ?? null,
  };
}

const rankJson = (rank: number | undefined) => (rank === undefined ? null : { rank });

const round = (value: number) => Math.round(value * DIGITS) / DIGITS;
