import { analyze } from "./analyze.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";
import { verbatimShare, type Weighed } from "./verbatim.ts";

/** What the words count beside the meaning, where a question has both. */
const WORDS_WEIGHT = 0.55;
const COVERAGE_BONUS = 0.15;
const PHRASE_BONUS = 0.5;
const IDENTIFIER_BONUS = 0.25;
/** More than all else together: what has the very thing that was asked for comes first, where that thing is rare. */
const VERBATIM_BONUS = 1.5;
const CURRENT_PAGE_BONUS = 0.06;
const NEIGHBOUR_BONUS = 0.02;
/** How many passages are remembered word by word: about 10 kB each. */
const PASSAGES_KEPT = 1000;

/** What the ways of searching say of one passage; undefined where one has nothing to say. */
export interface Proposal {
  passageId: number;
  /** The keyword index's score: larger is better, within one query. */
  words: number | undefined;
  /** How near its meaning is, from -1 to 1. */
  similarity: number | undefined;
}

export interface Fused extends Proposal {
  /** From 0 to about 1: larger is better, within one query. */
  score: number;
}

/**
 * One order from two: each way's scores are brought to the same scale and added. Where a question asks for names to the
 * letter, what is only near comes behind all that has any of its words.
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

/** Brings values to 0 for `low` and 1 for the largest. */
function scale(values: number[], low: number): number[] {
  const high = values.reduce((most, value) => Math.max(most, value), low);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0));
}

/** The terms of a passage, with its title and headings. */
export interface CandidateTerms {
  /** In their order. */
  terms: readonly string[];
  present: ReadonlySet<string>;
}

/**
 * Reads candidates word by word, which is most of what a search does. A passage never changes under its id, and the
 * same ones come up again and again: those that came last are remembered.
 */
export function createCandidateReader(): (candidate: Candidate) => CandidateTerms {
  const kept = new Map<number, CandidateTerms>();
  return (candidate) => {
    const { passageId, title, headings, text } = candidate;
    const known = kept.get(passageId);
    const terms = known?.terms ?? analyze([title, ...headings, text].join("\n"));
    const read = known ?? { terms, present: new Set(terms) };
    kept.delete(passageId);
    kept.set(passageId, read);
    const [oldest] = kept.keys();
    if (kept.size > PASSAGES_KEPT && oldest !== undefined) kept.delete(oldest);
    return read;
  };
}

/** A candidate with what speaks for it. */
export interface RankedPassage extends Candidate {
  /** Larger is better, within one query. */
  score: number;
  /** From 0 to 1: how sure it is that the passage answers what was asked. */
  relevance: number;
}

/** What candidates are looked at for. */
export interface RankingQuery {
  query: KeywordQuery;
  weights: TermWeights;
  /** What is to be there to the letter, each with what it is worth, from 0 to 1. */
  verbatim: readonly Weighed[];
  currentPath: string | undefined;
  /** How near the question is to any passage of the site. */
  typicalSimilarity: number;
}

/** Looks at a candidate's own words: what is there to the letter wins, and where the reader is gives a nudge. */
export function scoreCandidate(
  candidate: Candidate,
  own: CandidateTerms,
  fused: Fused,
  wanted: RankingQuery,
): RankedPassage {
  const { query, weights, currentPath, typicalSimilarity } = wanted;
  const { terms } = own;
  const begun = begunIn(terms, query);
  const present = begun.length === 0 ? own.present : new Set([...terms, ...begun]);
  const covered = shareOf(query.terms, present, weights);
  const phrases = query.phrases.filter((phrase) => hasPhrase(terms, phrase)).length;
  const score =
    fused.score +
    COVERAGE_BONUS * covered +
    PHRASE_BONUS * phrases +
    IDENTIFIER_BONUS * shareOf(query.identifiers, present, weights) +
    VERBATIM_BONUS *
      verbatimShare([candidate.title, ...candidate.headings, candidate.text].join("\n"), wanted.verbatim) +
    nudge(candidate.path, currentPath);
  const relevance = relevanceOf({ covered, similarity: fused.similarity, typicalSimilarity });
  return { ...candidate, score, relevance };
}

/** A word that is still being typed is there where one is that begins like it. */
function begunIn(terms: readonly string[], { prefix, terms: asked }: KeywordQuery): string[] {
  if (prefix === undefined || !terms.some((term) => term.startsWith(prefix))) return [];
  return asked.filter((term) => term.startsWith(prefix));
}

function hasPhrase(terms: readonly string[], phrase: string[]): boolean {
  const [first] = phrase;
  return terms.some(
    (term, at) => term === first && phrase.every((each, index) => terms[at + index] === each),
  );
}

function nudge(path: string, currentPath: string | undefined): number {
  if (currentPath === undefined) return 0;
  if (path === currentPath) return CURRENT_PAGE_BONUS;
  return folderOf(path) === folderOf(currentPath) ? NEIGHBOUR_BONUS : 0;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/** What is known of a passage that was found. */
interface Evidence {
  /** How much of what the question's words tell is in the passage, from 0 to 1. */
  covered: number;
  /** How near its meaning is, from -1 to 1; undefined where there are no vectors to say. */
  similarity: number | undefined;
  /** How near the question is to any passage of the site: what this is depends on the embedder and on the site. */
  typicalSimilarity: number;
}

/**
 * From 0 to 1: how sure it is that a passage answers what was asked. Two logistic curves, fitted to 850 questions with
 * answers in three sets, against the same questions with their page taken out and against 770 from another set.
 */
function relevanceOf({ covered, similarity, typicalSimilarity }: Evidence): number {
  if (similarity === undefined) return logistic(7.3 * covered - 3.8);
  const nearness = Math.max(0, (similarity - typicalSimilarity) / (1 - typicalSimilarity));
  return logistic(5.8 * covered + 7.2 * nearness - 5.5);
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
