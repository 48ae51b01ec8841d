import { analyze } from "./analyze.ts";
import type { Fused } from "./fuse.ts";
import type { KeywordQuery } from "./read-query.ts";
import { relevanceOf } from "./relevance.ts";
import type { Candidate } from "./search-store.ts";
import type { TermWeights } from "./term-weights.ts";

/** A candidate with what speaks for it, at the section of it that does. */
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
  currentPath: string | undefined;
}

const COVERAGE_BONUS = 0.15;
const TITLE_BONUS = 0.1;
const PHRASE_BONUS = 0.5;
const IDENTIFIER_BONUS = 0.25;
const CURRENT_PAGE_BONUS = 0.06;
const NEIGHBOUR_BONUS = 0.02;

/** Looks at a candidate's own words: what is there to the letter wins, and where the reader is gives a nudge. */
export function judge(candidate: Candidate, fused: Fused, wanted: Wanted): Judged {
  const { query, weights, currentPath } = wanted;
  const above = analyze([candidate.title, ...candidate.headings].join("\n"));
  const sections = sectionsOf(candidate).map((section) => ({ ...section, terms: analyze(section.markdown) }));
  const terms = [...above, ...sections.flatMap((section) => section.terms)];
  const present = new Set(terms);
  const covered = shareOf(query.terms, present, weights);
  const titled = shareOf(query.terms, new Set(above), weights);
  const phrases = query.phrases.filter((phrase) => hasPhrase(terms, phrase)).length;
  const score =
    fused.score +
    COVERAGE_BONUS * covered +
    TITLE_BONUS * titled +
    PHRASE_BONUS * phrases +
    IDENTIFIER_BONUS * shareOf(query.identifiers, present, weights) +
    nudge(candidate.path, currentPath);
  const best = mostOf(sections, (section) => shareOf(query.terms, new Set(section.terms), weights));
  const place = best ? { anchor: best.anchor, headings: best.headings } : {};
  return { ...candidate, ...place, score, relevance: relevanceOf({ covered, similarity: fused.similarity }) };
}

/** The short sections that a passage was joined from; one where it is a section's own. */
function sectionsOf({ anchor, headings, markdown, innerHeadings }: Candidate) {
  const starts = [
    { offset: 0, anchor, headings },
    ...innerHeadings.map(({ headingPath, ...rest }) => ({ ...rest, headings: headingPath })),
  ];
  return starts.map((start, index) => ({
    ...start,
    markdown: markdown.slice(start.offset, starts[index + 1]?.offset),
  }));
}

/** The first of those for which the measure is largest. */
function mostOf<T>(all: T[], measure: (each: T) => number): T | undefined {
  let most: T | undefined;
  let largest = Number.NEGATIVE_INFINITY;
  for (const each of all) {
    const value = all.length === 1 ? 0 : measure(each);
    if (value <= largest) continue;
    largest = value;
    most = each;
  }
  return most;
}

/** How much of what the terms tell is there. */
function shareOf(terms: readonly string[], present: ReadonlySet<string>, weights: TermWeights): number {
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
