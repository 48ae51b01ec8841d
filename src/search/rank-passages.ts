import type { PassageWords } from "./keyword-index/keyword-index.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";
import { verbatimShare, type Weighed } from "./verbatim.ts";

/** The weight of words against meaning, where a question has both. */
const WORDS_WEIGHT = 0.55;
const COVERAGE_BONUS = 0.15;
const PHRASE_BONUS = 0.5;
const IDENTIFIER_BONUS = 0.25;
/** More than everything else together: a passage with the rare thing that was asked for comes first. */
const VERBATIM_BONUS = 1.5;
const CURRENT_PAGE_BONUS = 0.06;
const NEIGHBOUR_BONUS = 0.02;

/** What each way of searching says of one passage; undefined where it says nothing. */
export interface Proposal {
  passageId: number;
  /** The keyword index's score: larger is better, within one query. */
  words: number | undefined;
  /** The similarity of meaning, from -1 to 1. */
  similarity: number | undefined;
}

export interface Fused extends Proposal {
  /** From 0 to about 1: larger is better, within one query. */
  score: number;
}

/**
 * Merges two rankings: brings each one's scores to the same scale and adds them. In a search for literal
 * names, passages that are only similar come after all that have any of the words.
 */
export function fuse(proposals: Proposal[], { isVerbatim = false } = {}): Fused[] {
  const words = scale(
    proposals.map((each) => each.words ?? 0),
    0,
  );
  const similarities = proposals.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]));
  const far = similarities.reduce((least, value) => Math.min(least, value), 1);
  const meaning = scale(
    proposals.map((each) => each.similarity ?? far),
    far,
  );
  const ownShare = isVerbatim ? 1 : WORDS_WEIGHT;
  const share = similarities.length === 0 ? 1 : words.every((value) => value === 0) ? 0 : ownShare;
  return proposals
    .map((proposal, index) => ({
      ...proposal,
      score: share * (words[index] ?? 0) + (1 - share) * (meaning[index] ?? 0),
    }))
    .sort((a, b) => b.score - a.score || a.passageId - b.passageId);
}

/** Scales values so that `low` becomes 0 and the largest 1. */
function scale(values: number[], low: number): number[] {
  const high = values.reduce((most, value) => Math.max(most, value), low);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0));
}

/** A candidate with its scores. */
export interface RankedPassage extends Candidate {
  /** Larger is better, within one query. */
  score: number;
  /** From 0 to 1: how certain it is that the passage answers the question. */
  relevance: number;
  /** The question's terms that it has. */
  has: ReadonlySet<string>;
}

/** What candidates are scored against. */
export interface RankingQuery {
  query: KeywordQuery;
  weights: TermWeights;
  /** Literal text to find, each with its worth from 0 to 1. */
  verbatim: readonly Weighed[];
  currentPath: string | undefined;
  /** How near the question is to an average passage of the site. */
  typicalSimilarity: number;
}

/**
 * Scores a candidate by its own words: literal matches win, and nearness to the reader's page adds a little.
 */
export function scoreCandidate(
  candidate: Candidate,
  { terms: has, phrases, isBegun }: PassageWords,
  fused: Fused,
  wanted: RankingQuery,
): RankedPassage {
  const { query, weights, currentPath, typicalSimilarity } = wanted;
  const present = isBegun ? has.union(new Set(begunBy(query))) : has;
  const covered = shareOf(query.terms, present, weights);
  const score =
    fused.score +
    COVERAGE_BONUS * covered +
    PHRASE_BONUS * phrases +
    IDENTIFIER_BONUS * shareOf(query.identifiers, present, weights) +
    VERBATIM_BONUS *
      verbatimShare([candidate.title, ...candidate.headings, candidate.text], wanted.verbatim) +
    nudge(candidate.path, currentPath);
  const relevance = relevanceOf({ covered, similarity: fused.similarity, typicalSimilarity });
  return { ...candidate, score, relevance, has };
}

/** The terms of the word that is still being typed. */
const begunBy = ({ prefix, terms }: KeywordQuery) =>
  prefix === undefined ? [] : terms.filter((term) => term.startsWith(prefix));

function nudge(path: string, currentPath: string | undefined): number {
  if (currentPath === undefined) return 0;
  if (path === currentPath) return CURRENT_PAGE_BONUS;
  return folderOf(path) === folderOf(currentPath) ? NEIGHBOUR_BONUS : 0;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/** The evidence that a passage answers the question. */
interface Evidence {
  /** The share of the question's term weight that the passage covers, from 0 to 1. */
  covered: number;
  /** The similarity of meaning, from -1 to 1; undefined where there are no vectors. */
  similarity: number | undefined;
  /** How near the question is to an average passage: it depends on the embedder and the site. */
  typicalSimilarity: number;
}

/**
 * From 0 to 1: how certain it is that a passage answers the question. Two logistic curves, fitted to 850
 * questions with answers in three sets, against the same questions without their page and against 770 from
 * another set.
 */
function relevanceOf({ covered, similarity, typicalSimilarity }: Evidence): number {
  if (similarity === undefined) return logistic(7.3 * covered - 3.8);
  const nearness = Math.max(0, (similarity - typicalSimilarity) / (1 - typicalSimilarity));
  return logistic(5.8 * covered + 7.2 * nearness - 5.5);
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
