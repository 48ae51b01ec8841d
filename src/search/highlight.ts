import { analyze } from "./analyze.ts";
import { readQuery } from "./read-query.ts";

/** Where a piece of text begins and ends, in UTF-16 code units. */
export type TextRange = readonly [start: number, end: number];

const RANGES_MAX = 50;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Made on first use: it takes a millisecond, which the start need not spend. */
let segmenter: Intl.Segmenter | undefined;

/** The ranges in a text that match the words of a query. The last word may be unfinished. */
export function matchRanges(query: string, text: string): TextRange[] {
  const { terms, prefix } = readQuery(query, { asYouType: true });
  const wanted = new Set(terms);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const ranges: TextRange[] = [];
  for (const { 0: run, index: start } of text.matchAll(WORD)) {
    // A run of text without spaces holds many words.
    for (const { segment, index } of segmenter.segment(run)) {
      if (ranges.length >= RANGES_MAX) return ranges;
      const at = start + index;
      if (isMeant(segment, wanted, prefix)) ranges.push([at, at + segment.length]);
    }
  }
  return ranges;
}

function isMeant(word: string, wanted: ReadonlySet<string>, prefix: string | undefined): boolean {
  if (prefix !== undefined && prefix.length > 1 && word.toLowerCase().startsWith(prefix)) return true;
  return analyze(word).some((term) => wanted.has(term));
}
