import { cursorOf, readNumber, skipNumbers } from "./bytes.ts";
import { BLOCK_DOCUMENTS } from "./list-writer.ts";
import type { Occurrences } from "./occurrences.ts";
import { placeOf } from "./occurrences.ts";
import type { TermEntry } from "./read-segment.ts";

/** The list of a term's documents, block by block. */
export interface List {
  /** The number of documents. */
  readonly size: number;
  readonly blocks: number;
  readonly bytes: Uint8Array;
  /** The last document of each block. */
  readonly lastOf: Int32Array;
  /** Where each block begins. */
  readonly startOf: Int32Array;
  /** Where the positions of each block begin, counted from the term's first. */
  readonly positionsOf: Int32Array;
  /**
   * How the best documents of a block may stand: pairs of an occurrence and a length, those of a block up to where
   * `boundsOf` says that the next one's begin. A list of one block has none.
   */
  readonly bounds: Int32Array;
  readonly boundsOf: Int32Array;
}

/** No document has this number, so a list of one block ends before it. */
const DOCUMENTS_MAX = 0x7fffffff;

/** One block, decoded. */
export interface DecodedBlock {
  size: number;
  documents: Int32Array;
  occurrences: Int32Array;
}

export const createBlock = (): DecodedBlock => ({
  size: 0,
  documents: new Int32Array(BLOCK_DOCUMENTS),
  occurrences: new Int32Array(BLOCK_DOCUMENTS),
});

/** What lists of one block have in common. */
const OF_ONE_BLOCK = {
  blocks: 1,
  lastOf: Int32Array.of(DOCUMENTS_MAX),
  positionsOf: Int32Array.of(0, 0),
  boundsOf: Int32Array.of(0, 0),
  bounds: new Int32Array(),
};

/** Opens a list in the block of terms that has it. */
export function openList(bytes: Uint8Array, { documents, listAt }: TermEntry): List {
  const blocks = Math.ceil(documents / BLOCK_DOCUMENTS);
  if (blocks === 1) return { ...OF_ONE_BLOCK, size: documents, bytes, startOf: Int32Array.of(listAt) };
  const list = {
    size: documents,
    blocks,
    bytes,
    lastOf: new Int32Array(blocks),
    startOf: new Int32Array(blocks + 1),
    positionsOf: new Int32Array(blocks + 1),
    boundsOf: new Int32Array(blocks + 1),
  };
  const cursor = cursorOf(bytes, listAt);
  const bounds: number[] = [];
  let last = -1;
  let start = 0;
  let positions = 0;
  for (let block = 0; block < blocks; block++) {
    last += readNumber(cursor);
    list.lastOf[block] = last;
    list.startOf[block] = start;
    start += readNumber(cursor);
    list.positionsOf[block] = positions;
    positions += readNumber(cursor);
    list.boundsOf[block] = bounds.length;
    for (let left = readNumber(cursor); left > 0; left--) bounds.push(readNumber(cursor), readNumber(cursor));
  }
  list.boundsOf[blocks] = bounds.length;
  for (let block = 0; block < blocks; block++) list.startOf[block] = (list.startOf[block] ?? 0) + cursor.at;
  return { ...list, bounds: Int32Array.from(bounds) };
}

/** How many documents a block of a list has. */
const sizeOf = ({ size, blocks }: List, block: number) =>
  block < blocks - 1 ? BLOCK_DOCUMENTS : size - block * BLOCK_DOCUMENTS;

/** Decodes a block into arrays that are used again for the next one. */
export function decodeBlock(list: List, block: number, into: DecodedBlock): void {
  const { bytes } = list;
  const { documents, occurrences } = into;
  const size = sizeOf(list, block);
  let at = list.startOf[block] ?? 0;
  let document = block === 0 ? -1 : (list.lastOf[block - 1] ?? 0);
  for (let index = 0; index < size; index++) {
    // Nearly all numbers are one byte: reading them by a call takes twice as long.
    let byte = bytes[at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    document += value + 1;
    documents[index] = document;
    byte = bytes[at++] ?? 0;
    value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    occurrences[index] = value;
  }
  into.size = size;
}

/** Where the positions of each document of a block begin, behind those of the last one where they end. */
export function positionStarts(
  list: List,
  block: number,
  decoded: DecodedBlock,
  positions: Uint8Array,
  { totals }: Occurrences,
): Int32Array {
  const starts = new Int32Array(decoded.size + 1);
  const cursor = cursorOf(positions, list.positionsOf[block] ?? 0);
  for (let index = 0; index < decoded.size; index++) {
    starts[index] = cursor.at;
    skipNumbers(cursor, totals[decoded.occurrences[index] ?? 0] ?? 0);
  }
  starts[decoded.size] = cursor.at;
  return starts;
}

/** Reads the places of a term in a document, ascending, into an array that is long enough. Returns their number. */
export function readPlaces(
  positions: Uint8Array,
  start: number,
  counts: readonly number[],
  into: Int32Array,
): number {
  const cursor = cursorOf(positions, start);
  let size = 0;
  for (let field = 0; field < counts.length; field++) {
    let position = -1;
    for (let left = counts[field] ?? 0; left > 0; left--) {
      position += readNumber(cursor) + 1;
      into[size++] = placeOf(field, position);
    }
  }
  return size;
}

/** The index of the first document from this one on. */
export function firstFrom(documents: Int32Array, size: number, from: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((documents[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
