import asset from "./count-differing.wasm" with { type: "file" };

/** Words of 32 signs that are compared at once: vectors are padded to whole groups. */
export const WORDS_AT_ONCE = 4;

const BYTES_IN_WORD = 4;
/** Room for a vector of 65,536 signs. */
const WANTED_BYTES = 8192;
/** What the processor's own memory holds beside the rest. */
const VECTORS_BYTES = 2 ** 18;

/** Counts the signs in which vectors, one behind the other, differ from the wanted one. */
export type CountDiffering = (words: Uint32Array, wanted: Uint32Array, distances: Uint16Array) => void;

let opening: Promise<CountDiffering> | undefined;

/**
 * The one of this process: whoever calls it has what it counts before anybody else can call it. Each memory of
 * WebAssembly takes gigabytes of addresses, and from the fifth on the engine looks for one that is left over, through all
 * that the process has.
 */
export function openCountDiffering(): Promise<CountDiffering> {
  opening ??= createCountDiffering().catch((error) => {
    // A failed read is tried again.
    opening = undefined;
    throw error;
  });
  return opening;
}

/**
 * In WebAssembly, 100,000 vectors of 256 signs take .3 ms, copying them to where it can read them included; in JavaScript
 * they took 1.1, and 6 before it was compiled.
 */
async function createCountDiffering(): Promise<CountDiffering> {
  const { memory, countDiffering } = await instantiate();
  return (words, wanted, distances) => {
    const bytesEach = wanted.length * BYTES_IN_WORD;
    const vectorsMax = Math.max(1, Math.floor(VECTORS_BYTES / bytesEach));
    const into = WANTED_BYTES + vectorsMax * bytesEach;
    put(memory, 0, wanted);
    for (let from = 0; from < distances.length; from += vectorsMax) {
      const end = Math.min(from + vectorsMax, distances.length);
      put(memory, WANTED_BYTES, words.subarray(from * wanted.length, end * wanted.length));
      countDiffering(0, WANTED_BYTES, WANTED_BYTES + (end - from) * bytesEach, bytesEach, into);
      distances.set(new Uint16Array(memory.buffer, into, end - from), from);
    }
  };
}

const put = ({ buffer }: WebAssembly.Memory, at: number, words: Uint32Array) =>
  new Uint32Array(buffer, at, words.length).set(words);

type Count = (wanted: number, at: number, end: number, bytesEach: number, into: number) => void;

async function instantiate(): Promise<{ memory: WebAssembly.Memory; countDiffering: Count }> {
  const { instance } = await WebAssembly.instantiate(await Bun.file(asset).bytes());
  const { memory, countDiffering } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof countDiffering !== "function")
    throw new TypeError("count-differing.wasm does not export what is called");
  return { memory, countDiffering: (...parameters) => void countDiffering(...parameters) };
}
