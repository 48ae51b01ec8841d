import type { DrawnCell } from "./cells.ts";
import { type Fragment, heightOf, type Row, rowsOf } from "./fragment.ts";
import { type Grid, placeIn } from "./grids.ts";

/** Cells as people read them: tables often have lines between columns alone, or around their header alone. */
export function partedCells(cells: readonly DrawnCell[], grid: Grid): DrawnCell[] {
  return withRowsParted(
    cells.flatMap((cell) => withColumnsParted(cell, grid)),
    grid,
  );
}

const LINES_MIN = 3;
/** So much of what stands in a merged cell is within one column each, where the columns go on through it. */
const WITHIN_MIN = 0.9;

/** Below a header with lines between its columns, these often go on without: what stands under each is a cell there. */
function withColumnsParted(cell: DrawnCell, grid: Grid): DrawnCell[] {
  if (cell.columns < 2 || cell.fragments.length < 2 * LINES_MIN) return [cell];
  const lines = rowsOf(cell.fragments);
  if (lines.length < LINES_MIN) return [cell];
  const columnAt = (x: number, fragment: Fragment) => placeIn(grid, x, heightOf(fragment))?.column;
  const columnOf = (fragment: Fragment) =>
    columnAt(Math.min((fragment.x0 + fragment.x1) / 2, fragment.x0 + 0.5 * fragment.size), fragment);
  const within = cell.fragments.filter(
    (each) => columnOf(each) === columnAt(Math.max(each.x0, each.x1 - 0.5 * each.size), each),
  );
  const several = lines.filter(
    ({ segments }) => new Set(segments.map(({ fragments: [first] }) => first && columnOf(first))).size > 1,
  );
  if (within.length < WITHIN_MIN * cell.fragments.length || several.length < lines.length / 3) return [cell];
  const byColumn = Map.groupBy(cell.fragments, columnOf);
  return Array.from({ length: cell.columns }, (_, index) => {
    const column = cell.column + index;
    return { ...cell, column, columns: 1, fragments: byColumn.get(column) ?? [] };
  });
}

/** What stands between two lines across is several rows where no lines are between them. */
function withRowsParted(cells: readonly DrawnCell[], grid: Grid): DrawnCell[] {
  const parted: DrawnCell[] = [];
  let added = 0;
  for (let row = 0; row < grid.ys.length - 1; row += 1) {
    const members = cells.filter((cell) => cell.row === row);
    const rows = members.some(({ rows }) => rows > 1) ? [] : rowsWithin(members, grid);
    for (const cell of members) {
      if (rows.length < 2) parted.push({ ...cell, row: row + added });
      else
        for (const [index, lines] of rows.entries())
          parted.push({
            ...cell,
            row: row + added + index,
            fragments: cell.fragments.filter((each) => lines.some(({ y, size }) => isOn(each, y, size))),
          });
    }
    added += Math.max(0, rows.length - 1);
  }
  return parted;
}

const isOn = (fragment: Fragment, y: number, size: number) => Math.abs(fragment.y - y) <= 0.5 * size;

/** The rows that lines of cells are, each with its lines; none where the cells go on from line to line. */
function rowsWithin(members: readonly DrawnCell[], { xs }: Grid): Row[][] {
  const filled = members.filter(({ fragments }) => fragments.length > 0);
  if (filled.length < 2) return [];
  const lines = rowsOf(filled.flatMap(({ fragments }) => fragments));
  if (lines.length < 2 || !(areDrawnInTurn(lines) || areFilledAlike(lines, filled))) return [];
  const cells = filled.map((cell) => ({
    width: (xs[cell.column + cell.columns] ?? 0) - (xs[cell.column] ?? 0),
    lines: rowsOf(cell.fragments),
  }));
  if (lines.length < LINES_MIN && !areTwoRows(cells)) return [];
  const breaks = cells.flatMap((cell) =>
    cell.lines.slice(1).map((line, index) => isForced(cell.lines[index], line, cell.width)),
  );
  const forced = breaks.filter((each) => each).length;
  const breaksMin = lines.length < LINES_MIN ? filled.length : 2 * filled.length;
  return breaks.length >= breaksMin && forced < breaks.length / 3 ? withMoreOfCells(lines, filled) : [];
}

/** Two lines are two rows where most cells have a value on each. */
function areTwoRows(cells: readonly { lines: readonly Row[] }[]): boolean {
  const values = cells.filter(
    ({ lines }) => lines.length === 2 && lines.every(({ segments }) => isValue(segments)),
  );
  return cells.length >= 3 && values.length > cells.length / 2;
}

const isValue = ([segment, ...more]: Row["segments"]) =>
  more.length === 0 && segment?.fragments.every(({ text }) => VALUE.test(text)) === true;

/** A line with words in one cell alone, which is not the first, is more of the one above. */
function withMoreOfCells(lines: readonly Row[], filled: readonly DrawnCell[]): Row[][] {
  const first = Math.min(...filled.map(({ column }) => column));
  const rows: Row[][] = [];
  let above: Row | undefined;
  for (const line of lines) {
    const own = filled.filter(({ fragments }) => fragments.some((each) => isOn(each, line.y, line.size)));
    const isMore = own.length === 1 && own[0]?.column !== first;
    const isClose = above !== undefined && line.y - above.y < 1.5 * line.size;
    if (isMore && isClose) rows.at(-1)?.push(line);
    else rows.push([line]);
    above = line;
  }
  return rows;
}

/** Whether each line is drawn after the one above it. */
function areDrawnInTurn(lines: readonly Row[]): boolean {
  const orders = lines.map(({ segments }) =>
    segments.flatMap(({ fragments }) => fragments.map(({ order }) => order)),
  );
  return orders.every((each, index) => Math.min(...each) > Math.max(...(orders[index - 1] ?? [-1])));
}

const FILLED_ALIKE_MIN = 0.6;

/** Whether most lines have words in most of the cells: where cells go on, they are fewer with each line. */
function areFilledAlike(lines: readonly Row[], filled: readonly DrawnCell[]): boolean {
  if (filled.length < 3) return false;
  const alike = lines.filter(
    ({ y, size }) =>
      filled.filter(({ fragments }) => fragments.some((each) => isOn(each, y, size))).length >=
      FILLED_ALIKE_MIN * filled.length,
  );
  return alike.length >= FILLED_ALIKE_MIN * lines.length;
}

/** Whether a line of a cell ends where it does as the next word had no room. A number, or a code with one, is a value of its own. */
function isForced(above: Row | undefined, line: Row, width: number): boolean {
  const [first, last] = [line.segments[0]?.fragments[0], line.segments.at(-1)];
  const [left, right] = [above?.segments[0]?.x0 ?? 0, above?.segments.at(-1)?.x1 ?? 0];
  if (first === undefined || last === undefined) return false;
  const [word = ""] = first.text.split(/\s/, 1);
  if (/\p{N}/u.test(word) || VALUE.test(word)) return false;
  const letter = (first.x1 - first.x0) / Math.max(1, first.text.length);
  const room = width - (right - left);
  const isFull = room < Math.max(0.15 * width, 2 * line.size) + line.size;
  return isFull && (word.length + 1) * letter > room - line.size;
}

/** A number, with its unit or sign; or what says that there is none. */
const VALUE = /^[^\p{L}]*\p{N}[^\p{L}]*$|^[-–—*.]+$/u;
