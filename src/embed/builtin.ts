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
      const { table, wordpiece } = await model();
      const encode = wordpiece.reading();
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
        vectors.push(vectorOf(encode(read), table));
      }
      return vectors;
    },

    async isWord(text) {
      const { characters, charactersInWholeWords } = (await model()).wordpiece.reading()(text);
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
  wordpiece: Wordpiece;
}

async function openModel(asset: Uint8Array): Promise<Model> {
  const table = readVectorTable(asset);
  return { table, wordpiece: await openWordpiece(table.vocabulary) };
}

function vectorOf(pieces: Pieces, table: VectorTable): Float32Array | undefined {
  return isKnown(pieces) ? unitSum(pieces.ids, table) : undefined;
}

function isKnown({ ids, characters, charactersInWholeWords }: Pieces): boolean {
  return ids.length > 0 && charactersInWholeWords >= characters * WHOLE_WORDS_SHARE_MIN;
}

function unitSum(ids: readonly number[], { dimensions, rows }: VectorTable): Float32Array | undefined {
  const sum = new Float32Array(dimensions).fill(-128 * ids.length);
  for (const id of ids) {
    const start = id * dimensions;
    for (let index = 0; index < dimensions; index++)
      sum[index] = (sum[index] ?? 0) + (rows[start + index] ?? 0);
  }
  let squares = 0;
  for (let index = 0; index < dimensions; index++) squares += (sum[index] ?? 0) ** 2;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  for (let index = 0; index < dimensions; index++) sum[index] = (sum[index] ?? 0) / length;
  return sum;
}

/** The vectors inside the binary, made by scripts/embedder. */
export const readBuiltinAsset: ReadAsset = (bytesMax) => Bun.file(asset).slice(0, bytesMax).bytes();
