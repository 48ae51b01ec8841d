import type { Rule } from "./rules.ts";
import type { Area } from "./turns.ts";

/** What rules part into cells. */
export interface Grid {
  /** Where its columns begin and end, from the left to the right, and its rows, downwards. */
  xs: number[];
  ys: number[];
  /** The cell that each place belongs to, row by row: a merged one is at several. */
  cells: number[];
  /** Whether its rows are known by their grounds, so that there may be one more without at each end. */
  isOpen: boolean;
}

/** A line across, `at` a height, or one down, `at` a place. */
interface Line {
  at: number;
  from: number;
  to: number;
}

/** A page with more lines, after those in one are joined, is a drawing. */
const LINES_MAX = 800;
const LENGTH_MIN = 6;
/** How far lines may be from each other that are meant as one, or to touch. */
const NEAR = 3;
const COLUMNS_MAX = 60;
const ROWS_MAX = 500;
const GRIDS_MAX = 50;
/** The least rows that may be those of a table where no line is between columns. */
const BANDS_MIN = 5;
/** How many times as high as the usual row one may be: where lines alone tell of rows, and where their grounds do. */
const UNEVEN_MAX = 1.6;
const UNEVEN_STRIPES_MAX = 5;
const TITLES_APART_MIN = 1.6;

/** The grids that rules make, the largest first: one that lies in a cell of another comes after that. */
export function gridsOf(rules: readonly Rule[]): Grid[] {
  const isLevel = ({ x0, x1, top, bottom }: Area) => x1 - x0 >= bottom - top;
  const drawn = rules.filter(({ isGround }) => !isGround);
  const across = joined(
    drawn.filter(isLevel).map(({ x0, x1, top, bottom }) => ({ at: (top + bottom) / 2, from: x0, to: x1 })),
  );
  const down = joined(
    drawn
      .filter((rule) => !isLevel(rule))
      .map(({ x0, x1, top, bottom }) => ({ at: (x0 + x1) / 2, from: top, to: bottom })),
  );
  if (Math.max(across.length, down.length) > LINES_MAX) return [];
  const groups = groupsOf(across, down);
  const alone = groups.flatMap((group) => (group.down.length === 0 ? group.across : []));
  const grids = [...groups, ...bandsOf(alone, UNEVEN_MAX)].flatMap((group) => gridOf(group) ?? []);
  return [...bySize(grids), ...bySize(stripesOf(rules))].slice(0, GRIDS_MAX);
}

const bySize = (grids: readonly Grid[]) => grids.toSorted((a, b) => sizeOf(b) - sizeOf(a));

/** Rows that are told apart by their grounds: those of each other one, or of all. */
function stripesOf(rules: readonly Rule[]): Grid[] {
  const grounds = rules.filter(({ isGround }) => isGround);
  const edges = joined(
    grounds.flatMap(({ x0, x1, top, bottom }) => [top, bottom].map((at) => ({ at, from: x0, to: x1 }))),
  );
  if (edges.length > LINES_MAX) return [];
  return bandsOf(edges, UNEVEN_STRIPES_MAX).flatMap((band) => {
    const grid = gridOf(band);
    return grid === undefined || areTitles(grid, grounds) ? [] : [{ ...grid, isOpen: true }];
  });
}

/** Whether grounds are low and far apart: so are those of titles, and not of rows. */
function areTitles({ ys }: Grid, grounds: readonly Rule[]): boolean {
  const isGround = (from: number, to: number) =>
    grounds.some(({ top, bottom }) => Math.abs(top - from) <= NEAR && Math.abs(bottom - to) <= NEAR);
  const rows = ys.slice(1).map((to, index) => ({ from: ys[index] ?? to, to }));
  const [own, between] = [true, false].map((is) =>
    rows.filter(({ from, to }) => isGround(from, to) === is).map(({ from, to }) => to - from),
  );
  return median(between) > TITLES_APART_MIN * median(own);
}

const median = (values: readonly number[] = []) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sizeOf = ({ xs, ys }: Grid) => ((xs.at(-1) ?? 0) - (xs[0] ?? 0)) * ((ys.at(-1) ?? 0) - (ys[0] ?? 0));

/** Lines that go on as one. */
function joined(lines: readonly Line[]): Line[] {
  const places = clustered(lines.map(({ at }) => at));
  const byPlace = new Map<number, Line[]>();
  for (const line of lines) {
    const at = places[nearest(places, line.at)] ?? line.at;
    byPlace.set(at, [...(byPlace.get(at) ?? []), line]);
  }
  return [...byPlace].flatMap(([at, members]) => {
    const whole: Line[] = [];
    for (const { from, to } of members.sort((a, b) => a.from - b.from)) {
      const last = whole.at(-1);
      if (last !== undefined && from <= last.to + NEAR) last.to = Math.max(last.to, to);
      else whole.push({ at, from, to });
    }
    return whole.filter(({ from, to }) => to - from >= LENGTH_MIN);
  });
}

/** Places in order, without those that are next to another: borders are often drawn twice. */
function clustered(places: readonly number[]): number[] {
  const apart: number[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = apart.at(-1);
    if (last === undefined || place - last > NEAR) apart.push(place);
  }
  return apart;
}

/** The index of the last of these places that is not behind a point. */
function lastBefore(places: readonly number[], point: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((places[middle] ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nearest(places: readonly number[], point: number): number {
  const before = lastBefore(places, point);
  const next = places[before + 1];
  return next !== undefined && next - point < point - (places[before] ?? 0) ? before + 1 : before;
}

/** The row and the column that a point of a grid is in; undefined outside. */
export function placeIn({ xs, ys }: Grid, x: number, y: number): { row: number; column: number } | undefined {
  const [right, end] = [xs.at(-1) ?? 0, ys.at(-1) ?? 0];
  if (x < (xs[0] ?? 0) || x >= right || y < (ys[0] ?? 0) || y >= end) return undefined;
  return { row: lastBefore(ys, y), column: lastBefore(xs, x) };
}

interface Group {
  across: Line[];
  down: Line[];
}

/** Lines that touch each other, and those that touch these. */
function groupsOf(across: readonly Line[], down: readonly Line[]): Group[] {
  const parents = Array.from({ length: across.length + down.length }, (_, index) => index);
  for (const [row, level] of across.entries())
    for (const [column, upright] of down.entries())
      if (touches(level, upright)) join(parents, row, across.length + column);
  const groups = new Map<number, Group>();
  const groupAt = (index: number) => {
    const root = rootOf(parents, index);
    const group = groups.get(root) ?? { across: [], down: [] };
    groups.set(root, group);
    return group;
  };
  for (const [index, line] of across.entries()) groupAt(index).across.push(line);
  for (const [index, line] of down.entries()) groupAt(across.length + index).down.push(line);
  return [...groups.values()];
}

/** Level lines as long as each other, with none that are upright: what is between two of them is a row. */
function bandsOf(lines: readonly Line[], unevenMax: number): Group[] {
  const bands: Line[][] = [];
  for (const line of lines.toSorted((a, b) => a.at - b.at)) {
    const band = bands.find(([first]) => first !== undefined && isAsLong(first, line));
    if (band === undefined) bands.push([line]);
    else band.push(line);
  }
  return bands.flatMap((band) => evenlyApart(band, unevenMax)).map((across) => ({ across, down: [] }));
}

/** The stretches of lines whose distances are not much larger than most are: those of several tables are far apart. */
function evenlyApart(lines: readonly Line[], unevenMax: number): Line[][] {
  const heights = lines.slice(1).map(({ at }, index) => at - (lines[index]?.at ?? at));
  const usual = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)] ?? 0;
  const stretches: Line[][] = [];
  for (const [index, line] of lines.entries()) {
    const height = heights[index - 1];
    if (height !== undefined && height <= unevenMax * usual) stretches.at(-1)?.push(line);
    else stretches.push([line]);
  }
  return stretches;
}

const isAsLong = (a: Line, b: Line) => Math.abs(a.from - b.from) <= NEAR && Math.abs(a.to - b.to) <= NEAR;

const touches = (level: Line, upright: Line) =>
  upright.at >= level.from - NEAR &&
  upright.at <= level.to + NEAR &&
  level.at >= upright.from - NEAR &&
  level.at <= upright.to + NEAR;

function rootOf(parents: number[], index: number): number {
  let at = index;
  for (let above = parents[at] ?? at; above !== at; above = parents[at] ?? at) {
    // Shorter ways for whoever asks next.
    parents[at] = parents[above] ?? above;
    at = above;
  }
  return at;
}

function join(parents: number[], a: number, b: number): void {
  parents[rootOf(parents, a)] = rootOf(parents, b);
}

function gridOf({ across, down }: Group): Grid | undefined {
  const xs = clustered([...down.map(({ at }) => at), ...openEnds(across)]);
  const ys = clustered([...across.map(({ at }) => at), ...openEnds(down)]);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const isOfRows = columns === 1 && rows >= BANDS_MIN;
  if ((columns < 2 && !isOfRows) || rows < 2 || columns > COLUMNS_MAX || rows > ROWS_MAX) return undefined;
  const [isParted, isUnder] = [bordersOf(down, xs, ys), bordersOf(across, ys, xs)];
  const parents = Array.from({ length: rows * columns }, (_, index) => index);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      if (column > 0 && !isParted.has(column * rows + row)) join(parents, place - 1, place);
      if (row > 0 && !isUnder.has(row * columns + column)) join(parents, place - columns, place);
    }
  return { xs, ys, cells: parents.map((_, place) => rootOf(parents, place)), isOpen: false };
}

/** Where lines end together without one that closes them: so ends a table whose sides are open. */
function openEnds(lines: readonly Line[]): number[] {
  const ends = [Math.min(...lines.map(({ from }) => from)), Math.max(...lines.map(({ to }) => to))];
  return ends.filter(
    (end) =>
      lines.filter(({ from, to }) => Math.min(Math.abs(from - end), Math.abs(to - end)) < NEAR).length >= 2,
  );
}

/** The sides of cells along which a line goes, for half of them at least: by the line's place, then the cell's. */
function bordersOf(lines: readonly Line[], places: readonly number[], along: readonly number[]): Set<number> {
  const borders = new Set<number>();
  const count = along.length - 1;
  for (const { at, from, to } of lines) {
    const place = nearest(places, at);
    for (let cell = 0; cell < count; cell += 1) {
      const [start = 0, end = 0] = [along[cell], along[cell + 1]];
      const covered = Math.min(end, to) - Math.max(start, from);
      if (covered > 0.5 * (end - start)) borders.add(place * count + cell);
    }
  }
  return borders;
}
