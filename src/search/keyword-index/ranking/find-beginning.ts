import { letOthersRun } from "../../../lib/event-loop.ts";
import { createBlock, type DecodedBlock, decodeBlock, openList, type TermEntry } from "../segment/segment.ts";
import type { Found } from "./bm25.ts";

/** The documents of a segment that have any of many terms, such as all that begin alike; their frequencies are added. */
export async function findAny(
  terms: AsyncIterable<{ block: Uint8Array; entry: TermEntry }[]>,
  size: number,
  weightOf: Float64Array,
): Promise<Found> {
  const frequencyOf = new Float64Array(size);
  const decoded = createBlock();
  let count = 0;
  for await (const some of terms) {
    for (const { block, entry } of some) {
      const list = openList(block, entry);
      for (let number = 0; number < list.blocks; number++) {
        decodeBlock(list, number, decoded);
        count += addFrequencies(decoded, weightOf, frequencyOf);
      }
    }
    await letOthersRun();
  }
  const found = { documents: new Int32Array(count), frequencies: new Float64Array(count) };
  let at = 0;
  for (let document = 0; document < size; document++) {
    const frequency = frequencyOf[document] ?? 0;
    if (frequency === 0) continue;
    found.documents[at] = document;
    found.frequencies[at++] = frequency;
  }
  return found;
}

/** Adds to each document's frequency what a block has of it. Returns how many documents had nothing before. */
function addFrequencies(
  { documents, occurrences, size }: DecodedBlock,
  weightOf: Float64Array,
  frequencyOf: Float64Array,
): number {
  let added = 0;
  for (let index = 0; index < size; index++) {
    const document = documents[index] ?? 0;
    const before = frequencyOf[document] ?? 0;
    if (before === 0) added++;
    frequencyOf[document] = before + (weightOf[occurrences[index] ?? 0] ?? 0);
  }
  return added;
}
