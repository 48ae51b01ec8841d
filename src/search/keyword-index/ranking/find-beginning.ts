import { letOthersRun } from "../../../lib/event-loop.ts";
import { createBlock, decodeBlock, type List } from "../segment/segment.ts";
import type { Found } from "./bm25.ts";

/** The documents of a segment that have any of many terms, such as all that begin alike; their frequencies are added. */
export async function findAny(
  lists: AsyncIterable<List[]>,
  size: number,
  weightOf: Float64Array,
): Promise<Found> {
  const frequencyOf = new Float64Array(size);
  const block = createBlock();
  let count = 0;
  for await (const some of lists) {
    for (const list of some) {
      for (let number = 0; number < list.blocks; number++) {
        decodeBlock(list, number, block);
        for (let index = 0; index < block.size; index++) {
          const document = block.documents[index] ?? 0;
          if (frequencyOf[document] === 0) count++;
          frequencyOf[document] =
            (frequencyOf[document] ?? 0) + (weightOf[block.occurrences[index] ?? 0] ?? 0);
        }
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
