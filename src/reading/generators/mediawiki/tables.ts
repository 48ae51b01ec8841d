import { type TableCell, tableHtml } from "../wiki-writing/wiki-writing.ts";

/** Writes the lines of a cell, or the words of a caption. */
interface TableWriting {
  blocks(lines: readonly string[]): string;
  words(text: string): string;
}

interface OpenCell {
  isHeader: boolean;
  columns: number;
  rows: number;
  lines: string[];
}

interface ReadTable {
  html: string;
  /** The first line behind it. */
  next: number;
}

export const TABLE_START = /^[ \t:]*\{\|/;

/** Reads the table that begins on a line; one that is left open ends with the text. */
export function readTable(lines: readonly string[], start: number, writing: TableWriting): ReadTable {
  const rows: OpenCell[][] = [[]];
  const before: string[] = [];
  let caption: string[] | undefined;
  let cell: OpenCell | undefined;
  let depth = 0;
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const trimmed = line.trim();
    if (TABLE_START.test(line)) depth += 1;
    else if (depth > 0 && trimmed.startsWith("|}")) depth -= 1;
    else if (depth === 0 && trimmed.startsWith("|}")) break;
    else if (depth === 0 && trimmed.startsWith("|-")) {
      rows.push([]);
      cell = undefined;
      continue;
    } else if (depth === 0 && trimmed.startsWith("|+")) {
      caption = [...(caption ?? []), withoutAttributes(trimmed.slice(2)).text];
      cell = undefined;
      continue;
    } else if (depth === 0 && /^[|!]/.test(trimmed)) {
      const cells = cellsOf(trimmed);
      rows.at(-1)?.push(...cells);
      cell = cells.at(-1);
      caption ??= [];
      continue;
    }
    if (cell !== undefined) cell.lines.push(line);
    else if (rows.length === 1 && caption !== undefined) caption.push(trimmed);
    else before.push(line);
  }
  const behind = (lines[at] ?? "").trim().slice(2);
  const written = rows
    .filter((cells) => cells.length > 0)
    .map((cells) => cells.map((each) => writeCell(each, writing)));
  const title = writing.words((caption ?? []).join(" ").trim());
  const html = `${writing.blocks(before)}\n${tableHtml(written, title)}\n${writing.words(behind)}`;
  return { html, next: at + 1 };
}

function writeCell({ isHeader, columns, rows, lines }: OpenCell, writing: TableWriting): TableCell {
  const filled = lines.filter((line) => line.trim() !== "");
  const [only = ""] = filled;
  const isWords = filled.length <= 1 && !/^[ \t]*(?:[*#:;]|\{\||=)/.test(only);
  return { isHeader, columns, rows, html: isWords ? writing.words(only.trim()) : writing.blocks(lines) };
}

function cellsOf(line: string): OpenCell[] {
  const isHeader = line.startsWith("!");
  const texts = line.slice(1).split(isHeader ? /!!|\|\|/ : "||");
  return texts.map((written) => {
    const { attributes, text } = withoutAttributes(written);
    return {
      isHeader,
      columns: numberIn(attributes, "colspan"),
      rows: numberIn(attributes, "rowspan"),
      lines: [text.trimStart()],
    };
  });
}

/** A cell may have attributes in front of its text, behind which a bar stands. */
function withoutAttributes(written: string): { attributes: string; text: string } {
  const bar = written.indexOf("|");
  const attributes = bar < 0 ? "" : written.slice(0, bar);
  const isAttributes = /^\s*(?:[a-z-]{2,20}\s*=|$)/i.test(attributes);
  return bar >= 0 && isAttributes
    ? { attributes, text: written.slice(bar + 1) }
    : { attributes: "", text: written };
}

const numberIn = (attributes: string, name: string) =>
  Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,4})`, "i").exec(attributes)?.[1] ?? 1);
