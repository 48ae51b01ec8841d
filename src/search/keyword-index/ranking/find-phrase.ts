import { letOthersRun } from "../../../lib/event-loop.ts";
import {
  createBlock,
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
  positions: Uint8Array;
}

/** So many places are read before others may run: a millisecond or two. */
const PLACES_AT_ONCE = 20_000;

/** The documents of a segment that have the terms one behind the other in one field. */
export async function findPhrase(
  terms: readonly PhraseTerm[],
  occurrences: Occurrences,
  weights: readonly number[],
): Promise<Found> {
  const readers = terms.map((term) => createPlacesReader(term, occurrences));
  const rarest = terms.reduce(
    (best, { list }, index) => (list.size < (terms[best]?.list.size ?? 0) ? index : best),
    0,
  );
  const documents: number[] = [];
  const frequencies: number[] = [];
  const first = terms[rarest]?.list;
  if (first === undefined) return { documents: new Int32Array(), frequencies: new Float64Array() };
  const block = createBlock();
  let read = 0;
  for (let number = 0; number < first.blocks; number++) {
    decodeBlock(first, number, block);
    for (const document of block.documents.subarray(0, block.size)) {
      read++;
      if (!readers.every((reader) => reader.find(document))) continue;
      for (const reader of readers) read += reader.read();
      const frequency = phraseFrequency(readers, weights);
      if (frequency === 0) continue;
      documents.push(document);
      frequencies.push(frequency);
    }
    if (read < PLACES_AT_ONCE) continue;
    read = 0;
    await letOthersRun();
  }
  return { documents: Int32Array.from(documents), frequencies: Float64Array.from(frequencies) };
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
  /** Goes to a document. Returns whether the list has it. */
  find(document: number): boolean;
  /** Reads the places in the document that was found. Returns how many there are. */
  read(): number;
  /** The places that were read last, ascending; others stand behind them. */
  readonly places: Int32Array;
  readonly size: number;
}

const PLACES_AT_FIRST = 256;

function createPlacesReader({ list, positions }: PhraseTerm, occurrences: Occurrences): PlacesReader {
  const block = createBlock();
  let number = -1;
  let index = 0;
  let starts: Int32Array | undefined;
  let places = new Int32Array(PLACES_AT_FIRST);
  let size = 0;
  return {
    find(document) {
      let wanted = Math.max(0, number);
      while (wanted < list.blocks && (list.lastOf[wanted] ?? 0) < document) wanted++;
      if (wanted === list.blocks) return false;
      if (wanted !== number) {
        decodeBlock(list, wanted, block);
        number = wanted;
        starts = undefined;
      }
      index = firstFrom(block.documents, block.size, document);
      return index < block.size && block.documents[index] === document;
    },
    read() {
      starts ??= positionStarts(list, number, block, positions, occurrences);
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
