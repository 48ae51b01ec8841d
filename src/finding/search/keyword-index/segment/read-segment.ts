import { type Cursor, cursorOf, readNumber, readText, signed } from "./bytes.ts";
import { createOccurrences, type Occurrences } from "./occurrences.ts";
import { compareTerms, FIRST_BLOCK_ROW } from "./segment-writer.ts";

/** The documents of a segment and its directory, as they are kept in memory while it is searched. */
export interface Segment {
  id: number;
  /** The number of its documents. Each thing that is known of them stands at the document's number. */
  size: number;
  /** Ascending. */
  passageIds: Float64Array;
  pageIds: Float64Array;
  /** How many terms each has, all fields together. */
  lengths: Uint32Array;
  /** The first document of each page, in the order of the pages' ids: a page's documents stand together. */
  pageStarts: Uint32Array;
  occurrences: Occurrences;
  /** The first term of each block. */
  firstTerms: readonly string[];
  /** How many rows of positions it has, of words, and of links. */
  positionRows: number;
  wordRows: number;
  linkRows: number;
}

/** Documents that are read at once: about a millisecond's work. */
const DOCUMENTS_AT_ONCE = 16_384;

/** Reads the row of a segment's documents and its directory. Yields where others may run. */
export function* readSegment(
  id: number,
  documents: Uint8Array,
  directory: Uint8Array,
): Generator<undefined, Segment> {
  const cursor = cursorOf(documents);
  const size = readNumber(cursor);
  const read = {
    passageIds: new Float64Array(size),
    pageIds: new Float64Array(size),
    lengths: new Uint32Array(size),
  };
  for (let from = 0; from < size; from += DOCUMENTS_AT_ONCE) {
    readDocuments(cursor, read, from, Math.min(size, from + DOCUMENTS_AT_ONCE));
    yield;
  }
  const counts = Array.from({ length: readNumber(cursor) }, () =>
    Array.from({ length: readNumber(cursor) }, () => readNumber(cursor)),
  );
  const terms = cursorOf(directory);
  const blocks = readNumber(terms);
  const positionRows = readNumber(terms);
  const wordRows = readNumber(terms);
  const linkRows = readNumber(terms);
  const firstTerms = Array.from({ length: blocks }, () => readText(terms));
  const pageStarts = startsOfPages(read.pageIds);
  const occurrences = createOccurrences(counts);
  return { id, size, ...read, pageStarts, occurrences, firstTerms, positionRows, wordRows, linkRows };
}

function startsOfPages(pageIds: Float64Array): Uint32Array {
  const starts: number[] = [];
  for (let document = 0; document < pageIds.length; document++)
    if (document === 0 || pageIds[document] !== pageIds[document - 1]) starts.push(document);
  return Uint32Array.from(starts.sort((a, b) => (pageIds[a] ?? 0) - (pageIds[b] ?? 0) || a - b));
}

/** Where the documents of a page begin and end; a page whose documents were written apart has several ranges. */
export function rangesOfPage(
  { pageIds, pageStarts, size }: Segment,
  pageId: number,
): { from: number; end: number }[] {
  let low = 0;
  let high = pageStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pageIds[pageStarts[middle] ?? 0] ?? 0) < pageId) low = middle + 1;
    else high = middle;
  }
  const ranges: { from: number; end: number }[] = [];
  for (let at = low; pageIds[pageStarts[at] ?? size] === pageId; at++) {
    const from = pageStarts[at] ?? 0;
    let end = from + 1;
    while (end < size && pageIds[end] === pageId) end++;
    ranges.push({ from, end });
  }
  return ranges;
}

/** Reads some of the documents: each number is the distance from the document before. */
function readDocuments(
  cursor: Cursor,
  { passageIds, pageIds, lengths }: Pick<Segment, "passageIds" | "pageIds" | "lengths">,
  from: number,
  end: number,
): void {
  let passageId = passageIds[from - 1] ?? 0;
  let pageId = pageIds[from - 1] ?? 0;
  for (let document = from; document < end; document++) {
    passageId += readNumber(cursor);
    pageId += signed(readNumber(cursor));
    passageIds[document] = passageId;
    pageIds[document] = pageId;
    lengths[document] = readNumber(cursor);
  }
}

/** The number of a passage's document; -1 where the segment does not have it. */
export function documentOf({ passageIds, size }: Segment, passageId: number): number {
  let low = 0;
  let high = size - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = passageIds[middle] ?? 0;
    if (found === passageId) return middle;
    if (found < passageId) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The row of the block that has a term, if any has it; undefined where the term comes before all. */
export function blockRowOf({ firstTerms }: Segment, term: string): number | undefined {
  let low = 0;
  let high = firstTerms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTerms(firstTerms[middle] ?? "", term) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : FIRST_BLOCK_ROW + low - 1;
}

/** The rows of the blocks that may have terms with this beginning. */
export function blockRowsOf(segment: Segment, beginning: string): number[] {
  const { firstTerms } = segment;
  const first = (blockRowOf(segment, beginning) ?? FIRST_BLOCK_ROW) - FIRST_BLOCK_ROW;
  let end = first + 1;
  while (end < firstTerms.length && firstTerms[end]?.startsWith(beginning)) end++;
  return Array.from(
    { length: Math.min(end, firstTerms.length) - first },
    (_, index) => FIRST_BLOCK_ROW + first + index,
  );
}

/** Where a term's list stands in its block, and its positions among those of all terms. */
export interface TermEntry {
  documents: number;
  listAt: number;
  listLength: number;
  positionsAt: number;
  positionsLength: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The entry of a term in a block; undefined where it is not there. */
export function findTerm(block: Uint8Array, term: string): TermEntry | undefined {
  const wanted = encoder.encode(term);
  const heads = headsOf(block);
  // How many bytes the wanted term shares with the one before: terms stand in the order of their bytes.
  let matched = 0;
  for (let left = heads.terms; left > 0; left--) {
    const { shared, suffixAt, suffixLength } = nextHead(heads);
    if (shared < matched) return undefined;
    if (shared > matched) continue;
    const end = suffixAt + suffixLength;
    let at = suffixAt;
    while (at < end && matched < wanted.length && block[at] === wanted[matched]) {
      at++;
      matched++;
    }
    if (at === end && matched === wanted.length) return heads.entry;
    if (at < end && (matched === wanted.length || (block[at] ?? 0) > (wanted[matched] ?? 0)))
      return undefined;
  }
  return undefined;
}

/** All terms of a block with their entries, in order. */
export function* termsOf(block: Uint8Array): Generator<{ term: string; entry: TermEntry }> {
  const heads = headsOf(block);
  let bytes = new Uint8Array(64);
  for (let left = heads.terms; left > 0; left--) {
    const { shared, suffixAt, suffixLength } = nextHead(heads);
    const length = shared + suffixLength;
    if (length > bytes.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(bytes.subarray(0, shared));
      bytes = larger;
    }
    bytes.set(block.subarray(suffixAt, suffixAt + suffixLength), shared);
    yield { term: decoder.decode(bytes.subarray(0, length)), entry: heads.entry };
  }
}

/** The entries of a block's terms that begin like this. */
export function* entriesBeginningWith(block: Uint8Array, beginning: string): Generator<TermEntry> {
  const wanted = encoder.encode(beginning);
  const heads = headsOf(block);
  // How many bytes the beginning shares with the term before.
  let matched = 0;
  for (let left = heads.terms; left > 0; left--) {
    const { shared, suffixAt, suffixLength } = nextHead(heads);
    matched = Math.min(matched, shared);
    if (matched === shared)
      for (let at = 0; at < suffixLength && matched < wanted.length; at++, matched++)
        if (block[suffixAt + at] !== wanted[matched]) break;
    if (matched === wanted.length) yield heads.entry;
  }
}

/** The way through the heads of a block's terms. */
interface Heads {
  cursor: { bytes: Uint8Array; at: number };
  terms: number;
  listsAt: number;
  positionsAt: number;
  /** The entry of the term that was read last. */
  entry: TermEntry;
}

function headsOf(block: Uint8Array): Heads {
  const cursor = cursorOf(block);
  const terms = readNumber(cursor);
  const positionsAt = readNumber(cursor);
  const length = readNumber(cursor);
  const entry = { documents: 0, listAt: 0, listLength: 0, positionsAt: 0, positionsLength: 0 };
  return { cursor, terms, listsAt: cursor.at + length, positionsAt, entry };
}

function nextHead(heads: Heads): { shared: number; suffixAt: number; suffixLength: number } {
  const { cursor } = heads;
  const shared = readNumber(cursor);
  const suffixLength = readNumber(cursor);
  const suffixAt = cursor.at;
  cursor.at += suffixLength;
  const documents = readNumber(cursor);
  const listLength = readNumber(cursor);
  const positionsLength = readNumber(cursor);
  heads.entry = {
    documents,
    listAt: heads.listsAt,
    listLength,
    positionsAt: heads.positionsAt,
    positionsLength,
  };
  heads.listsAt += listLength;
  heads.positionsAt += positionsLength;
  return { shared, suffixAt, suffixLength };
}
