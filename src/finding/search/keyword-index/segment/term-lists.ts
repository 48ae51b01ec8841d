import { type List, openList } from "./list-reader.ts";
import {
  blockRowOf,
  blockRowsOf,
  entriesBeginningWith,
  findTerm,
  type Segment,
  type TermEntry,
} from "./read-segment.ts";
import { type RowReader, readPositionRanges } from "./row-reader.ts";

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
