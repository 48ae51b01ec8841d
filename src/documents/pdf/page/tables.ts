import { type Fragment, type Row, rowsOf, type Segment } from "./fragment.ts";
import { inReadingOrder, LEADERS, type Piece, piecesOf, type Table, wordsOf } from "./line.ts";

/** A stretch of rows in a column: a table, or rows that are lines. */
export type Stretch = { table: Omit<Table, "page" | "column"> } | { rows: Row[] };

interface Span {
  x0: number;
  x1: number;
}

const COLUMNS_MAX = 30;
const TABLE_ROWS_MAX = 500;
/** A page of more rows is none that people read: it is not searched for tables. */
const ROWS_MAX = 3_000;

/** Finds the tables among the rows of a column. All else stays rows, in order. */
export function stretchesOf(rows: readonly Row[], isMirrored: boolean): Stretch[] {
  if (rows.length > ROWS_MAX) return [{ rows: [...rows] }];
  const stretches: Stretch[] = [];
  let plain: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const end = tableEnd(rows, at);
    const table = end - at >= 2 ? tableOf(rows.slice(at, end), isMirrored) : undefined;
    if (table === undefined) {
      const row = rows[at];
      if (row !== undefined) plain.push(row);
      at += 1;
      continue;
    }
    if (plain.length > 0) stretches.push({ rows: plain });
    plain = [];
    stretches.push({ table });
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
      if (merged.length < Math.max(2, Math.min(spans.length, row.segments.length))) break;
      spans = merged;
      end = at + 1;
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

/** A single cell in other letters than those above: the title of what follows. */
function isTitle(row: Row, above: Row): boolean {
  const isBold = ({ segments }: Row) =>
    segments.every(({ fragments }) => fragments.every(({ bold }) => bold));
  return Math.abs(row.size - above.size) > 0.08 * row.size || (isBold(row) && !isBold(above));
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

/** Where cells stand, merged where they overlap. */
function spansOf(parts: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { x0, x1 } of [...parts].sort((a, b) => a.x0 - b.x0)) {
    const last = merged.at(-1);
    if (last !== undefined && x0 < last.x1 + 1) last.x1 = Math.max(last.x1, x1);
    else merged.push({ x0, x1 });
  }
  return merged;
}

/** Code has gaps within its lines, and no cells. */
function isCode(rows: readonly Row[]): boolean {
  const fragments = rows.flatMap(({ segments }) => segments.flatMap(({ fragments }) => fragments));
  return fragments.filter(({ mono }) => mono).length > 0.8 * fragments.length;
}

const BULLET = /^(?:[•◦▪■□●○‣–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])$/;

/** Rows as a table, where they clearly are one. */
function tableOf(rows: readonly Row[], isMirrored: boolean): Omit<Table, "page" | "column"> | undefined {
  const spans = spansOf(rows.flatMap(({ segments }) => segments));
  if (spans.length < 2 || spans.length > COLUMNS_MAX) return undefined;
  if (isCode(rows)) return undefined;
  const cells = rows.map(({ segments }) => cellsOf(segments, spans));
  const logical = logicalRows(rows, cells);
  const full = logical.filter((row) => row.filter((cell) => cell.length > 0).length >= 2);
  if (full.length < 3 || full.length < logical.length * 0.6) return undefined;
  const filled = logical.reduce((sum, row) => sum + row.filter((cell) => cell.length > 0).length, 0);
  if (filled < logical.length * spans.length * 0.4) return undefined;
  const written = logical.map((row) => row.map((segments) => piecesOfCell(segments, isMirrored)));
  if (!looksLikeTable(written)) return undefined;
  const fragments = logical.map((row) =>
    row.map((segments) => segments.flatMap((segment) => segment.fragments)),
  );
  return asTable(written, fragments, rows[0]?.y ?? 0);
}

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

function cellsOf(segments: readonly Segment[], spans: readonly Span[]): Segment[][] {
  return spans.map(({ x0, x1 }) => segments.filter((each) => each.x0 >= x0 - 0.5 && each.x0 <= x1 + 0.5));
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
