import { writeMarkdownTable } from "../../text/write-markdown.ts";
import type { Block, Cell, Row, Table } from "./block.ts";

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
export function writeTable({ rows }: Table, { inCell, apart }: CellWriting): string {
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
