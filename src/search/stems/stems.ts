import { stemmer as english } from "stemmer";
import { koreanStem } from "./korean.ts";

export { latinWithHangul } from "./korean.ts";
export { withoutBreaks, withoutMarks, withPlainLetters } from "./letters.ts";

/** Loaded with the first text that is not all English: their tables take a megabyte, which a server that waits need not have. */
function stemmers(): Readonly<Record<string, (word: string) => string>> {
  const { STEMMERS }: typeof import("./stemmers.ts") = require("./stemmers.ts");
  return STEMMERS;
}

/**
 * Scripts whose words have endings, each with the endings of the language that most of what is written in it is in: those
 * of its neighbors are alike, and what is cut off wrongly is cut off everywhere.
 */
const BY_SCRIPT: readonly [words: RegExp, language: string][] = [
  [/^\p{Script=Cyrillic}{4,40}$/u, "ru"],
  [/^\p{Script=Greek}{4,40}$/u, "el"],
  // Persian and Urdu, which have letters of their own, form words otherwise.
  [/^[[\p{Script=Arabic}]--[پچژگٹڈڑںھہےۓ]]{3,40}$/v, "ar"],
  [/^\p{Script=Devanagari}{3,40}$/u, "hi"],
];

/** A word in lower case without its ending, where its script tells how words end. */
export function withoutEnding(word: string): string {
  const [, language] = BY_SCRIPT.find(([words]) => words.test(word)) ?? [];
  return language === undefined ? koreanStem(word) : (stemmers()[language]?.(word) ?? word);
}

/** A word in plain small letters as English cuts it, whatever its language: which one it is, letters do not tell. */
export const englishStem = (word: string): string => (/^[a-z]{3,}$/.test(word) ? english(word) : word);

/** Languages in Latin letters whose endings are known, by their tags. Which one a word is in, only its text tells. */
export const INFLECTED_LANGUAGES: readonly string[] = [
  "de",
  "es",
  "fi",
  "fr",
  "hu",
  "id",
  "it",
  "nl",
  "pt",
  "ro",
  "sv",
  "tr",
];

/** A word in lower case without its ending, in a language; undefined where that language's endings are not known. */
export const stemIn = (language: string, word: string): string | undefined =>
  INFLECTED_LANGUAGES.includes(language) ? stemmers()[language]?.(word) : undefined;
