import { analyze } from "./analyze.ts";
import {
  type Neighbours,
  type PageWords,
  type PassageWords,
  saturated,
} from "./keyword-index/keyword-index.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";
import type { SimilarityLevel } from "./sign-distances.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";
import { createVerbatimFinder, type Weighed } from "./verbatim.ts";

// The constants of ranking were chosen on all sets of questions but one, for each in turn, and are reported on that one
// (docs/evaluation.md). Each may be a third larger or smaller, and no set loses more than two hundredths of nDCG@10.
/**
 * What a passage gains for each standard deviation by which it is nearer in meaning than passages are in general, times the
 * logarithm of their number: among many, some are near by chance.
 */
const MEANING_WEIGHT = 0.65;
const PASSAGES_MIN = 100;
/** What all of its page says, by its length: a long page has many passages, and one of them may fit by chance. */
const PAGE_WEIGHT = 0.4;
/** The words of its address: a page is named after what it is about. */
const PATH_WEIGHT = 0.25;
const CLOSENESS_WEIGHT = 0.2;
const PHRASE_BONUS = 0.5;
/** A name that most passages have, such as the product's, says little: it counts by its share of the question's weight. */
const IDENTIFIER_BONUS = 0.25;
/** More than everything else together: a passage with the rare thing that was asked for comes first. */
const VERBATIM_BONUS = 1.5;
/** Whatever else a question says: a passage with all of the rare names and phrases in it is about it. */
const NAMED_RELEVANCE = 0.8;
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

interface FuseOptions {
  /** What a passage with all of the question's words scores, however often it has them. */
  wordsMost: number;
  level: SimilarityLevel;
  /** The number of the site's passages. */
  passages: number;
  isVerbatim?: boolean;
}

/**
 * Merges two rankings on a scale that is the same for every question: the share of what its words could score, and how far
 * a passage's meaning stands out. In a search for literal names, meaning says nothing.
 */
export function fuse(
  proposals: Proposal[],
  { wordsMost, level, passages, isVerbatim = false }: FuseOptions,
): Fused[] {
  // A phrase, or the beginning of a word, may lift a passage above all words together.
  const most = proposals.reduce((most, { words = 0 }) => Math.max(most, words), wordsMost);
  const meaningWeight = isVerbatim ? 0 : MEANING_WEIGHT / Math.log(Math.max(PASSAGES_MIN, passages));
  return proposals
    .map(({ passageId, words, similarity }) => {
      const byWords = most === 0 ? 0 : (words ?? 0) / most;
      const deviations = similarity === undefined ? 0 : (similarity - level.typical) / level.spread;
      return { passageId, words, similarity, score: byWords + meaningWeight * deviations };
    })
    .sort((a, b) => b.score - a.score || a.passageId - b.passageId);
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
  /** The weights of those terms that some passage has. */
  known: TermWeights;
  /** How many terms a page of the site has on average. */
  pageLength: number;
  /** Literal text to find, each with its worth from 0 to 1. */
  verbatim: readonly Weighed[];
  currentPath: string | undefined;
  /** From 0 to 1: how certain it is that a passage with these terms, and this similarity, answers the question. */
  relevanceOf(present: ReadonlySet<string>, similarity: number | undefined): number;
}

/** What the index knows of a passage. */
export interface PassageEvidence {
  words: PassageWords;
  page: PageWords;
  fused: Fused;
}

/** Scores a candidate by what the index knows of it, and by its text. */
type ScoreCandidate = (candidate: Candidate, evidence: PassageEvidence) => RankedPassage;

/** Scores the candidates of one question: literal matches win, and nearness to the reader's page adds a little. */
export function createScorer(wanted: RankingQuery): ScoreCandidate {
  const { query, known, currentPath, relevanceOf } = wanted;
  const begun = new Set(begunBy(query));
  const identifiers = new Set(query.identifiers);
  const pageScores = new Map<number, number>();
  const findVerbatim = createVerbatimFinder(wanted.verbatim);
  return (candidate, { words, page, fused }) => {
    const { pageId, path, title, headings, text } = candidate;
    const { terms: has, phrases, isBegun } = words;
    const present = isBegun ? has.union(begun) : has;
    const ofPage = pageScores.get(pageId) ?? pageScore(path, page, wanted);
    pageScores.set(pageId, ofPage);
    const { share: verbatim, namedShare } = findVerbatim([title, ...headings, text]);
    const score =
      fused.score +
      ofPage +
      CLOSENESS_WEIGHT * closenessShare(query.neighbours, words.closeness, known) +
      PHRASE_BONUS * phrases +
      IDENTIFIER_BONUS * shareOf(query.terms, present.intersection(identifiers), known) +
      VERBATIM_BONUS * verbatim +
      nudge(path, currentPath);
    const relevance = Math.max(relevanceOf(present, fused.similarity), NAMED_RELEVANCE * namedShare);
    return { ...candidate, score, relevance, has };
  };
}

/** What a page adds to each of its passages. */
function pageScore(path: string, page: PageWords, wanted: RankingQuery): number {
  const inPath = new Set(analyze(path.replace(BETWEEN_NAMES, " ")));
  const pathShare = shareOf(wanted.query.terms, inPath, wanted.known);
  return PAGE_WEIGHT * pageShare(page, wanted) + PATH_WEIGHT * pathShare;
}

/** What stands between the names of folders and files, and between the words of these. */
const BETWEEN_NAMES = /[/_.-]+/g;

/** From 0 to 1: how much of the question's weight its page has, each term by how often. */
function pageShare({ length, frequencies }: PageWords, { known, pageLength }: RankingQuery): number {
  let found = 0;
  let all = 0;
  for (const [term, weight] of known) {
    all += weight;
    found += weight * saturated(frequencies.get(term) ?? 0, length, pageLength);
  }
  return all === 0 ? 0 : found / all;
}

/** From 0 to 1: how many of the question's neighbours stand together, by the lesser weight of the two. */
function closenessShare(
  neighbours: readonly Neighbours[],
  closeness: readonly number[],
  known: TermWeights,
): number {
  let found = 0;
  let all = 0;
  for (const [index, [first, second]] of neighbours.entries()) {
    const weight = Math.min(known.get(first) ?? 0, known.get(second) ?? 0);
    all += weight;
    found += weight * (closeness[index] ?? 0);
  }
  return all === 0 ? 0 : found / all;
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
