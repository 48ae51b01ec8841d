import type { Frequencies } from "./search-store.ts";
import { rarityOf, type TermWeights } from "./term-weights.ts";

/** What a passage is to have to the letter, whatever its case. */
export interface Verbatim {
  /** On one line, in lower case. */
  text: string;
  /**
   * Its terms, the whole one first, whose rarity decides its worth; empty for a phrase, which is always rare.
   */
  terms: readonly string[];
  /** Whether it may be a name typed in lower case: it counts only where the passage writes it as a name. */
  isGuess: boolean;
}

/** The same with its worth, from 0 to 1, and the longest piece of it that no space can divide. */
export type Weighed = Verbatim & { worth: number; piece: string };

/** A capital within a word, or an underscore. */
const NAME = /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|_/u;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;
/** Characters besides letters that may be part of a name. */
const MARK = /[-+*/\\%<>=!&|~^@#$:]/;

/** A text on one line, without the space that `operator <<` may have. */
export const flatten = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/(?<=\boperator) (?=[-+*/%<>=!&|~^])/gi, "");

/** How much of the wanted text a passage has, from 0 to 1. */
interface VerbatimShares {
  /** 1 for all that was asked for together, or for one guess of the greatest rarity. */
  share: number;
  /** The same without guesses. */
  namedShare: number;
}

/** Looks for the wanted text in passages, each given in parts. */
export function createVerbatimFinder(
  wanted: readonly Weighed[],
): (parts: readonly string[]) => VerbatimShares {
  const worthy = wanted.filter(({ worth }) => worth > 0);
  const names = wanted.filter(({ isGuess }) => !isGuess).length;
  if (worthy.length === 0) return () => ({ share: 0, namedShare: 0 });
  return (parts) => {
    const found = findIn(parts.join("\n"), worthy);
    const namedShare = worthOfAll(found.filter(({ isGuess }) => !isGuess)) / Math.max(1, names);
    const guessed = worthOfAll(found.filter(({ isGuess }) => isGuess));
    return { share: Math.min(1, namedShare + guessed), namedShare: Math.min(1, namedShare) };
  };
}

function findIn(text: string, worthy: readonly Weighed[]): readonly Weighed[] {
  const inLowerCase = text.toLowerCase();
  const possible = worthy.filter(({ piece }) => inLowerCase.includes(piece));
  // Most passages have none of it, and to bring a text onto one line takes ten times as long as to look for a word.
  if (possible.length === 0) return possible;
  const flat = flatten(text);
  const lower = flat.toLowerCase();
  return possible.filter((each) => isThere(flat, lower, each));
}

const worthOfAll = (found: readonly Weighed[]) => found.reduce((sum, { worth }) => sum + worth, 0);

/** Whether it stands there on its own, not within a longer name. */
function isThere(flat: string, lower: string, { text, isGuess }: Weighed): boolean {
  for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (!isApart(lower[at - 1] ?? "", text[0] ?? "") || !isApart(lower[end] ?? "", text.at(-1) ?? ""))
      continue;
    if (!isGuess || NAME.test(flat.slice(at, end))) return true;
  }
  return false;
}

/** Words end at any mark; but `-v` is not in `--v`, nor `<<` in `<<=`. */
function isApart(beside: string, end: string): boolean {
  if (WORD_CHARACTER.test(beside)) return false;
  return WORD_CHARACTER.test(end) || !MARK.test(beside);
}

/**
 * The rarity from which a word may be a name: many docs write ordinary words like names, such as JavaScript.
 */
const GUESS_RARITY_MIN = 0.75;

/** The worth of finding each of them literally. */
export function weighVerbatim(
  verbatim: readonly Verbatim[],
  frequencies: Frequencies,
  weights: TermWeights,
): Weighed[] {
  return verbatim.map((each) => ({
    ...each,
    worth: worthOf(each, frequencies) * massOf(each, weights),
    piece: longestPiece(each.text),
  }));
}

/** Where a text has a space, a passage may have a line end; and `operator<<` may have a space. */
function longestPiece(text: string): string {
  const pieces = text.split(/ |(?<=\boperator)(?=[-+*/%<>=!&|~^])/);
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** A common name is worth little; a quoted phrase was asked for. */
function worthOf({ terms, isGuess }: Verbatim, frequencies: Frequencies): number {
  const [whole] = terms;
  if (whole === undefined) return 1;
  const rarity = rarityOf(whole, frequencies);
  return isGuess && rarity < GUESS_RARITY_MIN ? 0 : rarity ** 4;
}

/**
 * The share of the question's weight that these terms have: in a long question a name is one thing among
 * others.
 */
function massOf({ terms }: Verbatim, weights: TermWeights): number {
  if (terms.length === 0) return 1;
  const sum = (own: Iterable<number>) => [...own].reduce((total, weight) => total + weight, 0);
  const all = sum(weights.values());
  return all === 0 ? 0 : Math.min(1, sum(terms.map((term) => weights.get(term) ?? 0)) / all);
}
