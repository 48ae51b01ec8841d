import { createByteWriter, unsigned } from "./bytes.ts";
import { seal } from "./checksum.ts";
import type { EncodedList } from "./list-writer.ts";
import type { Occurrences } from "./occurrences.ts";
import type { SegmentRow } from "./segment-store.ts";

// Row 0 has the documents, row 1 the first term of each block of terms. The blocks follow; the positions stand far behind
// them, cut into rows of one size.
export const DOCUMENTS_ROW = 0;
export const DIRECTORY_ROW = 1;
export const FIRST_BLOCK_ROW = 2;
export const FIRST_POSITIONS_ROW = 2 ** 23;

/** A row of this size fits on a page of the database. */
const ROW_BYTES = 4000;
export const POSITIONS_ROW_BYTES = ROW_BYTES;

/** A passage of a segment. */
export interface SegmentDocument {
  passageId: number;
  pageId: number;
  /** How many terms it has, all fields together. */
  length: number;
}

/** Writes the rows of one segment. */
export interface SegmentWriter {
  /** Terms come in their order. */
  term(term: string, list: EncodedList): void;
  /** The rows that are ready: what is written need not be held. */
  takeRows(): SegmentRow[];
  /** The last rows. The documents come by ascending passage. */
  finish(documents: readonly SegmentDocument[], occurrences: Occurrences): SegmentRow[];
}

const encoder = new TextEncoder();

export function createSegmentWriter(): SegmentWriter {
  const heads = createByteWriter(ROW_BYTES);
  const lists = createByteWriter(ROW_BYTES * 4);
  const positions = createByteWriter(ROW_BYTES * 4);
  const directory = createByteWriter();
  const ready: SegmentRow[] = [];
  let block = { terms: 0, positionsAt: 0, last: new Uint8Array() };
  let blocks = 0;
  let positionsWritten = 0;

  function put(number: number, bytes: Uint8Array): void {
    ready.push({ number, bytes: seal(bytes) });
  }

  function endBlock(): void {
    if (block.terms === 0) return;
    const row = createByteWriter(heads.length + lists.length + 24);
    row.number(block.terms);
    row.number(block.positionsAt);
    row.number(heads.length);
    row.bytes(heads.take());
    row.bytes(lists.take());
    put(FIRST_BLOCK_ROW + blocks++, row.take());
    block = { terms: 0, positionsAt: positionsWritten + positions.length, last: new Uint8Array() };
  }

  function putPositions(isLast: boolean): void {
    while (positions.length >= POSITIONS_ROW_BYTES || (isLast && positions.length > 0)) {
      const all = positions.take();
      for (let at = 0; at < all.length; at += POSITIONS_ROW_BYTES) {
        const some = all.subarray(at, at + POSITIONS_ROW_BYTES);
        if (some.length < POSITIONS_ROW_BYTES && !isLast) positions.bytes(some);
        else {
          put(FIRST_POSITIONS_ROW + positionsWritten / POSITIONS_ROW_BYTES, some);
          positionsWritten += POSITIONS_ROW_BYTES;
        }
      }
    }
  }

  return {
    term(term, { documents, list, positions: own }) {
      const encoded = encoder.encode(term);
      if (block.terms > 0 && heads.length + lists.length + encoded.length + list.length + 24 > ROW_BYTES)
        endBlock();
      if (block.terms === 0) directory.text(term);
      const shared = sharedLength(block.last, encoded);
      heads.number(shared);
      heads.number(encoded.length - shared);
      heads.bytes(encoded.subarray(shared));
      heads.number(documents);
      heads.number(list.length);
      heads.number(own.length);
      lists.bytes(list);
      positions.bytes(own);
      block.last = encoded;
      block.terms++;
      putPositions(false);
    },
    takeRows: () => ready.splice(0),
    finish(documents, occurrences) {
      endBlock();
      putPositions(true);
      put(DOCUMENTS_ROW, encodeDocuments(documents, occurrences));
      const counts = createByteWriter();
      counts.number(blocks);
      counts.number(positionsWritten / POSITIONS_ROW_BYTES);
      counts.bytes(directory.take());
      put(DIRECTORY_ROW, counts.take());
      return ready.splice(0);
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

/** Their UTF-16 units come before others that follow them in UTF-8. */
const BEYOND_FIRST_PLANE = /[\ud800-\udfff]/;
