import { createByteWriter } from "./bytes.ts";

// The words of a segment as they are written, in the order of their terms. Each is two bytes, which say how many bytes
// it shares with the one before, how many follow, and in how many passages it is; and those that follow, in UTF-8.

/** A word, and in how many passages it is: nearly, because only the power of two is kept. */
export interface CountedWord {
  word: string;
  passages: number;
}

const ROW_BYTES = 4000;
/** Six bits each for what is shared and what follows, four for the power of two. */
const LENGTH_BITS = 6;
const LENGTH_MAX = 2 ** LENGTH_BITS - 1;
const POWER_MAX = 15;
const LOW_POWER = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes the words of a segment into rows. */
export function createWordRows(put: (index: number, bytes: Uint8Array) => void) {
  const row = createByteWriter(ROW_BYTES);
  let rows = 0;
  let last = new Uint8Array();

  function endRow(): void {
    put(rows++, row.take());
    last = new Uint8Array();
  }

  return {
    add({ word, passages }: CountedWord): void {
      const encoded = encoder.encode(word);
      if (encoded.length > LENGTH_MAX) return;
      if (row.length + encoded.length + 2 > ROW_BYTES) endRow();
      let shared = 0;
      while (shared < last.length && last[shared] === encoded[shared]) shared++;
      const power = powerOf(passages);
      row.bytes(
        Uint8Array.of(
          shared | ((power & LOW_POWER) << LENGTH_BITS),
          (encoded.length - shared) | ((power >> 2) << LENGTH_BITS),
        ),
      );
      row.bytes(encoded.subarray(shared));
      last = encoded;
    },
    /** Returns the number of rows. */
    end(): number {
      if (row.length > 0) endRow();
      return rows;
    },
  };
}

/** The words of a row, in order. */
export function readWords(row: Uint8Array): CountedWord[] {
  const words: CountedWord[] = [];
  readWordBytes(row, (bytes, length, power) => {
    words.push({ word: decoder.decode(bytes.subarray(0, length)), passages: passagesOf(power) });
  });
  return words;
}

/** What is told of each word: its bytes, which hold only until the next one, their number, and the power of two of its passages. */
type OnWordBytes = (bytes: Uint8Array, length: number, power: number) => void;

/** Tells each word of a row, in order. */
export function readWordBytes(row: Uint8Array, onWord: OnWordBytes): void {
  const word = new Uint8Array(2 * LENGTH_MAX);
  for (let at = 0; at < row.length; ) {
    const first = row[at++] ?? 0;
    const second = row[at++] ?? 0;
    const shared = first & LENGTH_MAX;
    const length = shared + (second & LENGTH_MAX);
    for (let index = shared; index < length; index++) word[index] = row[at++] ?? 0;
    onWord(word, length, (first >> LENGTH_BITS) | ((second >> LENGTH_BITS) << 2));
  }
}

const powerOf = (passages: number) => Math.min(POWER_MAX, 31 - Math.clz32(passages));
/** The middle of what the power may stand for, so that sums of several are about right. */
export const passagesOf = (power: number) => (power === 0 ? 1 : 1.5 * 2 ** power);
