import { codeFence, writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { withAnchor } from "../../markdown/html/html.ts";
import type { Block, Cell, ListItem, Row, Span, Table } from "./block.ts";
import { plainSpans, writeSpans } from "./spans.ts";

export type { Block, Cell, Row, Span, Table } from "./block.ts";
export { formatNumber } from "./labels.ts";
export { linkOf, plainSpans, writeSpans } from "./spans.ts";

/** A document's Markdown while it grows. */
export interface Body {
  push(block: Block): void;
  /** Whether it is as long as it may be: what comes then is not kept. */
  isFull(): boolean;
  finish(): string;
}

/** Begins a document. Items of lists and lines of code that follow each other become one list or block. */
export function createBody(charactersMax: number): Body {
  const written: string[] = [];
  let characters = 0;
  let open: Block[] = [];
  const write = (text: string) => {
    if (text === "" || characters >= charactersMax) return;
    // Cut between blocks, but no block is longer than the whole may be.
    const kept = text.slice(0, charactersMax);
    characters += kept.length + 2;
    written.push(kept);
  };
  const flush = () => {
    write(writeRun(open));
    open = [];
  };
  return {
    push(block) {
      if (characters >= charactersMax) return;
      const [first] = open;
      const joins = first?.kind === block.kind && (block.kind === "item" || block.kind === "code");
      if (!joins || open.length >= RUN_MAX) flush();
      open.push(block);
    },
    isFull: () => characters >= charactersMax,
    finish() {
      flush();
      return written.join("\n\n");
    },
  };
}

/** Appends many: a call takes no more than some ten thousand at once. */
export function append<T>(to: T[], added: readonly T[]): void {
  for (const each of added) to.push(each);
}

/** More items than this are no list that is read as one. */
const RUN_MAX = 20_000;

/** Blocks as Markdown. */
function writeBlocks(blocks: readonly Block[]): string {
  const body = createBody(Number.MAX_SAFE_INTEGER);
  for (const block of blocks) body.push(block);
  return body.finish();
}

/** Blocks as words on one line, for a table's cell. */
function writeBlocksInCell(blocks: readonly Block[]): string {
  return blocks.map(inCell).filter(Boolean).join(" ");
}

function inCell(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return writeSpans(block.spans, { cell: true });
    case "item":
      return [
        block.label ?? (block.number === undefined ? "-" : `${block.number}.`),
        writeSpans(block.spans, { cell: true }),
      ].join(" ");
    case "code":
      return writeSpans([{ text: block.text.replace(/\s+/g, " "), code: true }], { cell: true });
    case "table":
      return block.table.rows
        .flatMap(({ cells }) => cells.map(({ blocks }) => writeBlocksInCell(blocks)))
        .filter(Boolean)
        .join(" ");
    case "markdown":
      return block.text.replace(/(?<!\s)\s*\n\s*/g, " ").replaceAll("|", "\\|");
  }
}

function writeRun(blocks: readonly Block[]): string {
  const [first] = blocks;
  switch (first?.kind) {
    case undefined:
      return "";
    case "heading":
      return writeHeading(first.level, first.spans, first.id);
    case "paragraph":
      return writeSpans(first.spans);
    case "item":
      return writeItems(blocks.filter((block) => block.kind === "item"));
    case "code":
      return writeCode(blocks.filter((block) => block.kind === "code").map(({ text }) => text));
    case "table":
      return writeTable(first.table, { inCell: writeBlocksInCell, apart: writeBlocks });
    case "markdown":
      return first.text;
  }
}

function writeHeading(level: number, spans: readonly Span[], id: string | undefined): string {
  const line = writeSpans(spans, { plain: true, unlinked: true, midLine: true }).replace(/\\\n/g, " ");
  if (line === "") return "";
  const words = line.replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  return `${"#".repeat(Math.min(6, Math.max(1, level)))} ${withAnchor(words, id)}`;
}

function writeCode(lines: readonly string[]): string {
  const text = lines
    .join("\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  return text === "" ? "" : codeFence(text);
}

/** Whether a block has words at all. */
export function hasWords(block: Block): boolean {
  if ("spans" in block)
    return plainSpans(block.spans).trim() !== "" || block.spans.some((span) => "note" in span);
  if (block.kind === "table")
    return block.table.rows.some(({ cells }) => cells.some(({ blocks }) => blocks.some(hasWords)));
  return block.text.trim() !== "";
}

/** Footnotes, as they stand below a page. */
export function writeNotes(notes: ReadonlyMap<string, readonly Block[]>): string[] {
  return [...notes].flatMap(([label, blocks]) => {
    const text = writeBlocks(blocks);
    return text === "" ? [] : [`[^${label}]: ${text.replace(/\n(?=[^\n])/g, "\n    ")}`];
  });
}

/** Names of styles of code. */
const CODE =
  /\b(?:source ?code|code ?block|code ?listing|program ?listing|preformatted|verbatim|html (?:code|preformatted|typewriter|keyboard|sample)|macro text|plain ?text ?code|code(?! of)|quellcode|quelltext)\b/i;
const CONTENTS =
  /^(?:toc|contents|inhaltsverzeichnis|table of figures|illustration index|table of authorities)(?: ?heading| \d+|\d+)?$/i;
const MONO =
  /courier|consol|\bmono|mono\b|menlo|monaco|lucida (?:console|sans typewriter)|source code|inconsolata|typewriter|cascadia|fira code|terminal/i;

/** Whether a style's name says that its paragraphs are code. */
export const isCodeName = (name: string) => CODE.test(name);

/** Whether a style's name says that its paragraphs are lines of a table of contents. */
export const isContentsName = (name: string) => CONTENTS.test(name);

/** Whether a font is that of a typewriter. */
export const isMonoFont = (font: string | undefined) => font !== undefined && MONO.test(font);

/** Lists nested deeper are not indented further. */
const LEVELS_MAX = 10;

interface OpenList {
  /** The level that the document gives it. */
  level: number;
  indent: number;
  isOrdered: boolean;
  number: number;
  delimiter: "." | ")";
}

/** Items of a list as Markdown, nested by their levels. */
function writeItems(items: readonly ListItem[]): string {
  const open: OpenList[] = [];
  return items.flatMap((item) => writeItem(item, open)).join("\n");
}

function writeItem(item: ListItem, open: OpenList[]): string[] {
  const label = item.label === undefined ? [] : [{ text: `${item.label} ` }];
  const words = writeSpans([...label, ...item.spans]);
  if (words === "") return [];
  while ((open.at(-1)?.level ?? -1) > item.level) open.pop();
  const before = open.at(-1);
  const current = before?.level === item.level ? before : openList(item, open);
  const isOrdered = item.number !== undefined;
  const continues = current.isOrdered === isOrdered && (item.number ?? 0) === current.number + 1;
  // Another mark begins another list, where Markdown would count on.
  if (isOrdered && current.isOrdered && !continues) current.delimiter = current.delimiter === "." ? ")" : ".";
  current.isOrdered = isOrdered;
  current.number = item.number ?? 0;
  const marker = isOrdered ? `${Math.min(item.number ?? 1, 999_999_999)}${current.delimiter} ` : "- ";
  const indent = " ".repeat(current.indent);
  return [indent + marker + words.replace(/\n/g, `\n${indent}${" ".repeat(marker.length)}`)];
}

function openList({ level, number }: ListItem, open: OpenList[]): OpenList {
  const outer = open.at(-1);
  const isDeep = open.length >= LEVELS_MAX;
  const outerWidth = outer === undefined ? 0 : outer.isOrdered ? `${outer.number}. `.length : 2;
  const list: OpenList = {
    level,
    indent: outer === undefined ? 0 : outer.indent + (isDeep ? 0 : outerWidth),
    isOrdered: number !== undefined,
    number: (number ?? 1) - 1,
    delimiter: ".",
  };
  open.push(list);
  return list;
}

/** How blocks are written; those of a cell are written by whoever writes all. */
interface CellWriting {
  inCell(blocks: readonly Block[]): string;
  apart(blocks: readonly Block[]): string;
}

const COLUMNS_MAX = 1_000;
/** A cell with more characters on average holds text, and no data. */
const LAYOUT_CHARACTERS = 1_500;
/** What a merged cell says in each of its rows, so that a row says it where it stands alone. */
const REPEATED_CHARACTERS_MAX = 60;

/** Writes a table, or one that only lays out a page as what stands in its cells. */
function writeTable({ rows }: Table, { inCell, apart }: CellWriting): string {
  const isData = rows.length > 1 && rows.some(({ cells }) => cells.length > 1) && !holdsText(rows);
  if (!isData)
    return rows
      .flatMap(({ cells }) => cells.filter(({ isContinued }) => isContinued !== true))
      .map(({ blocks }) => apart(blocks))
      .filter(Boolean)
      .join("\n\n");
  const lines: string[][] = [];
  for (const { cells } of rows) {
    const line = writeRow(cells, lines.at(-1) ?? [], inCell);
    // A row that only goes on above says nothing new.
    if (cells.some(({ isContinued }) => isContinued !== true) && line.some((words) => words !== ""))
      lines.push(line);
  }
  return lines.length === 0 ? "" : writeMarkdownTable(lines);
}

function writeRow(cells: readonly Cell[], above: readonly string[], inCell: CellWriting["inCell"]): string[] {
  const line: string[] = [];
  for (const { blocks, columns = 1, isContinued } of cells) {
    const said = above[line.length] ?? "";
    line.push(isContinued === true ? (said.length <= REPEATED_CHARACTERS_MAX ? said : "") : inCell(blocks));
    const more = Math.min(columns, COLUMNS_MAX) - 1;
    for (let at = 0; at < more && line.length < COLUMNS_MAX; at++) line.push("");
  }
  return line;
}

/** Whether cells hold what no row of Markdown can: sections, or pages of text. */
function holdsText(rows: readonly Row[]): boolean {
  let characters = 0;
  let cellCount = 0;
  for (const { blocks } of rows.flatMap(({ cells }) => cells)) {
    cellCount += 1;
    for (const block of blocks) {
      if (block.kind === "heading" && blocks.length > 1) return true;
      if (block.kind === "code" && block.text.includes("\n")) return true;
      if ("spans" in block)
        for (const span of block.spans) characters += "text" in span ? span.text.length : 0;
    }
  }
  return characters > cellCount * LAYOUT_CHARACTERS;
}
