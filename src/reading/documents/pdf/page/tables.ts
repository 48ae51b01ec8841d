import { type Fragment, type Row, rowsOf, type Segment } from "./fragment.ts";
import { columnOf, guttersOf, isValue, type Span, spansOf, unitsOf, VALUE } from "./gutters.ts";
import { inReadingOrder, LEADERS, type Piece, piecesOf, type Table, wordsOf } from "./line.ts";
import { headAbove, holdValues, isTitle, titlesWithin } from "./titles.ts";

/** A stretch of rows in a column: a table, or rows that are lines. */
type Stretch = { table: Omit<Table, "page" | "column"> } | { rows: Row[] };

const COLUMNS_MAX = 30;
const TABLE_ROWS_MAX = 500;
/** A page of more rows is none that people read: it is not searched for tables. */
const ROWS_MAX = 3_000;

/** How the rows of a page are read. */
interface TableReading {
  isMirrored: boolean;
  /** Whether all of the page is set in letters of one width, so that they are no sign of code. */
  isMono: boolean;
}

/** Finds the tables among the rows of a column. All else stays rows, in order. */
export function stretchesOf(rows: readonly Row[], reading: TableReading): Stretch[] {
  if (rows.length > ROWS_MAX) return [{ rows: [...rows] }];
  const stretches: Stretch[] = [];
  let plain: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const end = tableEnd(rows, at);
    const body = rows.slice(at, end);
    const table = body.length >= 2 ? tableOf([], body, reading) : undefined;
    if (table === undefined) {
      const row = rows[at];
      if (row !== undefined) plain.push(row);
      at += 1;
      continue;
    }
    const head = headAbove(plain, body);
    const whole = head.length > 0 ? tableOf(head, body, reading) : undefined;
    if (whole !== undefined) plain = plain.slice(0, plain.length - head.length);
    if (plain.length > 0) stretches.push({ rows: plain });
    plain = [];
    stretches.push({ table: whole ?? table });
    at = end;
  }
  if (plain.length > 0) stretches.push({ rows: plain });
  return stretches;
}

/** Where the table ends that begins with this row: at a row that crosses its columns, or far below. */
function tableEnd(rows: readonly Row[], from: number): number {
  const first = rows[from];
  if (first === undefined || !isRowOfCells(first)) return from;
  let spans = spansOf(first.segments);
  let end = from + 1;
  for (let at = from + 1; at < rows.length && at - from < TABLE_ROWS_MAX; at += 1) {
    const [row, above] = [rows[at], rows[at - 1]];
    if (row === undefined || above === undefined) break;
    if (row.y - above.y > 3.2 * Math.max(row.size, above.size)) break;
    if (hasLeaders(row)) break;
    const merged = spansOf([...spans, ...row.segments]);
    if (row.segments.length > 1) {
      if (merged.length >= Math.max(2, Math.min(spans.length, row.segments.length))) spans = merged;
      else if (!isBelow(above, row)) break;
      end = at + 1;
      continue;
    }
    const titles = titlesWithin(rows, { from, at, spans });
    if (titles > 0) {
      at += titles - 1;
      continue;
    }
    if (isTitle(row, above)) break;
    // A cell that goes on below, or a row of one cell: it crosses no column.
    if (merged.length < spans.length || merged.length > spans.length) break;
    spans = merged;
    if (row.y - above.y < 1.5 * row.size) end = at + 1;
  }
  // What stands alone below the last row of cells is a paragraph more often than a cell, unless it is close.
  while (end > from + 1 && rows[end - 1]?.segments.length === 1 && !isContinuation(rows, end - 1, spans))
    end -= 1;
  return end;
}

/** Whether a row has as many cells as the one above it, each below one, however the widths of the columns change. */
function isBelow(above: Row, row: Row): boolean {
  const [cells, upper] = [unitsOfRow(row), unitsOfRow(above)];
  if (cells.length < 3 || cells.length !== upper.length) return false;
  return cells.every(({ x0, x1 }, index) => {
    const other = upper[index];
    return other !== undefined && x0 < other.x1 && x1 > other.x0;
  });
}

function isContinuation(rows: readonly Row[], at: number, spans: readonly Span[]): boolean {
  const row = rows[at];
  const segment = row?.segments[0];
  const first = spans[0];
  return segment !== undefined && first !== undefined && segment.x0 > first.x1;
}

const isRowOfCells = (row: Row) => row.segments.length > 1 && !hasLeaders(row);

/** Whether dots lead to a page's number; those that lead to several values are in a row of them. */
function hasLeaders({ segments }: Row): boolean {
  const last = segments.findLastIndex(({ fragments }) => fragments.some(({ text }) => LEADERS.test(text)));
  return last !== -1 && segments.length - last <= 2;
}

/** Code has gaps within its lines, and no cells. */
function isMostlyMono(rows: readonly Row[]): boolean {
  const fragments = rows.flatMap(({ segments }) => segments.flatMap(({ fragments }) => fragments));
  return fragments.filter(({ mono }) => mono).length > 0.8 * fragments.length;
}

const BULLET = /^(?:[•◦▪■□●○‣–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])$/;

/** Rows below a head as a table, where they clearly are one. */
function tableOf(
  head: readonly Row[],
  body: readonly Row[],
  { isMirrored, isMono }: TableReading,
): Omit<Table, "page" | "column"> | undefined {
  const isCode = isMostlyMono(body);
  if (isCode && !isMono) return undefined;
  const columns = columnsOf(body);
  if (columns.count < 2 || columns.count > COLUMNS_MAX) return undefined;
  const logical = logicalRows(body, body.map(columns.cellsOf));
  if (!isFilled(logical, columns.count, holdValues(body))) return undefined;
  const all = [...logicalRows(head, head.map(columns.cellsOf)), ...logical];
  const written = all.map((row) => row.map((segments) => piecesOfCell(segments, isMirrored)));
  if (!looksLikeTable(written) || (isCode && !holdsValues(written))) return undefined;
  const fragments = all.map((row) => row.map((segments) => segments.flatMap((segment) => segment.fragments)));
  return asTable(written, fragments, head[0]?.y ?? body[0]?.y ?? 0);
}

/** Whether most rows have several cells, and these are not few. Among values, rows of one cell are titles. */
function isFilled(rows: readonly Segment[][][], columns: number, holdsValues: boolean): boolean {
  const full = rows.filter((row) => filledIn(row) >= 2);
  const counted = holdsValues ? full : rows;
  const filled = counted.reduce((sum, row) => sum + filledIn(row), 0);
  const fullMin = (holdsValues ? 0.4 : 0.6) * rows.length;
  return full.length >= 3 && full.length >= fullMin && filled >= 0.4 * counted.length * columns;
}

/** Whether half of the cells behind the first of their row are values. */
function holdsValues(rows: readonly Piece[][][]): boolean {
  const cells = rows
    .flatMap(([, ...rest]) => rest.map((cell) => wordsOf(cell)))
    .filter((text) => text !== "");
  return cells.filter((text) => VALUE.test(text)).length >= 0.5 * cells.length;
}

interface Columns {
  count: number;
  /** The cells of a row, by column. */
  cellsOf(row: Row): Segment[][];
}

/** The columns of rows: by what most of them leave free, where that is more columns than what all leave. */
function columnsOf(rows: readonly Row[]): Columns {
  const full = rows.filter(({ segments }) => segments.length > 1);
  const spans = spansOf((full.length > 0 ? full : rows).flatMap(({ segments }) => segments));
  const gutters = guttersOf(full.map(unitsOfRow));
  if (gutters.length < spans.length || !holdValues(rows)) {
    const column = ({ x0 }: Segment) =>
      Math.max(
        0,
        spans.findLastIndex((span) => x0 >= span.x0 - 0.5),
      );
    return { count: spans.length, cellsOf: (row) => byColumn(row.segments, spans.length, column) };
  }
  const count = gutters.length + 1;
  return { count, cellsOf: (row) => byColumn(unitsOfRow(row), count, (unit) => columnOf(unit, gutters)) };
}

function byColumn(
  segments: readonly Segment[],
  count: number,
  column: (segment: Segment) => number,
): Segment[][] {
  const grouped = Map.groupBy(segments, column);
  return Array.from({ length: count }, (_, index) => grouped.get(index) ?? []);
}

const unitsOfRow = ({ segments }: Row) => unitsOf(segments.flatMap(({ fragments }) => fragments));

function asTable(
  rows: Piece[][][],
  cells: readonly (readonly (readonly Fragment[])[])[],
  y: number,
): Omit<Table, "page" | "column"> {
  const text = rows.map((row) => row.map((cell) => wordsOf(cell)).join(" ")).join(" ");
  const columns = (cells[0] ?? []).map((_, column) => {
    const own = cells.flatMap((row) => row[column] ?? []);
    return { x0: Math.min(...own.map(({ x0 }) => x0)), x1: Math.max(...own.map(({ x1 }) => x1)) };
  });
  const [head = [], ...rest] = cells;
  const isBold = (row: readonly (readonly Fragment[])[]) => row.flat().every(({ bold }) => bold);
  return { kind: "table", y, rows, columns, hasBoldHead: isBold(head) && !rest.every(isBold), text };
}

/** A table whose cells are known: each is read line by line. */
export function tableOfCells(
  cells: readonly (readonly Fragment[][])[],
  y: number,
  isMirrored: boolean,
): Omit<Table, "page" | "column"> {
  const written = cells.map((row) =>
    row.map((fragments) =>
      piecesOfCell(
        rowsOf(fragments).flatMap(({ segments }) => segments),
        isMirrored,
      ),
    ),
  );
  return asTable(written, cells, y);
}

/** Joins the lines of cells that go over several: each cell by itself, from the top to the bottom. */
function logicalRows(rows: readonly Row[], cells: readonly Segment[][][]): Segment[][][] {
  const joined: Segment[][][] = [];
  for (const [index, row] of cells.entries()) {
    const above = joined.at(-1);
    const apart = (rows[index]?.y ?? 0) - (rows[index - 1]?.y ?? 0);
    const close = apart < 1.6 * (rows[index]?.size ?? 10);
    if (
      above !== undefined &&
      close &&
      !isFilledAs(row, above) &&
      !(isValue(row[0]) && isValue(above[0])) &&
      (isDrawnBefore(row, above) || lacksFirst(row))
    )
      for (const [column, segments] of row.entries()) above[column]?.push(...segments);
    else joined.push(row.map((segments) => [...segments]));
  }
  return joined;
}

const filledIn = (row: readonly Segment[][]) => row.filter((segments) => segments.length > 0).length;

/** Three and more cells, the same as above: lines that go on are fewer with each line. */
const isFilledAs = (row: readonly Segment[][], above: readonly Segment[][]) =>
  filledIn(row) >= 3 && filledIn(row) >= filledIn(above);

/** A single cell, and not the first one: words of it that had no room above. */
const lacksFirst = (row: readonly Segment[][]) =>
  row[0]?.length === 0 && row.filter((segments) => segments.length > 0).length === 1;

/** A line of a cell is drawn before the cells at the right of those above it. */
const isDrawnBefore = (row: readonly Segment[][], above: readonly Segment[][]) =>
  row.some((segments, column) => {
    const earliest = Math.min(...ordersOf(segments));
    return above.slice(column + 1).some((later) => ordersOf(later).some((order) => order > earliest));
  });

const ordersOf = (segments: readonly Segment[] = []) =>
  segments.flatMap(({ fragments }) => fragments.map(({ order }) => order));

function piecesOfCell(segments: readonly Segment[], isMirrored: boolean): Piece[] {
  const pieces: Piece[] = [];
  for (const segment of segments) {
    const last = pieces.at(-1);
    if (last !== undefined) last.text += " ";
    pieces.push(...piecesOf(inReadingOrder([segment], isMirrored)));
  }
  return pieces;
}

/** Bullets beside their items are a list, and long cells in two columns are prose. */
function looksLikeTable(rows: readonly Piece[][][]): boolean {
  const first = rows.map(([cell = []]) => wordsOf(cell)).filter((text) => text !== "");
  if (first.filter((text) => BULLET.test(text)).length > 0.5 * first.length) return false;
  const lengths = rows
    .flatMap((row) => row.map((cell) => wordsOf(cell).length))
    .filter((length) => length > 0);
  const long = lengths.filter((length) => length > 300).length;
  return long < 0.2 * lengths.length;
}
