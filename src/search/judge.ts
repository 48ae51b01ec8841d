import { analyze } from "./analyze.ts";
import type { Fused } from "./fuse.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";
import type { TermWeights } from "./term-weights.ts";

/** A candidate with what speaks for it. */
export interface Judged extends Candidate {
  /** Larger is better, within one query. */
  score: number;
  /** From 0 to 1: how sure it is that the passage answers what was asked. */
  relevance: number;
}

const PHRASE_BONUS = 0.5;
const IDENTIFIER_BONUS = 0.25;
const CURRENT_PAGE_BONUS = 0.06;
const NEIGHBOUR_BONUS = 0.02;

/** Looks at a candidate's own words: what is there to the letter wins, and where the reader is gives a nudge. */
export function judge(
  candidate: Candidate,
  fused: Fused,
  {
    query,
    weights,
    currentPath,
  }: { query: KeywordQuery; weights: TermWeights; currentPath: string | undefined },
): Judged {
  const terms = analyze([candidate.title, ...candidate.headings, candidate.text].join("\n"));
  const present = new Set(terms);
  const covered = shareOf([...weights.keys()], present, weights);
  const phrases = query.phrases.filter((phrase) => hasPhrase(terms, phrase)).length;
  const score =
    fused.score +
    PHRASE_BONUS * phrases +
    IDENTIFIER_BONUS * shareOf(query.identifiers, present, weights) +
    nudge(candidate.path, currentPath);
  return { ...candidate, score, relevance: covered };
}

/** How much of what the terms tell is there. */
function shareOf(terms: string[], present: Set<string>, weights: TermWeights): number {
  let found = 0;
  let all = 0;
  for (const term of terms) {
    const weight = weights.get(term) ?? 0;
    all += weight;
    if (present.has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

function hasPhrase(terms: string[], phrase: string[]): boolean {
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
