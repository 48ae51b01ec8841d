import { letOthersRun } from "../../../lib/event-loop.ts";
import {
  createBlock,
  type DecodedBlock,
  decodeBlock,
  fieldOf,
  firstFrom,
  type List,
  type Occurrences,
  positionStarts,
  readPlaces,
} from "../segment/segment.ts";
import type { Found } from "./bm25.ts";

/** A term of a phrase. */
interface PhraseTerm {
  list: List;
  /** Reads its positions in some blocks of the list. */
  positions(blocks: readonly number[]): Promise<Uint8Array>;
}

/** So many documents or places are read before others may run: a millisecond or two. */
const READ_AT_ONCE = 20_000;

/** The documents of a segment that have the terms one behind the other in one field. */
export async function findPhrase(
  terms: readonly PhraseTerm[],
  occurrences: Occurrences,
  weights: readonly number[],
): Promise<Found> {
  const shared = await documentsOfAll(terms.map(({ list }) => list));
  const readers: PlacesReader[] = [];
  for (const term of terms) readers.push(await createPlacesReader(term, occurrences, shared));
  const documents: number[] = [];
  const frequencies: number[] = [];
  let read = 0;
  for (const document of shared) {
    for (const reader of readers) read += reader.read(document);
    const frequency = phraseFrequency(readers, weights);
    if (frequency > 0) {
      documents.push(document);
      frequencies.push(frequency);
    }
    if (read < READ_AT_ONCE) continue;
    read = 0;
    await letOthersRun();
  }
  return { documents: Int32Array.from(documents), frequencies: Float64Array.from(frequencies) };
}

/** The documents that all lists have, ascending. */
async function documentsOfAll(lists: readonly List[]): Promise<number[]> {
  const [rarest, ...others] = lists.toSorted((a, b) => a.size - b.size).map(createFinder);
  const documents: number[] = [];
  if (rarest === undefined) return documents;
  let read = 0;
  for (let number = 0; number < rarest.list.blocks; number++) {
    const { size, documents: own } = rarest.open(number);
    for (const document of own.subarray(0, size))
      if (others.every((finder) => finder.find(document) >= 0)) documents.push(document);
    read += size * lists.length;
    if (read < READ_AT_ONCE) continue;
    read = 0;
    await letOthersRun();
  }
  return documents;
}

/** Looks up documents that come in ascending order. */
interface Finder {
  readonly list: List;
  /** The block that was opened last. */
  readonly block: DecodedBlock;
  /** Its number. */
  readonly number: number;
  open(number: number): DecodedBlock;
  /** The index of a document in its block, which is then open; -1 where the list does not have it. */
  find(document: number): number;
}

function createFinder(list: List): Finder {
  const block = createBlock();
  let number = -1;
  function open(wanted: number): DecodedBlock {
    if (wanted !== number) decodeBlock(list, wanted, block);
    number = wanted;
    return block;
  }
  return {
    list,
    block,
    get number() {
      return number;
    },
    open,
    find(document) {
      const wanted = blockOf(list, document, Math.max(0, number));
      if (wanted === list.blocks) return -1;
      open(wanted);
      const index = firstFrom(block.documents, block.size, document);
      return index < block.size && block.documents[index] === document ? index : -1;
    },
  };
}

/** The number of the block that a document is in if the list has it, from a block on that is not behind it. */
function blockOf({ blocks, lastOf }: List, document: number, from: number): number {
  let number = from;
  while (number < blocks && (lastOf[number] ?? 0) < document) number++;
  return number;
}

/** How often the phrase stands in each field, by the fields' weights. */
function phraseFrequency([first, ...others]: readonly PlacesReader[], weights: readonly number[]): number {
  const reached = others.map(() => 0);
  let frequency = 0;
  for (let at = 0; first && at < first.size; at++) {
    const start = first.places[at] ?? 0;
    const isWhole = others.every(({ places, size }, index) => {
      const wanted = start + index + 1;
      let next = reached[index] ?? 0;
      while (next < size && (places[next] ?? 0) < wanted) next++;
      reached[index] = next;
      return next < size && places[next] === wanted;
    });
    if (isWhole) frequency += weights[fieldOf(start)] ?? 0;
  }
  return frequency;
}

/** Reads where a term stands in documents that come in ascending order. */
interface PlacesReader {
  /** Reads the places in a document that has the term. Returns how many there are. */
  read(document: number): number;
  /** The places that were read last, ascending; others stand behind them. */
  readonly places: Int32Array;
  readonly size: number;
}

const PLACES_AT_FIRST = 256;

/** A reader for these documents: nothing else is read of the positions than what their blocks have. */
async function createPlacesReader(
  { list, positions: readBlocks }: PhraseTerm,
  occurrences: Occurrences,
  documents: readonly number[],
): Promise<PlacesReader> {
  const finder = createFinder(list);
  const positions = await readBlocks(blocksOf(list, documents));
  let startsOf = -1;
  let starts: Int32Array = new Int32Array();
  let places = new Int32Array(PLACES_AT_FIRST);
  let size = 0;
  return {
    read(document) {
      const index = finder.find(document);
      const { block, number } = finder;
      if (number !== startsOf) starts = positionStarts(list, number, block, positions, occurrences);
      startsOf = number;
      const occurrence = block.occurrences[index] ?? 0;
      const most = occurrences.totals[occurrence] ?? 0;
      if (most > places.length) places = new Int32Array(most * 2);
      size = readPlaces(positions, starts[index] ?? 0, occurrences.counts[occurrence] ?? [], places);
      return size;
    },
    get places() {
      return places;
    },
    get size() {
      return size;
    },
  };
}

/** The blocks of a list that have these documents. */
function blocksOf(list: List, documents: readonly number[]): number[] {
  const blocks: number[] = [];
  let number = 0;
  for (const document of documents) {
    number = blockOf(list, document, number);
    if (blocks.at(-1) !== number) blocks.push(number);
  }
  return blocks;
}
