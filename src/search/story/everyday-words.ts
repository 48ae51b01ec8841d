import type { OrdinaryWords } from "../relevance/relevance.ts";
import type { Frequencies } from "../search-store.ts";
import { averagingOne, type TermShares } from "../term-weights.ts";

/**
 * How much more frequent than in English, as a logarithm, a common word must be in the docs to count at all, and from
 * where on it counts in full: "queue" and "port" are at about 8, and "hospital" and "coffee" near 0.
 */
const FAMILIAR = { from: 1, full: 5 };
const LEAST = 0.2;

/**
 * Has the everyday words of a story count less. As no docs have them, each would weigh as much as the rarest word of the
 * docs. Of words that are no common English ones, nothing is known: they keep their shares.
 */
export function lessOfEveryday(
  shares: TermShares,
  { passages, of }: Frequencies,
  ordinary: OrdinaryWords,
): TermShares {
  const countOf = (term: string): number => {
    if (!ordinary.has(term)) return 1;
    const familiar = Math.log(((of.get(term) ?? 0) + 0.5) / (passages + 1)) - ordinary.logShareOf(term);
    const share = (familiar - FAMILIAR.from) / (FAMILIAR.full - FAMILIAR.from);
    return Math.min(1, Math.max(LEAST, share));
  };
  return averagingOne(new Map([...shares].map(([term, share]) => [term, share * countOf(term)])));
}
