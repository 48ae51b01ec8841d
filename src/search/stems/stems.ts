import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as english } from "stemmer";
import { koreanStem } from "./korean.ts";

export { latinWithHangul } from "./korean.ts";

/**
 * Scripts whose words have endings, each with the endings of the language that most of what is written in it is in: those
 * of its neighbors are alike, and what is cut off wrongly is cut off everywhere.
 */
const BY_SCRIPT: readonly [words: RegExp, cut: (word: string) => string][] = [
  [/^\p{Script=Cyrillic}{4,40}$/u, russian],
  [/^\p{Script=Greek}{4,40}$/u, greek],
  // Persian and Urdu, which have letters of their own, form words otherwise.
  [/^[[\p{Script=Arabic}]--[پچژگٹڈڑںھہےۓ]]{3,40}$/v, arabic],
  [/^\p{Script=Devanagari}{3,40}$/u, hindi],
];

/** A word in lower case without its ending, where its script tells how words end. */
export function withoutEnding(word: string): string {
  for (const [words, cut] of BY_SCRIPT) if (words.test(word)) return cut(word);
  return koreanStem(word);
}

/** A word in plain small letters as English cuts it, whatever its language: which one it is, letters do not tell. */
export const englishStem = (word: string): string => (/^[a-z]{3,}$/.test(word) ? english(word) : word);
