import { letOthersRun } from "../lib/event-loop.ts";
import asset from "./builtin.bin" with { type: "file" };
import type { Embedder } from "./embedder.ts";
import { HEADER_BYTES, readHeader, readVectorTable, type VectorTable } from "./vector-table.ts";
import { openWordpiece, type Pieces, type Wordpiece } from "./wordpiece.ts";

/** Text beyond this many characters does not count. */
const TEXT_CHARACTERS_MAX = 16_000;
/** The work between two ticks of the event loop, unless one text is longer: about two milliseconds. */
const TURN_CHARACTERS_MAX = 8_000;
/** Below this share the text is in a language that the vectors do not know, and they would only guess. */
const WHOLE_WORDS_SHARE_MIN = 0.5;

/** Reads the asset: its first bytes, or all of it. */
type ReadAsset = (bytesMax?: number) => Promise<Uint8Array>;

export interface BuiltinEmbedder extends Embedder {
  /** Whether this is a word as people write it: one of the vocabulary, which is of English and of technical writing. */
  isWord(text: string): Promise<boolean>;
}

/**
 * The embedder inside the binary: a text's vector is the sum of its words' vectors, which were trained for
 * that. The asset is loaded with the first text; its header alone tells the identity.
 */
export function createBuiltinEmbedder(read: ReadAsset): BuiltinEmbedder {
  const model = onceRead(async () => openModel(await read()));
  const identity = onceRead(async () => readHeader(await read(HEADER_BYTES)));

  return {
    isInstant: true,

    async describe(signal) {
      signal.throwIfAborted();
      return identity();
    },

    async embed(texts, _purpose, signal) {
      signal.throwIfAborted();
      const opened = await model();
      const vectors: (Float32Array | undefined)[] = [];
      let characters = 0;
      for (const text of texts) {
        const read = text.slice(0, TEXT_CHARACTERS_MAX);
        characters += read.length;
        if (characters > TURN_CHARACTERS_MAX) {
          await letOthersRun();
          characters = read.length;
        }
        signal.throwIfAborted();
        vectors.push(vectorOf(opened.wordpiece(read), opened));
      }
      return vectors;
    },

    async isWord(text) {
      const { characters, charactersInWholeWords } = (await model()).wordpiece(text);
      return characters > 0 && charactersInWholeWords === characters;
    },
  };
}

/** Shares one read among all callers; after a failure the next call tries again. */
function onceRead<T>(work: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= work().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

interface Model {
  table: VectorTable;
  /** Its rows, four bytes in each number. */
  fours: Int32Array;
  wordpiece: Wordpiece;
}

async function openModel(asset: Uint8Array): Promise<Model> {
  const table = readVectorTable(asset);
  return { table, fours: foursOf(table), wordpiece: await openWordpiece(table.vocabulary) };
}

function foursOf({ rows }: VectorTable): Int32Array {
  const aligned = rows.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0 ? rows : rows.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, rows.length / Int32Array.BYTES_PER_ELEMENT);
}

function vectorOf(pieces: Pieces, model: Model): Float32Array | undefined {
  return isKnown(pieces) ? unitSum(pieces.ids, model) : undefined;
}

function isKnown({ ids, characters, charactersInWholeWords }: Pieces): boolean {
  return ids.length > 0 && charactersInWholeWords >= characters * WHOLE_WORDS_SHARE_MIN;
}

function unitSum(ids: readonly number[], model: Model): Float32Array | undefined {
  const sum = sumOf(ids, model);
  let squares = 0;
  for (let index = 0; index < sum.length; index++) squares += (sum[index] ?? 0) ** 2;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) / length;
  return sum;
}

/** The most bytes whose sum is below 2 ** 16. */
const BYTES_IN_HALF = 257;
const HALVES = 0x00ff00ff;

/** Adds rows up, four of their bytes at once: in two numbers, of which each half is the sum of one. */
function sumOf(ids: readonly number[], { table: { dimensions }, fours }: Model): Float32Array {
  const width = dimensions / 4;
  const sum = new Float32Array(dimensions).fill(-128 * ids.length);
  for (let from = 0; from < ids.length; from += BYTES_IN_HALF) {
    const even = new Int32Array(width);
    const odd = new Int32Array(width);
    const end = Math.min(ids.length, from + BYTES_IN_HALF);
    for (let at = from; at < end; at++) {
      const start = (ids[at] ?? 0) * width;
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
  return sum;
}

/** The vectors inside the binary, made by scripts/embedder. */
export const readBuiltinAsset: ReadAsset = (bytesMax) => Bun.file(asset).slice(0, bytesMax).bytes();
