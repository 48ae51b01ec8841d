import { HEADER_BYTES, type TableHead } from "./vector-table.ts";

/** Reads a part of the asset. */
export type ReadAsset = (from: number, end?: number) => Promise<Uint8Array>;

/** The vectors of the entries that texts had. */
export interface VectorRows {
  /** Reads what is not here yet of these entries; undefined where nothing is missing. */
  bring(ids: readonly number[]): Promise<void> | undefined;
  /** The sum of vectors that are here. */
  sumOf(ids: readonly number[]): Float32Array;
}

/** Rows stand together, so many at a time. */
const ROWS_TOGETHER_BITS = 8;
const ROWS_TOGETHER = 1 << ROWS_TOGETHER_BITS;
/** The most bytes whose sum is below 2 ** 16. */
const BYTES_IN_HALF = 257;
const HALVES = 0x00ff00ff;

/**
 * Reads each row of the table when its entry first comes. What people ask has a small part of the vocabulary, and the
 * whole table takes ten megabytes, once more beside what the system keeps of the file.
 */
export function createVectorRows(read: ReadAsset, { dimensions, entries }: TableHead): VectorRows {
  /** Four bytes in each number. */
  const width = dimensions / Int32Array.BYTES_PER_ELEMENT;
  /** Which row is an entry's, counted from 1; 0 if it has not come yet. */
  const placeOf = new Uint32Array(entries);
  const blocks: Int32Array[] = [];
  let rows = 0;

  async function readRow(id: number): Promise<void> {
    const from = HEADER_BYTES + id * dimensions;
    const bytes = await read(from, from + dimensions);
    // Two texts may have waited for it.
    if (placeOf[id] !== 0) return;
    const block = blocks[rows >> ROWS_TOGETHER_BITS] ?? new Int32Array(ROWS_TOGETHER * width);
    blocks[rows >> ROWS_TOGETHER_BITS] = block;
    new Uint8Array(block.buffer, (rows % ROWS_TOGETHER) * dimensions, dimensions).set(bytes);
    placeOf[id] = ++rows;
  }

  async function readAll(missing: readonly number[]): Promise<void> {
    await Promise.all(missing.map(readRow));
  }

  function sumOf(ids: readonly number[]): Float32Array {
    const sum = new Float32Array(dimensions).fill(-128 * ids.length);
    for (let from = 0; from < ids.length; from += BYTES_IN_HALF)
      addHalves(sum, ids, from, Math.min(ids.length, from + BYTES_IN_HALF));
    return sum;
  }

  /** Adds rows up, four of their bytes at once: in two numbers, of which each half is the sum of one. */
  function addHalves(sum: Float32Array, ids: readonly number[], from: number, end: number): void {
    const even = new Int32Array(width);
    const odd = new Int32Array(width);
    for (let at = from; at < end; at++) {
      const row = (placeOf[ids[at] ?? 0] ?? 0) - 1;
      const fours = blocks[row >> ROWS_TOGETHER_BITS];
      if (fours === undefined) throw new Error("a row is added up that was not brought");
      const start = (row % ROWS_TOGETHER) * width;
      for (let index = 0; index < width; index++) {
        const four = fours[start + index] ?? 0;
        even[index] = (even[index] ?? 0) + (four & HALVES);
        odd[index] = (odd[index] ?? 0) + ((four >>> 8) & HALVES);
      }
    }
    for (let index = 0; index < dimensions; index++) {
      const both = (index % 2 === 0 ? even : odd)[index >> 2] ?? 0;
      sum[index] = (sum[index] ?? 0) + (index % 4 < 2 ? both & 0xffff : both >>> 16);
    }
  }

  return {
    bring(ids) {
      if (ids.every((id) => placeOf[id] !== 0)) return undefined;
      return readAll([...new Set(ids.filter((id) => placeOf[id] === 0))]);
    },
    sumOf,
  };
}
