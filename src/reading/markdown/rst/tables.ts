import { dedentBlock, isBlank, leadingSpaces } from "./lines.ts";

/** A table's rows of cells, still in lines of reStructuredText; the first row is the head. */
export type RstRows = string[][];

/** A drawn table, with the line after it. */
interface RstTable {
  rows: RstRows;
  end: number;
}

/** The grid (`+---+`) or simple (`=== ===`) table that begins on a line. */
export function tableAt(lines: readonly string[], index: number): RstTable | undefined {
  const line = lines[index] ?? "";
  if (/^\+(?:[-=]+\+)+\s*$/.test(line)) return gridTable(lines, index);
  if (/^=+(?: +=+)+\s*$/.test(line)) return simpleTable(lines, index);
  return undefined;
}

function gridTable(lines: readonly string[], start: number): RstTable {
  let end = start;
  while (end < lines.length && /^[+|]/.test(lines[end] ?? "")) end += 1;
  const drawn = lines.slice(start, end);
  const borders = drawn.filter((line) => BORDER.test(line));
  const columns = [
    ...new Set(borders.flatMap((line) => [...line.matchAll(/\+/g)].map(({ index }) => index))),
  ];
  columns.sort((a, b) => a - b);
  const rows: RstRows = [];
  let row: string[][] = [];
  const endRow = () => {
    const cells = Array.from(row, (cell) => dedentBlock(cell ?? []).join("\n"));
    if (cells.some((cell) => cell !== "")) rows.push(cells);
    row = [];
  };
  for (const line of drawn) {
    if (BORDER.test(line)) endRow();
    else
      for (const [column, text] of gridCells(line, columns).entries()) {
        // A border inside a cell that spans rows is not part of its text.
        row[column] ??= [];
        row[column].push(/^\s*[-+=]{2,}\s*$/.test(text) ? "" : text);
      }
  }
  endRow();
  return { rows, end };
}

const BORDER = /^\+[-=+]+\s*$/;

/** The texts between the bars that stand below the corners; by all bars where they stand elsewhere. */
function gridCells(line: string, columns: readonly number[]): string[] {
  const cells: string[] = [];
  let from = 0;
  for (const [column, at] of columns.entries()) {
    if (column === 0) continue;
    if (!/[|+]/.test(line.charAt(at))) continue;
    cells[columns.indexOf(from)] = line.slice(from + 1, at);
    from = at;
  }
  if (from !== columns.at(-1))
    return line
      .trimEnd()
      .replace(/^[|+]|[|+]$/g, "")
      .split("|");
  return Array.from(cells, (cell) => cell ?? "");
}

function simpleTable(lines: readonly string[], start: number): RstTable | undefined {
  const columns = columnStarts(lines[start] ?? "");
  const rows: RstRows = [];
  let borders = 1;
  let end = start + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (/^=[= ]*$/.test(line.trimEnd()) && line.trim() !== "") {
      borders += 1;
      const lastBorder = borders > 2 || isBlank(lines[end + 1]);
      if (lastBorder) return { rows, end: end + 1 };
      continue;
    }
    if (isBlank(line) || /^-[- ]*$/.test(line.trim())) continue;
    addSimpleLine(line, columns, rows);
  }
  // Without its last border it is not a table.
  return undefined;
}

function columnStarts(border: string): number[] {
  return [...border.matchAll(/=+/g)].map((match) => match.index);
}

/** A line with an empty first column continues the row above. */
function addSimpleLine(line: string, columns: number[], rows: RstRows): void {
  const cells = columns.map((start, index) => line.slice(start, columns[index + 1] ?? line.length).trim());
  const previous = rows.at(-1);
  if (cells[0] !== "" || previous === undefined) {
    rows.push(cells);
    return;
  }
  cells.forEach((cell, index) => {
    if (cell !== "") previous[index] = `${previous[index] ?? ""}\n${cell}`.trim();
  });
}

/** The rows of comma-separated values; quoted ones may contain commas and quotes. */
export function csvRows(lines: readonly string[]): RstRows {
  return lines.filter((line) => !isBlank(line)).map(csvCells);
}

function csvCells(line: string): string[] {
  const cells: string[] = [];
  for (const match of line.matchAll(/\s*(?:"((?:[^"]|""){0,4000})"[^,]*|([^,]*))(?:,|$)/g)) {
    if (match.index >= line.length && cells.length > 0) break;
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim());
  }
  return cells;
}

/** Rows written as lists: `* - a` begins a row, `  - b` its next cell. */
export function listRows(content: readonly string[]): RstRows {
  const rows: string[][][] = [];
  let dash = 0;
  for (const line of content) {
    const begin = /^([*+-]\s+)[*+-](?:\s+(.*))?$/.exec(line);
    const next = /^(\s+)[*+-](?:\s+(.*))?$/.exec(line);
    const row = rows.at(-1);
    if (begin?.[1] !== undefined) {
      dash = begin[1].length;
      rows.push([[begin[2] ?? ""]]);
    } else if (row !== undefined && next?.[1]?.length === dash) row.push([next[2] ?? ""]);
    else row?.at(-1)?.push(line.slice(Math.min(dash + 2, leadingSpaces(line))));
  }
  return rows.map((row) => row.map((cell) => cellText(cell)));
}

const cellText = ([first = "", ...more]: string[]) =>
  (first === "" ? dedentBlock(more) : [first, ...more.map((line) => line.trimEnd())]).join("\n").trim();
