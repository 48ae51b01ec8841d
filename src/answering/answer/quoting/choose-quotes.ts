import { analyze } from "@docent/finding/search/analyze";
import { introduces, type ReadPiece } from "../pieces.ts";
import { buildQuote, charactersOf, type Quote } from "./build-quote.ts";
import type { QuestionKind } from "./question-kind.ts";
import { isNameAlone } from "./saying.ts";
import type { Weighed } from "./weigh-candidates.ts";

/** The most quotes: one that answers, and two that add something. */
const QUOTES_MAX = 3;
/** The room for all of them; the first may be longer. */
const CHARACTERS_MAX = 680;
const FIRST_CHARACTERS_MAX = 1500;
/** The room for a file that is asked for in full. */
const FILE_CHARACTERS_MAX = 6000;
/** The share of the first quote's strength below which another one adds nothing. */
const STRENGTH_MIN = 0.55;
/** The same for the other of two things that are compared: weak is better than one-sided. */
const OTHER_SIDE_STRENGTH_MIN = 0.3;
/** The share of a side's words from which on a quote is about it. */
const SIDE_MIN = 0.5;
/** From this share of common words on, two quotes say the same. */
const SAME_SHARE = 0.6;
/** The same for a quote of which the other one has nearly all words. */
const CONTAINED_SHARE = 0.85;

/** The best quote, then those that add something. */
export function chooseQuotes(weighed: readonly Weighed[], { whole }: Pick<QuestionKind, "whole">): Quote[] {
  const firstMax = whole ? FILE_CHARACTERS_MAX : FIRST_CHARACTERS_MAX;
  const strengths = new Map(weighed.map(({ piece, strength }) => [piece, strength] as const));
  const chosen: Quote[] = [];
  for (const core of withBothSides(weighed.toSorted((a, b) => b.strength - a.strength))) {
    if (chosen.length >= QUOTES_MAX) break;
    // Beside the way, what is not the way would be read as another one.
    if (core.warning !== undefined && chosen.some((other) => other.core.warning === undefined)) continue;
    const quote = withoutQuoted(buildQuote(core, strengths), chosen);
    if (quote !== undefined && !isUnfinished(quote) && fits(quote, chosen, firstMax) && adds(quote, chosen))
      chosen.push(quote);
    // Beside a file that is asked for, other quotes are not.
    if (whole && chosen[0]?.core.piece.kind === "code") break;
  }
  return chosen;
}

/** The candidates worth quoting; of a comparison, the best one about each side comes first. */
function withBothSides(ranked: readonly Weighed[]): Weighed[] {
  const [first] = ranked;
  if (first === undefined) return [];
  const strong = ranked.filter(({ strength }) => strength >= first.strength * STRENGTH_MIN);
  const missing = first.sides.findIndex((share) => share < SIDE_MIN);
  const other = ranked.find(
    ({ sides, strength }) =>
      (sides[missing] ?? 0) >= SIDE_MIN && strength >= first.strength * OTHER_SIDE_STRENGTH_MIN,
  );
  return other === undefined
    ? strong
    : [first, other, ...strong.filter((one) => one !== first && one !== other)];
}

function fits({ characters }: Quote, chosen: readonly Quote[], firstMax: number): boolean {
  const taken = chosen.reduce((sum, quote) => sum + quote.characters, 0);
  return characters <= (chosen.length === 0 ? firstMax : CHARACTERS_MAX - taken);
}

/** Whether no other quote says the same. */
function adds(quote: Quote, chosen: readonly Quote[]): boolean {
  const terms = termsOf(quote);
  return chosen.every((other) => !isSame(terms, termsOf(other)) && !areTabs(quote, other));
}

/** Whether two pieces of code stand side by side under labels, as for npm and Yarn: one of them is enough. */
function areTabs(one: Quote, other: Quote): boolean {
  return one.passage === other.passage && [one, other].every(isLabelled);
}

function isLabelled({ core: { piece, around } }: Quote): boolean {
  const lead = around[piece.position - 1];
  return piece.kind === "code" && lead !== undefined && isBareName(lead);
}

const termsOf = (quote: Quote): Set<string> =>
  new Set(
    analyze(
      piecesOf(quote)
        .map(({ markdown }) => markdown)
        .join("\n"),
    ),
  );

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [short, long] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const term of short) if (long.has(term)) common += 1;
  return common >= SAME_SHARE * (short.size + long.size - common) || common >= CONTAINED_SHARE * short.size;
}

/** The part of a quote that is not quoted yet; undefined where its core is. */
function withoutQuoted(quote: Quote, chosen: readonly Quote[]): Quote | undefined {
  const here = chosen.filter(({ passage }) => passage === quote.passage);
  const quoted = new Set(here.flatMap(({ positions }) => positions));
  if (quoted.has(quote.core.piece.position)) return undefined;
  const positions = quote.positions.filter((position) => !quoted.has(position));
  return { ...quote, positions, characters: charactersOf(positions, quote.core.around) };
}

/** Whether it ends with the promise of something that is not there, or only names things. */
function isUnfinished(quote: Quote): boolean {
  const pieces = piecesOf(quote);
  return introduces(pieces.at(-1), quote.core.around) || pieces.every(isBareName);
}

const isBareName = ({ kind, markdown }: ReadPiece): boolean =>
  kind !== "table" && kind !== "code" && isNameAlone(markdown);

const piecesOf = ({ positions, core: { around } }: Quote): ReadPiece[] =>
  positions.flatMap((position) => around[position] ?? []);
