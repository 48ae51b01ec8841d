import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import asset from "./builtin.bin" with { type: "file" };
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

/**
 * Opened once: of each time that a file of the binary is opened, the runtime believes that it takes all of its size in
 * memory, and collects garbage after every eighth.
 */
const table = Bun.file(asset);

/** The vectors inside the binary, made by scripts/embedder. */
export const readBuiltinAsset: ReadAsset = (from, end) => table.slice(from, end).bytes();

/** Reads a part of the asset. */
type ReadAsset = (from: number, end?: number) => Promise<Uint8Array>;

/** The vectors of the entries that texts had. */
interface VectorRows {
  /** Reads what is not here yet of these entries; undefined where nothing is missing. */
  bring(ids: readonly number[]): Promise<void> | undefined;
  /** The sum of vectors that are here. */
  sumOf(ids: readonly number[]): Float32Array;
}

/** Rows stand together, so many at a time. */
const ROWS_TOGETHER_BITS = 8;
const ROWS_TOGETHER = 1 << ROWS_TOGETHER_BITS;
/** The most bytes whose sum is below 2 ** 16. */
const BYTES_IN_HALF = 257;
const HALVES = 0x00ff00ff;

/**
 * Reads each row of the table when its entry first comes. What people ask has a small part of the vocabulary, and the
 * whole table takes ten megabytes, once more beside what the system keeps of the file.
 */
function createVectorRows(read: ReadAsset, { dimensions, entries }: TableHead): VectorRows {
  /** Four bytes in each number. */
  const width = dimensions / Int32Array.BYTES_PER_ELEMENT;
  /** Which row is an entry's, counted from 1; 0 if it has not come yet. */
  const placeOf = new Uint32Array(entries);
  const blocks: Int32Array[] = [];
  let rows = 0;

  async function readRow(id: number): Promise<void> {
    const from = HEADER_BYTES + id * dimensions;
    const bytes = await read(from, from + dimensions);
    // Two texts may have waited for it.
    if (placeOf[id] !== 0) return;
    const block = blocks[rows >> ROWS_TOGETHER_BITS] ?? new Int32Array(ROWS_TOGETHER * width);
    blocks[rows >> ROWS_TOGETHER_BITS] = block;
    new Uint8Array(block.buffer, (rows % ROWS_TOGETHER) * dimensions, dimensions).set(bytes);
    placeOf[id] = ++rows;
  }

  async function readAll(missing: readonly number[]): Promise<void> {
    await Promise.all(missing.map(readRow));
  }

  function sumOf(ids: readonly number[]): Float32Array {
    const sum = new Float32Array(dimensions).fill(-128 * ids.length);
    for (let from = 0; from < ids.length; from += BYTES_IN_HALF)
      addHalves(sum, ids, from, Math.min(ids.length, from + BYTES_IN_HALF));
    return sum;
  }

  /** Adds rows up, four of their bytes at once: in two numbers, of which each half is the sum of one. */
  function addHalves(sum: Float32Array, ids: readonly number[], from: number, end: number): void {
    const even = new Int32Array(width);
    const odd = new Int32Array(width);
    for (let at = from; at < end; at++) {
      const row = (placeOf[ids[at] ?? 0] ?? 0) - 1;
      const fours = blocks[row >> ROWS_TOGETHER_BITS];
      if (fours === undefined) throw new Error("a row is added up that was not brought");
      const start = (row % ROWS_TOGETHER) * width;
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

  return {
    bring(ids) {
      if (ids.every((id) => placeOf[id] !== 0)) return undefined;
      return readAll([...new Set(ids.filter((id) => placeOf[id] === 0))]);
    },
    sumOf,
  };
}
