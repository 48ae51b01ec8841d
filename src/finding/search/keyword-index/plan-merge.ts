import type { Segment } from "./segment/segment.ts";
import type { SegmentReaders } from "./segment-readers.ts";

/** No merged segment has more passages: it would take too long to make. */
const MERGED_PASSAGES_MAX = 65_536;
/** Segments are of one size where the larger has less than so many times the passages of the smaller. */
const SIZE_STEP = 4;
/** So many of one size are merged. */
const SEGMENTS_OF_A_SIZE_MAX = 4;
/** A segment of which a larger share is gone is made anew. */
const GONE_SHARE_MAX = 0.1;

/** A segment with the number of its passages that are still there. */
export interface Weighed {
  segment: Segment;
  kept: number;
  readers: SegmentReaders;
}

/**
 * The segments that are merged next; none where all is well. So each passage is written again only so often as sizes
 * grow by a step, and a site has few segments. What is for everyone is merged with nothing else.
 */
export function planMerge(segments: readonly Weighed[]): Segment[] {
  for (const alike of Map.groupBy(segments, ({ readers }) => readers).values()) {
    const merged = planMergeOf(alike);
    if (merged.length > 0) return merged;
  }
  return [];
}

function planMergeOf(segments: readonly Weighed[]): Segment[] {
  const wasted = segments.find(({ segment, kept }) => segment.size - kept > segment.size * GONE_SHARE_MAX);
  if (wasted) return [wasted.segment];
  const bySize = Map.groupBy(
    segments.filter(({ kept }) => kept * 2 <= MERGED_PASSAGES_MAX),
    ({ kept }) => Math.floor(Math.log(kept) / Math.log(SIZE_STEP)),
  );
  const crowded = [...bySize].find(([, own]) => own.length >= SEGMENTS_OF_A_SIZE_MAX)?.[0];
  if (crowded === undefined) return [];
  const smallest = [...bySize].filter(([size]) => size <= crowded).flatMap(([, own]) => own);
  return upTo(
    MERGED_PASSAGES_MAX,
    smallest.toSorted((a, b) => a.segment.id - b.segment.id),
  );
}

/** The first segments that have so many passages together at most. */
function upTo(passagesMax: number, segments: readonly Weighed[]): Segment[] {
  let passages = 0;
  return segments
    .filter(({ kept }) => {
      if (passages + kept > passagesMax) return false;
      passages += kept;
      return true;
    })
    .map(({ segment }) => segment);
}
