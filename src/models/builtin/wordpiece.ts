import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { rememberPieces } from "@docent/kernel/text/remember-pieces";

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

/** The entries of a vocabulary, each with its number. */
interface Vocabulary {
  /** The number of an entry. With `continues`, of the one that continues a word: it has `##` before it. */
  idOf(text: string, continues?: boolean): number | undefined;
}

/** Entries that are numbered before others may run: all of them at once take some milliseconds. */
const NUMBERED_AT_ONCE = 4096;

/**
 * Numbers the lines of a text. The text itself is kept and an entry is recognized by its characters there: with a string
 * for each, a Map of the built-in vocabulary takes eight megabytes instead of one.
 */
export async function openVocabulary(text: string): Promise<Vocabulary> {
  const starts = startsOf(text);
  const entries = starts.length - 1;
  // At most half full, so that what is looked for stands near where it belongs.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * entries + 1)));
  const mask = slots.length - 1;
  for (let id = 0; id < entries; id++) {
    if (id % NUMBERED_AT_ONCE === 0) await letOthersRun();
    let at = spread(hashOn(0, text, starts[id] ?? 0, endOf(id))) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    // 0 is for no entry.
    slots[at] = id + 1;
  }

  function endOf(id: number): number {
    return (starts[id + 1] ?? 0) - 1;
  }

  /** Whether an entry is a piece of text, after `##` or from its beginning. */
  function isAt(id: number, piece: string, after: number): boolean {
    const start = (starts[id] ?? 0) + after;
    if (endOf(id) - start !== piece.length) return false;
    if (after > 0 && !text.startsWith(CONTINUES, start - after)) return false;
    for (let index = 0; index < piece.length; index++)
      if (text.charCodeAt(start + index) !== piece.charCodeAt(index)) return false;
    return true;
  }

  return {
    idOf(piece, continues = false) {
      const after = continues ? CONTINUES.length : 0;
      const hash = spread(hashOn(continues ? CONTINUES_HASH : 0, piece, 0, piece.length));
      for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
        const id = (slots[at] ?? 0) - 1;
        if (isAt(id, piece, after)) return id;
      }
      return undefined;
    },
  };
}

/** Where each line begins, and where one more would. */
function startsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return Uint32Array.from([...starts, text.length + 1]);
}

/** Takes the characters between two places into a hash. */
function hashOn(hash: number, text: string, from: number, end: number): number {
  let mixed = hash;
  for (let at = from; at < end; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

const CONTINUES = "##";
const CONTINUES_HASH = hashOn(0, CONTINUES, 0, CONTINUES.length);
/** The lower bits, of which a place is made, know little of the last characters. */
const spread = (hash: number) => hash ^ (hash >>> 15);
