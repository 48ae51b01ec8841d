import { escapeInline, escapeLabel, writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import type { ReadDocsPage } from "../docs-site.ts";
import type { PlacedPage, Surroundings } from "./links.ts";
import { bareTitle } from "./names.ts";

const ROWS_MAX = 2_000;
const COLUMNS_MAX = 50;
const CELL_CHARACTERS_MAX = 1_000;

/** A database as a table, whose first column leads to the page of each row. */
export async function readDatabase({ tree, pages }: Surroundings, page: PlacedPage): Promise<ReadDocsPage> {
  const text = ((await tree.text(page.location)) ?? "").replace(/^\uFEFF/, "");
  const { rows, isCut } = readCsv(text);
  const [head = [], ...body] = rows;
  const own = rowPages(pages, page);
  const written = body.map((cells) =>
    head.map((_, column) => {
      const words = oneLine(cells[column] ?? "");
      const path = column === 0 ? own(cells[column] ?? "") : undefined;
      const shown = path === undefined ? escapeInline(words, " ") : `[${escapeLabel(words)}](/${path})`;
      return shown.replace(/(?<!\\)\|/g, "\\|");
    }),
  );
  const names = head.map((name) => escapeInline(oneLine(name), " ").replaceAll("|", "\\|"));
  const markdown = head.length === 0 ? "" : writeMarkdownTable([names, ...written]);
  const faults = isCut ? [`only the first ${ROWS_MAX} rows of the database are read`] : [];
  return { data: { title: page.title }, markdown, faults };
}

const oneLine = (cell: string) => cell.replace(/\s+/g, " ").trim().slice(0, CELL_CHARACTERS_MAX);

/** Finds the pages of a database's rows by their titles: of two with one title, one after the other. */
function rowPages(pages: readonly PlacedPage[], { id }: PlacedPage) {
  const byTitle = new Map<string, PlacedPage[]>();
  for (const page of pages) {
    if (page.parent !== id) continue;
    const title = bareTitle(page.title);
    const same = byTitle.get(title);
    if (same === undefined) byTitle.set(title, [page]);
    else same.push(page);
  }
  return (title: string) => {
    const found = byTitle.get(bareTitle(title) || bareTitle("Untitled"));
    return (found !== undefined && found.length > 1 ? found.shift() : found?.[0])?.path;
  };
}

/** Reads rows of cells: quotes around a cell, doubled ones in it, line breaks in quotes. Takes linear time. */
function readCsv(text: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    if (rows.length > ROWS_MAX) return { rows, isCut: true };
    const cells: string[] = [];
    for (;;) {
      const { cell, end } = readCell(text, at);
      if (cells.length < COLUMNS_MAX) cells.push(cell);
      at = end;
      if (text.charAt(at) !== ",") break;
      at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (cells.some((cell) => cell !== "")) rows.push(cells);
  }
  return { rows, isCut: false };
}

/** A cell, and where the comma or the line's end after it is. What follows a closing quote is passed over. */
function readCell(text: string, begin: number): { cell: string; end: number } {
  let at = begin;
  let cell = "";
  if (text.charAt(at) === '"') {
    at += 1;
    let quote = text.indexOf('"', at);
    while (quote >= 0 && text.charAt(quote + 1) === '"') quote = text.indexOf('"', quote + 2);
    const close = quote < 0 ? text.length : quote;
    cell = text.slice(at, close).replaceAll('""', '"');
    at = close + 1;
  }
  const plain = at;
  while (at < text.length && !/[,\r\n]/.test(text.charAt(at))) at += 1;
  return { cell: plain === begin ? text.slice(begin, at) : cell, end: at };
}
