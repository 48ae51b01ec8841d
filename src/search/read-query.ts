import { analyze, analyzeQuestion, identifiersOf } from "./analyze.ts";

/** What a question asks the keyword index for. */
export interface KeywordQuery {
  /** Each once, without the words that every question has. */
  terms: string[];
  /** The terms of what stands in quotes, in their order. */
  phrases: string[][];
  /** Those of the terms that name something exactly. */
  identifiers: string[];
  /** What the last word begins with, where it is still being typed. */
  prefix: string | undefined;
}

const TERMS_MAX = 96;
const PHRASES_MAX = 4;
const QUOTED = /"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|「([^」\n]{2,200})」/gu;

/** Reads a question for the keyword index. */
export function readQuery(text: string, { asYouType = false } = {}): KeywordQuery {
  const terms = analyzeQuestion(text).slice(0, TERMS_MAX);
  const named = new Set(identifiersOf(text));
  return {
    terms,
    phrases: readPhrases(text),
    identifiers: terms.filter((term) => named.has(term)),
    prefix: asYouType ? lastWord(text) : undefined,
  };
}

/** One word in quotes is a word; what is quoted is looked for in its order. */
function readPhrases(text: string): string[][] {
  return [...text.matchAll(QUOTED)]
    .map(([, ...quoted]) => analyze(quoted.find((each) => each !== undefined) ?? ""))
    .filter((terms) => terms.length > 1)
    .slice(0, PHRASES_MAX);
}

/** The index holds stems: what is typed is cut to what it has in common with its own. Behind a space, nothing is typed. */
function lastWord(text: string): string | undefined {
  const word = /[\p{L}\p{N}]+$/u.exec(text.normalize("NFKC"))?.[0]?.toLowerCase();
  if (word === undefined) return undefined;
  const stem = analyze(word).at(-1) ?? word;
  let common = 0;
  while (common < word.length && word[common] === stem[common]) common++;
  return common < 2 ? word : word.slice(0, common);
}
