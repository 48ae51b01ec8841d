import { letOthersRun } from "../lib/event-loop.ts";

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

/** Splits texts into entries of one vocabulary. */
export interface Wordpiece {
  /** What words were split into is remembered until all texts of this reading are: words repeat. */
  reading(): (text: string) => Pieces;
}

interface Word {
  ids: readonly number[];
  isWhole: boolean;
}

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
  return {
    reading() {
      const remembered = new Map<string, Word>();
      const lookUp = (word: string) => {
        const known = remembered.get(word);
        if (known !== undefined) return known;
        const cut = cutWord(word, idOf);
        remembered.set(word, cut);
        return cut;
      };
      return (text) => encode(text, lookUp);
    },
  };
}

function encode(text: string, lookUp: (word: string) => Word): Pieces {
  const ids: number[] = [];
  let characters = 0;
  let charactersInWholeWords = 0;
  const spaced = HAS_IDEOGRAPH.test(text) ? text.replace(IDEOGRAPH, " $& ") : text;
  for (const word of spaced.match(WORD) ?? []) {
    const cut = lookUp(word);
    characters += word.length;
    if (cut.isWhole) charactersInWholeWords += word.length;
    for (const id of cut.ids) ids.push(id);
  }
  return { ids, characters, charactersInWholeWords };
}

function cutWord(word: string, idOf: ReadonlyMap<string, number>): Word {
  if (word.length > WORD_CHARACTERS_MAX) return { ids: [], isWhole: false };
  // Most words are entries as they are written.
  const whole = idOf.get(word) ?? idOf.get(fold(word));
  if (whole !== undefined) return { ids: [whole], isWhole: true };
  const parts = word.split(CAMEL_JOINT).map(fold);
  return {
    ids: parts.flatMap((part) => cutPart(part, idOf)),
    isWhole: parts.every((part) => idOf.has(part)),
  };
}

/**
 * The longest entry that begins the part, then the longest that continues it, and so on; empty if it cannot
 * be spelled.
 */
function cutPart(part: string, idOf: ReadonlyMap<string, number>): number[] {
  const ids: number[] = [];
  let start = 0;
  while (start < part.length) {
    let end = Math.min(part.length, start + PIECE_CHARACTERS_MAX);
    let id: number | undefined;
    while (end > start) {
      id = idOf.get((start > 0 ? "##" : "") + part.slice(start, end));
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
