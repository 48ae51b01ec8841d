import type { KeywordView } from "./keyword-index/keyword-index.ts";
import type { NameInWords } from "./names-in-words.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { FoundByWords, Frequencies } from "./search-store.ts";
import { rarityOf } from "./term-weights.ts";
import type { Verbatim } from "./verbatim.ts";

/**
 * How many passages with a name from the question are proposed in any case, and how rare such a name must be.
 */
const NAMED = 20;
const RARITY_MIN = 0.6;

/** The proposals of the keyword index. */
export interface WordProposals {
  found: FoundByWords[];
  /** Passages that contain a name or phrase of the question; they are scored whatever their rank. */
  named: ReadonlySet<number>;
}

interface MatchOptions {
  /** The names that the question has in words. */
  names: readonly NameInWords[];
  frequencies: Frequencies;
  limit: number;
}

/** Searches the keyword index for a question's words, and for the names and phrases in it. */
export async function matchWords(
  view: KeywordView,
  query: KeywordQuery,
  { names, frequencies, limit }: MatchOptions,
): Promise<WordProposals> {
  const words = await view.match(query, limit);
  const named = await matchNames(view, query, names, frequencies);
  // Whatever is not among the best by all words has less of them than these.
  const most = words.length < limit ? Number.POSITIVE_INFINITY : (words.at(-1)?.score ?? 0);
  const scores = new Map([
    ...named.map(({ passageId, score }) => [passageId, Math.min(most, score)] as const),
    ...words.map(({ passageId, score }) => [passageId, score] as const),
  ]);
  return {
    found: [...scores].map(([passageId, score]) => ({ passageId, score })),
    named: new Set(named.map(({ passageId }) => passageId)),
  };
}

/**
 * Searches for names separately: one may weigh little among a long question's words, and yet be what it is
 * about.
 */
async function matchNames(
  view: KeywordView,
  { verbatim, phrases }: KeywordQuery,
  inWords: readonly NameInWords[],
  frequencies: Frequencies,
): Promise<FoundByWords[]> {
  const isRare = (term: string) => frequencies.of.has(term) && rarityOf(term, frequencies) >= RARITY_MIN;
  const written = verbatim.flatMap((each) => each.terms.slice(0, 1)).filter(isRare);
  const terms = [...new Set([...written, ...inWords.map(({ term }) => term)])];
  const asked = [...phrases, ...inParts(verbatim, frequencies)];
  if (terms.length + asked.length === 0) return [];
  return view.match({ terms, phrases: asked, prefix: undefined }, NAMED);
}

/** The parts, in order, of names that no passage has as a whole: they may stand in a longer one, such as an address. */
function inParts(verbatim: readonly Verbatim[], { of }: Frequencies): string[][] {
  return verbatim
    .filter(({ isGuess, terms: [whole = ""] }) => !isGuess && !of.has(whole))
    .map(({ terms }) => terms.slice(1))
    .filter((parts) => parts.length > 1 && parts.every((part) => of.has(part)));
}
