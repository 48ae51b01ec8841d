import { languageOf } from "@docent/kernel/text/language-of";
import { analyze, formTerm, isSpelledWord, wordsOf as wordsInQuestion } from "./analyze.ts";
import { readQuery } from "./read-query.ts";

/** Where a piece of text begins and ends, in UTF-16 code units. */
export type TextRange = readonly [start: number, end: number];

const RANGES_MAX = 50;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** Letters of scripts with spaces between words: what they write in one piece is one word. */
const SPACED = /^(?:[[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]&&\p{L}]|\d)+$/v;

/** Made on first use: it takes a millisecond, which the start need not spend. */
let segmenter: Intl.Segmenter | undefined;

/**
 * Finds the ranges in texts that match the words of a query, whose last word may be unfinished where it is searched as
 * one types. One is made for all texts of a result: it reads the query once, and remembers of each word whether it is
 * meant.
 */
export function createHighlighter(
  query: string,
  options: { asYouType: boolean },
): (text: string) => TextRange[] {
  const { terms, prefix = "" } = readQuery(query, options);
  const language = languageOf(query) ?? "";
  const formOf = (word: string) => (isSpelledWord(word) ? formTerm(language, word.toLowerCase()) : undefined);
  const forms = new Set(
    wordsInQuestion(query).flatMap(({ words }) => words.flatMap((word) => formOf(word) ?? [])),
  );
  const wanted = new Set(terms);
  const initials = new Set([...terms, prefix].map((term) => term.charCodeAt(0)));
  const known = new Map<string, boolean>();

  function isMeant(word: string): boolean {
    const before = known.get(word);
    if (before !== undefined) return before;
    const begins = prefix.length > 1 && word.toLowerCase().startsWith(prefix);
    const meant = begins || analyze(word).some((term) => wanted.has(term)) || forms.has(formOf(word) ?? "");
    known.set(word, meant);
    return meant;
  }

  return (text) => {
    const ranges: TextRange[] = [];
    for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, run.end)) {
      const { start, end, isPlain } = run;
      // Most words end here: a stem begins as its word does.
      if (isPlain && !initials.has(text.charCodeAt(start) | LOWER_CASE)) continue;
      for (const [from, to] of wordsOf(text.slice(start, end), run)) {
        if (ranges.length >= RANGES_MAX) return ranges;
        if (isMeant(text.slice(from, to))) ranges.push([from, to]);
      }
    }
    return ranges;
  };
}

/** The bit in which a small ASCII letter differs from a capital one. */
const LOWER_CASE = 0x20;

/** Letters, digits and marks without anything between them. */
interface Run {
  start: number;
  end: number;
  isAscii: boolean;
  /** Small ASCII letters, of which the first may be a capital one. */
  isPlain: boolean;
}

/** The run that begins at a position, or after it. Reads codes, which is several times as fast as a pattern. */
function nextRun(text: string, from: number): Run | undefined {
  let start = from;
  while (start < text.length && !isWordCharacter(text, start)) start += lengthAt(text, start);
  if (start >= text.length) return undefined;
  let isAscii = true;
  let isPlain = true;
  let end = start;
  while (end < text.length && isWordCharacter(text, end)) {
    const code = text.charCodeAt(end);
    isAscii &&= code < ASCII;
    isPlain &&= isSmall(code) || (end === start && isSmall(code | LOWER_CASE));
    end += lengthAt(text, end);
  }
  return { start, end, isAscii, isPlain };
}

const ASCII = 0x80;
const FIRST_SURROGATE = 0xd800;

function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < ASCII) return isSmall(code | LOWER_CASE) || (code >= 48 && code <= 57);
  return WORD_CHARACTER.test(String.fromCodePoint(text.codePointAt(at) ?? code));
}

const isSmall = (code: number) => code >= 97 && code <= 122;
const lengthAt = (text: string, at: number) =>
  text.charCodeAt(at) >= FIRST_SURROGATE && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;

/** The words of a run, by where they stand in the text: without spaces, a run holds many. */
function wordsOf(written: string, { start, end, isAscii }: Run): TextRange[] {
  if (isAscii || SPACED.test(written)) return [[start, end]];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(written)].map(({ segment, index }) => [
    start + index,
    start + index + segment.length,
  ]);
}
