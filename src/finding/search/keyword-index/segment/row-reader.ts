import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { createByteCache } from "../byte-cache.ts";
import type { SegmentStore } from "../segment-store.ts";
import { SegmentDamaged, unseal } from "./checksum.ts";
import { FIRST_POSITIONS_ROW, POSITIONS_ROW_BYTES } from "./segment-writer.ts";

/** A segment has been replaced since the list of segments was read: what is looked for stands in another one now. */
export class SegmentGone extends Error {
  constructor(readonly segmentId: number) {
    super(`segment ${segmentId} of the keyword index is gone`);
    this.name = "SegmentGone";
  }
}

/** Reads rows of segments, checks them, and keeps those that were read last. */
export interface RowReader {
  /** By number, each of those that were asked for. */
  read(segmentId: number, numbers: Iterable<number>): Promise<ReadonlyMap<number, Uint8Array>>;
}

export function createRowReader(store: Pick<SegmentStore, "rows">, bytesMax: number): RowReader {
  const kept = createByteCache<Uint8Array>(bytesMax);
  return {
    async read(segmentId, numbers) {
      const found = new Map<number, Uint8Array>();
      const missing: number[] = [];
      for (const number of new Set(numbers)) {
        const known = kept.get(keyOf(segmentId, number));
        if (known === undefined) missing.push(number);
        else found.set(number, known);
      }
      if (missing.length === 0) return found;
      const rows = await store.rows(segmentId, missing);
      if (rows.length < missing.length) throw new SegmentGone(segmentId);
      for (const { number, bytes } of rows) {
        const checked = unseal(bytes, { segmentId, row: number });
        if (checked === undefined) throw new SegmentDamaged(segmentId, number);
        found.set(number, checked);
        kept.set(keyOf(segmentId, number), checked, checked.length);
      }
      return found;
    },
  };
}

const keyOf = (segmentId: number, number: number) => `${segmentId} ${number}`;

/** A part of bytes. */
interface Range {
  start: number;
  end: number;
}

/** Rows that are read before others may run: a millisecond's work. */
const ROWS_AT_ONCE = 64;

/**
 * Reads some ranges of a part of a segment's positions, which are cut into rows. Each stands where it would if the whole
 * part were read, with nothing in between.
 */
export async function readPositionRanges(
  rows: RowReader,
  segmentId: number,
  part: Range,
  ranges: readonly Range[],
): Promise<Uint8Array> {
  const bytes = new Uint8Array(part.end - part.start);
  const numbers = new Set<number>();
  for (const { start, end } of ranges) {
    const last = Math.ceil((part.start + end) / POSITIONS_ROW_BYTES);
    for (let row = Math.floor((part.start + start) / POSITIONS_ROW_BYTES); row < last; row++)
      numbers.add(row);
  }
  const wanted = [...numbers];
  for (let at = 0; at < wanted.length; at += ROWS_AT_ONCE) {
    if (at > 0) await letOthersRun();
    const some = wanted.slice(at, at + ROWS_AT_ONCE).map((row) => FIRST_POSITIONS_ROW + row);
    for (const [number, row] of await rows.read(segmentId, some)) {
      const to = (number - FIRST_POSITIONS_ROW) * POSITIONS_ROW_BYTES - part.start;
      bytes.set(row.subarray(Math.max(0, -to), bytes.length - to), Math.max(0, to));
    }
  }
  return bytes;
}
