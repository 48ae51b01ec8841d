import { type ByteWriter, createByteWriter } from "./bytes.ts";
import type { Occurrences } from "./occurrences.ts";

/** How many documents of a list stand in one block, whose greatest possible score is known without reading it. */
export const BLOCK_DOCUMENTS = 128;

/** More pairs than this are replaced by one that is as good as all of them. */
const BOUNDS_MAX = 6;

/** A way of standing in a document, and the document's length: no document of its block scores more than the best pair. */
interface Bound {
  counts: readonly number[];
  length: number;
  /** The number of the counts, where a document of the block has them. */
  occurrence?: number;
}

/** The list of a term's documents. */
export interface EncodedList {
  documents: number;
  list: Uint8Array;
  positions: Uint8Array;
}

/** Encodes the lists of terms, one after the other. */
export interface ListWriter {
  /** Adds a document, greater than those before; its positions are written to `positions` after it. */
  add(document: number, occurrence: number, length: number): void;
  readonly positions: ByteWriter;
  /** The list of what was added; the next one begins. */
  take(): EncodedList;
}

export function createListWriter(occurrences: Occurrences): ListWriter {
  const heads = createByteWriter();
  const body = createByteWriter();
  const positions = createByteWriter();
  // The documents of the block: how the term stands in each, and its length.
  const standing = new Int32Array(BLOCK_DOCUMENTS);
  const lengths = new Int32Array(BLOCK_DOCUMENTS);
  const begun = { documents: 0, last: -1, bodyAt: 0, positionsAt: 0 };
  let documents = 0;
  let last = -1;

  function endBlock(): void {
    heads.number(last - begun.last);
    heads.number(body.length - begun.bodyAt);
    heads.number(positions.length - begun.positionsAt);
    const bounds = boundsOf(standing, lengths, begun.documents, occurrences);
    heads.number(bounds.length);
    for (const { counts, length, occurrence } of bounds) {
      heads.number(occurrence ?? occurrences.numberOf(counts));
      heads.number(length);
    }
    beginBlock();
  }

  function beginBlock(): void {
    begun.documents = 0;
    begun.last = last;
    begun.bodyAt = body.length;
    begun.positionsAt = positions.length;
  }

  return {
    positions,
    add(document, occurrence, length) {
      if (begun.documents === BLOCK_DOCUMENTS) endBlock();
      body.number(document - last - 1);
      body.number(occurrence);
      standing[begun.documents] = occurrence;
      lengths[begun.documents++] = length;
      last = document;
      documents++;
    },
    take() {
      const isLong = documents > BLOCK_DOCUMENTS;
      if (isLong) endBlock();
      const list = isLong ? Buffer.concat([heads.take(), body.take()]) : body.take();
      const taken = { documents, list, positions: positions.take() };
      documents = 0;
      last = -1;
      beginBlock();
      return taken;
    },
  };
}

/** The pairs that no other of a block is as good as. */
function boundsOf(
  standing: Int32Array,
  lengths: Int32Array,
  size: number,
  { counts }: Occurrences,
): readonly Bound[] {
  const boundOf = (occurrence: number, length: number): Bound => ({
    counts: counts[occurrence] ?? [],
    length,
    occurrence,
  });
  // Most terms are in one document.
  if (size === 1) return [boundOf(standing[0] ?? 0, lengths[0] ?? 0)];
  // Most documents have a term in the same few ways: of each, only the shortest can be the best.
  const shortest = new Map<number, number>();
  for (let index = 0; index < size; index++) {
    const occurrence = standing[index] ?? 0;
    const length = lengths[index] ?? 0;
    if (length < (shortest.get(occurrence) ?? Number.POSITIVE_INFINITY)) shortest.set(occurrence, length);
  }
  const all = [...shortest].map(([occurrence, length]) => boundOf(occurrence, length));
  const best = all.filter((each) => !all.some((other) => other !== each && isAsGood(other, each)));
  return best.length > BOUNDS_MAX ? [bestOf(best)] : best;
}

const isAsGood = (one: Bound, other: Bound) =>
  one.length <= other.length && other.counts.every((count, field) => (one.counts[field] ?? 0) >= count);

const bestOf = (bounds: readonly Bound[]): Bound => ({
  counts: (bounds[0]?.counts ?? []).map((_, field) =>
    Math.max(...bounds.map(({ counts }) => counts[field] ?? 0)),
  ),
  length: Math.min(...bounds.map(({ length }) => length)),
});
