import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { readSegment, type Segment } from "./read-segment.ts";
import type { RowReader } from "./row-reader.ts";
import {
  DIRECTORY_ROW,
  DOCUMENTS_ROW,
  FIRST_BLOCK_ROW,
  FIRST_LINKS_ROW,
  FIRST_POSITIONS_ROW,
  FIRST_WORDS_ROW,
} from "./segment-writer.ts";

export { createSegmentBuilder, type SegmentBuilder } from "./build-segment.ts";
export { SegmentDamaged } from "./checksum.ts";
export { hashOfTerm, ownAddress, readLinkRow, readLinks, termAt } from "./link-rows.ts";
export {
  createBlock,
  type DecodedBlock,
  decodeBlock,
  firstFrom,
  type List,
  openList,
  positionStarts,
  readPlaces,
} from "./list-reader.ts";
export { countKept, mergeSegments } from "./merge-segments.ts";
export { type Occurrences, weigh } from "./occurrences.ts";
export { fieldOf, positionOf } from "./places.ts";
export { documentOf, rangesOfPage, type Segment, type TermEntry } from "./read-segment.ts";
export { createRowReader, type RowReader, SegmentGone } from "./row-reader.ts";
export { createTermLists, type TermList, type TermLists } from "./term-lists.ts";
export { passagesOf, readWordBytes } from "./word-rows.ts";

// A segment is rows of bytes. This room knows what is in them: it builds them from passages (build-segment, list-writer,
// segment-writer, word-rows, link-rows), reads them (row-reader, read-segment, term-lists, list-reader, word-rows,
// link-rows), and merges segments (merge-segments).

/** Reads what is kept in memory of a segment while it is searched. */
export async function openSegment(rows: RowReader, id: number): Promise<Segment> {
  const read = await rows.read(id, [DOCUMENTS_ROW, DIRECTORY_ROW]);
  const [documents, directory] = [DOCUMENTS_ROW, DIRECTORY_ROW].map(
    (number) => read.get(number) ?? new Uint8Array(),
  );
  const parts = readSegment(id, documents ?? new Uint8Array(), directory ?? new Uint8Array());
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
    await letOthersRun();
  }
}

/** The numbers of all rows of a segment. */
export function rowsOf(segment: Segment): number[] {
  const { firstTerms, positionRows } = segment;
  return [
    DOCUMENTS_ROW,
    DIRECTORY_ROW,
    ...firstTerms.map((_, index) => FIRST_BLOCK_ROW + index),
    ...linkRowsOf(segment),
    ...wordRowsOf(segment),
    ...Array.from({ length: positionRows }, (_, index) => FIRST_POSITIONS_ROW + index),
  ];
}

/** The numbers of the rows with a segment's words as they are written. */
export const wordRowsOf = ({ wordRows }: Segment) =>
  Array.from({ length: wordRows }, (_, index) => FIRST_WORDS_ROW + index);

/** The numbers of the rows with the links of a segment's pages. */
export const linkRowsOf = ({ linkRows }: Segment) =>
  Array.from({ length: linkRows }, (_, index) => FIRST_LINKS_ROW + index);
