import { analyze } from "./analyze.ts";
import type { Candidate } from "./search-store.ts";

/** The terms of a passage, with its title and headings. */
export interface CandidateTerms {
  /** In their order. */
  terms: readonly string[];
  present: ReadonlySet<string>;
}

/** About 10 kB each. */
const PASSAGES_KEPT = 1000;

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
