import { UNSPACED } from "@docent/kernel/text/sentences/sentences";
import type { Passage } from "../passages/passages.ts";
import { type Gap, gapsIn, shownAs } from "./align.ts";
import { type AuthoredFormat, authoredText } from "./authored-words.ts";

export { AUTHORED_FORMATS, type AuthoredFormat } from "./authored-words.ts";

/** A page as its author wrote it. */
export interface Authored {
  text: string;
  /** What Docent wrote itself, of a document or what is not known, is not compared. */
  format: AuthoredFormat | "written" | "document";
}

/** Words that are missing in the middle of a sentence that is shown. */
export interface LostWords {
  /** As they were written, with one space between them. */
  words: string;
  /** The same with some of the words around them. */
  context: string;
  /** The position of the passage that lacks them. */
  passage: number;
}

const WORD = new RegExp(
  `[${UNSPACED.short}${UNSPACED.long}]|(?:(?![${UNSPACED.short}${UNSPACED.long}])[\\p{L}\\p{M}\\p{N}])+`,
  "gu",
);
/** The same for text in ASCII, which most is: several times as fast. */
const ASCII_WORD = /[a-z\d]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/;
const CHARACTERS_MAX = 2_000_000;
const CONTEXT_WORDS = 5;
/** Beyond it, a page is no text that was lost in part: each passage that lacks words is to be known. */
const LOST_MAX = 10_000;

/**
 * The words of a page that are missing where its passages show what stands around them. What is shown in other words, or
 * not at all, is no such loss: only a sentence with a hole says something else than the page does.
 */
export function lostWords(
  { text, format }: Authored,
  { title, passages }: { title: string; passages: readonly Passage[] },
): LostWords[] {
  if (text.length > CHARACTERS_MAX || format === "written" || format === "document") return [];
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const known = numbers.get(word) ?? numbers.size + 1;
    if (known > numbers.size) numbers.set(word, known);
    return known;
  };
  const { words, starts } = shownWords(title, passages, numberOf);
  const shown = shownAs(words);
  const found: LostWords[] = [];
  let near = 0;
  for (const stretch of authoredText(text, format).split("\n")) {
    const said = wordsIn(stretch);
    const numbered = new Int32Array(said.map((word) => numbers.get(word) ?? 0));
    const followed = gapsIn(numbered, shown, near);
    near = followed.near;
    for (const gap of followed.gaps) {
      if (found.length >= LOST_MAX) return found;
      found.push({ ...inWords(said, gap), passage: passageAt(starts, gap.shownAt) });
    }
  }
  return found;
}

const wordsIn = (text: string): string[] => {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  const plain = text
    .normalize("NFKC")
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .toLowerCase();
  return plain.match(WORD) ?? [];
};

/** The words of all passages in their order, and where each begins. */
function shownWords(title: string, passages: readonly Passage[], numberOf: (word: string) => number) {
  const numbers: number[] = wordsIn(title).map(numberOf);
  let above: readonly string[] = [];
  const starts = passages.map(({ headingPath, text }) => {
    const start = numbers.length;
    const other = headingPath.findIndex((heading, index) => heading !== above[index]);
    const own = other < 0 ? [] : headingPath.slice(other);
    above = headingPath;
    for (const each of [...own, text]) for (const word of wordsIn(each)) numbers.push(numberOf(word));
    return start;
  });
  return { words: new Int32Array(numbers), starts };
}

const inWords = (said: readonly string[], { from, to }: Gap) => ({
  words: said.slice(from, to).join(" "),
  context: said.slice(Math.max(0, from - CONTEXT_WORDS), to + CONTEXT_WORDS).join(" "),
});

function passageAt(starts: readonly number[], word: number): number {
  const after = starts.findIndex((start) => start > word);
  return (after < 0 ? starts.length : after) - 1;
}
