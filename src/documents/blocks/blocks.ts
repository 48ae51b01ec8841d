import { withAnchor } from "../../markdown/html/html.ts";
import { codeFence } from "../../text/write-markdown.ts";
import type { Block, Span } from "./block.ts";
import { writeItems } from "./items.ts";
import { plainSpans, writeSpans } from "./spans.ts";
import { writeTable } from "./table.ts";

export type { Block, Cell, ListItem, Row, Span, Table, WordsSpan } from "./block.ts";
export { formatNumber } from "./labels.ts";
export { isCodeName, isContentsName, isMonoFont } from "./names.ts";
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
export function writeBlocks(blocks: readonly Block[]): string {
  const body = createBody(Number.MAX_SAFE_INTEGER);
  for (const block of blocks) body.push(block);
  return body.finish();
}

/** Blocks as words on one line, for a table's cell. */
export function writeBlocksInCell(blocks: readonly Block[]): string {
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
