import { withoutMarks } from "../stems/stems.ts";

/**
 * A text by its letters and digits alone, in lower case, with where its words begin: `frozenLockfile`, `--frozen-lockfile`,
 * `frozen_lockfile` and "Frozen lockfile" are one. Readers type a name in any of these ways.
 */
export interface Spelling {
  letters: string;
  /** Where words begin, ascending: those between spaces and marks, and those that a capital letter begins. */
  starts: readonly number[];
}

const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CAPITAL_BEGINS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
// The same for ASCII text, which most names are: several times as fast.
const ASCII = /^[\x20-\x7e]*$/;
const ASCII_WORD = /[A-Za-z0-9]+/g;

/** The words of a text as they are written, in lower case: a name in camel case is one. */
export const writtenWords = (text: string): string[] => wordsIn(text).map(folded);

export function spellingOf(text: string): Spelling {
  const starts: number[] = [];
  let letters = "";
  for (const written of wordsIn(text)) {
    for (const part of partsOf(written)) {
      starts.push(letters.length);
      letters += folded(part);
    }
  }
  return { letters, starts };
}

const wordsIn = (text: string): string[] =>
  (ASCII.test(text) ? text.match(ASCII_WORD) : text.normalize("NFKC").match(WRITTEN_WORD)) ?? [];

/** The parts of a word in camel case. */
function partsOf(word: string): string[] {
  if (!CAPITAL.test(word)) return [word];
  return word.split(CAPITAL_BEGINS);
}

const CAPITAL = /\p{Lu}/u;

function folded(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : withoutMarks(lower);
}

/** The word that begins at one of the starts. */
export function wordAt({ letters, starts }: Spelling, index: number): string {
  return letters.slice(starts[index], starts[index + 1]);
}
