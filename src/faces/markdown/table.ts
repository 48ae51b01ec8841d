import { type Attributes, element, type MarkdownElement, type MarkdownNode } from "./nodes.ts";

const DELIMITERS = /^[ \t]{0,3}[|:-][ \t|:-]*$/;
const BAR = /(?<!\\)\|/;
const COLUMNS_MAX = 100;
/** Too wide a table scrolls by itself, also by keyboard. */
const SCROLLS: Attributes = { class: "table", tabindex: "0" };

type Alignments = readonly Attributes[];

/** The alignments of the columns, where two lines begin a table. */
export function tableAt(header: string, delimiters: string | undefined): Alignments | undefined {
  if (delimiters === undefined || !DELIMITERS.test(delimiters)) return undefined;
  if (!header.includes("|") || !delimiters.includes("-")) return undefined;
  const columns = cellsOf(delimiters);
  if (columns.length > COLUMNS_MAX || columns.length !== cellsOf(header).length) return undefined;
  return columns.every((column) => /^:?-+:?$/.test(column)) ? columns.map(alignmentOf) : undefined;
}

/** A table of its lines, but for that of the delimiters. A row that has fewer cells than the header stays short. */
export function table(
  header: string,
  rows: readonly string[],
  alignments: Alignments,
  inline: (text: string, isLast: boolean) => MarkdownNode[],
): MarkdownElement {
  const row = (line: string, tag: "td" | "th", isLast: boolean) => {
    const cells = cellsOf(line).slice(0, alignments.length);
    return element(
      "tr",
      cells.map((cell, at) => element(tag, inline(cell, isLast && at === cells.length - 1), alignments[at])),
    );
  };
  const head = element("thead", [row(header, "th", false)]);
  const body = rows.map((line, at) => row(line, "td", at === rows.length - 1));
  const parts = body.length === 0 ? [head] : [head, element("tbody", body)];
  return element("div", [element("table", parts)], SCROLLS);
}

function alignmentOf(column: string): Attributes {
  const isLeft = column.startsWith(":");
  return column.endsWith(":") ? { "data-align": isLeft ? "center" : "right" } : {};
}

/** The cells of a line. In code too a bar ends one, unless a backslash stands before it. */
function cellsOf(line: string): string[] {
  const cells = line.trim().split(BAR);
  if (cells[0]?.trim() === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}
