import { withoutQuotes } from "../read-query.ts";
import { commonLetters, type Meaning, type Words } from "./lexicon.ts";

/** A word of a question, and where it stands. */
export interface WrittenWord {
  written: string;
  at: number;
  /** Whether it is written without spaces between words: it may be several. */
  isRun: boolean;
}

const RUN = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー";
const LETTER = `(?![${RUN}])\\p{L}`;
/** Letters that are no part of a name with marks or digits in it, such as `max_retries`, `v2` and `config.json`. */
const WORD = new RegExp(
  `[${RUN}]+|(?<!${LETTER}|[\\p{N}\\p{M}_@#$/\\\\.-])(?:${LETTER}\\p{M}*)+(?!${LETTER}|[\\p{N}_@#+/\\\\]|[.-][\\p{L}\\p{N}_])`,
  "gu",
);
/** A name by its capitals, such as `PostgreSQL` and `HTTP`, is of no language. */
const MARKED_NAME = /\p{L}\p{Lu}/u;
const IS_RUN = new RegExp(`^[${RUN}]`, "u");
const CODE = /`[^`\n]*`/g;
/** Of a long text, its beginning tells what it is about. */
const WORDS_MAX = 96;
/** Where there are no spaces, the whole text may be one word. */
const CHARACTERS_MAX = 2000;

/** The words of a question, without what is quoted. */
export function wordsIn(text: string): WrittenWord[] {
  const plain = withoutQuotes(text)
    .replace(CODE, (code) => " ".repeat(code.length))
    .slice(0, CHARACTERS_MAX);
  return [...plain.matchAll(WORD)]
    .filter(([written]) => !MARKED_NAME.test(written))
    .slice(0, WORDS_MAX)
    .map(({ 0: written, index }) => ({ written, at: index, isRun: IS_RUN.test(written) }));
}

const PART_CHARACTERS_MAX = 8;
const STEM_LETTERS_MIN = 4;
const ENDING_LETTERS_MAX = 3;
/** What German and its neighbours put between the parts of a compound. */
const JOINT = /^(?:e?s|e?n)(?=\p{L}{4})/u;

/** The meanings of a word's parts, of most words one; empty where it is not known. */
export const meaningsOf = (word: WrittenWord, words: Words): Meaning[][] =>
  partsOf(word, words).map((part) => words.meanings(part));

/** How many of its letters are those of known words. One that is like a known word may be another language's. */
export function lettersKnown(word: WrittenWord, words: Words): number {
  const parts = partsOf(word, words);
  if (word.isRun) return parts.join("").length;
  if (parts.length === 0) return 0;
  return words.has(folded(word)) ? word.written.length : word.written.length / 2;
}

const folded = ({ written }: WrittenWord) => written.toLowerCase().normalize("NFC");

/** The known words that a word is, or consists of. */
function partsOf(written: WrittenWord, words: Words): string[] {
  const word = folded(written);
  if (written.isRun) return partsOfRun(word, words);
  if (words.has(word)) return [word];
  const compound = partsOfCompound(word, words);
  return compound.length > 0 ? compound : otherForm(word, words);
}

/** The words of a run: from either end the longest that fits, whichever way makes the longer ones. */
function partsOfRun(run: string, words: Words): string[] {
  const characters = [...run];
  const forwards = longestParts(characters, words);
  const backwards = longestParts(characters, words, true);
  const squares = (parts: string[]) => parts.reduce((sum, { length }) => sum + length ** 2, 0);
  return squares(forwards) > squares(backwards) ? forwards : backwards;
}

function longestParts(characters: readonly string[], words: Words, fromEnd = false): string[] {
  const parts: string[] = [];
  let from = 0;
  let end = characters.length;
  while (from < end) {
    let length = Math.min(end - from, PART_CHARACTERS_MAX);
    const part = () => {
      const start = fromEnd ? end - length : from;
      return characters.slice(start, start + length).join("");
    };
    while (length > 0 && !words.has(part())) length--;
    if (length > 0) parts.push(part());
    const taken = Math.max(1, length);
    if (fromEnd) end -= taken;
    else from += taken;
  }
  return fromEnd ? parts.toReversed() : parts;
}

/** The same word with another ending. */
function otherForm(word: string, words: Words): string[] {
  const other = words.nearest(word);
  const common = commonLetters(word, other);
  const isForm = common >= STEM_LETTERS_MIN && word.length - common <= ENDING_LETTERS_MAX;
  return other !== undefined && isForm && other.length - common <= ENDING_LETTERS_MAX ? [other] : [];
}

function partsOfCompound(word: string, words: Words): string[] {
  for (let at = word.length - STEM_LETTERS_MIN; at >= STEM_LETTERS_MIN; at--) {
    const first = word.slice(0, at);
    if (!words.has(first)) continue;
    const rest = word.slice(at);
    const second = [rest, rest.replace(JOINT, "")].find((part) => words.has(part));
    if (second !== undefined) return [first, second];
  }
  return [];
}
