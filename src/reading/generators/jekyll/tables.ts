import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";

const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A line that belongs to another block, whatever is in it. */
const OTHER_BLOCK = /^(?: {0,3}(?:[-*+>#]|\d{1,9}[.)])(?:\s|$)| {4}|\t| {0,3}<)/;
/** A blank line, or a heading. */
const BEFORE_TABLE = /^[ \t]*$|^#{1,6}\s/;
const COLUMNS_MAX = 100;

/**
 * Writes the tables that kramdown knows as Markdown does: the line below the head may have fewer columns than the others, a row
 * more than the head, and there may be no head at all.
 */
export function plainTables(lines: readonly string[]): string[] {
  const out: string[] = [];
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (
      fence === undefined &&
      BEFORE_TABLE.test(out.at(-1) ?? "") &&
      hasBar(line) &&
      !OTHER_BLOCK.test(line)
    ) {
      const rows = rowsFrom(lines, at);
      out.push(...(writeTable(rows) ?? rows));
      at += rows.length - 1;
      continue;
    }
    fence = fenceBehind(line, fence);
    out.push(line);
  }
  return out;
}

function rowsFrom(lines: readonly string[], from: number): string[] {
  let end = from;
  while (end < lines.length && hasBar(lines[end] ?? "")) end++;
  return lines.slice(from, end);
}

/** Undefined where the table is one already, or is none. */
function writeTable(rows: readonly string[]): string[] | undefined {
  const [first = "", second = ""] = rows;
  const widths = rows.map((row) => cellsOf(row).length);
  const columns = Math.max(...widths);
  const hasHead = DELIMITER.test(second) && !DELIMITER.test(first);
  if (columns > COLUMNS_MAX) return undefined;
  if (hasHead) {
    if (widths[0] === columns && widths[1] === columns) return undefined;
    const delimiters = [...cellsOf(second).map((cell) => cell.trim() || "---"), ...blanks(columns, "---")];
    return [wide(first, columns), rowOf(delimiters.slice(0, columns)), ...rows.slice(2)];
  }
  // A bar in a paragraph is a table to kramdown; to whoever wrote it, only where there are rows of them.
  if (rows.length < 2 || rows.some((row) => DELIMITER.test(row)) || new Set(widths).size > 1 || columns < 2)
    return undefined;
  return [rowOf(blanks(columns, " ")), rowOf(blanks(columns, "---")), ...rows];
}

const blanks = (count: number, cell: string) => Array.from({ length: count }, () => cell);
const rowOf = (cells: readonly string[]) => `|${cells.join("|")}|`;
const wide = (row: string, columns: number) =>
  rowOf([...cellsOf(row), ...blanks(columns, " ")].slice(0, columns));

const hasBar = (line: string) => line.includes("|") && (cellsOf(line).length > 1 || /^[ \t]*\|/.test(line));

/** The cells of a row. A bar in code, or behind a backslash, is none of the table's. */
function cellsOf(row: string): string[] {
  const cells = [""];
  for (const [piece = ""] of row.trim().matchAll(/\\.|(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|[\s\S]/g)) {
    if (piece === "|") cells.push("");
    else cells[cells.length - 1] += piece;
  }
  if (cells.length > 1 && cells[0]?.trim() === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells;
}
