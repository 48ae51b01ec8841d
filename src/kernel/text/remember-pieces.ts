const ASCII_CODES = 128;
/** What a character is to pieces: most are part of one. */
const SEPARATES = 1;
const SEPARATES_AT_END = 2;
/** Longer pieces hardly come again. */
const PIECE_CHARACTERS_MAX = 64;
/** A piece that would stand farther than this from where it belongs is not remembered: each look-up has a bound. */
const PROBES_MAX = 24;
const SLOTS_AT_FIRST = 512;
const CHARACTERS_AT_FIRST = 2048;
const NUMBERS_AT_FIRST = 1024;

/** What to make of which pieces. */
interface PieceWork {
  /** ASCII characters of which no piece has any. */
  separators: string;
  /** Those that are left out at the end of a piece. */
  separatorsAtEnd?: string;
  /** Makes numbers of a piece that has not come yet, or was forgotten, or is too long to be remembered. */
  make(piece: string): readonly number[];
  /** So many are remembered; when there are more, all are forgotten. */
  piecesKept: number;
}

/** The numbers of a piece: those of an array from a place to before another, until the next piece comes. */
type TakeNumbers = (numbers: Int32Array, from: number, end: number) => void;

/** Calls back with what was made of each piece of a text, in their order. */
export type ReadPieces = (text: string, take: TakeNumbers) => void;

/**
 * Makes numbers of each piece of texts, and remembers them: pieces repeat. A piece is what stands between two separators.
 * It is recognized by its characters where they stand in the text, and all that is remembered stands in three arrays: a
 * string for each piece, as a Map needs it, and small objects all over the memory take several times as long.
 */
export function rememberPieces(work: PieceWork): ReadPieces {
  const roles = rolesOf(work);
  let table = createTable();
  let count = 0;

  function handOver(text: string, from: number, end: number, hash: number, take: TakeNumbers): void {
    let at = find(table, text, from, end, hash);
    if (at < 0) {
      if (count++ >= work.piecesKept) {
        table = createTable();
        count = 1;
      }
      at = add(table, { text, from, end, hash, made: work.make(text.slice(from, end)) });
    }
    take(table.made, at + 1, at + 1 + (table.made[at] ?? 0));
  }

  function handOverLong(piece: string, take: TakeNumbers): void {
    const made = Int32Array.from(work.make(piece));
    take(made, 0, made.length);
  }

  return (text, take) => {
    for (let at = 0; at < text.length; at++) {
      const from = at;
      let end = at;
      let hash = 0;
      let hashAtEnd = 0;
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const role = code < ASCII_CODES ? roles[code] : 0;
        if (role === SEPARATES) break;
        hash = Math.imul(hash ^ code, 0x01000193);
        if (role === SEPARATES_AT_END) continue;
        end = at + 1;
        hashAtEnd = hash;
      }
      if (end - from > PIECE_CHARACTERS_MAX) handOverLong(text.slice(from, end), take);
      else if (end > from) handOver(text, from, end, hashAtEnd ^ (hashAtEnd >>> 15), take);
    }
  };
}

function rolesOf({ separators, separatorsAtEnd = "" }: PieceWork): Uint8Array {
  const roles = new Uint8Array(ASCII_CODES);
  for (const separator of separators) roles[separator.charCodeAt(0)] = SEPARATES;
  for (const separator of separatorsAtEnd) roles[separator.charCodeAt(0)] = SEPARATES_AT_END;
  return roles;
}

interface Table {
  /**
   * Four numbers for each slot, which stand together: its piece's hash, its length, where its characters begin, and where
   * the numbers that were made of it do. The length is 0 where there is no piece.
   */
  slots: Int32Array;
  pieces: number;
  /** Of all pieces, one after the other. */
  characters: Uint16Array;
  charactersUsed: number;
  /** How many numbers were made of a piece, and these; and so for all pieces. */
  made: Int32Array;
  madeUsed: number;
}

const SLOT = 4;
const LENGTH = 1;
const START = 2;
const MADE = 3;

const createTable = (): Table => ({
  slots: new Int32Array(SLOT * SLOTS_AT_FIRST),
  pieces: 0,
  characters: new Uint16Array(CHARACTERS_AT_FIRST),
  charactersUsed: 0,
  made: new Int32Array(NUMBERS_AT_FIRST),
  madeUsed: 0,
});

/** Where the numbers of a piece begin; -1 for one that is not known. */
function find({ slots, characters }: Table, text: string, from: number, end: number, hash: number): number {
  const mask = slots.length - 1;
  let at = (hash * SLOT) & mask;
  for (let probe = 0; probe < PROBES_MAX; probe++, at = (at + SLOT) & mask) {
    const length = slots[at + LENGTH];
    if (length === 0) return -1;
    if (slots[at] !== hash || length !== end - from) continue;
    let place = slots[at + START] ?? 0;
    let index = from;
    for (; index < end && text.charCodeAt(index) === characters[place]; index++) place++;
    if (index === end) return slots[at + MADE] ?? -1;
  }
  return -1;
}

interface NewPiece {
  text: string;
  from: number;
  end: number;
  hash: number;
  made: readonly number[];
}

/** Remembers a piece, and returns where its numbers begin. It is not found again where too many others have its slot. */
function add(table: Table, { text, from, end, hash, made }: NewPiece): number {
  const numbersAt = table.madeUsed;
  table.madeUsed += 1 + made.length;
  if (table.madeUsed > table.made.length) table.made = grown(table.made, table.madeUsed, Int32Array);
  table.made[numbersAt] = made.length;
  table.made.set(made, numbersAt + 1);
  if (2 * SLOT * (table.pieces + 1) > table.slots.length) table.slots = spread(table.slots);
  const start = table.charactersUsed;
  if (!put(table.slots, hash, end - from, start, numbersAt)) return numbersAt;
  table.pieces++;
  table.charactersUsed += end - from;
  if (table.charactersUsed > table.characters.length)
    table.characters = grown(table.characters, table.charactersUsed, Uint16Array);
  for (let at = from; at < end; at++) table.characters[start + at - from] = text.charCodeAt(at);
  return numbersAt;
}

/** The same numbers in an array with more room. */
function grown<T extends Int32Array | Uint16Array>(
  numbers: T,
  least: number,
  Numbers: new (length: number) => T,
): T {
  const longer = new Numbers(Math.max(least, 2 * numbers.length));
  longer.set(numbers);
  return longer;
}

function put(slots: Int32Array, hash: number, length: number, start: number, made: number): boolean {
  const mask = slots.length - 1;
  let at = (hash * SLOT) & mask;
  for (let probe = 0; probe < PROBES_MAX; probe++, at = (at + SLOT) & mask) {
    if (slots[at + LENGTH] !== 0) continue;
    slots[at] = hash;
    slots[at + LENGTH] = length;
    slots[at + START] = start;
    slots[at + MADE] = made;
    return true;
  }
  return false;
}

/** The same pieces in twice as many slots. */
function spread(slots: Int32Array): Int32Array {
  const wider = new Int32Array(2 * slots.length);
  for (let at = 0; at < slots.length; at += SLOT) {
    const length = slots[at + LENGTH] ?? 0;
    if (length > 0) put(wider, slots[at] ?? 0, length, slots[at + START] ?? 0, slots[at + MADE] ?? 0);
  }
  return wider;
}
