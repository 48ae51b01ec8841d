import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type RowReader, readWordBytes, type Segment, wordRowsOf } from "../segment/segment.ts";

/** The words of a segment, as they are compared. */
export interface WordList {
  /** Those of each length. */
  byLength: readonly WordsOfLength[];
  /** What they take in memory. */
  bytes: number;
}

/** Words of one length. */
interface WordsOfLength {
  size: number;
  /** Their letters, without accents, one word behind the other. */
  codes: Uint16Array;
  /** Which letters each of them has. */
  signs: Uint32Array;
  /** The power of two of the passages that have it. */
  powers: Uint8Array;
  /** Words that are written with accents, by their number. */
  accented: Map<number, string>;
}

/** A few milliseconds' work. */
const ROWS_AT_ONCE = 4;
const SIGN_BITS = 32;
const WORDS_AT_FIRST = 16;
const BYTES_BESIDES_LETTERS = 5;
const ACCENTED_BYTES = 100;

const decoder = new TextDecoder();

/** Reads the words of a segment, some rows at a time. */
export async function readWordList(rows: RowReader, segment: Segment): Promise<WordList> {
  const numbers = wordRowsOf(segment);
  const byLength: WordsOfLength[] = [];
  const add = (bytes: Uint8Array, length: number, power: number) => {
    if (isAscii(bytes, length)) addLetters(wordsOf(byLength, length), bytes, length, power);
    else addWord(byLength, decoder.decode(bytes.subarray(0, length)), power);
  };
  for (let at = 0; at < numbers.length; at += ROWS_AT_ONCE) {
    const some = numbers.slice(at, at + ROWS_AT_ONCE);
    const read = await rows.read(segment.id, some);
    for (const number of some) readWordBytes(read.get(number) ?? new Uint8Array(), add);
    await letOthersRun();
  }
  return { byLength, bytes: bytesOf(byLength) };
}

/** The list of some words, all equally frequent. */
export function wordListOf(words: Iterable<string>, power: number): WordList {
  const byLength: WordsOfLength[] = [];
  for (const word of words) addWord(byLength, word, power);
  return { byLength, bytes: bytesOf(byLength) };
}

const bytesOf = (byLength: readonly WordsOfLength[]) =>
  byLength.reduce(
    (sum, { signs, accented }, length) =>
      sum + signs.length * (2 * length + BYTES_BESIDES_LETTERS) + accented.size * ACCENTED_BYTES,
    0,
  );

function wordsOf(byLength: WordsOfLength[], length: number): WordsOfLength {
  while (byLength.length <= length)
    byLength.push({
      size: 0,
      codes: new Uint16Array(WORDS_AT_FIRST * byLength.length),
      signs: new Uint32Array(WORDS_AT_FIRST),
      powers: new Uint8Array(WORDS_AT_FIRST),
      accented: new Map(),
    });
  const own = byLength[length];
  if (own === undefined) throw new RangeError("there is a list for each length");
  if (own.size === own.signs.length) makeRoom(own);
  return own;
}

function makeRoom(own: WordsOfLength): void {
  const { codes, signs, powers } = own;
  own.codes = new Uint16Array(codes.length * 2);
  own.codes.set(codes);
  own.signs = new Uint32Array(signs.length * 2);
  own.signs.set(signs);
  own.powers = new Uint8Array(powers.length * 2);
  own.powers.set(powers);
}

function addLetters(own: WordsOfLength, letters: ArrayLike<number>, length: number, power: number): void {
  const { codes, size } = own;
  let sign = 0;
  for (let at = 0; at < length; at++) {
    const code = letters[at] ?? 0;
    codes[size * length + at] = code;
    sign |= 1 << (code % SIGN_BITS);
  }
  own.signs[size] = sign;
  own.powers[size] = power;
  own.size++;
}

function addWord(byLength: WordsOfLength[], word: string, power: number): void {
  const letters = lettersOf(word);
  const own = wordsOf(byLength, letters.length);
  if (String.fromCharCode(...letters) !== word) own.accented.set(own.size, word);
  addLetters(own, letters, letters.length, power);
}

function isAscii(bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if ((bytes[at] ?? 0) >= 0x80) return false;
  return true;
}

/** The letters of a word as they are compared: nobody is corrected for an accent. */
export function lettersOf(word: string): Uint16Array {
  const letters = word
    .normalize("NFD")
    .replace(/\p{Mn}+/gu, "")
    .normalize("NFC");
  return Uint16Array.from({ length: letters.length }, (_, at) => letters.charCodeAt(at));
}

/** Which letters a word has. */
export function signOf(letters: Uint16Array): number {
  let sign = 0;
  for (const code of letters) sign |= 1 << (code % SIGN_BITS);
  return sign;
}

/** A word, as it is written. */
export function wordAt({ codes, accented }: WordsOfLength, length: number, index: number): string {
  return accented.get(index) ?? String.fromCharCode(...codes.subarray(index * length, (index + 1) * length));
}
