import {
  createBlock,
  decodeBlock,
  firstFrom,
  type List,
  type Occurrences,
  positionStarts,
  readPositions,
} from "../segment/segment.ts";
import type { Found } from "./bm25.ts";

/** A term of a phrase. */
interface PhraseTerm {
  list: List;
  positions: Uint8Array;
}

/** The documents of a segment that have the terms one behind the other in one field. */
export function findPhrase(
  terms: readonly PhraseTerm[],
  occurrences: Occurrences,
  weights: readonly number[],
): Found {
  const readers = terms.map((term) => createPositionsReader(term, occurrences));
  const rarest = terms.reduce(
    (best, { list }, index) => (list.size < (terms[best]?.list.size ?? 0) ? index : best),
    0,
  );
  const documents: number[] = [];
  const frequencies: number[] = [];
  const first = terms[rarest]?.list;
  if (first === undefined) return { documents: new Int32Array(), frequencies: new Float64Array() };
  const block = createBlock();
  for (let number = 0; number < first.blocks; number++) {
    decodeBlock(first, number, block);
    for (const document of block.documents.subarray(0, block.size)) {
      if (!readers.every((reader) => reader.has(document))) continue;
      const frequency = phraseFrequency(
        readers.map((reader) => reader.positions(document)),
        weights,
      );
      if (frequency === 0) continue;
      documents.push(document);
      frequencies.push(frequency);
    }
  }
  return { documents: Int32Array.from(documents), frequencies: Float64Array.from(frequencies) };
}

/** How often the phrase stands in each field, by the fields' weights. */
function phraseFrequency(positionsOfTerms: readonly number[][][], weights: readonly number[]): number {
  const [first = [], ...others] = positionsOfTerms;
  return first.reduce((sum, starts, field) => {
    const rest = others.map((fields) => new Set(fields[field]));
    const times = starts.filter((start) => rest.every((own, index) => own.has(start + index + 1))).length;
    return sum + times * (weights[field] ?? 0);
  }, 0);
}

/** Reads a term's positions in documents that come in ascending order. */
function createPositionsReader({ list, positions }: PhraseTerm, occurrences: Occurrences) {
  const block = createBlock();
  let number = -1;
  let starts: Int32Array | undefined;

  /** The index of a document in its block, which is decoded; -1 where the list does not have it. */
  function find(document: number): number {
    let wanted = Math.max(0, number);
    while (wanted < list.blocks && (list.lastOf[wanted] ?? 0) < document) wanted++;
    if (wanted === list.blocks) return -1;
    if (wanted !== number) {
      decodeBlock(list, wanted, block);
      number = wanted;
      starts = undefined;
    }
    const index = firstFrom(block.documents, block.size, document);
    return index < block.size && block.documents[index] === document ? index : -1;
  }

  return {
    has: (document: number) => find(document) >= 0,
    positions(document: number): number[][] {
      const index = find(document);
      starts ??= positionStarts(list, number, block, positions, occurrences);
      return readPositions(
        positions,
        starts[index] ?? 0,
        occurrences.counts[block.occurrences[index] ?? 0] ?? [],
      );
    },
  };
}
