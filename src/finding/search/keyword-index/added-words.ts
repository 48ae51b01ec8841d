import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { ADDED_WEIGHTS } from "./fields.ts";
import type { Found } from "./ranking/ranking.ts";
import {
  createBlock,
  createTermLists,
  decodeBlock,
  openSegment,
  type RowReader,
  type Segment,
  type TermList,
  type TermLists,
  weigh,
} from "./segment/segment.ts";
import type { SiteWords } from "./site-words.ts";

/**
 * What was written for the passages of a site, in segments of its own. A passage's own words and those that were added to
 * it have no term in common, so a term is in as many passages as both lists are long together, and a passage scores by the
 * one list or by the other.
 */
export interface AddedSegment {
  segment: Segment;
  weightOf: Float64Array;
  /** Where the passage of each document is: the place of its segment among the site's, and its document there. -1: nowhere. */
  partOf: Int32Array;
  documentOf: Int32Array;
}

/** Reads the segments of what was written. */
export async function openAdded(rows: RowReader, segmentIds: readonly number[]): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const id of segmentIds) segments.push(await openSegment(rows, id));
  return segments;
}

/** Finds the passages of what was written among those that somebody sees. */
export async function placeAdded(added: readonly Segment[], site: SiteWords): Promise<AddedSegment[]> {
  const placed: AddedSegment[] = [];
  for (const segment of added) {
    const own: AddedSegment = {
      segment,
      weightOf: weigh(segment.occurrences, ADDED_WEIGHTS),
      partOf: new Int32Array(segment.size).fill(-1),
      documentOf: new Int32Array(segment.size).fill(-1),
    };
    for (const [part, { segment: of }] of site.segments.entries()) {
      placeIn(own, of, part);
      await letOthersRun();
    }
    placed.push(own);
  }
  return placed;
}

/** Both have their passages by ascending id. */
function placeIn({ segment, partOf, documentOf }: AddedSegment, of: Segment, part: number): void {
  let document = 0;
  for (let own = 0; own < segment.size; own++) {
    const passageId = segment.passageIds[own] ?? 0;
    while (document < of.size && (of.passageIds[document] ?? 0) < passageId) document++;
    if (document === of.size) return;
    if (of.passageIds[document] !== passageId) continue;
    partOf[own] = part;
    documentOf[own] = document;
  }
}

/** Looks up what was written, while a question is answered. */
export interface AddedLists {
  /** For each term that it has, the documents of each part of the site that it was written for. */
  of(terms: readonly string[]): Promise<ReadonlyMap<string, readonly Found[]>>;
}

export const NO_ADDED: AddedLists = { of: async () => new Map() };

/** What was found is kept as long as the question is answered. */
export function createAddedLists(rows: RowReader, added: readonly AddedSegment[], parts: number): AddedLists {
  const lists = added.map((each) => ({ ...each, lists: createTermLists(rows, each.segment) }));
  const found = new Map<string, readonly Found[] | undefined>();

  async function find(terms: readonly string[]): Promise<void> {
    const ofTerms = new Map<string, Gathered[]>();
    for (const each of lists)
      for (const [term, list] of await each.lists.of(terms)) {
        const gathered = ofTerms.get(term) ?? gatheredFor(parts);
        ofTerms.set(term, gathered);
        gather(each, list, gathered);
        await letOthersRun();
      }
    for (const term of terms) {
      const gathered = ofTerms.get(term);
      const isAnywhere = gathered?.some(({ documents }) => documents.length > 0);
      found.set(term, isAnywhere ? gathered?.map(inOrder) : undefined);
    }
  }

  return {
    async of(terms) {
      const unknown = terms.filter((term) => !found.has(term));
      if (unknown.length > 0) await find(unknown);
      const some = new Map<string, readonly Found[]>();
      for (const term of terms) {
        const own = found.get(term);
        if (own) some.set(term, own);
      }
      return some;
    },
  };
}

/** The documents of a part that have a term, and how often each. */
interface Gathered {
  documents: number[];
  frequencies: number[];
}

const gatheredFor = (parts: number): Gathered[] =>
  Array.from({ length: parts }, () => ({ documents: [], frequencies: [] }));

function gather(
  { weightOf, partOf, documentOf }: AddedSegment & { lists: TermLists },
  { list }: TermList,
  into: readonly Gathered[],
): void {
  const block = createBlock();
  for (let number = 0; number < list.blocks; number++) {
    decodeBlock(list, number, block);
    for (let index = 0; index < block.size; index++) {
      const own = block.documents[index] ?? 0;
      const part = into[partOf[own] ?? -1];
      if (part === undefined) continue;
      part.documents.push(documentOf[own] ?? 0);
      part.frequencies.push(weightOf[block.occurrences[index] ?? 0] ?? 0);
    }
  }
}

/** Those of one segment come in order already. */
function inOrder({ documents, frequencies }: Gathered): Found {
  const isSorted = documents.every(
    (document, index) => index === 0 || document > (documents[index - 1] ?? 0),
  );
  if (isSorted) return { documents: Int32Array.from(documents), frequencies: Float64Array.from(frequencies) };
  const order = [...documents.keys()].sort((a, b) => (documents[a] ?? 0) - (documents[b] ?? 0));
  return {
    documents: Int32Array.from(order, (index) => documents[index] ?? 0),
    frequencies: Float64Array.from(order, (index) => frequencies[index] ?? 0),
  };
}
