import { letOthersRun } from "../../../lib/event-loop.ts";
import { addFrequencies, createBlock, type TermEntry } from "../segment/segment.ts";
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
    for (const { block, entry } of some)
      count += addFrequencies(block, entry, weightOf, frequencyOf, decoded);
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
