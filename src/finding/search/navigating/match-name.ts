import { englishStem } from "../stems/stems.ts";
import type { NameForm } from "./names.ts";
import { type Spelling, wordAt } from "./spelling.ts";
import type { Typed } from "./typed.ts";

/** How a name has what was typed, the best first. */
export const EQUAL = 0;
/** It begins with it, word by word. */
export const BEGINS = 1;
/** It begins with it, the last word unfinished. */
export const BEGUN = 2;
/** It has it, side by side and in order. */
export const HAS = 3;
/** It has every word, in order. */
export const IN_ORDER = 4;
/** It has every word. */
export const ALL_WORDS = 5;

export type How =
  | typeof EQUAL
  | typeof BEGINS
  | typeof BEGUN
  | typeof HAS
  | typeof IN_ORDER
  | typeof ALL_WORDS;

export interface Match {
  how: How;
  /** 0 for the whole name, and more for less of it. */
  part: number;
  /** Words that it has in another form: "mounting" for "mount". */
  inflected: number;
  /** How many letters more than what was typed it has. */
  rest: number;
}

/** How a name has what was typed; undefined where it does not. */
export function matchName(typed: Typed, forms: readonly NameForm[]): Match | undefined {
  let best: Match | undefined;
  for (const form of forms) {
    const own = matchForm(typed, form);
    if (own !== undefined && (best === undefined || compareMatches(own, best) < 0)) best = own;
  }
  return best;
}

const compareMatches = (a: Match, b: Match): number =>
  a.how - b.how || a.part - b.part || a.inflected - b.inflected || a.rest - b.rest;

function matchForm(typed: Typed, { spelling, part }: NameForm): Match | undefined {
  const rest = Math.max(0, spelling.letters.length - typed.spelling.letters.length);
  const how = sideBySide(typed, spelling);
  if (how !== undefined) return { how, part, inflected: 0, rest };
  const words = wordByWord(typed, spelling);
  return words && { ...words, part, rest };
}

/** Whether a name has all letters that were typed in one piece: however their words are joined, they are the same. */
function sideBySide({ spelling: { letters }, isUnfinished }: Typed, name: Spelling): How | undefined {
  if (name.letters === letters) return EQUAL;
  if (name.letters.length < letters.length) return undefined;
  let begun: How | undefined;
  for (const start of name.starts) {
    if (!name.letters.startsWith(letters, start)) continue;
    const end = start + letters.length;
    const isWhole = end === name.letters.length || name.starts.includes(end);
    if (start === 0 && isWhole) return BEGINS;
    if (isWhole || isUnfinished) begun ??= start === 0 ? BEGUN : HAS;
  }
  return begun;
}

/** Whether a name has all words that were typed, apart or in other forms. */
function wordByWord(typed: Typed, name: Spelling): Pick<Match, "how" | "inflected"> | undefined {
  let inflected = 0;
  let last = -1;
  let isInOrder = true;
  let isSideBySide = true;
  for (let index = 0; index < typed.words.length; index++) {
    const found = findWord(typed, index, name, last + 1) ?? findWord(typed, index, name, 0);
    if (found === undefined) return undefined;
    if (found.isInflected) inflected += 1;
    isInOrder &&= found.at > last;
    isSideBySide &&= found.at === last + 1;
    last = found.at;
  }
  const isAll = isSideBySide && last === name.starts.length - 1;
  const how = isAll ? BEGINS : isSideBySide ? BEGUN : isInOrder ? IN_ORDER : ALL_WORDS;
  return { how, inflected };
}

/** Other forms of a word begin with as many letters of it. */
const FORM_LETTERS = 3;

/** Where a name has a word that was typed, from one of its words on. */
function findWord(
  { words, stems, isUnfinished }: Typed,
  index: number,
  name: Spelling,
  from: number,
): { at: number; isInflected: boolean } | undefined {
  const word = words[index] ?? "";
  const mayGoOn = isUnfinished && index === words.length - 1;
  for (let at = from; at < name.starts.length; at++) {
    const start = name.starts[at] ?? 0;
    if (!name.letters.startsWith(word.slice(0, FORM_LETTERS), start)) continue;
    const own = wordAt(name, at);
    if (own === word || (mayGoOn && own.startsWith(word))) return { at, isInflected: false };
    if (word.length > FORM_LETTERS && englishStem(own) === stems[index]) return { at, isInflected: true };
  }
  return undefined;
}
