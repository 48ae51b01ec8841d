import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
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

/** Languages in Latin letters whose endings are known, by their tags. Which one a word is in, only its text tells. */
const BY_LANGUAGE: ReadonlyMap<string, (word: string) => string> = new Map([
  ["de", german],
  ["es", spanish],
  ["fi", finnish],
  ["fr", french],
  ["hu", hungarian],
  ["id", indonesian],
  ["it", italian],
  ["nl", dutch],
  ["pt", portuguese],
  ["ro", romanian],
  ["sv", swedish],
  ["tr", turkish],
]);

export const INFLECTED_LANGUAGES: readonly string[] = [...BY_LANGUAGE.keys()];

/** A word in lower case without its ending, in a language; undefined where that language's endings are not known. */
export const stemIn = (language: string, word: string): string | undefined =>
  BY_LANGUAGE.get(language)?.(word);
