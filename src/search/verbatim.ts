import type { Frequencies } from "./search-store.ts";
import {
  rarityOf,
  type TermWeights,
} from "./term-weights.ts"; /** What a passage is to have to the letter, whatever its case. */
export interface Verbatim {
  /** Flat, in lower case. */
  text: string;
  /** Its terms, first the one that it is whole, whose rarity says what it is worth; none of a phrase, which is rare. */
  terms: readonly string[];
  /** A word that may be a name typed in lower case: it counts where the passage writes it as one. */
  isGuess: boolean;
}

/** The same, with what it is worth: from 0 to 1. */
export type Weighed = Verbatim & { worth: number };

/** A capital within a word, or an underscore. */
const NAME = /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|_/u;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;
/** What may be part of a name beside its letters. */
const MARK = /[-+*/\\%<>=!&|~^@#$:]/;

/** A text on one line, without the space that `operator <<` may have. */
export const flatten = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/(?<=\boperator) (?=[-+*/%<>=!&|~^])/gi, "");

/** What of it a text has: all that was asked for together is 1, as is any guess that is as rare as can be. */
export function verbatimShare(text: string, wanted: readonly Weighed[]): number {
  if (wanted.length === 0) return 0;
  const flat = flatten(text);
  const lower = flat.toLowerCase();
  const asked = wanted.filter(({ isGuess }) => !isGuess).length;
  const found = wanted.filter((each) => isThere(flat, lower, each));
  return Math.min(
    1,
    found.reduce((sum, { worth, isGuess }) => sum + (isGuess ? worth : worth / asked), 0),
  );
}

/** Whether it is a thing of its own there, not within a longer one. */
function isThere(flat: string, lower: string, { text, isGuess }: Weighed): boolean {
  for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (!isApart(lower[at - 1] ?? "", text[0] ?? "") || !isApart(lower[end] ?? "", text.at(-1) ?? ""))
      continue;
    if (!isGuess || NAME.test(flat.slice(at, end))) return true;
  }
  return false;
}

/** Words end beside any mark; `-v` is not in `--v`, nor `<<` in `<<=`. */
function isApart(beside: string, end: string): boolean {
  if (WORD_CHARACTER.test(beside)) return false;
  return WORD_CHARACTER.test(end) || !MARK.test(beside);
}

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
