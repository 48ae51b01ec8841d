import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type List, openList } from "./list-reader.ts";
import {
  blockRowOf,
  blockRowsOf,
  entriesBeginningWith,
  findTerm,
  readSegment,
  type Segment,
  type TermEntry,
} from "./read-segment.ts";
import { type RowReader, readPositionRanges } from "./row-reader.ts";
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
export { fieldOf, type Occurrences, positionOf, weigh } from "./occurrences.ts";
export { documentOf, rangesOfPage, type Segment, type TermEntry } from "./read-segment.ts";
export { createRowReader, type RowReader, SegmentGone } from "./row-reader.ts";
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

/** A term's list in one segment, and where its positions are. */
export interface TermList {
  list: List;
  entry: TermEntry;
}

/** Finds the lists of terms in one segment. What was found is kept while a question is answered. */
export interface TermLists {
  /** The lists of the terms that the segment has. */
  of(terms: readonly string[]): Promise<ReadonlyMap<string, TermList>>;
  /** The entries of all terms that begin like this, with the block that has their lists, some at a time. */
  beginningWith(beginning: string): AsyncGenerator<{ block: Uint8Array; entry: TermEntry }[]>;
  /** The positions of a term in some blocks of its list, each where it stands among those of the whole list. */
  positions(term: TermList, blocks: readonly number[]): Promise<Uint8Array>;
}

const BLOCKS_AT_ONCE = 32;

export function createTermLists(rows: RowReader, segment: Segment): TermLists {
  const found = new Map<string, TermList | undefined>();

  async function find(terms: readonly string[]): Promise<void> {
    const places = terms
      .filter((term) => !found.has(term))
      .map((term) => ({ term, row: blockRowOf(segment, term) }));
    const blocks = await rows.read(
      segment.id,
      places.flatMap(({ row }) => (row === undefined ? [] : [row])),
    );
    for (const { term, row } of places) {
      const block = row === undefined ? undefined : blocks.get(row);
      const entry = block && findTerm(block, term);
      found.set(term, block && entry ? { list: openList(block, entry), entry } : undefined);
    }
  }

  return {
    async of(terms) {
      await find(terms);
      const lists = new Map<string, TermList>();
      for (const term of terms) {
        const own = found.get(term);
        if (own) lists.set(term, own);
      }
      return lists;
    },

    async *beginningWith(beginning) {
      const numbers = blockRowsOf(segment, beginning);
      for (let at = 0; at < numbers.length; at += BLOCKS_AT_ONCE) {
        const some = await rows.read(segment.id, numbers.slice(at, at + BLOCKS_AT_ONCE));
        yield [...some.values()].flatMap((block) =>
          [...entriesBeginningWith(block, beginning)].map((entry) => ({ block, entry })),
        );
      }
    },

    positions({ list, entry: { positionsAt, positionsLength } }, blocks) {
      const ranges = blocks.map((block) => ({
        start: list.positionsOf[block] ?? 0,
        end: block + 1 < list.blocks ? (list.positionsOf[block + 1] ?? 0) : positionsLength,
      }));
      const part = { start: positionsAt, end: positionsAt + positionsLength };
      return readPositionRanges(rows, segment.id, part, ranges);
    },
  };
}
