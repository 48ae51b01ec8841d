import { languageOf } from "@docent/kernel/text/language-of";
import type { ReadPieces } from "@docent/kernel/text/remember-pieces";
import { type Analyzed, analyze, createAnalyzer, formTerm, languageTerm, STOP_WORDS } from "../../analyze.ts";
import { addedTexts, FIELDS, fieldTexts } from "../fields.ts";
import type { IndexablePassage, SegmentRow } from "../segment-store.ts";
import type { ByteWriter } from "./bytes.ts";
import { type EncodedLinks, encodeLinks } from "./link-rows.ts";
import { createListWriter } from "./list-writer.ts";
import { createOccurrences, fieldOf, POSITIONS_MAX, placeOf, positionOf } from "./occurrences.ts";
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
  const built: Built = {
    documents: [],
    terms: new Map(),
    places: createPlaces(),
    words: createWords(),
    links: [],
  };
  const { documents, links } = built;
  const read = createAnalyzer((part) => numbersOf(built, part));
  const formsIn = createForms(built);
  const languageIn = createLanguages();
  let stop: ReadonlySet<number> | undefined;
  return {
    get passages() {
      return documents.length;
    },
    hasRoom: () => documents.length < PASSAGES_MAX,
    add({ id, pageId, page, added, ...passage }) {
      const document = documents.length;
      const language = languageIn(pageId, passage.text);
      const formOf = formsIn(language);
      const texts = fieldTexts(passage);
      const cutting = { read, formOf, texts, document };
      if (added !== undefined) stop ??= stopTerms(built);
      const length =
        added === undefined
          ? addPassage(built, { ...cutting, language })
          : addNewTerms(built, { ...cutting, added: addedTexts(added), known: new Set(stop) });
      documents.push({ passageId: id, pageId, length });
      if (page) links.push({ passageId: id, bytes: encodeLinks(page) });
    },
    finish: (segmentId) => rowsOf(built, segmentId),
  };
}

type FormOf = ((word: number) => number) | undefined;

interface Cutting {
  read: ReadPieces;
  formOf: FormOf;
  texts: readonly string[];
  document: number;
}

/** Adds the places of all terms of a passage; returns how many its texts have. */
function addPassage(
  built: Built,
  { read, formOf, language, texts, document }: Cutting & { language: string | undefined },
): number {
  const { places, words } = built;
  if (formOf !== undefined && language !== undefined)
    places.add(numberOfTerm(built, languageTerm(language)), document, placeOf(0, 0));
  let length = 0;
  for (const [field, text] of texts.entries()) {
    let position = 0;
    read(text, (numbers, from, end) => {
      const wordsFrom = from + 1 + (numbers[from] ?? 0);
      for (let at = from + 1; at < wordsFrom; at++)
        if (position < POSITIONS_MAX) places.add(numbers[at] ?? 0, document, placeOf(field, position++));
      for (let at = wordsFrom; at < end; at++) {
        const word = numbers[at] ?? 0;
        words.count(word, document);
        const form = formOf?.(word);
        // Where the word stands: a passage is as long as its text, however many terms its words have.
        if (form !== undefined && position > 0) places.add(form, document, placeOf(field, position - 1));
      }
    });
    length += position;
  }
  return length;
}

/**
 * Adds the places of those terms that were added to a passage and that it does not have itself: so a term's list here and
 * its list in the segments of passages have no passage in common. Returns how many there are. Words that nearly every
 * question has are left out, and no word is kept as it is written: nothing that readers type is corrected to one.
 */
function addNewTerms(
  built: Built,
  { read, formOf, texts, added, known, document }: Cutting & { added: readonly string[]; known: Set<number> },
): number {
  const eachTerm = (text: string, take: (term: number) => void) =>
    read(text, (numbers, from, end) => {
      const wordsFrom = from + 1 + (numbers[from] ?? 0);
      for (let at = from + 1; at < wordsFrom; at++) take(numbers[at] ?? 0);
      if (formOf) for (let at = wordsFrom; at < end; at++) take(formOf(numbers[at] ?? 0));
    });
  for (const text of texts) eachTerm(text, (term) => known.add(term));
  let length = 0;
  for (const [field, text] of added.entries()) {
    let position = 0;
    eachTerm(text, (term) => {
      if (!known.has(term) && position < POSITIONS_MAX)
        built.places.add(term, document, placeOf(field, position++));
    });
    length += position;
  }
  return length;
}

const stopTerms = (built: Built) =>
  new Set(STOP_WORDS.flatMap((word) => analyze(word)).map((term) => numberOfTerm(built, term)));

interface Built {
  documents: SegmentDocument[];
  /** Numbers of terms in the order in which they came. */
  terms: Map<string, number>;
  places: Places;
  words: Words;
  links: EncodedLinks[];
}

/** The languages of passages; one that is too short to tell has that of what stands before it on its page. */
function createLanguages(): (pageId: number, text: string) => string | undefined {
  let last: { pageId: number; language: string | undefined } = { pageId: 0, language: undefined };
  return (pageId, text) => {
    const before = last.pageId === pageId ? last.language : undefined;
    last = { pageId, language: languageOf(text) ?? before };
    return last.language;
  };
}

/** The terms of the forms of words by the words' numbers, in one language. */
function createForms(built: Built) {
  const ofLanguages = new Map<string, (word: number) => number>();
  return (language: string | undefined): ((word: number) => number) | undefined => {
    if (language === undefined || formTerm(language, "") === undefined) return undefined;
    const known = ofLanguages.get(language);
    if (known !== undefined) return known;
    const numbers: (number | undefined)[] = [];
    const formOf = (word: number) => {
      const number =
        numbers[word] ?? numberOfTerm(built, formTerm(language, built.words.written(word)) ?? "");
      numbers[word] = number;
      return number;
    };
    ofLanguages.set(language, formOf);
    return formOf;
  };
}

function numberOfTerm({ terms }: Built, term: string): number {
  const known = terms.get(term);
  if (known !== undefined) return known;
  const number = terms.size;
  terms.set(term, number);
  return number;
}

/** How many terms a part of a text has, their numbers, and the numbers of its words. */
function numbersOf(built: Built, part: Analyzed): number[] {
  const ofTerms = part.terms.map((term) => numberOfTerm(built, term));
  return [ofTerms.length, ...ofTerms, ...part.words.map(built.words.numberOf)];
}

/** Words as they are written, while a segment is built. */
interface Words {
  numberOf(word: string): number;
  written(number: number): string;
  /** Counts a document that has a word, once: documents come one after the other. */
  count(word: number, document: number): void;
  /** The words, each with its term and in how many documents it is. */
  all(): { word: string; term: string; passages: number }[];
}

function createWords(): Words {
  const numbers = new Map<string, number>();
  const all: string[] = [];
  let passages = new Uint32Array(WORDS_AT_FIRST);
  /** The last document that has each, and 1. */
  let last = new Uint32Array(WORDS_AT_FIRST);
  return {
    numberOf(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      const number = all.push(word) - 1;
      numbers.set(word, number);
      if (number === last.length) {
        passages = twiceAsLong(passages);
        last = twiceAsLong(last);
      }
      return number;
    },
    written: (number) => all[number] ?? "",
    count(word, document) {
      if (last[word] === document + 1) return;
      last[word] = document + 1;
      passages[word] = (passages[word] ?? 0) + 1;
    },
    all: () =>
      all.map((word, number) => ({
        word,
        term: analyze(word)[0] ?? "",
        passages: passages[number] ?? 0,
      })),
  };
}

const WORDS_AT_FIRST = 1024;

function twiceAsLong(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
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

/** Places that are kept together: no part is copied into a larger one. */
const PLACES_IN_PART = 2 ** 14;
const NUMBERS_OF_PLACE = 3;

function createPlaces(): Places {
  const parts: Uint32Array[] = [];
  let last = new Uint32Array();
  let used = 0;
  return {
    add(term, document, place) {
      if (used === last.length) {
        last = new Uint32Array(NUMBERS_OF_PLACE * PLACES_IN_PART);
        parts.push(last);
        used = 0;
      }
      last[used++] = term;
      last[used++] = document;
      last[used++] = place;
    },
    byTerm(count) {
      const size = Math.max(0, parts.length - 1) * PLACES_IN_PART + used / NUMBERS_OF_PLACE;
      const starts = new Uint32Array(count + 1);
      const sorted = { starts, documents: new Uint32Array(size), places: new Uint32Array(size) };
      const ofPart = (part: Uint32Array) => (part === last ? used : part.length);
      for (const part of parts)
        for (let at = 0; at < ofPart(part); at += NUMBERS_OF_PLACE) {
          const next = (part[at] ?? 0) + 1;
          starts[next] = (starts[next] ?? 0) + 1;
        }
      for (let term = 1; term <= count; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);
      const ends = starts.slice(0, count);
      for (const part of parts)
        for (let at = 0; at < ofPart(part); at += NUMBERS_OF_PLACE) {
          const term = part[at] ?? 0;
          const to = ends[term] ?? 0;
          ends[term] = to + 1;
          sorted.documents[to] = part[at + 1] ?? 0;
          sorted.places[to] = part[at + 2] ?? 0;
        }
      return sorted;
    },
  };
}

/** Terms whose lists are written before others may run. */
const TERMS_AT_ONCE = 2000;

function* rowsOf(
  { documents, terms, places, words, links }: Built,
  segmentId: number,
): Generator<SegmentRow[]> {
  const occurrences = createOccurrences();
  const lists = createListWriter(occurrences);
  const writer = createSegmentWriter(segmentId);
  for (const page of links) writer.links(page);
  const counts = new Int32Array(FIELDS.length);
  const sorted = places.byTerm(terms.size);
  const wordsOf = Map.groupBy(words.all(), ({ term }) => term);
  for (const [done, term] of sortTerms([...terms.keys()]).entries()) {
    const number = terms.get(term) ?? 0;
    const start = sorted.starts[number] ?? 0;
    const end = sorted.starts[number + 1] ?? 0;
    // Stands only behind what a field may hold.
    if (start === end) continue;
    for (let at = start; at < end; ) {
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
    for (const { word, passages } of (wordsOf.get(term) ?? []).sort((a, b) => compareTerms(a.word, b.word)))
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
