import type { CandidateTerms } from "./candidate-terms.ts";
import { verbatimShare, type Weighed } from "./exact-matches.ts";
import type { Fused } from "./fuse.ts";
import type { KeywordQuery } from "./read-query.ts";
import { relevanceOf } from "./relevance.ts";
import type { Candidate } from "./search-store.ts";
import { shareOf, type TermWeights } from "./term-weights.ts";

/** A candidate with what speaks for it. */
export interface Judged extends Candidate {
  /** Larger is better, within one query. */
  score: number;
  /** From 0 to 1: how sure it is that the passage answers what was asked. */
  relevance: number;
}

/** What candidates are looked at for. */
export interface Wanted {
  query: KeywordQuery;
  weights: TermWeights;
  /** What is to be there to the letter, each with what it is worth, from 0 to 1. */
  verbatim: readonly Weighed[];
  currentPath: string | undefined;
  /** How near the question is to any passage of the site. */
  typicalSimilarity: number;
}

const COVERAGE_BONUS = 0.15;
const PHRASE_BONUS = 0.5;
const IDENTIFIER_BONUS = 0.25;
/** More than all else together: what has the very thing that was asked for comes first, where that thing is rare. */
const VERBATIM_BONUS = 1.5;
const CURRENT_PAGE_BONUS = 0.06;
const NEIGHBOUR_BONUS = 0.02;

/** Looks at a candidate's own words: what is there to the letter wins, and where the reader is gives a nudge. */
export function judge(candidate: Candidate, own: CandidateTerms, fused: Fused, wanted: Wanted): Judged {
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
