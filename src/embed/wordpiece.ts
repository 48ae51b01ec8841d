import { letOthersRun } from "../lib/event-loop.ts";
import { rememberPieces } from "../text/remember-pieces.ts";

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
/** Entries that are numbered before others may run: all of them at once take 16 ms. */
const NUMBERED_AT_ONCE = 4096;
/** ASCII characters that no word has. */
const BETWEEN_WORDS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  .join("")
  .replace(/[a-z0-9]/gi, "");
/** What is remembered of texts: words repeat, in all pages. */
const PARTS_KEPT = 30_000;

/** Splits by a vocabulary of BERT's kind, where an entry with `##` continues a word. */
export async function openWordpiece(vocabulary: readonly string[]): Promise<Wordpiece> {
  const idOf = new Map<string, number>();
  for (const [id, entry] of vocabulary.entries()) {
    if (id % NUMBERED_AT_ONCE === 0) await letOthersRun();
    idOf.set(entry, id);
  }
  return createWordpiece(idOf);
}

function createWordpiece(idOf: ReadonlyMap<string, number>): Wordpiece {
  const read = rememberPieces({
    separators: BETWEEN_WORDS,
    make(part) {
      const { ids, characters, charactersInWholeWords } = cutPart(part, idOf);
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
function cutPart(part: string, idOf: ReadonlyMap<string, number>): Pieces {
  const pieces: Pieces = { ids: [], characters: 0, charactersInWholeWords: 0 };
  for (const word of wordsIn(part)) {
    const { ids, isWhole } = cutWord(word, idOf);
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

function cutWord(word: string, idOf: ReadonlyMap<string, number>): { ids: number[]; isWhole: boolean } {
  if (word.length > WORD_CHARACTERS_MAX) return { ids: [], isWhole: false };
  // Most words are entries as they are written.
  const whole = idOf.get(word) ?? idOf.get(fold(word));
  if (whole !== undefined) return { ids: [whole], isWhole: true };
  const names = word.split(CAMEL_JOINT).map(fold);
  return {
    ids: names.flatMap((name) => spell(name, idOf)),
    isWhole: names.every((name) => idOf.has(name)),
  };
}

/**
 * The longest entry that begins the name, then the longest that continues it, and so on; empty if it cannot
 * be spelled.
 */
function spell(name: string, idOf: ReadonlyMap<string, number>): number[] {
  const ids: number[] = [];
  let start = 0;
  while (start < name.length) {
    let end = Math.min(name.length, start + PIECE_CHARACTERS_MAX);
    let id: number | undefined;
    while (end > start) {
      id = idOf.get((start > 0 ? "##" : "") + name.slice(start, end));
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
