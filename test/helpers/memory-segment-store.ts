import type {
  IndexablePassage,
  SegmentEntry,
  SegmentStore,
} from "../../src/finding/search/keyword-index/segment-store.ts";
import { heldLease } from "../../src/kernel/lib/lease.ts";

interface HeldSegment extends SegmentEntry {
  siteId: number;
  isFinished: boolean;
  rows: Map<number, Uint8Array>;
}

/**
 * Segments in memory, which may begin as the copies of another store's, and the passages that they are made of. All
 * passages belong to site 1 and to run 1.
 */
export function memorySegmentStore(
  passages: Map<number, IndexablePassage>,
  others: readonly HeldSegment[] = [],
  isRestricted: (pageId: number) => boolean = () => false,
) {
  const held = new Map(others.map((other) => [other.id, copyOf(other)]));
  let isLocked = false;
  let lastId = Math.max(0, ...held.keys());
  const store: SegmentStore = {
    async list(siteId) {
      const own = [...held.values()].filter((each) => each.siteId === siteId && each.isFinished);
      return own.map(({ id, passages: count, revision, rows }) => ({
        id,
        passages: count,
        revision,
        bytes: [...rows.values()].reduce((sum, { length }) => sum + length, 0),
      }));
    },
    async rows(segmentId, numbers) {
      const rows = held.get(segmentId)?.rows;
      return numbers.flatMap((number) => {
        const bytes = rows?.get(number);
        return bytes ? [{ number, bytes }] : [];
      });
    },
    async begin(siteId) {
      const id = ++lastId;
      held.set(id, { id, siteId, passages: 0, bytes: 0, revision: "", isFinished: false, rows: new Map() });
      return id;
    },
    async write(segmentId, rows) {
      for (const { number, bytes } of rows) held.get(segmentId)?.rows.set(number, bytes);
    },
    async finish(written, replaced) {
      for (const { id } of written) if (!held.has(id)) throw new Error(`segment ${id} is gone`);
      for (const segment of written) {
        const own = held.get(segment.id);
        if (own) Object.assign(own, segment, { isFinished: true });
      }
      for (const id of replaced) held.delete(id);
    },
    async remove(ids) {
      for (const id of ids) held.delete(id);
    },
    unfinished: async () => [...held.values()].filter(({ isFinished }) => !isFinished).map(({ id }) => id),
    passageIds: async () => [...passages.keys()].sort((a, b) => a - b),
    publishedIds: async () => [...passages.keys()].sort((a, b) => a - b),
    passages: async (ids) => ids.flatMap((id) => passages.get(id) ?? []),
    restrictedOf: async (pageIds) => pageIds.filter(isRestricted),
    sites: async () => [1],
    async lock() {
      if (isLocked) return undefined;
      isLocked = true;
      return heldLease(() => {
        isLocked = false;
      });
    },
  };
  /** Puts other bytes in the place of a row's; none take it away. */
  function change(
    segmentId: number,
    row: number,
    other: (bytes: Uint8Array) => Uint8Array | undefined,
  ): void {
    const rows = held.get(segmentId)?.rows;
    const bytes = rows?.get(row);
    const changed = bytes && other(bytes);
    if (changed) rows?.set(row, changed);
    else rows?.delete(row);
  }
  /** Changes one byte of a row. */
  function damage(segmentId: number, row: number, at: number): void {
    const bytes = held.get(segmentId)?.rows.get(row);
    if (bytes) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 0x10;
  }
  /** Makes segments those of another version. */
  function setRevision(revision: string, of = [...held.keys()]): void {
    for (const id of of) Object.assign(held.get(id) ?? {}, { revision });
  }
  const rowNumbers = (segmentId: number) => [...(held.get(segmentId)?.rows.keys() ?? [])];
  return { store, change, damage, setRevision, rowNumbers, segments: () => [...held.values()] };
}

const copyOf = (segment: HeldSegment): HeldSegment => ({
  ...segment,
  rows: new Map([...segment.rows].map(([number, bytes]) => [number, Uint8Array.from(bytes)])),
});
