import type { Embedder } from "../../src/kernel/vectors/embedder.ts";

const DIMENSIONS = 64;

/** An embedder whose vectors are near each other when the texts share words. It knows nothing of digits. */
export function wordEmbedder(name = "words"): Embedder & { texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    isInstant: false,
    describe: async () => ({ identity: `test:${name}`, dimensions: DIMENSIONS }),
    async embed(given, _purpose, signal) {
      signal.throwIfAborted();
      texts.push(...given);
      return given.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu);
  if (!words) return undefined;
  const vector = new Float32Array(DIMENSIONS);
  for (const word of words) {
    const hash = Bun.hash.wyhash(word);
    for (let index = 0; index < DIMENSIONS; index++)
      vector[index] = (vector[index] ?? 0) + ((hash >> BigInt(index)) & 1n ? 1 : -1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
