import { type DrawnCell, standIns } from "./cells.ts";
import { type Fragment, heightOf, partOf, type Row, rowsOf, wordBoundary } from "./fragment.ts";
import { type Grid, gridsOf, placeIn } from "./grids.ts";
import { valuesApart } from "./gutters.ts";
import { partedCells } from "./parted.ts";
import type { Rule } from "./rules.ts";

/** Rows of a table are drawn cell by cell: what is drawn so much later is another column. */
const DRAWN_BETWEEN_MAX = 40;

/** Cells of so many lines may be between two rows in which cells begin beside each other. */
const ROWS_BETWEEN_MAX = 8;

/** Whether rows have what may be cells beside each other: only then are the lines looked for that a page draws. */
export function mayHoldTables(rows: readonly Row[]): boolean {
  let last: number | undefined;
  for (const [index, row] of rows.entries()) {
    if (!isRowOfCells(row)) continue;
    if (last !== undefined && index - last <= ROWS_BETWEEN_MAX) return true;
    last = index;
  }
  return false;
}

/** Bullets and numbers of a list are no cells; nor is what stands in columns, each of which is drawn by itself. */
const isRowOfCells = ({ segments }: Row) =>
  segments.some((segment, index) => {
    const before = segments[index - 1];
    return (
      before !== undefined &&
      !(before.fragments.length === 1 && LABEL.test(before.fragments[0]?.text ?? "")) &&
      drawnBetween(before.fragments, segment.fragments) <= DRAWN_BETWEEN_MAX
    );
  });

const LABEL = /^(?:[^\p{L}\p{N}]|\(?\p{N}{1,3}[.)]|\(?\p{L}[.)])$/u;

const drawnBetween = (left: readonly Fragment[], right: readonly Fragment[]) =>
  Math.abs((right[0]?.order ?? 0) - (left.at(-1)?.order ?? 0));

/** The fragments of a frame, with one for each line of a table that is ruled in the place of its own. */
export function withRuledTables(fragments: readonly Fragment[], rules: readonly Rule[]): Fragment[] {
  let rest = [...fragments];
  for (const drawn of gridsOf(rules)) {
    const grid = drawn.isOpen ? wholeGrid(drawn, rest) : drawn;
    if (grid === undefined) continue;
    const cut = rest.flatMap((fragment) => partsIn(grid, fragment)).flatMap((part) => valuesIn(grid, part));
    const found = standIns(cellsOf(grid, cut));
    if (found === undefined) continue;
    const taken = new Set(found.taken);
    rest = [...cut.filter((fragment) => !taken.has(fragment)), ...found.lines];
  }
  return rest;
}

/** How far beside its ground, in points, more of a row may stand. */
const BESIDE_MAX = 120;

/**
 * A grid of rows with grounds as it is meant: where every other one has a ground, those at the ends may have none. Undefined
 * where more of its rows stands beside the grounds.
 */
function wholeGrid(grid: Grid, fragments: readonly Fragment[]): Grid | undefined {
  const [left = 0, right = 0] = [grid.xs[0], grid.xs.at(-1)];
  const [first = 0, last = 0] = [grid.ys[0], grid.ys.at(-1)];
  const steps = grid.ys.slice(1).map((y, index) => y - (grid.ys[index] ?? y));
  const step = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const near = fragments.filter(({ x0, x1 }) => x1 > left - BESIDE_MAX && x0 < right + BESIDE_MAX);
  const [beside, within] = [
    near.filter(({ x0, x1 }) => x1 <= left || x0 >= right),
    near.filter(({ x0, x1 }) => x1 > left && x0 < right),
  ];
  const rows = rowsOf(within.filter((each) => heightOf(each) > first && heightOf(each) < last));
  const more = rows.filter(({ y }) => beside.some((each) => Math.abs(each.y - y) < 0.1 * each.size));
  if (more.length > rows.length / 2) return undefined;
  const isRow = (top: number) =>
    rowsOf(within.filter((each) => heightOf(each) > top && heightOf(each) < top + step)).some(
      ({ segments }) => segments.length > 1,
    );
  const ys = [
    ...(isRow(first - step) ? [first - step] : []),
    ...grid.ys,
    ...(isRow(last) ? [last + step] : []),
  ];
  return { ...grid, ys, cells: Array.from({ length: ys.length - 1 }, (_, row) => row) };
}

/** Words of two cells come as one where little room is between them: they are cut where a line goes. */
function partsIn(grid: Grid, fragment: Fragment): Fragment[] {
  const { x0, x1, text, size } = fragment;
  if (fragment.table !== undefined || fragment.rtl || text.length < 3) return [fragment];
  const from = placeIn(grid, x0 + 0.5 * size, heightOf(fragment));
  const to = placeIn(grid, x1 - 0.5 * size, heightOf(fragment));
  if (from === undefined || to === undefined || from.column >= to.column) return [fragment];
  for (let column = from.column; column < to.column; column += 1) {
    if (cellAt(grid, from.row, column) === cellAt(grid, from.row, column + 1)) continue;
    const near = (((grid.xs[column + 1] ?? 0) - x0) / (x1 - x0)) * text.length;
    const cut = wordBoundary(text, near);
    if (cut <= 0 || cut >= text.length || Math.abs(cut - near) > 2 || !/\s/.test(text.charAt(cut))) continue;
    return [partOf(fragment, 0, cut), ...partsIn(grid, partOf(fragment, cut, text.length))];
  }
  return [fragment];
}

/** Numbers that are drawn as one may be in columns without a line between them. */
function valuesIn(grid: Grid, fragment: Fragment): Fragment[] {
  const isWithin = placeIn(grid, fragment.x0 + 0.5 * fragment.size, heightOf(fragment)) !== undefined;
  return isWithin && fragment.table === undefined ? valuesApart(fragment) : [fragment];
}

const cellAt = ({ xs, cells }: Grid, row: number, column: number) => cells[row * (xs.length - 1) + column];

function cellsOf(grid: Grid, fragments: readonly Fragment[]): DrawnCell[] {
  const columns = grid.xs.length - 1;
  const cells = new Map<number, DrawnCell>();
  for (const [place, number] of grid.cells.entries()) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    const cell = cells.get(number) ?? { row, column, rows: 1, columns: 1, fragments: [] };
    cell.column = Math.min(cell.column, column);
    cell.rows = Math.max(cell.rows, row - cell.row + 1);
    cell.columns = Math.max(cell.columns, column - cell.column + 1);
    cells.set(number, cell);
  }
  for (const fragment of fragments) {
    // What stands in for another table is no text.
    if (fragment.table !== undefined) continue;
    // Text that has too little room runs over the end of its cell, not over the start.
    const x = Math.min((fragment.x0 + fragment.x1) / 2, fragment.x0 + 0.5 * fragment.size);
    const place = placeIn(grid, x, heightOf(fragment));
    if (place === undefined) continue;
    cells.get(cellAt(grid, place.row, place.column) ?? -1)?.fragments.push(fragment);
  }
  return partedCells([...cells.values()], grid);
}
