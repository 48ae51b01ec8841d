import { type Fragment, type Row, rowsOf } from "./fragment.ts";

/** A cell of a table as it is drawn, which may be over several rows and columns, with what is set in it. */
export interface DrawnCell {
  row: number;
  column: number;
  rows: number;
  columns: number;
  fragments: Fragment[];
}

/** Forms and the frames of drawings are merged of places of all sizes: fewer of them begin a cell that holds something. */
const FILLED_MIN = 0.3;
/** A cell with more characters on average holds text, and no data. */
const LAYOUT_CHARACTERS = 1_500;
/** What a merged cell says in each of its rows, so that a row says it where it stands alone. */
const REPEATED_CHARACTERS_MAX = 60;

/**
 * What stands in for a table among the fragments of a page: one for each of its lines. Undefined for what is no table, such
 * as a frame around something, a form, or a page that is only laid out in cells.
 */
export function standIns(cells: readonly DrawnCell[]): { taken: Fragment[]; lines: Fragment[] } | undefined {
  const kept = withoutTitles(cells);
  if (!isTable(kept)) return undefined;
  const table = written(kept);
  const taken = kept.flatMap(({ fragments }) => fragments);
  return { taken, lines: rowsOf(taken).map((row) => standIn(row, table)) };
}

const isFilled = ({ fragments }: DrawnCell) => fragments.length > 0;
const lettersOf = (fragments: readonly Fragment[]) =>
  fragments.reduce((sum, { text }) => sum + text.length, 0);

/** A cell alone in its row, above all others, is the title of the table: it stays outside of it. */
function withoutTitles(cells: readonly DrawnCell[]): DrawnCell[] {
  const filled = cells.filter(isFilled);
  const rows = [...new Set(filled.map(({ row }) => row))].sort((a, b) => a - b);
  const first = rows.find((row) => filled.filter((cell) => cell.row === row).length > 1);
  return first === undefined ? [] : cells.filter(({ row }) => row >= first);
}

function isTable(cells: readonly DrawnCell[]): boolean {
  const filled = cells.filter(isFilled);
  const perRow = new Map<number, number>();
  for (const { row } of filled) perRow.set(row, (perRow.get(row) ?? 0) + 1);
  if ([...perRow.values()].filter((count) => count > 1).length < 2) return false;
  const columns = new Set(filled.map(({ column }) => column)).size;
  if (filled.length < FILLED_MIN * perRow.size * columns) return false;
  if (filled.some(isOfRows)) return false;
  const fragments = filled.flatMap((cell) => cell.fragments);
  const letters = lettersOf(fragments);
  if (letters > LAYOUT_CHARACTERS * filled.length) return false;
  // Code in a frame that has numbers of lines is code.
  return lettersOf(fragments.filter(({ mono }) => mono)) <= 0.8 * letters;
}

const MERGED_ROWS_MIN = 4;

/** A cell at the side of many rows with as many lines in it has a line for each: no merged cell, but part of a form. */
const isOfRows = ({ rows, fragments }: DrawnCell) =>
  rows >= MERGED_ROWS_MIN && fragments.length >= rows && rowsOf(fragments).length >= rows;

/** The rows of a table, without those, and without columns, in which nothing begins. */
function written(cells: readonly DrawnCell[]): Fragment[][][] {
  const filled = cells.filter(isFilled);
  const columns = [...new Set(filled.map(({ column }) => column))].sort((a, b) => a - b);
  const rows = [...new Set(filled.map(({ row }) => row))].sort((a, b) => a - b);
  const table = rows.map(() => columns.map((): Fragment[] => []));
  for (const { row, rows: height, column, fragments } of filled) {
    const isRepeated = lettersOf(fragments) <= REPEATED_CHARACTERS_MAX;
    const from = rows.indexOf(row);
    for (let at = from; at < rows.length && (rows[at] ?? 0) < row + height; at += 1)
      if (at === from || isRepeated) table[at]?.[columns.indexOf(column)]?.push(...fragments);
  }
  return table;
}

function standIn({ y, size, segments }: Row, table: Fragment[][][]): Fragment {
  const fragments = segments.flatMap((segment) => segment.fragments);
  return {
    text: fragments.map(({ text }) => text).join(" "),
    x0: Math.min(...fragments.map(({ x0 }) => x0)),
    x1: Math.max(...fragments.map(({ x1 }) => x1)),
    y,
    size,
    bold: false,
    mono: false,
    rtl: false,
    order: Math.min(...fragments.map(({ order }) => order)),
    spaceBefore: true,
    spaceAfter: true,
    table,
  };
}
