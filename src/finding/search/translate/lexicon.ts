import { AppError } from "@docent/kernel/errors";
import asset from "./lexicon.bin" with { type: "file" };

// The asset, little-endian, made by scripts/lexicon/pack.py:
//
//   0   4 bytes   "DLEX"
//   4   uint32    format version, 1
//   8   uint32    languages
//   12  uint32    bytes of the English words
//   16  16 bytes  zero
//   32  32 bytes  SHA-256 of all that follows
//   64            the English words, UTF-8, parted by newlines
//   …             the languages, one after the other:
//
//   0   uint32    words
//   4   uint32    bytes of all words together
//   8             where each word begins among these, and where the last ends: uint32
//   …             what each word means: three times the number of an English word, uint16, and how likely it is, a byte
//   …             the words in lower case, UTF-8, by their bytes

/** An English word that a word of another language means, and how likely it is, from 0 to 1. */
export interface Meaning {
  english: string;
  share: number;
}

/** The words of one language. */
export interface Words {
  /** The meanings of a word in lower case, the likeliest first; empty where it is not known. */
  meanings(word: string): Meaning[];
  has(word: string): boolean;
  /** The known word that has the longest beginning in common with one that is not known; undefined in an empty list. */
  nearest(word: string): string | undefined;
}

const MAGIC = "DLEX";
const FORMAT_VERSION = 1;
const HEADER_BYTES = 64;
const MEANINGS = 3;
const MEANING_BYTES = 3;
const SHARE_MOST = 255;

/** Reads the asset. Words are looked up in its bytes as they are: as objects, they would take twenty times the memory. */
export function readLexicon(asset: Uint8Array): Words[] {
  const view = new DataView(asset.buffer, asset.byteOffset, asset.byteLength);
  const magic = new TextDecoder().decode(asset.subarray(0, MAGIC.length));
  if (magic !== MAGIC || view.getUint32(4, true) !== FORMAT_VERSION) throw unreadable("it is no lexicon");
  let at = HEADER_BYTES + view.getUint32(12, true);
  const english = new TextDecoder().decode(asset.subarray(HEADER_BYTES, at)).split("\n");
  const languages: Words[] = [];
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const table = tableAt(asset, view, at);
    languages.push(wordsOf(table, english));
    at = table.end;
  }
  if (at !== asset.byteLength) throw unreadable("it has another length");
  return languages;
}

interface Table {
  asset: Uint8Array;
  view: DataView;
  words: number;
  startsAt: number;
  meaningsAt: number;
  textAt: number;
  end: number;
}

function tableAt(asset: Uint8Array, view: DataView, at: number): Table {
  const words = view.getUint32(at, true);
  const startsAt = at + 8;
  const meaningsAt = startsAt + 4 * (words + 1);
  const textAt = meaningsAt + words * MEANINGS * MEANING_BYTES;
  return { asset, view, words, startsAt, meaningsAt, textAt, end: textAt + view.getUint32(at + 4, true) };
}

function wordsOf(table: Table, english: readonly string[]): Words {
  const encoder = new TextEncoder();
  return {
    has: (word) => find(table, encoder.encode(word)).isFound,
    nearest(word) {
      const { index } = find(table, encoder.encode(word));
      const [before, after] = [index - 1, index].map((each) => wordAt(table, each));
      return commonLetters(word, before) > commonLetters(word, after) ? before : after;
    },
    meanings(word) {
      const { index, isFound } = find(table, encoder.encode(word));
      if (!isFound) return [];
      const { view, meaningsAt } = table;
      const meanings: Meaning[] = [];
      for (let rank = 0; rank < MEANINGS; rank++) {
        const at = meaningsAt + (index * MEANINGS + rank) * MEANING_BYTES;
        const share = view.getUint8(at + 2) / SHARE_MOST;
        const word = english[view.getUint16(at, true)];
        if (share > 0 && word !== undefined) meanings.push({ english: word, share });
      }
      return meanings;
    },
  };
}

/** How many letters two words begin with alike. */
export function commonLetters(word: string, other: string | undefined): number {
  let common = 0;
  while (common < word.length && word[common] === other?.[common]) common++;
  return common;
}

function wordAt({ asset, view, words, startsAt, textAt }: Table, index: number): string | undefined {
  if (index < 0 || index >= words) return undefined;
  const [start, end] = [index, index + 1].map((each) => textAt + view.getUint32(startsAt + 4 * each, true));
  return new TextDecoder().decode(asset.subarray(start, end));
}

/** The place of a word among those of its language, or where it would stand. */
function find(
  { asset, view, words, startsAt, textAt }: Table,
  wanted: Uint8Array,
): { index: number; isFound: boolean } {
  let low = 0;
  let high = words;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = textAt + view.getUint32(startsAt + 4 * middle, true);
    const end = textAt + view.getUint32(startsAt + 4 * (middle + 1), true);
    const order = compare(asset, start, end, wanted);
    if (order === 0) return { index: middle, isFound: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { index: low, isFound: false };
}

function compare(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): number {
  const length = Math.min(end - start, wanted.length);
  for (let index = 0; index < length; index++) {
    const order = (bytes[start + index] ?? 0) - (wanted[index] ?? 0);
    if (order !== 0) return order;
  }
  return end - start - wanted.length;
}

function unreadable(why: string): AppError {
  return new AppError("internal", "Internal error", {
    cause: `The words of other languages can't be read: ${why}`,
  });
}

/** The words inside the binary. */
export const readLexiconAsset = (): Promise<Uint8Array> => Bun.file(asset).bytes();
