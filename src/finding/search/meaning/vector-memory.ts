import { createSimilarity, squaresOf } from "@docent/kernel/vectors/quantize";
import type { VectorRow } from "../search-store.ts";

/** The embedder whose vectors are kept. */
interface OwnEmbedder {
  id: number;
  dimensions: number;
}

/** Whole vectors in memory, as many as there is room for: to read two hundred from the database takes a millisecond. */
export interface VectorMemory {
  /** Passes a site's rows on, and keeps their vectors. Where they came to their end, those kept before may go. */
  keeping(
    siteId: number,
    embedder: OwnEmbedder,
    batches: AsyncIterable<VectorRow[]>,
  ): AsyncIterable<VectorRow[]>;
  /** Lets a site's vectors go. */
  forget(siteId: number): void;
  /** The cosines of a vector with those of passages, and the passages whose vectors are not here. */
  measure(embedderId: number, vector: Int8Array, passageIds: readonly number[]): Measured;
}

interface Measured {
  /** The same that a store tells, from -1 to 1. */
  similarities: Map<number, number>;
  others: number[];
}

/** A part is made when its first vector comes, and goes with its last: a small site takes little memory. */
const VECTORS_IN_PART = 512;

/** Places for vectors, one behind the other; each says whose vector it has, and 0 where it has none. */
interface Part {
  passageIds: Float64Array;
  vectors: Int8Array;
  /** The sum of each vector's squares, made when it is compared for the first time; 0 until then. */
  squares: Uint32Array;
  /** The sites whose vectors are here, with the number of the reading that kept one here last. */
  usedBy: Map<number, number>;
}

interface Places {
  embedderId: number;
  dimensions: number;
  count: number;
  parts: (Part | undefined)[];
}

/**
 * Keeps the vectors of one embedder: all sites have the same, but while it is being changed. A vector's place is what is
 * left of the passage's id when it is divided by the number of places. The ids of a site's passages follow one another, so
 * two of them meet in a place only where there is no room for all, and the later one has it.
 */
export function createVectorMemory(bytesMax: number): VectorMemory {
  let places: Places = { embedderId: 0, dimensions: 0, count: 0, parts: [] };
  let readings = 0;
  return {
    async *keeping(siteId, { id, dimensions }, batches) {
      const reading = ++readings;
      for await (const batch of batches) {
        if (places.embedderId !== id)
          places = { embedderId: id, dimensions, count: Math.floor(bytesMax / dimensions), parts: [] };
        for (const { passageId, vector } of batch)
          if (vector?.length === dimensions) keep(places, passageId, vector)?.usedBy.set(siteId, reading);
        yield batch;
      }
      release(places, siteId, reading);
    },
    forget: (siteId) => release(places, siteId, Number.POSITIVE_INFINITY),
    measure: (embedderId, vector, passageIds) =>
      embedderId === places.embedderId && vector.length === places.dimensions
        ? measure(places, vector, passageIds)
        : { similarities: new Map(), others: [...passageIds] },
  };
}

/** The part where the vector is now; undefined where there is no room for any. */
function keep({ dimensions, count, parts }: Places, passageId: number, vector: Uint8Array): Part | undefined {
  if (count === 0) return undefined;
  const place = passageId % count;
  const number = Math.floor(place / VECTORS_IN_PART);
  const part = parts[number] ?? {
    passageIds: new Float64Array(VECTORS_IN_PART),
    vectors: new Int8Array(VECTORS_IN_PART * dimensions),
    squares: new Uint32Array(VECTORS_IN_PART),
    usedBy: new Map(),
  };
  parts[number] = part;
  const own = place % VECTORS_IN_PART;
  part.passageIds[own] = passageId;
  part.vectors.set(vector, own * dimensions);
  part.squares[own] = 0;
  return part;
}

/** Drops the parts that only older readings of the site had use for: each run of a source brings passages with new ids. */
function release({ parts }: Places, siteId: number, reading: number): void {
  for (const [number, part] of parts.entries()) {
    const used = part?.usedBy.get(siteId);
    if (part === undefined || used === undefined || used >= reading) continue;
    part.usedBy.delete(siteId);
    if (part.usedBy.size === 0) parts[number] = undefined;
  }
}

function measure(
  { dimensions, count, parts }: Places,
  vector: Int8Array,
  passageIds: readonly number[],
): Measured {
  const measured: Measured = { similarities: new Map(), others: [] };
  const similarityTo = createSimilarity(vector);
  for (const passageId of passageIds) {
    const place = passageId % count;
    const part = parts[Math.floor(place / VECTORS_IN_PART)];
    const own = place % VECTORS_IN_PART;
    if (part?.passageIds[own] !== passageId) {
      measured.others.push(passageId);
      continue;
    }
    const from = own * dimensions;
    const squares = part.squares[own] || squaresOf(part.vectors, from, dimensions);
    part.squares[own] = squares;
    measured.similarities.set(passageId, similarityTo(part.vectors, from, squares));
  }
  return measured;
}
