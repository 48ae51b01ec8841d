import { snippet } from "../text/snippet.ts";
import { wordsOf } from "./analyze.ts";
import { chooseHits } from "./choose-hits.ts";
import type { Fused, RankedPassage } from "./rank-passages.ts";
import type { Retrieval } from "./retrieve.ts";

/** A page that somebody looks for, with its passages. */
export interface AskedPage {
  id: number;
  hidden: boolean;
  passageIds: number[];
}

/** A word of the question. */
export interface ExplainedTerm {
  /** As it was written. */
  word: string;
  /** Cut to its stem, as the index has it. */
  term: string;
}

/**
 * Where a passage came to stand: in the list; behind its end; joined with a better one of its section; not looked at
 * word by word, because others came first; or proposed by neither way of searching.
 */
export const STANDINGS = ["listed", "behind", "joined", "outranked", "not_proposed"] as const;
export type Standing = (typeof STANDINGS)[number];

/** Why a page is where it is: the best of its passages' standings, or what keeps all of them out. */
export const PAGE_STANDINGS = [...STANDINGS, "hidden", "filtered", "no_passages"] as const;
export type PageStanding = (typeof PAGE_STANDINGS)[number];

/** How near a passage is in meaning. */
export interface Nearness {
  /** From 1, among what this way proposed; undefined where it did not propose it. */
  rank: number | undefined;
  score: number;
}

export interface ExplainedPassage {
  passageId: number;
  pageId: number;
  path: string;
  version: string;
  language: string;
  title: string;
  headings: string[];
  anchor: string;
  snippet: string;
  /** The question's words that it has, and those that it lacks. */
  has: string[];
  lacks: string[];
  /** From 1, among what the keyword index proposed; undefined where it did not propose it. */
  keywordRank: number | undefined;
  nearest: Nearness | undefined;
  /** From 1, among all that were proposed. */
  fusedRank: number | undefined;
  relevance: number;
  standing: Standing;
  /** From 1, in the list and behind its end. */
  rank: number | undefined;
}

export interface ExplainedPage {
  pageId: number;
  standing: PageStanding;
  /** In the order in which they speak for the page. */
  passages: ExplainedPassage[];
}

/**
 * What a search did, step by step. Whoever reads it may see one site alone, and all sites share one keyword index: its
 * scores, and how many passages have a word, would tell what is in the docs of others.
 */
export interface Explanation {
  generation: number;
  terms: ExplainedTerm[];
  /** What stood in quotes. */
  phrases: string[];
  /** Names that are looked for to the letter. */
  names: string[];
  /** Whether meaning was searched for, too. */
  hasVectors: boolean;
  /** How near the question is to any passage of the site. */
  typicalSimilarity: number | undefined;
  /** How many passages either way proposed. */
  proposed: number;
  /** Those that were looked at word by word, the best first. */
  passages: ExplainedPassage[];
  pages: ExplainedPage[];
}

const SNIPPET_CHARACTERS_MAX = 200;
/** A long page has many passages, and its best ones say all that there is to say. */
const PAGE_PASSAGES_SHOWN = 20;

/** Tells what a search did. What it tells is read off the search itself. */
export async function explain(
  retrieval: Retrieval,
  pageSize: number,
  asked: AskedPage[],
): Promise<Explanation> {
  const { scope, query, meaning, fused, ranked } = retrieval;
  const place = placesOf(retrieval, pageSize);
  const words = wordsByTerm(retrieval.text);
  return {
    generation: scope.generation,
    terms: query.terms.map((term) => ({ word: words.get(term) ?? term, term })),
    phrases: query.phrases.map((phrase) => phrase.join(" ")),
    names: query.verbatim.filter(({ isGuess }) => !isGuess).map(({ text }) => text),
    hasVectors: meaning !== undefined,
    typicalSimilarity: meaning?.typicalSimilarity,
    proposed: fused.length,
    passages: ranked.map((each) => place(each, true)).sort(byStanding),
    pages: await Promise.all(asked.map((page) => explainPage(retrieval, page, place))),
  };
}

type Place = (judged: RankedPassage, wasJudged: boolean) => ExplainedPassage;

/** How any passage that was looked at stands beside those that were found. */
function placesOf(retrieval: Retrieval, pageSize: number): Place {
  const { words, fused, ranked, query, termsOf } = retrieval;
  const written = wordsByTerm(retrieval.text);
  const spoken = (terms: string[]) => [...new Set(terms.map((term) => written.get(term) ?? term))];
  const byWords = withRanks(words.found.map(({ passageId, score }) => [passageId, score]));
  const byMeaning = withRanks(
    fused.flatMap(({ passageId, similarity }) => (similarity === undefined ? [] : [[passageId, similarity]])),
  );
  const byBoth = withRanks(fused.map(({ passageId, score }) => [passageId, score]));
  const list = new Map(
    chooseHits(ranked, ranked.length).map(({ passageId, relevance }, at) => [passageId, { at, relevance }]),
  );

  function standingOf(passageId: number, wasJudged: boolean): Standing {
    const at = list.get(passageId)?.at;
    if (at !== undefined) return at < pageSize ? "listed" : "behind";
    if (wasJudged) return "joined";
    return byBoth.has(passageId) ? "outranked" : "not_proposed";
  }

  return (each, wasJudged) => {
    const { passageId, pageId, path, version, language, title, headings, anchor } = each;
    const { present } = termsOf(each);
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
      has: spoken(query.terms.filter((term) => present.has(term))),
      lacks: spoken(query.terms.filter((term) => !present.has(term))),
      keywordRank: byWords.get(passageId)?.rank,
      nearest: byMeaning.get(passageId),
      fusedRank: byBoth.get(passageId)?.rank,
      // One that was joined with others is as relevant as the best of them.
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
  if ((await retrieval.allows())?.(pageId) === false) return { pageId, standing: "filtered", passages: [] };
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
        score: 0,
      },
  );
  const passages = (await retrieval.rankAll(fused))
    .map((each) => {
      const placed = place(each, judged.has(each.passageId));
      const similarity = similarities.get(each.passageId);
      // Of one that was not proposed, how near it is can be told all the same.
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

/** The words of a question by the terms that are searched for them: people know no stems. */
function wordsByTerm(text: string): Map<string, string> {
  return new Map(
    wordsOf(text)
      .toReversed()
      .flatMap(({ written, identifier, terms, spellings }) =>
        [...terms, ...spellings, ...(identifier === undefined ? [] : [identifier])].map(
          (term) => [term, written] as const,
        ),
      ),
  );
}

/** The best first, each with its rank from 1. */
function withRanks(scores: (readonly [passageId: number, score: number])[]): Map<number, Nearness> {
  const order = scores.toSorted(([a, mine], [b, other]) => other - mine || a - b);
  return new Map(order.map(([passageId, score], index) => [passageId, { rank: index + 1, score }]));
}

const byStanding = (a: ExplainedPassage, b: ExplainedPassage) =>
  STANDINGS.indexOf(a.standing) - STANDINGS.indexOf(b.standing) ||
  (a.rank ?? 0) - (b.rank ?? 0) ||
  b.relevance - a.relevance ||
  a.passageId - b.passageId;

/** Enough to tell two apart. */
const DIGITS = 10_000;

/** What a search did, as the admin API tells it. */
export function explanationJson(explanation: Explanation) {
  const { typicalSimilarity, passages, pages: _, ...rest } = explanation;
  return {
    ...rest,
    typicalSimilarity: typicalSimilarity === undefined ? null : round(typicalSimilarity),
    passages: passages.map(explainedPassageJson),
  };
}

/** Where a passage stands, and why. */
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
