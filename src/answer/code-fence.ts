/** Fenced code that is open, and the quote or list item in which it stands. */
export interface Fence {
  marks: string;
  /** How many `>` stand before each of its lines. */
  quotes: number;
  /** The column at which the list item's text begins; 0 outside of lists. */
  column: number;
  /** Nothing of it is shown. */
  isDropped: boolean;
}

const CONTAINERS = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*$/;
const LIST_MARKER = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
/** The block of pages to read next is Docent's own. */
const DROPPED = /^\s*suggestions\b/i;

/** Follows the list items that are open, line by line: code inside them ends where they do. */
export function createListColumns() {
  let columns: number[] = [];
  let afterBlank = false;
  return {
    /** The column of the innermost item that a line of so many spaces belongs to. */
    at: (indent: number) => columns.findLast((column) => column <= indent) ?? 0,
    line(text: string): void {
      const line = text.replace(/^(?:[ \t]*>)+ ?/, "");
      const blank = line.trim() === "";
      const marker = LIST_MARKER.exec(line)?.[0];
      const indent = widthOf(/^[ \t]*/.exec(line)?.[0] ?? "");
      if (marker !== undefined) columns = [...columns.filter((column) => column <= indent), widthOf(marker)];
      else if (!blank && afterBlank) columns = columns.filter((column) => column <= indent);
      afterBlank = blank;
    },
  };
}

export type ListColumns = ReturnType<typeof createListColumns>;

/** Whether what stands before it on its line lets a fence open there. */
export function mayOpenFence(before: string): boolean {
  return CONTAINERS.test(before);
}

/** The fence that a line opens: what stands before the marks, the marks, and what is written behind them. */
export function openFence(
  before: string,
  marks: string,
  info: string,
  lists: ListColumns,
): Fence | undefined {
  if (marks.startsWith("`") && info.includes("`")) return undefined;
  const quotes = before.split(">").length - 1;
  const inside = before.replace(/^(?:[ \t]*>)+ ?/, "");
  const width = widthOf(inside);
  const column = LIST_MARKER.test(inside) ? width : lists.at(width);
  // Deeper than that, Markdown reads the marks as words, or as code that has no fence.
  return width - column > 3 ? undefined : { marks, quotes, column, isDropped: DROPPED.test(info) };
}

/** What a line is to an open fence: code, its last line, or the first one after its quote or list item has ended. */
export function fenceLine(line: string, { marks, quotes, column }: Fence): "inside" | "last" | "after" {
  let rest = line;
  for (let depth = 0; depth < quotes; depth++) {
    const quoted = /^ {0,3}> ?/.exec(rest)?.[0];
    if (quoted === undefined) return "after";
    rest = rest.slice(quoted.length);
  }
  const indent = widthOf(/^[ \t]*/.exec(rest)?.[0] ?? "");
  const words = rest.trim();
  if (column > 0 && words !== "" && indent < column) return "after";
  const isRun = words.length >= marks.length && words === (marks[0] ?? "").repeat(words.length);
  return isRun && indent - column <= 3 ? "last" : "inside";
}

/** Columns, with a tab stop at every fourth. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width = character === "\t" ? width + 4 - (width % 4) : width + 1;
  return width;
}
