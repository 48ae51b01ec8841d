import type { Row, Segment } from "./fragment.ts";

/** What stands in one column: rows that are read from the top to the bottom. */
export interface Column {
  rows: Row[];
  x0: number;
  x1: number;
}

/** A way down a page that no text crosses: where it is, and from which row to which it goes. */
interface Gutter {
  x: number;
  from: number;
  to: number;
  score: number;
}

const DEPTH_MAX = 12;
const CANDIDATES_MAX = 16;
const COLUMN_ROWS_MIN = 3;
/** Rows beyond this on one page are not searched for columns. */
const ROWS_MAX = 3_000;

/** Columns in the order in which they are read. */
export function columnsOf(rows: readonly Row[], depth = 0): Column[] {
  if (rows.length === 0) return [];
  const gutter = depth < DEPTH_MAX && rows.length <= ROWS_MAX ? bestGutter(rows) : undefined;
  if (gutter === undefined) return [columnOf(rows)];
  const within = rows.slice(gutter.from, gutter.to);
  return [
    ...columnsOf(rows.slice(0, gutter.from), depth + 1),
    ...columnsOf(
      sideOf(within, (segment) => segment.x0 < gutter.x),
      depth + 1,
    ),
    ...columnsOf(
      sideOf(within, (segment) => segment.x0 >= gutter.x),
      depth + 1,
    ),
    ...columnsOf(rows.slice(gutter.to), depth + 1),
  ];
}

function columnOf(rows: readonly Row[]): Column {
  let [x0, x1] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { segments } of rows)
    for (const segment of segments) {
      x0 = Math.min(x0, segment.x0);
      x1 = Math.max(x1, segment.x1);
    }
  return { rows: [...rows], x0, x1 };
}

function sideOf(rows: readonly Row[], isIn: (segment: Segment) => boolean): Row[] {
  return rows.flatMap((row) => {
    const segments = row.segments.filter(isIn);
    if (segments.length === 0) return [];
    if (segments.length === row.segments.length) return [row];
    // A side has its own baseline where signs of the other one were larger.
    const fragments = segments.flatMap(({ fragments }) => fragments);
    const lead = fragments.reduce((a, b) => (b.size > a.size ? b : a));
    return [{ y: lead.y, size: lead.size, segments }];
  });
}

/** Places at which several rows begin anew: there, a column may. */
function candidates(rows: readonly Row[]): number[] {
  const starts = new Map<number, number>();
  for (const { segments } of rows)
    for (const { x0 } of segments) {
      const place = Math.round(x0 / 3);
      starts.set(place, (starts.get(place) ?? 0) + 1);
    }
  return [...starts]
    .map(([place, count]) => [place, count + (starts.get(place + 1) ?? 0) * 0.5] as const)
    .filter(([, count]) => count >= 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, CANDIDATES_MAX)
    .map(([place]) => place * 3 - 1.6);
}

function bestGutter(rows: readonly Row[]): Gutter | undefined {
  let best: Gutter | undefined;
  for (const x of candidates(rows))
    for (const gutter of guttersAt(rows, x)) if (gutter.score > (best?.score ?? 0)) best = gutter;
  return best;
}

/** How one row stands to a gutter. */
type Side = "crosses" | "left" | "right" | "both" | "across";

function sideOfRow({ segments, size }: Row, x: number): Side {
  const first = segments.findIndex(({ x0 }) => x0 >= x);
  const left = first === -1 ? segments.at(-1) : segments[first - 1];
  const right = first === -1 ? undefined : segments[first];
  const clear = x - Math.min(size, 14) * 0.45;
  if (left !== undefined && left.x1 > clear) return "crosses";
  if (left === undefined) return "right";
  if (right === undefined) return "left";
  return isAcross(left, right) ? "across" : "both";
}

/** Whether what is drawn first goes on over the gap at once, as cells of a table do. */
function isAcross(left: Segment, right: Segment): boolean {
  const last = Math.max(...left.fragments.map(({ order }) => order));
  const first = Math.min(...right.fragments.map(({ order }) => order));
  return first - last === 1 && !(left.characters >= 30 && right.characters >= 30);
}

/** The stretches of rows in which text stands left and right of x and none crosses it. */
function guttersAt(rows: readonly Row[], x: number): Gutter[] {
  const found: Gutter[] = [];
  const sides = rows.map((row) => sideOfRow(row, x));
  let from = 0;
  for (let at = 0; at <= rows.length; at += 1) {
    const side = sides[at];
    const tabular = side === "across" && (sides[at + 1] === "across" || sides[at - 1] === "across");
    if (side !== undefined && side !== "crosses" && !tabular) continue;
    const gutter = gutterOf(rows, sides, { x, from, to: at, score: 0 });
    if (gutter !== undefined) found.push(gutter);
    from = at + 1;
  }
  return found;
}

function gutterOf(rows: readonly Row[], sides: readonly Side[], span: Gutter): Gutter | undefined {
  const { x } = span;
  const to = endOf(rows, sides, span);
  const stretch = rows.slice(span.from, to);
  const left = stretch.filter(({ segments }) => segments.some(({ x0 }) => x0 < x));
  const right = stretch.filter(({ segments }) => segments.some(({ x0 }) => x0 >= x));
  const fewer = Math.min(left.length, right.length);
  if (fewer < COLUMN_ROWS_MIN || !overlap(left, right)) return undefined;
  const [edge, begin] = edges(stretch, x);
  const size = medianSize(stretch);
  if (begin - edge < 0.7 * size) return undefined;
  if (areLabels(left, x) || alternates(stretch, x, fewer)) return undefined;
  return { ...span, to, score: fewer * Math.min(3, (begin - edge) / size) };
}

/** What stands on one side only below a wide gap is no part of the columns above it. */
function endOf(rows: readonly Row[], sides: readonly Side[], { from, to }: Gutter): number {
  let last = to;
  while (last > from && sides[last - 1] === "left") last -= 1;
  for (let at = Math.max(last, from + 1); at < to; at += 1) {
    const [above, row] = [rows[at - 1], rows[at]];
    if (above !== undefined && row !== undefined && row.y - above.y > 3.5 * Math.max(above.size, row.size))
      return at;
  }
  return to;
}

function edges(rows: readonly Row[], x: number): [number, number] {
  let [edge, begin] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { segments } of rows)
    for (const segment of segments) {
      if (segment.x0 < x) edge = Math.max(edge, segment.x1);
      else begin = Math.min(begin, segment.x0);
    }
  return [edge, begin];
}

/** Columns stand beside each other, for a good part of the shorter one. */
function overlap(left: readonly Row[], right: readonly Row[]): boolean {
  const [leftTop, rightTop] = [left[0]?.y ?? 0, right[0]?.y ?? 0];
  const [leftEnd, rightEnd] = [left.at(-1)?.y ?? 0, right.at(-1)?.y ?? 0];
  const common = Math.min(leftEnd, rightEnd) - Math.max(leftTop, rightTop);
  return common > 0.3 * Math.min(leftEnd - leftTop, rightEnd - rightTop);
}

const LABEL = /^(?:[•◦▪■□●○‣–—*-]|\(?(?:\d{1,4}|[a-z]|[ivxl]{1,5})[.):\]]{0,2}|\[[^\]]{1,12}\])$/i;

/** Whether the left side is nothing but the bullets and numbers of what stands at the right. */
function areLabels(left: readonly Row[], x: number): boolean {
  const labels = left.filter(({ segments }) => {
    const words = segments
      .filter(({ x0 }) => x0 < x)
      .flatMap(({ fragments }) => fragments.map(({ text }) => text));
    return LABEL.test(words.join(""));
  });
  return labels.length > 0.6 * left.length;
}

/** Whether what is drawn goes from side to side again and again: the rows of a table do, columns do once. */
function alternates(rows: readonly Row[], x: number, fewer: number): boolean {
  const drawn = rows
    .flatMap(({ segments }) => segments.flatMap(({ fragments }) => fragments))
    .sort((a, b) => a.order - b.order);
  let switches = 0;
  for (const [index, fragment] of drawn.entries()) {
    const before = drawn[index - 1];
    if (before !== undefined && before.x0 < x !== fragment.x0 < x) switches += 1;
  }
  if (switches <= 2 || switches < 0.15 * fewer) return false;
  const prose = rows.flatMap(({ segments }) => segments).filter(({ characters }) => characters >= 25);
  const all = rows.reduce((sum, { segments }) => sum + segments.length, 0);
  return prose.length < 0.6 * all;
}

function medianSize(rows: readonly Row[]): number {
  const sizes = rows.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 10;
}
