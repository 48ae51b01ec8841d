import { analyze, isStopWord } from "../analyze.ts";
import type { OrdinaryWords } from "./ordinary-words.ts";

const WORD = /\p{L}+/gu;
/** So much of an English question is ordinary English; the rest is names, and words of its subject. */
const ENGLISH_LETTERS_MIN = 0.6;

/** Whether most of a text, counted in letters, is ordinary English. A text without words may be. */
export function isMostlyEnglish(text: string, ordinary: OrdinaryWords): boolean {
  let all = 0;
  let english = 0;
  for (const [word] of text.matchAll(WORD)) {
    const isOrdinary = analyze(word).every((term) => isStopWord(term) || ordinary.has(term));
    all += word.length;
    if (isOrdinary) english += word.length;
  }
  return english >= all * ENGLISH_LETTERS_MIN;
}

/** A word of nearly every English passage: of 66 to 99 in 100. In docs of other languages, at most 30 have it. */
const ENGLISH_TERM = "the";
const ENGLISH_PASSAGES_MIN = 0.5;

/** Whether docs are in English, by how many of their passages have a certain word. */
export async function areDocsEnglish(
  passages: number,
  passagesWith: (term: string) => Promise<number>,
): Promise<boolean> {
  return (await passagesWith(ENGLISH_TERM)) >= passages * ENGLISH_PASSAGES_MIN;
}
