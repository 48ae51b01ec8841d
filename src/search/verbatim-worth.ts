import type { Verbatim, Weighed } from "./exact-matches.ts";
import type { Frequencies } from "./search-store.ts";
import { rarityOf, type TermWeights } from "./term-weights.ts";

/** How rare a word is that may be a name: one written like one, such as JavaScript, is in many docs an ordinary word. */
const GUESS_RARITY_MIN = 0.75;

/** What finding each of them to the letter is worth. */
export function weighVerbatim(
  verbatim: readonly Verbatim[],
  frequencies: Frequencies,
  weights: TermWeights,
): Weighed[] {
  return verbatim.map((each) => ({ ...each, worth: worthOf(each, frequencies) * massOf(each, weights) }));
}

/** A common name tells little, and a quoted phrase is asked for. */
function worthOf({ terms, isGuess }: Verbatim, frequencies: Frequencies): number {
  const [whole] = terms;
  if (whole === undefined) return 1;
  const rarity = rarityOf(whole, frequencies);
  return isGuess && rarity < GUESS_RARITY_MIN ? 0 : rarity ** 4;
}

/** How much of all that a question's terms tell is in this one: in a long question a name is one thing among others. */
function massOf({ terms }: Verbatim, weights: TermWeights): number {
  if (terms.length === 0) return 1;
  const sum = (own: Iterable<number>) => [...own].reduce((total, weight) => total + weight, 0);
  const all = sum(weights.values());
  return all === 0 ? 0 : Math.min(1, sum(terms.map((term) => weights.get(term) ?? 0)) / all);
}
