import { codeSpan, writeMarkdownTable } from "@docent/kernel/text/write-markdown";
import { writeRstInline } from "./inline.ts";
import type { RstRows } from "./tables.ts";
import { headingWords, type RstWriting } from "./writing.ts";

/** Writes a table's rows under its title. */
export function writeRows(rows: RstRows, title: string, out: string[], writing: RstWriting): void {
  if (title !== "") out.push(`**${writeRstInline(title, writing.names)}**`);
  if (rows.length === 0) return;
  const cells = rows.map((row) => row.map((cell) => writeCell(cell, writing).replace(/(?<!\\)\|/g, "\\|")));
  out.push(writeMarkdownTable(cells));
}

/** What makes blocks of a cell's lines, and no paragraph. */
const BLOCK = /\n\s*\n|^\s*(?:[-*+•]\s|(?:\d+|#)[.)]\s|\.\. |\|\s|>>> |:[\w-]+:\s)|::\s*(?:\n|$)/m;

/** A cell is one line of Markdown, in which blocks stand below each other. */
function writeCell(cell: string, writing: RstWriting): string {
  if (!BLOCK.test(cell)) return writeRstInline(cell, writing.names);
  const blocks: string[] = [];
  writing.body(cell.split("\n"), 1, blocks);
  return inOneLine(blocks);
}

/** Blocks of Markdown as a table's cell has them. */
export const inOneLine = (blocks: readonly string[]) => blocks.flatMap(linesOfBlock).join("<br>");

function linesOfBlock(block: string): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  const item: string[] = [];
  const end = () => {
    if (item.length > 0) lines.push(item.splice(0).join(" "));
  };
  for (const line of block.split("\n")) {
    const text = line.trim();
    const [mark] = /^(?:- )?(`{3,})/.exec(text) ?? [];
    if (fence === undefined && mark !== undefined) {
      end();
      fence = mark.replace("- ", "");
    } else if (fence !== undefined && text === fence) fence = undefined;
    else if (fence !== undefined) {
      if (text !== "") lines.push(codeSpan(text));
    } else {
      if (/^(?:- |\d+\. )/.test(text) || text === "") end();
      if (text !== "") item.push(headingWords(text).replace(/\\$/, ""));
      if (text.endsWith("\\")) end();
    }
  }
  end();
  return lines;
}
