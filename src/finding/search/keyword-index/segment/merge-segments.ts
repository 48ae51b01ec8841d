import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { analyze } from "../../analyze.ts";
import type { SegmentRow } from "../segment-store.ts";
import { type EncodedLinks, readLinkRow } from "./link-rows.ts";
import { createBlock, decodeBlock, openList, positionStarts } from "./list-reader.ts";
import { createListWriter, type ListWriter } from "./list-writer.ts";
import { createOccurrences, type Occurrences } from "./occurrences.ts";
import { type Segment, type TermEntry, termsOf } from "./read-segment.ts";
import { type RowReader, readPositionRanges } from "./row-reader.ts";
import {
  compareTerms,
  createSegmentWriter,
  FIRST_BLOCK_ROW,
  FIRST_LINKS_ROW,
  FIRST_WORDS_ROW,
  type SegmentDocument,
} from "./segment-writer.ts";
import { type CountedWord, readWords } from "./word-rows.ts";

/** So many entries of lists are merged before others may run: a few milliseconds' work. */
const ENTRIES_AT_ONCE = 20_000;

/** A segment that is merged with others. */
interface Source {
  segment: Segment;
  /** The new number of each document; -1 for those that are left out. */
  numberOf: Int32Array;
  /** The new number of each way in which a term stands. */
  occurrenceOf: Int32Array;
  terms: AsyncGenerator<SourceTerm>;
  /** The term that is next. */
  next: SourceTerm | undefined;
  words: AsyncGenerator<SourceWord>;
  /** The word that is next. */
  nextWord: SourceWord | undefined;
}

type SourceWord = CountedWord & { term: string };

interface SourceTerm {
  term: string;
  entry: TermEntry;
  block: Uint8Array;
  positions: Uint8Array;
}

interface Merge {
  segments: readonly Segment[];
  isKept: (passageId: number) => boolean;
  /** The id of the segment that is made of them. */
  into: number;
}

/** Merges segments into one that has those of their passages that `isKept` names, row by row. */
export async function* mergeSegments(
  rows: RowReader,
  { segments, isKept, into }: Merge,
): AsyncGenerator<SegmentRow[]> {
  const occurrences = createOccurrences();
  const { documents, numbersOf } = numberDocuments(segments, isKept);
  const sources = segments.map((segment, index) =>
    openSource(rows, segment, numbersOf[index] ?? new Int32Array(), occurrences),
  );
  for (const source of sources) {
    await advance(source);
    await advanceWord(source);
  }
  const writer = createSegmentWriter(into);
  for (const segment of segments) {
    for await (const pages of linksOf(rows, segment))
      for (const page of pages) if (isKept(page.passageId)) writer.links(page);
    yield writer.takeRows();
  }
  const lists = createListWriter(occurrences);
  let merged = 0;
  for (;;) {
    const own = sourcesOfNextTerm(sources);
    const term = own[0]?.next?.term;
    if (term === undefined) break;
    const list = mergeLists(own, documents, lists);
    // What only passages had that are gone is left out, and so are its words.
    const words = await wordsOfTerm(own, term);
    if (list.documents > 0) {
      writer.term(term, list);
      for (const { word, passages } of words)
        writer.word({ word, passages: Math.min(passages, list.documents) });
    }
    for (const source of own) await advance(source);
    merged += list.documents + own.length;
    if (merged < ENTRIES_AT_ONCE) continue;
    merged = 0;
    yield writer.takeRows();
    await letOthersRun();
  }
  yield writer.finish(documents, occurrences);
}

/** The links of a segment's pages, row by row. */
async function* linksOf(rows: RowReader, { id, linkRows }: Segment): AsyncGenerator<EncodedLinks[]> {
  for (let index = 0; index < linkRows; index++) {
    const number = FIRST_LINKS_ROW + index;
    yield readLinkRow((await rows.read(id, [number])).get(number) ?? new Uint8Array());
    await letOthersRun();
  }
}

/** How many passages of these segments stay. */
export function countKept(segments: readonly Segment[], isKept: (passageId: number) => boolean): number {
  return segments.reduce(
    (sum, { passageIds }) => sum + passageIds.reduce((count, id) => count + (isKept(id) ? 1 : 0), 0),
    0,
  );
}

/** Numbers the documents that stay by their passages, across all segments. */
function numberDocuments(segments: readonly Segment[], isKept: (passageId: number) => boolean) {
  const all = segments.flatMap(({ passageIds, pageIds, lengths }, source) =>
    Array.from(passageIds, (passageId, document) => ({
      passageId,
      pageId: pageIds[document] ?? 0,
      length: lengths[document] ?? 0,
      source,
      document,
    })).filter(({ passageId }) => isKept(passageId)),
  );
  all.sort((a, b) => a.passageId - b.passageId);
  const numbersOf = segments.map(({ size }) => new Int32Array(size).fill(-1));
  for (const [number, { source, document }] of all.entries()) {
    const numbers = numbersOf[source];
    if (numbers) numbers[document] = number;
  }
  const documents = all.map(
    ({ passageId, pageId, length }): SegmentDocument => ({ passageId, pageId, length }),
  );
  return { documents, numbersOf };
}

function openSource(
  rows: RowReader,
  segment: Segment,
  numberOf: Int32Array,
  occurrences: Occurrences,
): Source {
  const occurrenceOf = Int32Array.from(segment.occurrences.counts, (counts) => occurrences.numberOf(counts));
  return {
    segment,
    numberOf,
    occurrenceOf,
    terms: termsInOrder(rows, segment),
    next: undefined,
    words: wordsInOrder(rows, segment),
    nextWord: undefined,
  };
}

async function* wordsInOrder(rows: RowReader, { id, wordRows }: Segment): AsyncGenerator<SourceWord> {
  for (let index = 0; index < wordRows; index++) {
    const number = FIRST_WORDS_ROW + index;
    const row = (await rows.read(id, [number])).get(number) ?? new Uint8Array();
    for (const counted of readWords(row)) yield { ...counted, term: analyze(counted.word)[0] ?? "" };
  }
}

/** The words of a term in all of these sources, in their order. */
async function wordsOfTerm(sources: readonly Source[], term: string): Promise<CountedWord[]> {
  const passagesOf = new Map<string, number>();
  for (const source of sources) {
    for (let next = source.nextWord; next !== undefined; next = source.nextWord) {
      if (compareTerms(next.term, term) > 0) break;
      if (next.term === term) passagesOf.set(next.word, (passagesOf.get(next.word) ?? 0) + next.passages);
      await advanceWord(source);
    }
  }
  return [...passagesOf]
    .sort(([a], [b]) => compareTerms(a, b))
    .map(([word, passages]) => ({ word, passages }));
}

async function advanceWord(source: Source): Promise<void> {
  const { value, done } = await source.words.next();
  source.nextWord = done === true ? undefined : value;
}

async function* termsInOrder(rows: RowReader, { id, firstTerms }: Segment): AsyncGenerator<SourceTerm> {
  for (let index = 0; index < firstTerms.length; index++) {
    const number = FIRST_BLOCK_ROW + index;
    const block = (await rows.read(id, [number])).get(number) ?? new Uint8Array();
    const terms = [...termsOf(block)];
    const start = terms[0]?.entry.positionsAt ?? 0;
    const last = terms.at(-1)?.entry;
    const end = last ? last.positionsAt + last.positionsLength : start;
    const all = await readPositionRanges(rows, id, { start, end }, [{ start: 0, end: end - start }]);
    for (const { term, entry } of terms) {
      const at = entry.positionsAt - start;
      yield { term, entry, block, positions: all.subarray(at, at + entry.positionsLength) };
    }
  }
}

async function advance(source: Source): Promise<void> {
  const { value, done } = await source.terms.next();
  source.next = done === true ? undefined : value;
}

function sourcesOfNextTerm(sources: readonly Source[]): Source[] {
  let first: string | undefined;
  let own: Source[] = [];
  for (const source of sources) {
    const term = source.next?.term;
    if (term === undefined) continue;
    const order = first === undefined ? -1 : compareTerms(term, first);
    if (order < 0) {
      first = term;
      own = [source];
    } else if (order === 0) own.push(source);
  }
  return own;
}

/** Merges the lists of the next term, source by source where their documents come one behind the other. */
function mergeLists(sources: readonly Source[], documents: readonly SegmentDocument[], lists: ListWriter) {
  const parts = sources.map(partOf);
  const isInOrder = parts.every(
    ({ numbers }, index) => index === 0 || lastOf(parts, index) < (numbers[0] ?? Infinity),
  );
  const add = ({ numbers, occurrences, starts, positions }: Part, index: number) => {
    const document = numbers[index] ?? 0;
    lists.add(document, occurrences[index] ?? 0, documents[document]?.length ?? 0);
    lists.positions.part(positions, starts[index * 2] ?? 0, starts[index * 2 + 1] ?? 0);
  };
  if (isInOrder)
    for (const part of parts) for (let index = 0; index < part.numbers.length; index++) add(part, index);
  else {
    const all = parts.flatMap((part) => part.numbers.map((document, index) => ({ part, document, index })));
    all.sort((a, b) => a.document - b.document);
    for (const { part, index } of all) add(part, index);
  }
  return lists.take();
}

/** What stays of one source's list. */
interface Part {
  /** The new numbers of its documents. */
  numbers: number[];
  occurrences: number[];
  /** Where the positions of each begin and end. */
  starts: number[];
  positions: Uint8Array;
}

/** The greatest document of the parts before this one. */
const lastOf = (parts: readonly Part[], index: number) =>
  parts.slice(0, index).reduce((most, { numbers }) => Math.max(most, numbers.at(-1) ?? -1), -1);

function partOf({ segment, numberOf, occurrenceOf, next }: Source): Part {
  const part: Part = {
    numbers: [],
    occurrences: [],
    starts: [],
    positions: next?.positions ?? new Uint8Array(),
  };
  if (next === undefined) return part;
  const list = openList(next.block, next.entry);
  const block = createBlock();
  for (let number = 0; number < list.blocks; number++) {
    decodeBlock(list, number, block);
    const starts = positionStarts(list, number, block, part.positions, segment.occurrences);
    for (let index = 0; index < block.size; index++) {
      const document = numberOf[block.documents[index] ?? 0] ?? -1;
      if (document < 0) continue;
      part.numbers.push(document);
      part.occurrences.push(occurrenceOf[block.occurrences[index] ?? 0] ?? 0);
      part.starts.push(starts[index] ?? 0, starts[index + 1] ?? 0);
    }
  }
  return part;
}
