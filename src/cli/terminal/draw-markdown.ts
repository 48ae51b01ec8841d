import { createInlineDrawing, type InlineDrawing, type Look } from "./inline-markdown.ts";
import { dim, type Text } from "./text.ts";
import { createWordWrapper, type WordWrapper } from "./wrap-words.ts";

/** Draws an answer's Markdown as it streams: bold as bold, quotes behind a bar, code without its fences. */
interface MarkdownDrawing {
  /** May hold back an end that is still undecided, of one line at most. */
  write(text: string): Text;
  /** What was held back. */
  end(): Text;
}

/** The bars of quotes, the marks of lists, and what stands behind them. */
const LINE = /^((?: {0,3}> ?)*)([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*)(.*)$/s;
const QUOTE = /^(?: {0,3}> ?)*/;
/** What may still become another kind of line. */
const UNDECIDED =
  /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?:#{1,6}[ \t]*|[-+*]{1,2}|\d{1,9}[.)]?|(?:`{3}|~{3}).*|[`~]{0,2})$/s;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const HEADING = /^#{1,6}[ \t]+/;
/** A character may come in two pieces, and so may a line's end. */
const HALF = /[\r\ud800-\udbff]$/;
const BAR = "│ ";
const CODE_INDENT = "    ";

/** Code between fences. */
interface Fence {
  marks: string;
  bars: number;
  /** How far its lines are indented in the Markdown, and on the screen. */
  indent: number;
}

interface Drawing {
  inline: InlineDrawing;
  wrapper: WordWrapper;
  held: string;
  fence: Fence | undefined;
  /** Whether the line has begun, and how what is in it is shown. */
  line: "begins" | "wraps" | "as it is";
}

/** Reads Markdown in which marks that look as if they begin code are escaped unless they do, as in every answer. */
export function createMarkdownDrawing({ columns, ...look }: Look & { columns: number }): MarkdownDrawing {
  const drawing: Drawing = {
    inline: createInlineDrawing(look),
    wrapper: createWordWrapper(columns),
    held: "",
    fence: undefined,
    line: "begins",
  };
  return {
    write(text) {
      const all = (drawing.held + text).replaceAll("\r\n", "\n");
      drawing.held = HALF.exec(all)?.[0] ?? "";
      const lines = all.slice(0, all.length - drawing.held.length).split("\n");
      const last = lines.pop() ?? "";
      return [...lines.map((line) => endLine(drawing, line)), last === "" ? "" : goOn(drawing, last)];
    },
    end() {
      const rest = drawing.held;
      drawing.held = "";
      if (drawing.line !== "begins") return endWords(drawing, rest);
      if (rest === "") return "";
      if (drawing.fence !== undefined || fenceOf(rest) !== undefined) return endLine(drawing, rest);
      return [begin(drawing, rest), endWords(drawing, "")];
    },
  };
}

/** Begins a line of anything but code. */
function begin(drawing: Drawing, start: string): Text {
  const { inline, wrapper } = drawing;
  const [, quote = "", indent = "", rest = ""] = LINE.exec(start) ?? [];
  const bars = barsOf(quote);
  const heading = HEADING.exec(rest)?.[0] ?? "";
  drawing.line = rest.startsWith("|") ? "as it is" : "wraps";
  inline.begin({ isBold: heading !== "" });
  const bar = dim(BAR.repeat(bars));
  const indented = Bun.stringWidth(indent);
  const width = BAR.length * bars + indented;
  const further = { text: [bar, " ".repeat(indented)], width };
  const before = wrapper.begin({ text: [bar, indent], width }, further);
  return [before, go(drawing, rest.slice(heading.length), false)];
}

function go({ inline, wrapper, line }: Drawing, text: string, isWhole: boolean): Text {
  return inline.write(text, isWhole).map(line === "wraps" ? wrapper.add : wrapper.addUnwrapped);
}

const endWords = (drawing: Drawing, text: string): Text => [go(drawing, text, true), drawing.wrapper.flush()];

/** A whole line, as far as it has not been shown. */
function endLine(drawing: Drawing, text: string): Text {
  if (drawing.line === "begins") {
    const code = drawing.fence === undefined ? undefined : codeLine(drawing, drawing.fence, text);
    const shown = code ?? openFence(drawing, text);
    if (shown !== undefined) return shown;
    return [begin(drawing, text), endLine(drawing, "")];
  }
  const rest = endWords(drawing, text);
  drawing.line = "begins";
  return [rest, "\n"];
}

/** A line that begins code; undefined for any other. */
function openFence(drawing: Drawing, text: string): Text | undefined {
  const opened = fenceOf(text);
  if (opened === undefined) return undefined;
  const { marks, bars, indent } = opened;
  drawing.fence = { marks, bars, indent: Bun.stringWidth(indent) };
  // A mark of a list is shown although the fence behind it is not.
  return /\S/.test(indent) ? [dim(BAR.repeat(bars)), indent.trimEnd(), "\n"] : "";
}

/** A line of the open code; undefined where it is none, because the quote around it is over. */
function codeLine(drawing: Drawing, { marks, bars, indent }: Fence, text: string): Text | undefined {
  const quote = QUOTE.exec(text)?.[0] ?? "";
  if (bars > 0 && barsOf(quote) === 0) {
    drawing.fence = undefined;
    return undefined;
  }
  const inside = bars > 0 ? text.slice(quote.length) : text;
  const mark = inside.trim();
  if (mark.startsWith(marks) && mark === mark.charAt(0).repeat(mark.length)) {
    drawing.fence = undefined;
    return "";
  }
  const own = inside.replace(new RegExp(`^ {0,${indent}}`), "");
  return own === "" && bars === 0
    ? "\n"
    : [dim(BAR.repeat(bars)), " ".repeat(indent), CODE_INDENT, own, "\n"];
}

/** What is known of the line that has not ended. */
function goOn(drawing: Drawing, text: string): Text {
  if (drawing.line !== "begins") return go(drawing, text, false);
  if (drawing.fence === undefined && !UNDECIDED.test(text)) return begin(drawing, text);
  drawing.held = text + drawing.held;
  return "";
}

const barsOf = (quote: string) => quote.split(">").length - 1;

/** The fence that a line is, behind its bars and marks of lists. */
function fenceOf(text: string) {
  const [, quote = "", indent = "", rest = ""] = LINE.exec(text) ?? [];
  const [, ticks, tildes] = FENCE.exec(rest) ?? [];
  const marks = ticks ?? tildes;
  return marks === undefined ? undefined : { marks, bars: barsOf(quote), indent };
}
