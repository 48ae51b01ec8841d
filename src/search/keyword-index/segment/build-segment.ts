import { type Analyzer, createAnalyzer } from "../../analyze.ts";
import { FIELDS, fieldTerms } from "../fields.ts";
import type { IndexablePassage, SegmentRow } from "../segment-store.ts";
import type { ByteWriter } from "./bytes.ts";
import { createListWriter } from "./list-writer.ts";
import { createOccurrences } from "./occurrences.ts";
import { fieldOf, POSITIONS_MAX, placeOf, positionOf } from "./places.ts";
import { compareTerms, createSegmentWriter, type SegmentDocument, sortTerms } from "./segment-writer.ts";

/** The most passages that a new segment has. Merging makes larger ones. */
const PASSAGES_MAX = 8192;

/** Makes a segment of passages that come by ascending id. */
export interface SegmentBuilder {
  /** Whether there is room for another passage. */
  hasRoom(): boolean;
  add(passage: IndexablePassage): void;
  readonly passages: number;
  /** All rows of the segment of this id, some at a time. */
  finish(segmentId: number): Iterable<SegmentRow[]>;
}

export function createSegmentBuilder(): SegmentBuilder {
  const built: Built = { documents: [], terms: new Map(), places: createPlaces(), words: new Map() };
  const { documents, terms, places, words } = built;
  const analyzer = createAnalyzer();
  return {
    get passages() {
      return documents.length;
    },
    hasRoom: () => documents.length < PASSAGES_MAX,
    add({ id, pageId, ...passage }) {
      let length = 0;
      const onWord = (word: string) => countWord(words, word, documents.length, analyzer);
      for (const [field, own] of fieldTerms(passage, analyzer, onWord).entries()) {
        const count = Math.min(own.length, POSITIONS_MAX);
        for (let position = 0; position < count; position++) {
          const term = own[position] ?? "";
          let number = terms.get(term);
          if (number === undefined) {
            number = terms.size;
            terms.set(term, number);
          }
          places.add(number, documents.length, placeOf(field, position));
        }
        length += count;
      }
      documents.push({ passageId: id, pageId, length });
    },
    finish: (segmentId) => rowsOf(built, segmentId),
  };
}

interface Built {
  documents: SegmentDocument[];
  /** Numbers of terms in the order in which they came. */
  terms: Map<string, number>;
  places: Places;
  words: Map<string, BuiltWord>;
}

/** A word as it is written, while a segment is built. */
interface BuiltWord {
  term: string;
  passages: number;
  /** The last document that has it. */
  last: number;
}

function countWord(
  words: Map<string, BuiltWord>,
  word: string,
  document: number,
  { analyze }: Analyzer,
): void {
  const own = words.get(word);
  if (own === undefined) words.set(word, { term: analyze(word)[0] ?? "", passages: 1, last: document });
  else if (own.last !== document) {
    own.last = document;
    own.passages++;
  }
}

/** Where terms stand, in the order of the passages. */
interface Places {
  add(term: number, document: number, place: number): void;
  /** The same, those of each term together. */
  byTerm(terms: number): PlacesByTerm;
}

interface PlacesByTerm {
  /** Where those of each term begin; those of the last one end at the last. */
  starts: Uint32Array;
  documents: Uint32Array;
  /** The place of each in its document. */
  places: Uint32Array;
}

const PLACES_AT_FIRST = 2 ** 16;

function twiceAsLong(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

function createPlaces(): Places {
  let terms = new Uint32Array(PLACES_AT_FIRST);
  let documents = new Uint32Array(PLACES_AT_FIRST);
  let places = new Uint32Array(PLACES_AT_FIRST);
  let size = 0;
  return {
    add(term, document, place) {
      if (size === terms.length) {
        terms = twiceAsLong(terms);
        documents = twiceAsLong(documents);
        places = twiceAsLong(places);
      }
      terms[size] = term;
      documents[size] = document;
      places[size++] = place;
    },
    byTerm(count) {
      const starts = new Uint32Array(count + 1);
      for (let at = 0; at < size; at++) {
        const next = (terms[at] ?? 0) + 1;
        starts[next] = (starts[next] ?? 0) + 1;
      }
      for (let term = 1; term <= count; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);
      const ends = starts.slice(0, count);
      const sorted = { starts, documents: new Uint32Array(size), places: new Uint32Array(size) };
      for (let at = 0; at < size; at++) {
        const term = terms[at] ?? 0;
        const to = ends[term] ?? 0;
        ends[term] = to + 1;
        sorted.documents[to] = documents[at] ?? 0;
        sorted.places[to] = places[at] ?? 0;
      }
      return sorted;
    },
  };
}

/** Terms whose lists are written before others may run. */
const TERMS_AT_ONCE = 2000;

function* rowsOf({ documents, terms, places, words }: Built, segmentId: number): Generator<SegmentRow[]> {
  const occurrences = createOccurrences();
  const lists = createListWriter(occurrences);
  const writer = createSegmentWriter(segmentId);
  const counts = new Int32Array(FIELDS.length);
  const sorted = places.byTerm(terms.size);
  const wordsOf = Map.groupBy(words, ([, { term }]) => term);
  for (const [done, term] of sortTerms([...terms.keys()]).entries()) {
    const number = terms.get(term) ?? 0;
    const end = sorted.starts[number + 1] ?? 0;
    for (let at = sorted.starts[number] ?? end; at < end; ) {
      const document = sorted.documents[at] ?? 0;
      counts.fill(0);
      let next = at;
      for (; next < end && sorted.documents[next] === document; next++) {
        const field = fieldOf(sorted.places[next] ?? 0);
        counts[field] = (counts[field] ?? 0) + 1;
      }
      lists.add(document, occurrences.numberOf(counts), documents[document]?.length ?? 0);
      writePositions(lists.positions, sorted.places, at, next);
      at = next;
    }
    writer.term(term, lists.take());
    for (const [word, { passages }] of (wordsOf.get(term) ?? []).sort(([a], [b]) => compareTerms(a, b)))
      writer.word({ word, passages });
    if (done % TERMS_AT_ONCE === 0) yield writer.takeRows();
  }
  yield writer.finish(documents, occurrences);
}

/** Writes the positions of a document, field by field, each as its distance from the one before. */
function writePositions(into: ByteWriter, places: Uint32Array, from: number, end: number): void {
  let field = -1;
  let before = -1;
  for (let at = from; at < end; at++) {
    const place = places[at] ?? 0;
    if (fieldOf(place) !== field) before = -1;
    field = fieldOf(place);
    into.number(positionOf(place) - before - 1);
    before = positionOf(place);
  }
}
