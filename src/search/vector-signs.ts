import type { SignRow } from "./search-store.ts";

/** The sign bits of a generation's vectors, for finding near ones without reading from the disk. */
export interface VectorSigns {
  size: number;
  /** The passages whose signs differ least. `allows` decides by page id which may be found. */
  nearest(bits: Uint8Array, limit: number, allows?: (pageId: number) => boolean): Nearest;
}

interface Nearest {
  /** The nearest first. */
  near: Near[];
  /**
   * How near the passages are on average, from -1 to 1, estimated from their signs: the level that means
   * nothing.
   */
  typicalSimilarity: number;
}

/** A passage that may be near, with the number of differing signs. */
interface Near {
  passageId: number;
  differing: number;
}

/** One more than all signs: no real distance is that large, so it marks what must not be found. */
const NEVER = 1;

/**
 * Comparing the signs of 100,000 vectors of 256 dimensions takes 1.2 ms here, whatever the filter or the
 * limit. sqlite-vec's own scan takes 5 ms for 50 of them, 19 ms for 200, 31 ms for 200 with a filter.
 */
export async function createVectorSigns(
  batches: AsyncIterable<SignRow[]>,
  { dimensions, capacity }: { dimensions: number; capacity: number },
): Promise<VectorSigns> {
  const words = Math.ceil(dimensions / 32);
  const signs = new Uint32Array(capacity * words);
  const passageIds = new Float64Array(capacity);
  const pageIds = new Float64Array(capacity);
  let size = 0;
  for await (const batch of batches) {
    for (const { passageId, pageId, bits } of batch) {
      if (bits === undefined || size === capacity) continue;
      toWords(bits, words).forEach((word, index) => {
        signs[size * words + index] = word;
      });
      passageIds[size] = passageId;
      pageIds[size] = pageId;
      size++;
    }
  }
  const distances = new Uint16Array(size);
  const counts = new Uint32Array(dimensions + 1 + NEVER);

  return {
    size,
    nearest(bits, limit, allows) {
      countDiffering(signs, toWords(bits, words), distances);
      if (allows) forbid(distances, pageIds, allows, dimensions + NEVER);
      count(distances, counts);
      const cutoff = cutoffOf(counts, limit, dimensions);
      const near: Near[] = [];
      for (let index = 0; index < size; index++) {
        const differing = distances[index] ?? 0;
        if (differing <= cutoff) near.push({ passageId: passageIds[index] ?? 0, differing });
      }
      near.sort((a, b) => a.differing - b.differing || a.passageId - b.passageId);
      return { near: near.slice(0, limit), typicalSimilarity: typicalSimilarity(counts, dimensions) };
    },
  };
}

function toWords(bits: Uint8Array, words: number): Uint32Array {
  const padded = new Uint8Array(words * 4);
  padded.set(bits.subarray(0, padded.length));
  return new Uint32Array(padded.buffer);
}

function countDiffering(signs: Uint32Array, wanted: Uint32Array, distances: Uint16Array): void {
  const words = wanted.length;
  for (let index = 0, at = 0; index < distances.length; index++) {
    let differing = 0;
    for (let word = 0; word < words; word++, at++) {
      // The number of set bits, counted in pairs, then in fours, then in bytes.
      let x = (signs[at] ?? 0) ^ (wanted[word] ?? 0);
      x -= (x >>> 1) & 0x55555555;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      differing += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[index] = differing;
  }
}

function forbid(
  distances: Uint16Array,
  pageIds: Float64Array,
  allows: (pageId: number) => boolean,
  never: number,
): void {
  // A page's passages stand together, so each page is tested once.
  let page = Number.NaN;
  let allowed = false;
  for (let index = 0; index < distances.length; index++) {
    const own = pageIds[index] ?? 0;
    if (own !== page) {
      page = own;
      allowed = allows(own);
    }
    if (!allowed) distances[index] = never;
  }
}

function count(distances: Uint16Array, counts: Uint32Array): void {
  counts.fill(0);
  for (let index = 0; index < distances.length; index++) {
    const distance = distances[index] ?? 0;
    counts[distance] = (counts[distance] ?? 0) + 1;
  }
}

/** The distance up to which at least `limit` passages lie. */
function cutoffOf(counts: Uint32Array, limit: number, dimensions: number): number {
  let found = 0;
  for (let distance = 0; distance <= dimensions; distance++) {
    found += counts[distance] ?? 0;
    if (found >= limit) return distance;
  }
  return dimensions;
}

/** The share of signs in which two vectors differ is their angle's share of a half turn. */
function typicalSimilarity(counts: Uint32Array, dimensions: number): number {
  let passages = 0;
  let differing = 0;
  for (let distance = 0; distance <= dimensions; distance++) {
    passages += counts[distance] ?? 0;
    differing += (counts[distance] ?? 0) * distance;
  }
  return passages === 0 ? 0 : Math.cos((Math.PI * differing) / passages / dimensions);
}
