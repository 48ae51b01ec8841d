import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { analyze } from "../analyze.ts";
import commonWords from "./common-words.txt" with { type: "text" };

/** How frequent words are in ordinary English. */
export interface OrdinaryWords {
  /** The logarithm of a term's share of all words. */
  logShareOf(term: string): number;
  /** Whether a term is among the common ones. */
  has(term: string): boolean;
}

/** By Zipf's law the word at rank n is about one in ten times n. */
const MOST_FREQUENT_SHARE = 0.1;
const RANK_OFFSET = 2.7;
/** Of a word that is not among the common ones. */
const RARE_SHARE = 4e-6;
const READ_AT_ONCE = 500;

let reading: Promise<OrdinaryWords> | undefined;

/** Reads the common words of English, by their terms, once in a process: they are the same for all. */
export function readOrdinaryWords(): Promise<OrdinaryWords> {
  reading ??= readCommonWords();
  return reading;
}

async function readCommonWords(): Promise<OrdinaryWords> {
  const shares = new Map<string, number>();
  for (const [rank, word] of commonWords.trim().split("\n").entries()) {
    if (rank % READ_AT_ONCE === 0) await letOthersRun();
    const share = MOST_FREQUENT_SHARE / (rank + RANK_OFFSET);
    for (const term of analyze(word)) shares.set(term, (shares.get(term) ?? 0) + share);
  }
  return {
    logShareOf: (term) => Math.log((shares.get(term) ?? 0) + RARE_SHARE),
    has: (term) => shares.has(term),
  };
}
