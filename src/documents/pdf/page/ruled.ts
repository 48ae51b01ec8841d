import { type DrawnCell, standIns } from "./cells.ts";
import { type Fragment, partOf, type Row, rowsOf, wordBoundary } from "./fragment.ts";
import { type Grid, gridsOf, placeIn } from "./grids.ts";
import type { Area } from "./turns.ts";

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
export function withRuledTables(fragments: readonly Fragment[], rules: readonly Area[]): Fragment[] {
  let rest = [...fragments];
  for (const grid of gridsOf(rules)) {
    const cut = rest.flatMap((fragment) => partsIn(grid, fragment));
    const found = standIns(cellsOf(grid, cut));
    if (found === undefined) continue;
    const taken = new Set(found.taken);
    rest = [...cut.filter((fragment) => !taken.has(fragment)), ...found.lines];
  }
  return rest;
}

/** The middle of the letters' height. */
const heightOf = ({ y, size }: Fragment) => y - 0.3 * size;

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
  return withRowsParted([...cells.values()], grid);
}

/** Tables often have lines between columns alone: what stands between two lines across are several rows there. */
function withRowsParted(cells: readonly DrawnCell[], grid: Grid): DrawnCell[] {
  const parted: DrawnCell[] = [];
  let added = 0;
  for (let row = 0; row < grid.ys.length - 1; row += 1) {
    const members = cells.filter((cell) => cell.row === row);
    const lines = members.some(({ rows }) => rows > 1) ? [] : linesOfRow(members, grid);
    for (const cell of members) {
      if (lines.length < 2) parted.push({ ...cell, row: row + added });
      else
        for (const [index, { y, size }] of lines.entries())
          parted.push({
            ...cell,
            row: row + added + index,
            fragments: cell.fragments.filter((each) => isOn(each, y, size)),
          });
    }
    added += Math.max(0, lines.length - 1);
  }
  return parted;
}

const isOn = (fragment: Fragment, y: number, size: number) => Math.abs(fragment.y - y) <= 0.5 * size;

/** The lines of a row whose cells are drawn line by line; none where each is drawn by itself, or filled as prose is. */
function linesOfRow(members: readonly DrawnCell[], { xs }: Grid): Row[] {
  const filled = members.filter(({ fragments }) => fragments.length > 0);
  if (filled.length < 2) return [];
  const lines = rowsOf(filled.flatMap(({ fragments }) => fragments));
  if (lines.length < 3) return [];
  const orders = lines.map(({ segments }) =>
    segments.flatMap(({ fragments }) => fragments.map(({ order }) => order)),
  );
  if (orders.some((each, index) => Math.min(...each) < Math.max(...(orders[index - 1] ?? [-1])))) return [];
  const own = filled.flatMap(({ column, columns, fragments }) => {
    const right = xs[column + columns] ?? 0;
    const width = right - (xs[column] ?? 0);
    return rowsOf(fragments)
      .slice(0, -1)
      .map((line) => (line.segments.at(-1)?.x1 ?? 0) > right - Math.max(0.15 * width, 2 * line.size));
  });
  const full = own.filter((isFull) => isFull).length;
  return own.length >= 2 * filled.length && full < own.length / 3 ? lines : [];
}
