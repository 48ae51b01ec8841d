import type { Part } from "./question-part.ts";
import { createPlacesReader } from "./ranking/ranking.ts";
import { fieldOf, positionOf, type TermList } from "./segment/segment.ts";

/** Two terms that are neighbours in a question. */
export type Neighbours = readonly [string, string];

/** So far apart, two words still belong together: "the body of the request". */
const TOGETHER = 3;
/** So far apart, they are in one sentence. */
const NEAR = 8;
const NEAR_SHARE = 0.5;
/** More places of one word in a passage say nothing new. */
const PLACES_MAX = 200;

/** A passage in its segment, with those of the question's terms that it has. */
interface MarkedDocument {
  document: number;
  terms: ReadonlySet<string>;
}

/**
 * How near the neighbours of a question stand to each other in some documents, ascending: for each document a number from
 * 0 to 1 for each pair.
 */
export async function closenessIn(
  part: Part,
  pairs: readonly Neighbours[],
  documents: readonly MarkedDocument[],
): Promise<number[][]> {
  const together = documentsWithPairs(pairs, documents);
  const places = new Map<string, Map<number, Int32Array>>();
  for (const [term, list] of await part.lists.of([...together.keys()]))
    places.set(term, await placesIn(part, list, [...(together.get(term) ?? [])]));
  return documents.map(({ document }) =>
    pairs.map(([first, second]) =>
      closeness(places.get(first)?.get(document), places.get(second)?.get(document)),
    ),
  );
}

/** For each term, the documents that have it and one of its neighbours: nowhere else does it matter where it stands. */
function documentsWithPairs(
  pairs: readonly Neighbours[],
  documents: readonly MarkedDocument[],
): Map<string, Set<number>> {
  const together = new Map<string, Set<number>>();
  for (const { document, terms } of documents)
    for (const pair of pairs) {
      if (!pair.every((term) => terms.has(term))) continue;
      for (const term of pair) {
        const own = together.get(term);
        if (own === undefined) together.set(term, new Set([document]));
        else own.add(document);
      }
    }
  return together;
}

/** Where a term stands in documents that have it, ascending. */
async function placesIn(
  { lists, segment }: Part,
  term: TermList,
  documents: readonly number[],
): Promise<Map<number, Int32Array>> {
  const positions = (blocks: readonly number[]) => lists.positions(term, blocks);
  const reader = await createPlacesReader({ list: term.list, positions }, segment.occurrences, documents);
  return new Map(
    documents.map((document) => {
      const size = Math.min(reader.read(document), PLACES_MAX);
      return [document, reader.places.slice(0, size)];
    }),
  );
}

/** By the least distance in one field; one more where the order is the other one. */
function closeness(first: Int32Array | undefined, second: Int32Array | undefined): number {
  if (first === undefined || second === undefined) return 0;
  let least = Number.POSITIVE_INFINITY;
  let from = 0;
  for (const place of first) {
    // Nearest are the last one before and the first one behind.
    while (from < second.length && (second[from] ?? 0) <= place) from++;
    least = Math.min(least, distance(place, second[from]), distance(second[from - 1], place) + 1);
  }
  if (least <= TOGETHER) return 1;
  return least <= NEAR ? NEAR_SHARE : 0;
}

function distance(before: number | undefined, behind: number | undefined): number {
  if (before === undefined || behind === undefined || fieldOf(before) !== fieldOf(behind))
    return Number.POSITIVE_INFINITY;
  return positionOf(behind) - positionOf(before);
}
