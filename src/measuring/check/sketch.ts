/** The least hashes of a text's runs of words. Undefined of a text that is too short to be compared. */
export type Sketch = readonly number[] | undefined;

const RUN_WORDS = 5;
const WORDS_MIN = 40;
const WORDS_MAX = 20_000;
const HASHES_KEPT = 128;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Sketches a text by its runs of five words: how alike two texts are can be told from their sketches alone. */
export function sketchOf(text: string): Sketch {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
  if (words.length < WORDS_MIN) return undefined;
  const hashes = new Set<number>();
  for (let at = 0; at + RUN_WORDS <= words.length; at++)
    hashes.add(hashOf(words.slice(at, at + RUN_WORDS).join(" ")));
  return [...Uint32Array.from(hashes).sort()].slice(0, HASHES_KEPT);
}

function hashOf(text: string): number {
  let hash = FNV_START;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME) >>> 0;
  // The last characters would not reach all bits otherwise, and the least hashes would be no fair sample.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The share of runs that two texts have in common, from 0 to 1: an estimate, and exact for short texts. */
function likeness(a: readonly number[], b: readonly number[]): number {
  const all = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, Math.max(a.length, b.length));
  const [inA, inB] = [new Set(a), new Set(b)];
  return all.filter((hash) => inA.has(hash) && inB.has(hash)).length / Math.max(1, all.length);
}

/** Something with a sketch. */
interface Sketched {
  sketch: Sketch;
}

/** The most things with one hash in common that are compared for it: more of them share boilerplate. */
const SHARED_MAX = 50;

/** Finds what is most like a text among things with a sketch, without comparing it with all of them. */
export function createTwins<Thing extends Sketched>() {
  const withHash = new Map<number, Thing[]>();
  return {
    add(thing: Thing): void {
      for (const hash of thing.sketch ?? []) {
        const some = withHash.get(hash) ?? [];
        if (some.length < SHARED_MAX) some.push(thing);
        withHash.set(hash, some);
      }
    },
    /** Finds the things that are as alike as `least`, the most alike first. */
    find(sketch: Sketch, least: number): { twin: Thing; share: number }[] {
      if (sketch === undefined) return [];
      const candidates = new Set(sketch.flatMap((hash) => withHash.get(hash) ?? []));
      return [...candidates]
        .map((twin) => ({ twin, share: likeness(sketch, twin.sketch ?? []) }))
        .filter(({ share }) => share >= least)
        .sort((a, b) => b.share - a.share);
    },
  };
}

/** Each thing with the earlier one that it is most like, where it is as alike as `least`. */
export function* alike<Thing extends Sketched>(
  things: readonly Thing[],
  least: number,
): Generator<{ thing: Thing; twin: Thing; share: number }, undefined> {
  const earlier = createTwins<Thing>();
  for (const thing of things) {
    const [best] = earlier.find(thing.sketch, least);
    if (best !== undefined) yield { thing, ...best };
    earlier.add(thing);
  }
}
