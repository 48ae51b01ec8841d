import type { DrawnCell } from "./cells.ts";
import { type Fragment, heightOf, type Row, rowsOf, type Segment } from "./fragment.ts";
import { type Grid, placeIn } from "./grids.ts";
import { columnOf, guttersOf, unitsOf, VALUE } from "./gutters.ts";

/** Cells as people read them: tables often have lines between columns alone, or around their header alone. */
export function partedCells(drawn: readonly DrawnCell[], grid: Grid): DrawnCell[] {
  const cells = drawn.flatMap((cell) => withColumnsParted(cell, grid));
  const byLines = withColumnsWithin({ cells, xs: grid.xs }, linesOf);
  const within = withColumnsWithin(byLines, (cell) => [blocksIn(cell)]);
  return withRowsParted(within.cells, { ...grid, xs: [...within.xs] });
}

/** Cells, and where their columns begin and end. */
interface Columns {
  cells: readonly DrawnCell[];
  xs: readonly number[];
}

/** What stands below each other between the same two lines is in columns of its own. */
function withColumnsWithin(
  { cells, xs }: Columns,
  partsOf: (cell: DrawnCell) => readonly (readonly Segment[])[],
): Columns {
  let parted = cells;
  const places = [...xs];
  for (let column = xs.length - 2; column >= 0; column -= 1) {
    const members = parted.filter((cell) => cell.column === column && cell.columns === 1);
    const gutters = guttersOf(members.flatMap(partsOf));
    if (gutters.length === 0) continue;
    parted = parted.flatMap((cell) => partedAt(cell, column, gutters));
    places.splice(column + 1, 0, ...gutters);
  }
  return { cells: parted, xs: places };
}

const linesOf = ({ fragments }: DrawnCell) =>
  rowsOf(fragments).map(({ segments }) => unitsOf(segments.flatMap((segment) => segment.fragments)));

/** What stands beside each other in a cell, however high: a number may stand at the middle of a text of several lines. */
function blocksIn(cell: DrawnCell): Segment[] {
  const blocks: Segment[] = [];
  for (const unit of linesOf(cell)
    .flat()
    .sort((a, b) => a.x0 - b.x0)) {
    const last = blocks.at(-1);
    if (last === undefined || unit.x0 > last.x1) blocks.push(unit);
    else blocks[blocks.length - 1] = { ...last, x1: Math.max(last.x1, unit.x1) };
  }
  return blocks;
}

/** A cell as it is where its column, or one that it is over or before, is parted in several. */
function partedAt(cell: DrawnCell, column: number, gutters: readonly number[]): DrawnCell[] {
  const added = gutters.length;
  if (cell.column > column) return [{ ...cell, column: cell.column + added }];
  if (cell.column + cell.columns <= column) return [cell];
  if (cell.column < column || cell.columns > 1) return [{ ...cell, columns: cell.columns + added }];
  const units = Map.groupBy(linesOf(cell).flat(), (unit) => columnOf(unit, gutters));
  return Array.from({ length: added + 1 }, (_, index) => ({
    ...cell,
    column: column + index,
    fragments: (units.get(index) ?? []).flatMap(({ fragments }) => fragments),
  }));
}

const LINES_MIN = 3;
/** The least share of what stands in a merged cell that is within one column each, where the columns go on through the cell. */
const WITHIN_MIN = 0.9;

/** Below a header with lines between its columns, these often go on without: what stands under each is a cell there. */
function withColumnsParted(cell: DrawnCell, grid: Grid): DrawnCell[] {
  if (cell.columns < 2 || cell.fragments.length < 2 * LINES_MIN) return [cell];
  const lines = rowsOf(cell.fragments);
  if (lines.length < LINES_MIN) return [cell];
  const columnAt = (x: number, fragment: Fragment) => placeIn(grid, x, heightOf(fragment))?.column;
  const columnIn = (fragment: Fragment) =>
    columnAt(Math.min((fragment.x0 + fragment.x1) / 2, fragment.x0 + 0.5 * fragment.size), fragment);
  const within = cell.fragments.filter(
    (each) => columnIn(each) === columnAt(Math.max(each.x0, each.x1 - 0.5 * each.size), each),
  );
  const several = lines.filter(
    ({ segments }) => new Set(segments.map(({ fragments: [first] }) => first && columnIn(first))).size > 1,
  );
  if (within.length < WITHIN_MIN * cell.fragments.length || several.length < lines.length / 3) return [cell];
  const byColumn = Map.groupBy(cell.fragments, columnIn);
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
  const cells = filled.map((cell) => ({
    width: (xs[cell.column + cell.columns] ?? 0) - (xs[cell.column] ?? 0),
    lines: rowsOf(cell.fragments),
  }));
  if (haveValuesBeside(cells)) return withMoreOfCells(lines, filled);
  if (lines.length < 2 || !(areDrawnInTurn(lines) || areFilledAlike(lines, filled))) return [];
  if (lines.length < LINES_MIN && !areTwoRows(cells)) return [];
  const breaks = cells.flatMap((cell) =>
    cell.lines.slice(1).map((line, index) => isForced(cell.lines[index], line, cell.width)),
  );
  const forced = breaks.filter((each) => each).length;
  const breaksMin = lines.length < LINES_MIN ? filled.length : 2 * filled.length;
  return breaks.length >= breaksMin && forced < breaks.length / 3 ? withMoreOfCells(lines, filled) : [];
}

/**
 * Whether several cells have nothing but values, so many each, and beside each other: each of these is a row. Where there are
 * two, what names them has to stand beside both, as the second may be more of the first.
 */
function haveValuesBeside([names, ...rest]: readonly { lines: readonly Row[] }[]): boolean {
  const [first, ...more] = rest
    .map(({ lines }) => lines)
    .filter((lines) => lines.length > 1 && lines.every(({ segments }) => isValue(segments)));
  if (names === undefined || first === undefined || more.length === 0) return false;
  const areBeside = (lines: readonly Row[]) =>
    lines.every(({ y, size }, index) => Math.abs(y - (first[index]?.y ?? 0)) <= 0.5 * size);
  if (!more.every((lines) => lines.length === first.length && areBeside(lines))) return false;
  if (first.length >= LINES_MIN) return true;
  return first.every(
    ({ y, size, segments: [value] }) =>
      names.lines.some((line) => Math.abs(line.y - y) <= 0.5 * size) &&
      !/^[(±]/.test(value?.fragments[0]?.text ?? ""),
  );
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
    const [cell, ...others] = own;
    const isMore =
      cell !== undefined && others.length === 0 && (cell.column !== first || goesOn(above, line));
    const isClose = above !== undefined && line.y - above.y < 1.5 * line.size;
    if (isMore && isClose) rows.at(-1)?.push(line);
    else rows.push([line]);
    above = line;
  }
  return rows;
}

/** Whether the words in the first cell of a row go on below: a sentence does in small letters. */
const goesOn = (above: Row | undefined, { segments: [segment] }: Row) =>
  above !== undefined && /^[\p{Ll}(]/u.test(segment?.fragments[0]?.text ?? "");

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
