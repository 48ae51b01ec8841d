import type { Piece, Table } from "./page/page.ts";

const HEAD_ROWS_MAX = 3;

/**
 * How many rows a table begins with that only repeat the head of one on the page before, which it goes on with: none where
 * it has no head. Undefined where it is another table.
 */
export function repeatedHead(above: Table | undefined, table: Table): number | undefined {
  if (above === undefined || table.page !== above.page + 1 || !areSameColumns(above, table)) return undefined;
  let same = 0;
  while (same < HEAD_ROWS_MAX && isSameRow(above.rows[same], table.rows[same])) same += 1;
  if (same > 0) return same < table.rows.length ? same : undefined;
  return isRowOfBody(above, table) ? 0 : undefined;
}

/** Whether the columns of two tables stand below each other. */
const areSameColumns = ({ columns }: Table, table: Table) =>
  columns.length === table.columns.length &&
  columns.every(({ x0, x1 }, index) => {
    const other = table.columns[index];
    return other !== undefined && Math.min(x1, other.x1) > Math.max(x0, other.x0);
  });

const wordsOf = (cell: readonly Piece[] = []) =>
  cell
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();

const isSameRow = (above: Piece[][] | undefined, row: Piece[][] | undefined) =>
  above !== undefined &&
  row !== undefined &&
  above.every((cell, column) => wordsOf(cell) === wordsOf(row[column]));

const NUMBER = /^[^\p{L}]*\p{N}[^\p{L}]*$/u;

/** Whether a table begins with such a row as the one before has under its head: this one is heavy, or above numbers. */
function isRowOfBody(above: Table, table: Table): boolean {
  if (table.hasBoldHead) return false;
  if (above.hasBoldHead) return true;
  const [head = []] = above.rows;
  const [first = [], last = []] = [table.rows[0], above.rows.at(-1)];
  return first.some(
    (cell, column) =>
      NUMBER.test(wordsOf(cell)) &&
      NUMBER.test(wordsOf(last[column])) &&
      wordsOf(head[column]) !== "" &&
      !NUMBER.test(wordsOf(head[column])),
  );
}
