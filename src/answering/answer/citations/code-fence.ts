/** An open code fence, and the quotes around it. */
export interface Fence {
  marks: string;
  /** How many `>` precede each of its lines. */
  quotes: number;
  /**
   * The column at which it begins. A line that begins before it may be outside of the list item around the
   * code.
   */
  column: number;
  /** Whether its content is dropped. */
  isDropped: boolean;
}

/** How a line relates to an open fence. */
type FenceLine =
  | "inside"
  /** The closing fence. */
  | "last"
  /** The quote or list item around the code ended before this line, and the code with it. */
  | "after"
  /** Some clients would end the code here. */
  | "disputed";

/** A list item that may continue. */
interface ListItem {
  /** The column at which its text begins. */
  column: number;
}

const CONTAINERS = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])[ \t]*)*$/;
const QUOTE_MARK = /^ {0,3}> ?/;
const MARKER = /^( *)([-+*]|\d{1,9}[.)]) {1,4}(?=[^ \t])/;
const RULE = /^ *(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
/** The deepest indent of fence marks: deeper ones are words or indented code in Markdown. */
const INDENT_MAX = 3;
/** The suggestions block is Docent's own: a model's imitation of it is dropped. */
const DROPPED = /^\s*suggestions\b/i;

/** Follows which list items are open, as far as all clients agree. */
export interface ListItems {
  /** Reads a line that was written, unless it is code. */
  read(line: string): void;
  /**
   * The fence that a line opens, given the text before and after the marks. Undefined where clients may
   * differ.
   */
  open(before: string, marks: string, info: string): Fence | undefined;
}

export function createListItems(): ListItems {
  let items: ListItem[] = [];
  let quotes = 0;
  /** Whether a paragraph may continue on the next line, so that not every marker begins a list. */
  let inParagraph = false;
  /**
   * Whether the last line has the indent of indented code. Clients differ in which numbers begin a list after
   * it.
   */
  let isDeep = false;

  /** The items that contain a line with this indent. */
  const around = (indent: number) => items.filter(({ column }) => column <= indent);
  const deepest = (indent: number) => around(indent).at(-1)?.column ?? 0;

  /** The width of a marker that begins a list item for every client, with the spaces around it. */
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

/** Whether a line consists only of quote and list marks so far. */
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
  const words = rest.replace(/^[ \t]+|(?<![ \t\n])[ \t\n]+$/g, "");
  if (column > 0 && words !== "" && indent < column) return "after";
  const mark = marks[0] ?? "";
  if (indent > column + INDENT_MAX || !words.startsWith(marks)) return "inside";
  if (words === mark.repeat(words.length)) return "last";
  return /^[`~]+$/.test(words) ? "disputed" : "inside";
}

/** The closing fence, at the depth of the opening one, so that no client takes it for more code. */
export function closingOf({ marks, quotes, column }: Fence): string {
  return "> ".repeat(quotes) + " ".repeat(column) + marks;
}

/** Strips the quote marks off a line, and counts them. */
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
