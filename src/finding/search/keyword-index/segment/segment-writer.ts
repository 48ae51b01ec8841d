import type { SegmentRow } from "../segment-store.ts";
import { createByteWriter, unsigned } from "./bytes.ts";
import { seal } from "./checksum.ts";
import { createLinkRows, type EncodedLinks } from "./link-rows.ts";
import type { EncodedList } from "./list-writer.ts";
import type { Occurrences } from "./occurrences.ts";
import { type CountedWord, createWordRows } from "./word-rows.ts";

// Row 0 has the documents, row 1 the first term of each block of terms. The blocks follow; far behind them stand the links
// of pages, the words as they are written, and the positions, cut into rows of one size.
export const DOCUMENTS_ROW = 0;
export const DIRECTORY_ROW = 1;
export const FIRST_BLOCK_ROW = 2;
export const FIRST_LINKS_ROW = 2 ** 21;
export const FIRST_WORDS_ROW = 2 ** 22;
export const FIRST_POSITIONS_ROW = 2 ** 23;

/** A row of this size fits on a page of the database. */
const ROW_BYTES = 4000;
export const POSITIONS_ROW_BYTES = ROW_BYTES;
/** What a block has besides its terms and lists, at most. */
const BLOCK_HEAD_BYTES = 24;

/** A passage of a segment. */
export interface SegmentDocument {
  passageId: number;
  pageId: number;
  /** How many terms it has, all fields together. */
  length: number;
}

/** Writes the rows of one segment. */
interface SegmentWriter {
  /** Terms come in their order. */
  term(term: string, list: EncodedList): void;
  /** Words come in the order of their terms, and those of one term in their own. */
  word(word: CountedWord): void;
  /** Pages come in any order. */
  links(page: EncodedLinks): void;
  /** The rows that are ready: what is written need not be held. */
  takeRows(): SegmentRow[];
  /** The last rows. The documents come by ascending passage. */
  finish(documents: readonly SegmentDocument[], occurrences: Occurrences): SegmentRow[];
}

const encoder = new TextEncoder();

export function createSegmentWriter(segmentId: number): SegmentWriter {
  const ready: SegmentRow[] = [];
  const put = (number: number, bytes: Uint8Array) =>
    ready.push({ number, bytes: seal(bytes, { segmentId, row: number }) });
  const positions = createPositionRows(put);
  const blocks = createBlockRows(put);
  const words = createWordRows((index, bytes) => put(FIRST_WORDS_ROW + index, bytes));
  const links = createLinkRows((index, bytes) => put(FIRST_LINKS_ROW + index, bytes));
  return {
    term(term, list) {
      blocks.add(term, list, positions.length());
      positions.add(list.positions);
    },
    word: words.add,
    links: links.add,
    takeRows: () => ready.splice(0),
    finish(documents, occurrences) {
      const { count, firstTerms } = blocks.end();
      put(DOCUMENTS_ROW, encodeDocuments(documents, occurrences));
      const directory = createByteWriter();
      directory.number(count);
      directory.number(positions.end());
      directory.number(words.end());
      directory.number(links.end());
      directory.bytes(firstTerms);
      put(DIRECTORY_ROW, directory.take());
      return ready.splice(0);
    },
  };
}

type PutRow = (number: number, bytes: Uint8Array) => void;

/** The blocks of terms with their lists. A list that is larger than a row has a block of its own. */
function createBlockRows(put: PutRow) {
  const heads = createByteWriter(ROW_BYTES);
  const lists = createByteWriter(ROW_BYTES * 4);
  const firstTerms = createByteWriter();
  let block = { terms: 0, positionsAt: 0, last: new Uint8Array() };
  let count = 0;

  function endBlock(): void {
    const row = createByteWriter(heads.length + lists.length + BLOCK_HEAD_BYTES);
    row.number(block.terms);
    row.number(block.positionsAt);
    row.number(heads.length);
    row.bytes(heads.take());
    row.bytes(lists.take());
    put(FIRST_BLOCK_ROW + count++, row.take());
  }

  return {
    add(term: string, { documents, list, positions }: EncodedList, positionsAt: number): void {
      const encoded = encoder.encode(term);
      const more = encoded.length + list.length + BLOCK_HEAD_BYTES;
      const isFull = block.terms > 0 && heads.length + lists.length + more > ROW_BYTES;
      if (isFull) endBlock();
      if (isFull || block.terms === 0) {
        block = { terms: 0, positionsAt, last: new Uint8Array() };
        firstTerms.text(term);
      }
      const shared = sharedLength(block.last, encoded);
      heads.number(shared);
      heads.number(encoded.length - shared);
      heads.bytes(encoded.subarray(shared));
      heads.number(documents);
      heads.number(list.length);
      heads.number(positions.length);
      lists.bytes(list);
      block.last = encoded;
      block.terms++;
    },
    end(): { count: number; firstTerms: Uint8Array } {
      if (block.terms > 0) endBlock();
      return { count, firstTerms: firstTerms.take() };
    },
  };
}

/** The positions of all terms behind each other, cut into rows of one size. */
function createPositionRows(put: PutRow) {
  const waiting = createByteWriter(ROW_BYTES * 4);
  let rows = 0;

  function putWhole(): void {
    const all = waiting.take();
    let at = 0;
    for (; at + POSITIONS_ROW_BYTES <= all.length; at += POSITIONS_ROW_BYTES)
      put(FIRST_POSITIONS_ROW + rows++, all.subarray(at, at + POSITIONS_ROW_BYTES));
    waiting.bytes(all.subarray(at));
  }

  return {
    length: () => rows * POSITIONS_ROW_BYTES + waiting.length,
    add(bytes: Uint8Array): void {
      waiting.bytes(bytes);
      if (waiting.length >= POSITIONS_ROW_BYTES) putWhole();
    },
    /** Returns the number of rows. */
    end(): number {
      if (waiting.length > 0) put(FIRST_POSITIONS_ROW + rows++, waiting.take());
      return rows;
    },
  };
}

function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

function encodeDocuments(documents: readonly SegmentDocument[], { counts }: Occurrences): Uint8Array {
  const row = createByteWriter(documents.length * 6);
  row.number(documents.length);
  let before = { passageId: 0, pageId: 0 };
  for (const { passageId, pageId, length } of documents) {
    row.number(passageId - before.passageId);
    row.number(unsigned(pageId - before.pageId));
    row.number(length);
    before = { passageId, pageId };
  }
  row.number(counts.length);
  for (const each of counts) {
    row.number(each.length);
    for (const count of each) row.number(count);
  }
  return row.take();
}

/** The order of terms in a segment: that of their bytes in UTF-8. */
export function compareTerms(a: string, b: string): number {
  if (BEYOND_FIRST_PLANE.test(a) || BEYOND_FIRST_PLANE.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts terms in that order. */
export function sortTerms(terms: string[]): string[] {
  // JavaScript's own order is another one only for these, and sorts much faster.
  return terms.some((term) => BEYOND_FIRST_PLANE.test(term)) ? terms.sort(compareTerms) : terms.sort();
}

/** Their UTF-16 units come before others that follow them in UTF-8. */
const BEYOND_FIRST_PLANE = /[\ud800-\udfff]/;
