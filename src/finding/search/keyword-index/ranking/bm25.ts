import { createBlock, type DecodedBlock, decodeBlock, type List } from "../segment/segment.ts";

// The constants of SQLite's bm25(), and of most engines.
const K1 = 1.2;
const B = 0.75;
const RARITY_MIN = 1e-6;

/**
 * Scores are whole numbers of this fraction, so that a sum is the same in whichever order its parts are added: passages
 * that are equally good are equal.
 */
const FRACTION = 2 ** 40;

/** What a term weighs that this many passages of all have. */
export function rarity(passages: number, withTerm: number): number {
  return Math.max(RARITY_MIN, Math.log((passages - withTerm + 0.5) / (withTerm + 0.5)));
}

/** A term of rarity 1 scores up to this, however often a passage has it. */
export const SHARE_MAX = K1 + 1;

/** From 0 to 1: what a frequency counts for in a text of this length. */
export const saturated = (frequency: number, length: number, average: number) =>
  frequency / (frequency + dampingOf(length, average));

/** What dampens frequency, by the length of a passage up to the longest. */
export function dampingByLength(longest: number, average: number): Float64Array {
  return Float64Array.from({ length: longest + 1 }, (_, length) => dampingOf(length, average));
}

const dampingOf = (length: number, average: number) => K1 * (1 - B + (B * length) / average);

export const toScore = (whole: number) => whole / FRACTION;

const wholeScore = (weight: number, frequency: number, damping: number) =>
  Math.round((weight * frequency) / (frequency + damping));

/** The documents of one segment that have what a question asks for: a term, a phrase, a beginning. */
export interface Clause {
  readonly blocks: number;
  /** The last document of each block. */
  readonly lastOf: Int32Array;
  /** No document of a block scores more than this. */
  readonly bestOf: Float64Array;
  /** What a passage scores whose frequency is not dampened. */
  readonly weight: number;
  /** Decodes a block: its documents, and how often each has it by the fields' weights. */
  read(block: number): ReadBlock;
}

interface ReadBlock {
  size: number;
  documents: Int32Array;
  frequencies: Float64Array;
}

interface ClauseDeps {
  /** Of all passages that readers see. */
  rarity: number;
  damping: Float64Array;
}

/** A term's list as a clause. `weightOf` is what each occurrence counts for. */
export function listClause(list: List, weightOf: Float64Array, { rarity, damping }: ClauseDeps): Clause {
  const weight = rarity * (K1 + 1) * FRACTION;
  const decoded: DecodedBlock = createBlock();
  const read = {
    size: 0,
    documents: decoded.documents,
    frequencies: new Float64Array(decoded.documents.length),
  };
  const bestOf = new Float64Array(list.blocks);
  for (let block = 0; block < list.blocks; block++)
    bestOf[block] = bestInBlock(list, block, weightOf, weight, damping);
  let current = -1;
  return {
    blocks: list.blocks,
    lastOf: list.lastOf,
    bestOf,
    weight,
    read(block) {
      if (block === current) return read;
      decodeBlock(list, block, decoded);
      for (let index = 0; index < decoded.size; index++)
        read.frequencies[index] = weightOf[decoded.occurrences[index] ?? 0] ?? 0;
      read.size = decoded.size;
      current = block;
      return read;
    },
  };
}

function bestInBlock(
  { bounds, boundsOf, blocks }: List,
  block: number,
  weightOf: Float64Array,
  weight: number,
  damping: Float64Array,
): number {
  if (blocks === 1) return Math.ceil(weight);
  let best = 0;
  const end = boundsOf[block + 1] ?? 0;
  for (let at = boundsOf[block] ?? 0; at < end; at += 2) {
    const frequency = weightOf[bounds[at] ?? 0] ?? 0;
    best = Math.max(best, wholeScore(weight, frequency, damping[bounds[at + 1] ?? 0] ?? 0));
  }
  return best;
}

/** Documents that were looked for one by one, ascending, with how often each has what was looked for. */
export interface Found {
  documents: Int32Array;
  frequencies: Float64Array;
}

/** What was looked for as a clause, in one block. */
export function foundClause({ documents, frequencies }: Found, rarity: number): Clause {
  const weight = rarity * (K1 + 1) * FRACTION;
  const size = documents.length;
  const read = { size, documents, frequencies };
  return {
    blocks: 1,
    lastOf: Int32Array.of(documents[size - 1] ?? -1),
    bestOf: Float64Array.of(Math.ceil(weight)),
    weight,
    read: () => read,
  };
}

/** The score that a clause adds to a document. */
export const scoreOf = ({ weight }: Clause, frequency: number, damping: number) =>
  wholeScore(weight, frequency, damping);
