import { FIELDS, fieldTerms } from "../fields.ts";
import type { IndexablePassage, SegmentRow } from "../segment-store.ts";
import { createListWriter } from "./list-writer.ts";
import { createOccurrences } from "./occurrences.ts";
import { compareTerms, createSegmentWriter, type SegmentDocument } from "./segment-writer.ts";

/** The most passages that a new segment has. Merging makes larger ones. */
export const NEW_SEGMENT_PASSAGES_MAX = 8192;

// Where a term stands is one number (its term, document, field and position, from the largest part to the smallest), so
// that sorting the numbers brings the lists of all terms into order. Together the parts have 52 bits: no more are exact.
const POSITIONS = 2 ** 16;
const FIELD_SIZE = POSITIONS;
const DOCUMENT_SIZE = FIELD_SIZE * 8;
const TERM_SIZE = DOCUMENT_SIZE * NEW_SEGMENT_PASSAGES_MAX;
const TERMS_MAX = 2 ** 20;

/** Makes a segment of passages that come by ascending id. */
export interface SegmentBuilder {
  /** Whether there is room for another passage. */
  hasRoom(): boolean;
  add(passage: IndexablePassage): void;
  readonly passages: number;
  /** All rows of the segment. */
  finish(): Iterable<SegmentRow[]>;
}

export function createSegmentBuilder(): SegmentBuilder {
  const documents: SegmentDocument[] = [];
  const terms = new Map<string, number>();
  let places = new Float64Array(2 ** 16);
  let size = 0;

  function put(place: number): void {
    if (size === places.length) {
      const larger = new Float64Array(size * 2);
      larger.set(places);
      places = larger;
    }
    places[size++] = place;
  }

  return {
    get passages() {
      return documents.length;
    },
    hasRoom: () =>
      documents.length < NEW_SEGMENT_PASSAGES_MAX && terms.size < TERMS_MAX - FIELDS.length * POSITIONS,
    add({ id, pageId, ...passage }) {
      let length = 0;
      for (const [field, own] of fieldTerms(passage).entries()) {
        // What stands further behind than a position can say is left out: no passage is that long.
        const some = own.length > POSITIONS ? own.slice(0, POSITIONS) : own;
        length += some.length;
        const base = documents.length * DOCUMENT_SIZE + field * FIELD_SIZE;
        for (const [position, term] of some.entries()) {
          let number = terms.get(term);
          if (number === undefined) {
            number = terms.size;
            terms.set(term, number);
          }
          put(number * TERM_SIZE + base + position);
        }
      }
      documents.push({ passageId: id, pageId, length });
    },
    finish: () => rowsOf(documents, [...terms.keys()], places.subarray(0, size).sort()),
  };
}

/** Terms whose lists are written before others may run. */
const TERMS_AT_ONCE = 2000;

function* rowsOf(
  documents: readonly SegmentDocument[],
  terms: readonly string[],
  places: Float64Array,
): Generator<SegmentRow[]> {
  const occurrences = createOccurrences();
  const lists = createListWriter(occurrences);
  const writer = createSegmentWriter();
  const starts = startsOf(places, terms.length);
  const order = terms.map((_, number) => number).sort((a, b) => compareTerms(terms[a] ?? "", terms[b] ?? ""));
  const counts = FIELDS.map(() => 0);
  for (const [done, number] of order.entries()) {
    const end = starts[number + 1] ?? places.length;
    for (let at = starts[number] ?? end; at < end; ) {
      const document = documentOf(places[at] ?? 0);
      counts.fill(0);
      let next = at;
      for (; next < end && documentOf(places[next] ?? 0) === document; next++) {
        const field = fieldOf(places[next] ?? 0);
        counts[field] = (counts[field] ?? 0) + 1;
      }
      lists.add(document, occurrences.numberOf(counts), documents[document]?.length ?? 0);
      let before = -1;
      let field = -1;
      for (; at < next; at++) {
        const place = places[at] ?? 0;
        if (fieldOf(place) !== field) before = -1;
        field = fieldOf(place);
        const position = place % POSITIONS;
        lists.positions.number(position - before - 1);
        before = position;
      }
    }
    writer.term(terms[number] ?? "", lists.take());
    if (done % TERMS_AT_ONCE === 0) yield writer.takeRows();
  }
  yield writer.finish(documents, occurrences);
}

const documentOf = (place: number) => Math.floor((place % TERM_SIZE) / DOCUMENT_SIZE);
const fieldOf = (place: number) => Math.floor((place % DOCUMENT_SIZE) / FIELD_SIZE);

/** Where the places of each term begin. */
function startsOf(places: Float64Array, terms: number): Uint32Array {
  const starts = new Uint32Array(terms + 1);
  starts[terms] = places.length;
  let before = -1;
  for (let at = 0; at < places.length; at++) {
    const number = Math.floor((places[at] ?? 0) / TERM_SIZE);
    if (number !== before) starts[number] = at;
    before = number;
  }
  return starts;
}
