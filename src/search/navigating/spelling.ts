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

/** The words of a text as they are written, in lower case: a name in camel case is one. */
export const writtenWords = (text: string): string[] =>
  text.normalize("NFKC").match(WRITTEN_WORD)?.map(folded) ?? [];

export function spellingOf(text: string): Spelling {
  const starts: number[] = [];
  let letters = "";
  for (const written of text.normalize("NFKC").match(WRITTEN_WORD) ?? []) {
    for (const part of written.split(CAPITAL_BEGINS)) {
      const plain = folded(part);
      if (plain === "") continue;
      starts.push(letters.length);
      letters += plain;
    }
  }
  return { letters, starts };
}

const folded = (word: string) => withoutMarks(word.toLowerCase());

/** The word that begins at one of the starts. */
export function wordAt({ letters, starts }: Spelling, index: number): string {
  return letters.slice(starts[index], starts[index + 1]);
}
