import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { attribute, classesOf, type HtmlElement, isElement } from "./dom.ts";
import { placeOf, writeInline } from "./inline.ts";
import type { Survey } from "./survey.ts";

/** A row of a table, whatever its elements. */
interface Row {
  cells: HtmlElement[];
  isHeader: boolean;
  /** The mark of the place that it is. */
  place?: string;
}

/** A cell that spans hundreds of columns is a mistake or an attack. */
const MAX_COLUMN_SPAN = 20;

/** A table's own rows, not those of tables inside it. */
export function tableRows(table: HtmlElement, survey: Survey): Row[] {
  const rows: Row[] = [];
  for (const part of table.childNodes.filter(isElement)) {
    if (survey.isNoise(part)) continue;
    const lines = part.tagName === "tr" ? [part] : part.childNodes.filter(isElement);
    for (const line of lines) {
      if (line.tagName !== "tr" || survey.isNoise(line)) continue;
      const cells = line.childNodes.filter(isElement).filter((cell) => isCell(cell) && !survey.isNoise(cell));
      const isHeader = part.tagName === "thead" || cells.every((cell) => cell.tagName === "th");
      if (cells.length > 0) rows.push({ cells, isHeader, place: placeOf(line, survey) });
    }
  }
  return rows;
}

/** Whether rows are data that fits the single line of a Markdown row. */
export function isDataTable(table: HtmlElement, rows: Row[], survey: Survey): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none" || classesOf(table).includes("highlighttable")) return false;
  if (rows.length < 2 || !rows.some((row) => row.cells.length > 1)) return false;
  return !survey.holdsUntabular(table);
}

/** Writes rows as a Markdown table, whose head is the first header row or else the first row. */
export function writeRows(rows: Row[], survey: Survey): string {
  const head = rows.findLastIndex((row, index) => row.isHeader && index < 3 && allHeadersBefore(rows, index));
  const lines = rows.map((row) => rowCells(row, survey));
  const header = head > 0 ? mergeHeaders(lines.slice(0, head + 1)) : (lines[0] ?? []);
  const body = lines.slice(Math.max(1, head + 1)).filter((cells) => cells.some((cell) => cell !== ""));
  return writeMarkdownTable([header, ...body]);
}

function allHeadersBefore(rows: Row[], index: number): boolean {
  return rows.slice(0, index).every((row) => row.isHeader);
}

/** Merges several header rows: each column keeps all of their words. */
function mergeHeaders(lines: string[][]): string[] {
  const width = Math.max(...lines.map((cells) => cells.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(lines.map((cells) => cells[column] ?? ""))].filter(Boolean).join(" "),
  );
}

function rowCells(row: Row, survey: Survey): string[] {
  return row.cells.flatMap((cell, index) => {
    const places = (index === 0 ? (row.place ?? "") : "") + placeOf(cell, survey);
    const words = writeInline(cell.childNodes, survey, { cell: true, plain: cell.tagName === "th" });
    const span = Math.min(Number(attribute(cell, "colspan")) || 1, MAX_COLUMN_SPAN);
    return [places + words, ...Array.from({ length: Math.max(0, span - 1) }, () => "")];
  });
}

function isCell(element: HtmlElement): boolean {
  return element.tagName === "td" || element.tagName === "th";
}
