import type { Segment } from "./segment/segment.ts";
import type { SegmentStore } from "./segment-store.ts";

/** Whom the pages of a segment are for. What older versions made may have pages of both kinds. */
export type SegmentReaders = "everyone" | "some" | "both";

/**
 * Tells whom segments are for, by the pages of passages that are still there. A segment never changes, and neither does
 * whom a page is for, so each is looked up once.
 */
export function createReadersOf(
  store: Pick<SegmentStore, "restrictedOf">,
  isKept: (passageId: number) => boolean,
): (segment: Segment) => Promise<SegmentReaders> {
  const known = new Map<number, SegmentReaders>();
  return async ({ id, passageIds, pageIds }) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const pages = [...new Set(pageIds.filter((_, document) => isKept(passageIds[document] ?? 0)))];
    const readers = among(pages.length, (await store.restrictedOf(pages)).length);
    known.set(id, readers);
    return readers;
  };
}

function among(pages: number, restricted: number): SegmentReaders {
  if (restricted === 0) return "everyone";
  return restricted === pages ? "some" : "both";
}
