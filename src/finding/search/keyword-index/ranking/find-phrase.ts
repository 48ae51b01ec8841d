import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { fieldOf, type List, type Occurrences } from "../segment/segment.ts";
import type { Found } from "./bm25.ts";
import { createFinder, createPlacesReader, type PlacedTerm, type PlacesReader } from "./places-reader.ts";

/** So many documents or places are read before others may run: a millisecond or two. */
const READ_AT_ONCE = 20_000;

/** The documents of a segment that have the terms one behind the other in one field. */
export async function findPhrase(
  terms: readonly PlacedTerm[],
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
