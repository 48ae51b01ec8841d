import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import asset from "./builtin.bin" with { type: "file" };
import { createVectorRows, type ReadAsset, type VectorRows } from "./vector-rows.ts";
import { HEADER_BYTES, readHead, readVocabulary, type TableHead } from "./vector-table.ts";
import { openWordpiece, type Pieces, type Wordpiece } from "./wordpiece.ts";

/** Text beyond this many characters does not count. */
const TEXT_CHARACTERS_MAX = 16_000;
/** The work between two ticks of the event loop, unless one text is longer: about two milliseconds. */
const TURN_CHARACTERS_MAX = 8_000;
/** Below this share the text is in a language that the vectors do not know, and they would only guess. */
const WHOLE_WORDS_SHARE_MIN = 0.5;

export interface BuiltinEmbedder extends Embedder {
  /** Whether this is a word as people write it: one of the vocabulary, which is of English and of technical writing. */
  isWord(text: string): Promise<boolean>;
}

/**
 * The embedder inside the binary: a text's vector is the sum of its words' vectors, which were trained for
 * that. The vocabulary is loaded with the first text, and each word's vector when it first comes; the asset's header alone
 * tells the identity.
 */
export function createBuiltinEmbedder(read: ReadAsset): BuiltinEmbedder {
  const head = onceRead(async () => readHead(await read(0, HEADER_BYTES)));
  const model = onceRead(async () => openModel(read, await head()));

  return {
    isInstant: true,

    async describe(signal) {
      signal.throwIfAborted();
      const { identity, dimensions } = await head();
      return { identity, dimensions };
    },

    async embed(texts, _purpose, signal) {
      signal.throwIfAborted();
      const opened = await model();
      const vectors: (Float32Array | undefined)[] = [];
      let characters = 0;
      for (const text of texts) {
        const beginning = text.slice(0, TEXT_CHARACTERS_MAX);
        characters += beginning.length;
        if (characters > TURN_CHARACTERS_MAX) {
          await letOthersRun();
          characters = beginning.length;
        }
        signal.throwIfAborted();
        const pieces = opened.wordpiece(beginning);
        vectors.push(isKnown(pieces) ? await unitSum(pieces.ids, opened.rows) : undefined);
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
  rows: VectorRows;
  wordpiece: Wordpiece;
}

async function openModel(read: ReadAsset, head: TableHead): Promise<Model> {
  const vocabulary = readVocabulary(head, await read(head.vocabularyAt));
  return { rows: createVectorRows(read, head), wordpiece: await openWordpiece(vocabulary) };
}

function isKnown({ ids, characters, charactersInWholeWords }: Pieces): boolean {
  return ids.length > 0 && charactersInWholeWords >= characters * WHOLE_WORDS_SHARE_MIN;
}

async function unitSum(ids: readonly number[], rows: VectorRows): Promise<Float32Array | undefined> {
  await rows.bring(ids);
  const sum = rows.sumOf(ids);
  let squares = 0;
  for (let index = 0; index < sum.length; index++) squares += (sum[index] ?? 0) ** 2;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) / length;
  return sum;
}

/** The vectors inside the binary, made by scripts/embedder. */
export const readBuiltinAsset: ReadAsset = (from, end) => Bun.file(asset).slice(from, end).bytes();
