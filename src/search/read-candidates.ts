import { analyze } from "./analyze.ts";
import type { PassageWords } from "./keyword-index/keyword-index.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { Candidate } from "./search-store.ts";

/** How many passages stay analyzed in memory: about 10 kB each. */
const PASSAGES_KEPT = 1000;

export type CandidateReader = (
  candidates: readonly Candidate[],
  query: KeywordQuery,
) => Map<number, PassageWords>;

/**
 * Reads what candidates have of a question. It analyzes them, which is most of a search's work, and remembers the
 * latest: a passage never changes under its id, and the same ones come up again and again.
 */
export function createCandidateReader(): CandidateReader {
  const kept = new Map<number, { terms: readonly string[]; all: ReadonlySet<string> }>();

  function termsOf({ passageId, title, headings, text }: Candidate) {
    const known = kept.get(passageId);
    const terms = known?.terms ?? analyze([title, ...headings, text].join("\n"));
    const read = known ?? { terms, all: new Set(terms) };
    kept.delete(passageId);
    kept.set(passageId, read);
    const [oldest] = kept.keys();
    if (kept.size > PASSAGES_KEPT && oldest !== undefined) kept.delete(oldest);
    return read;
  }

  return (candidates, { terms: asked, phrases, prefix }) =>
    new Map(
      candidates.map((candidate) => {
        const { terms, all } = termsOf(candidate);
        const words: PassageWords = {
          terms: new Set(asked.filter((term) => all.has(term))),
          phrases: phrases.filter((phrase) => hasPhrase(terms, phrase)).length,
          isBegun: prefix !== undefined && terms.some((term) => term.startsWith(prefix)),
        };
        return [candidate.passageId, words];
      }),
    );
}

function hasPhrase(terms: readonly string[], phrase: readonly string[]): boolean {
  const [first] = phrase;
  return terms.some(
    (term, at) => term === first && phrase.every((each, index) => terms[at + index] === each),
  );
}
