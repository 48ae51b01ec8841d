import { isBlank } from "./lines.ts";

/** A table's rows of cells, still in reStructuredText; the first row is the head. */
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
  const rows: RstRows = [];
  let row: string[] = [];
  for (const line of lines.slice(start, end)) {
    if (/^\+[-=+]+\s*$/.test(line)) {
      if (row.some((cell) => cell.trim() !== "")) rows.push(row.map((cell) => cell.trim()));
      row = [];
      continue;
    }
    line
      .trimEnd()
      .replace(/^[|+]|[|+]$/g, "")
      .split("|")
      .forEach((cell, column) => {
        // A border inside a cell that spans rows is not part of its text.
        row[column] = `${row[column] ?? ""} ${/^[-+=]+$/.test(cell) ? "" : cell.trim()}`;
      });
  }
  if (row.some((cell) => cell.trim() !== "")) rows.push(row.map((cell) => cell.trim()));
  return { rows, end };
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
    if (cell !== "") previous[index] = `${previous[index] ?? ""} ${cell}`.trim();
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
