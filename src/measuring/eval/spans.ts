import type { Placed, Range } from "./question.ts";
import { type Scores, scoreGrades } from "./scores.ts";

/** A passage answers where it holds this share of one of the answering ranges. */
const SHARE_MIN = 0.3;

/** How much of the answering text the first k passages contain, and how much else. */
export interface SpanShares {
  /** The share of the answering characters that was returned. */
  recall: number;
  /** The share of the returned characters that answer. */
  precision: number;
  /** Intersection over union. */
  iou: number;
}

/** Compares the characters of the first k passages with those that answer, which measures a splitter. */
export function spanShares(returned: readonly Placed[], gold: Placed, k: number): SpanShares {
  const first = returned.slice(0, k);
  const here = union(first.filter(({ path }) => path === gold.path).flatMap(({ ranges }) => ranges));
  const wanted = union(gold.ranges);
  const both = overlap(here, wanted);
  // Text in two passages is read twice.
  const all = first.reduce((sum, { ranges }) => sum + lengthOf(ranges), 0);
  const either = lengthOf(wanted) + all - both;
  return {
    recall: both / Math.max(1, lengthOf(wanted)),
    precision: all === 0 ? 0 : both / all,
    iou: both / Math.max(1, either),
  };
}

/** Ranks passages by whether they hold enough of an answering range. `all` are all existing passages. */
export function scoreSpans(returned: readonly Placed[], gold: Placed, all: readonly Placed[]): Scores {
  const grades = returned.map((placed) => (answers(placed, gold) ? 1 : 0));
  const found = returned.filter((_, index) => grades[index] === 1);
  // Search may join neighbours into one passage: what a returned passage covers is found already.
  const missed = all.filter(
    (placed) => answers(placed, gold) && !found.some((returned) => covers(returned, placed)),
  );
  return scoreGrades(
    grades,
    [...found, ...missed].map(() => 1),
  );
}

/** Whether a passage holds enough of an answering range. */
export function answers(placed: Placed, gold: Placed): boolean {
  if (placed.path !== gold.path) return false;
  return gold.ranges.some((range) => overlap(placed.ranges, [range]) >= SHARE_MIN * lengthOf([range]));
}

function covers(returned: Placed, placed: Placed): boolean {
  if (returned.path !== placed.path) return false;
  return overlap(union(returned.ranges), union(placed.ranges)) * 2 > lengthOf(union(placed.ranges));
}

/** The same characters in ordered ranges that do not overlap. */
export function union(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

function overlap(first: readonly Range[], second: readonly Range[]): number {
  let sum = 0;
  for (const [start, end] of first) {
    for (const [from, to] of second) sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return sum;
}

const lengthOf = (ranges: readonly Range[]) => ranges.reduce((sum, [start, end]) => sum + end - start, 0);
