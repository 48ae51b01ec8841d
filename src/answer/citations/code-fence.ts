/** Fenced code that is open, and the quotes in which it stands. */
export interface Fence {
  marks: string;
  /** How many `>` stand before each of its lines. */
  quotes: number;
  /**
   * The column at which it begins. A line that begins before it may be outside of the list item that holds the code.
   */
  column: number;
  /** Nothing of it is shown. */
  isDropped: boolean;
}

/** How a line stands to an open fence. */
type FenceLine =
  | "inside"
  /** It ends the code. */
  | "last"
  /** The quote or list item around the code has ended before it, and the code with it. */
  | "after"
  /** Some clients would end the code at it. */
  | "disputed";

/** A list item whose lines may go on. */
interface ListItem {
  /** The column at which its text begins. */
  column: number;
}

const CONTAINERS = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*$/;
const QUOTE_MARK = /^ {0,3}> ?/;
const MARKER = /^( *)([-+*]|\d{1,9}[.)]) {1,4}(?=[^ \t])/;
const RULE = /^ *(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
/** The deepest indent of marks: deeper, Markdown reads them as words, or as code that has no fence. */
const INDENT_MAX = 3;
/** The block of pages to read next is Docent's own: a model's imitation of it is left out. */
const DROPPED = /^\s*suggestions\b/i;

/** Follows which list items are open, as far as all clients agree on it. */
export interface ListItems {
  /** Follows the lines that were written, except those of code. */
  read(line: string): void;
  /**
   * The fence that a line opens, by what stands before the marks, and behind them. Undefined where clients may differ.
   */
  open(before: string, marks: string, info: string): Fence | undefined;
}

export function createListItems(): ListItems {
  let items: ListItem[] = [];
  let quotes = 0;
  /** A paragraph goes on into the next line, so that not every marker begins a list. */
  let inParagraph = false;
  /** The last line is indented as code without a fence is. Clients differ in what numbers begin a list behind it. */
  let isDeep = false;

  /** The columns that hold a line of so many spaces. */
  const around = (indent: number) => items.filter(({ column }) => column <= indent);
  const deepest = (indent: number) => around(indent).at(-1)?.column ?? 0;

  /** The width of a marker that begins a list item for every client, with the space before and behind it. */
  function markerWidth(text: string): number | undefined {
    const [whole, space = "", mark = ""] = MARKER.exec(text) ?? [];
    if (whole === undefined || RULE.test(text) || space.length - deepest(space.length) > INDENT_MAX)
      return undefined;
    const mayInterrupt = /^(?:[-+*]|1[.)])$/.test(mark) || (!inParagraph && !isDeep);
    return mayInterrupt || items.length > around(space.length).length ? whole.length : undefined;
  }

  return {
    read(line) {
      const inner = withoutQuotes(line);
      if (inner.quotes !== quotes) {
        items = [];
        inParagraph &&= inner.quotes < quotes;
        quotes = inner.quotes;
      }
      const indent = /^ */.exec(inner.text)?.[0].length ?? 0;
      if (/^[ \t]*$/.test(inner.text)) {
        inParagraph = false;
        return;
      }
      const width = markerWidth(inner.text);
      isDeep = indent - deepest(indent) > INDENT_MAX;
      items = inner.text[indent] === "\t" ? [] : around(indent);
      if (width !== undefined) items.push({ column: width });
      inParagraph = true;
    },
    open(before, marks, info) {
      const inner = withoutQuotes(before);
      const isNewQuote = inner.quotes !== quotes;
      const column = inner.text.length;
      if (/\S/.test(inner.text)) {
        if (isNewQuote || markerWidth(inner.text + marks) !== column) return undefined;
      } else if (/[^ ]/.test(inner.text) || column - (isNewQuote ? 0 : deepest(column)) > INDENT_MAX)
        return undefined;
      return { marks, quotes: inner.quotes, column, isDropped: DROPPED.test(info) };
    },
  };
}

/** Whether a line has nothing but marks of quotes and list items so far. */
export function beginsLine(before: string): boolean {
  return CONTAINERS.test(before);
}

/** How a line stands to an open fence. */
export function fenceLine(line: string, { marks, quotes, column }: Fence): FenceLine {
  let rest = line;
  for (let depth = 0; depth < quotes; depth++) {
    const quoted = QUOTE_MARK.exec(rest)?.[0];
    if (quoted === undefined) return "after";
    rest = rest.slice(quoted.length);
  }
  const indent = widthOf(/^[ \t]*/.exec(rest)?.[0] ?? "");
  const words = rest.replace(/^[ \t]+|[ \t\n]+$/g, "");
  if (column > 0 && words !== "" && indent < column) return "after";
  const mark = marks[0] ?? "";
  if (indent > column + INDENT_MAX || !words.startsWith(marks)) return "inside";
  if (words === mark.repeat(words.length)) return "last";
  return /^[`~]+$/.test(words) ? "disputed" : "inside";
}

/** The line that ends code, as deep as it began, so that no client takes it for more code. */
export function closingOf({ marks, quotes, column }: Fence): string {
  return "> ".repeat(quotes) + " ".repeat(column) + marks;
}

/** Takes the quote marks off a line, and counts them. */
function withoutQuotes(line: string): { quotes: number; text: string } {
  let text = line;
  let quotes = 0;
  for (let mark = QUOTE_MARK.exec(text); mark !== null; mark = QUOTE_MARK.exec(text)) {
    text = text.slice(mark[0].length);
    quotes++;
  }
  return { quotes, text };
}

/** The width of white space in columns, with a tab stop at every fourth. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width = character === "\t" ? width + 4 - (width % 4) : width + 1;
  return width;
}
