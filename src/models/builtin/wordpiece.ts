import { rememberPieces } from "@docent/kernel/text/remember-pieces";
import { openVocabulary, type Vocabulary } from "./vocabulary.ts";

// Splits a text's words into entries of a vocabulary. scripts/embedder/wordpiece.py does the same where the
// vectors are made: a change here needs one there, and new vectors.

/** The vocabulary entries that a text consists of. */
export interface Pieces {
  ids: number[];
  /**
   * The characters of all words, and of those that are entries themselves: how well the text's language is
   * known.
   */
  characters: number;
  charactersInWholeWords: number;
}

/** Splits a text into entries of one vocabulary. */
export type Wordpiece = (text: string) => Pieces;

const WORD = /(?:[\p{L}\p{N}]\p{M}*)+/gu;
/** Characters of scripts without spaces: each is a word. */
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]/gu;
const HAS_IDEOGRAPH = new RegExp(IDEOGRAPH.source, "u");
/** Splits fooBar and HTTPServer into two words each, unless the whole is an entry. */
const CAMEL_JOINT = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const ASCII = /^[\0-\x7f]*$/;
const WORD_CHARACTERS_MAX = 100;
const PIECE_CHARACTERS_MAX = 40;
/** ASCII characters that no word has. */
const BETWEEN_WORDS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  .join("")
  .replace(/[a-z0-9]/gi, "");
/** What is remembered of texts: words repeat, in all pages. */
const PARTS_KEPT = 30_000;

/** Splits by a vocabulary of BERT's kind, an entry a line, where one with `##` continues a word. */
export const openWordpiece = async (entries: string): Promise<Wordpiece> =>
  createWordpiece(await openVocabulary(entries));

function createWordpiece(vocabulary: Vocabulary): Wordpiece {
  const read = rememberPieces({
    separators: BETWEEN_WORDS,
    make(part) {
      const { ids, characters, charactersInWholeWords } = cutPart(part, vocabulary);
      return [characters, charactersInWholeWords, ...ids];
    },
    piecesKept: PARTS_KEPT,
  });
  return (text) => {
    const pieces: Pieces = { ids: [], characters: 0, charactersInWholeWords: 0 };
    read(text, (numbers, from, end) => {
      pieces.characters += numbers[from] ?? 0;
      pieces.charactersInWholeWords += numbers[from + 1] ?? 0;
      for (let at = from + 2; at < end; at++) pieces.ids.push(numbers[at] ?? 0);
    });
    return pieces;
  };
}

/** Cuts what stands between two separators: a word, or several beyond ASCII. */
function cutPart(part: string, vocabulary: Vocabulary): Pieces {
  const pieces: Pieces = { ids: [], characters: 0, charactersInWholeWords: 0 };
  for (const word of wordsIn(part)) {
    const { ids, isWhole } = cutWord(word, vocabulary);
    pieces.ids.push(...ids);
    pieces.characters += word.length;
    if (isWhole) pieces.charactersInWholeWords += word.length;
  }
  return pieces;
}

function wordsIn(text: string): string[] {
  const spaced = HAS_IDEOGRAPH.test(text) ? text.replace(IDEOGRAPH, " $& ") : text;
  return spaced.match(WORD) ?? [];
}

function cutWord(word: string, vocabulary: Vocabulary): { ids: number[]; isWhole: boolean } {
  if (word.length > WORD_CHARACTERS_MAX) return { ids: [], isWhole: false };
  // Most words are entries as they are written.
  const whole = vocabulary.idOf(word) ?? vocabulary.idOf(fold(word));
  if (whole !== undefined) return { ids: [whole], isWhole: true };
  const names = word.split(CAMEL_JOINT).map(fold);
  return {
    ids: names.flatMap((name) => spell(name, vocabulary)),
    isWhole: names.every((name) => vocabulary.idOf(name) !== undefined),
  };
}

/**
 * The longest entry that begins the name, then the longest that continues it, and so on; empty if it cannot
 * be spelled.
 */
function spell(name: string, vocabulary: Vocabulary): number[] {
  const ids: number[] = [];
  let start = 0;
  while (start < name.length) {
    let end = Math.min(name.length, start + PIECE_CHARACTERS_MAX);
    let id: number | undefined;
    while (end > start) {
      id = vocabulary.idOf(name.slice(start, end), start > 0);
      if (id !== undefined) break;
      end--;
    }
    if (id === undefined) return [];
    ids.push(id);
    start = end;
  }
  return ids;
}

/** Lower case, without accents. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize("NFD").replace(/\p{Mn}/gu, "");
}
