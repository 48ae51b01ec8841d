import { writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import {
  attributeOf,
  childrenNamed,
  type DocbookElement,
  descendantNamed,
  elementsOf,
  idOf,
  textOf,
} from "./element.ts";
import { placedAt } from "./headings.ts";
import { writeInline } from "./inline.ts";
import { itemOf, joined } from "./lists.ts";
import { type BlockPlace, type DocbookWriting, inside } from "./writing.ts";

interface Cell {
  element: DocbookElement;
  column: number;
  columns: number;
  rows: number;
}
interface Row {
  element: DocbookElement;
  cells: Cell[];
  isHeader: boolean;
}

const COLUMNS_MAX = 200;
const ROWS_SPANNED_MAX = 2_500;
/** A cell over several rows has its words in each of them, where they are few: a row is read by itself. */
const REPEATED_CHARACTERS_MAX = 120;

/** Writes a table, CALS's or HTML's. */
export function writeTable(
  element: DocbookElement,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  const groups = childrenNamed(element, "tgroup");
  const parts = groups.length > 0 ? groups : [element];
  for (const group of parts) {
    const rows = rowsOf(group);
    if (rows.length === 0) continue;
    if (isList(rows)) writeAsList(rows, place, out, writing);
    else if (rows.some(holdsBlocks)) writeAsBlocks(rows, place, out, writing);
    else out.push(writeRows(rows, writing));
  }
}

function rowsOf(group: DocbookElement): Row[] {
  const parts = elementsOf(group);
  const ordered = [
    ...parts.filter(({ name }) => name === "thead"),
    ...parts.filter(({ name }) => name === "tbody" || name === "tr"),
    ...parts.filter(({ name }) => name === "tfoot"),
  ];
  const columns = columnNames(group);
  const rows: Row[] = [];
  for (const part of ordered)
    for (const row of part.name === "tr" ? [part] : childrenNamed(part, "row", "tr")) {
      const cells = cellsOf(row, columns);
      const isHeader =
        part.name === "thead" || (cells.length > 0 && cells.every((cell) => cell.element.name === "th"));
      rows.push({ element: row, cells, isHeader });
    }
  return rows;
}

/** The numbers of columns that have names, and of spans over such. */
interface ColumnNames {
  columns: ReadonlyMap<string, number>;
  spans: ReadonlyMap<string, readonly [string | undefined, string | undefined]>;
}

function columnNames(group: DocbookElement): ColumnNames {
  const columns = new Map<string, number>();
  let at = 0;
  for (const column of childrenNamed(group, "colspec").slice(0, COLUMNS_MAX)) {
    const number = Number(attributeOf(column, "colnum") ?? Number.NaN);
    at = Number.isInteger(number) && number > 0 && number <= COLUMNS_MAX ? number : at + 1;
    const name = attributeOf(column, "colname");
    if (name !== undefined) columns.set(name, at - 1);
  }
  const spans = new Map(
    childrenNamed(group, "spanspec").map((span) => [
      attributeOf(span, "spanname") ?? "",
      [attributeOf(span, "namest"), attributeOf(span, "nameend")] as const,
    ]),
  );
  return { columns, spans };
}

function cellsOf(row: DocbookElement, { columns, spans }: ColumnNames): Cell[] {
  return childrenNamed(row, "entry", "entrytbl", "td", "th")
    .slice(0, COLUMNS_MAX)
    .map((element) => {
      const span = spans.get(attributeOf(element, "spanname") ?? "\0");
      const start = columns.get(
        attributeOf(element, "namest") ?? span?.[0] ?? attributeOf(element, "colname") ?? "\0",
      );
      const end = columns.get(attributeOf(element, "nameend") ?? span?.[1] ?? "\0");
      const wide =
        start !== undefined && end !== undefined ? end - start + 1 : numberOf(element, "colspan", 1);
      const rows = numberOf(element, "morerows", 0) + numberOf(element, "rowspan", 1);
      return {
        element,
        column: start ?? -1,
        columns: Math.min(Math.max(1, wide), COLUMNS_MAX),
        rows: Math.min(Math.max(1, rows), ROWS_SPANNED_MAX),
      };
    });
}

function numberOf(element: DocbookElement, name: string, otherwise: number): number {
  const number = Number(attributeOf(element, name) ?? otherwise);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}

const isShown = (text: string) => text.trim().includes("\n");

/** What cannot stand on one line: code of several lines, and a table. */
function holdsBlocks({ cells }: Row): boolean {
  return cells.some(({ element }) => {
    if (element.name === "entrytbl" || descendantNamed(element, "informaltable", "table")) return true;
    const code = descendantNamed(element, "programlisting", "screen");
    return code !== undefined && isShown(textOf(code));
  });
}

/** Rows as lines of a table. */
function writeRows(rows: readonly Row[], writing: DocbookWriting): string {
  let open = new Map<number, { words: string; left: number }>();
  const lines: { words: string[]; isHeader: boolean }[] = [];
  for (const { element, cells, isHeader } of rows) {
    const words: string[] = [];
    const below = new Map<number, { words: string; left: number }>();
    const fill = () => {
      for (let above = open.get(words.length); above !== undefined; above = open.get(words.length)) {
        if (above.left > 1) below.set(words.length, { ...above, left: above.left - 1 });
        words.push(above.words);
      }
    };
    for (const cell of cells) {
      fill();
      while (words.length < cell.column && words.length < COLUMNS_MAX) words.push("");
      const start = words.length;
      const text = wordsOfCell(cell.element, isHeader, writing);
      const isRepeated = text.length <= REPEATED_CHARACTERS_MAX && !/<a id=|\[\^/.test(text);
      words.push(text, ...Array.from({ length: Math.min(cell.columns, COLUMNS_MAX) - 1 }, () => ""));
      for (let at = start; at < words.length && cell.rows > 1; at++)
        below.set(at, { words: at === start && isRepeated ? text : "", left: cell.rows - 1 });
    }
    fill();
    open = below;
    const id = idOf(element);
    if (id !== undefined) words[0] = placeMark(id) + (words[0] ?? "");
    lines.push({ words, isHeader });
  }
  const heads = lines.findIndex(({ isHeader }) => !isHeader);
  const headCount = heads < 0 ? 1 : heads;
  const header = headCount > 1 ? merged(lines.slice(0, headCount)) : (lines[0]?.words ?? []);
  const body = lines.slice(Math.max(1, headCount)).filter(({ words }) => words.some((word) => word !== ""));
  return writeMarkdownTable([header, ...body.map(({ words }) => words)]);
}

/** Several rows of a head are one: each column keeps all of their words. */
function merged(lines: readonly { words: string[] }[]): string[] {
  const width = Math.max(...lines.map(({ words }) => words.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(lines.map(({ words }) => words[column] ?? ""))].filter((each) => each !== "").join(" "),
  );
}

function wordsOfCell(cell: DocbookElement, isTitle: boolean, writing: DocbookWriting): string {
  const id = idOf(cell);
  const words = writeInline(cell.children, writing, { cell: true, ...(isTitle && { isTitle }) });
  return (id === undefined ? "" : placeMark(id)) + words.replace(/(?<!\s)\s*\\?\n\s*/g, " ");
}

/** A table of one column with paragraphs in its cells is a list: the functions of PostgreSQL's manual are written so. */
const isList = (rows: readonly Row[]) =>
  rows.every(({ cells }) => cells.length <= 1) &&
  rows.some(
    ({ cells, isHeader }) =>
      !isHeader && cells.some(({ element }) => childrenNamed(element, "para", "simpara").length > 1),
  );

function writeAsList(rows: readonly Row[], place: BlockPlace, out: string[], writing: DocbookWriting): void {
  const items: string[] = [];
  for (const { element, cells, isHeader } of rows)
    for (const cell of cells) {
      if (isHeader) {
        const words = writeInline(cell.element.children, writing, { isTitle: true, midLine: true });
        if (words !== "") out.push(`**${words}**`);
        continue;
      }
      const blocks: string[] = [];
      writing.blocks(cell.element.children, inside(place), blocks);
      const placed = placedAt(idOf(element), placedAt(idOf(cell.element), blocks));
      if (blocks.length > 0) items.push(itemOf("- ", placed));
    }
  if (items.length > 0) out.push(joined(items));
}

/** A table whose cells are no words: each cell below the title of its column. */
function writeAsBlocks(
  rows: readonly Row[],
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  const head = rows.find(({ isHeader }) => isHeader);
  const titles =
    head?.cells.map(({ element }) =>
      writeInline(element.children, writing, { isTitle: true, midLine: true }),
    ) ?? [];
  for (const row of rows) {
    if (row.isHeader) continue;
    for (const [index, { element }] of row.cells.entries()) {
      const blocks: string[] = [];
      if (element.name === "entrytbl") writeTable(element, place, blocks, writing);
      else writing.blocks(element.children, place, blocks);
      const title = titles[index] ?? "";
      if (blocks.length === 0) continue;
      const [first = "", ...rest] = blocks;
      const isWords = /^[\p{L}\p{N}`*_[("“]/u.test(first) && !first.startsWith("```");
      if (title === "") out.push(...blocks);
      else if (isWords) out.push(`**${title}**: ${first}`, ...rest);
      else out.push(`**${title}**`, ...blocks);
    }
  }
}
