import { createInlineDrawing, type Look } from "./inline-markdown.ts";
import { dim, type Text } from "./text.ts";
import { createWordWrapper } from "./wrap-words.ts";

/** Draws an answer's Markdown as it streams: bold as bold, quotes behind a bar, code without its fences. */
interface MarkdownDrawing {
  /** May hold back an end that is still undecided, of one line at most. */
  write(text: string): Text;
  /** What was held back. */
  end(): Text;
}

/** The bars of quotes, the marks of lists, and what stands behind them. */
const LINE = /^((?: {0,3}> ?)*)([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*)(.*)$/s;
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

/** Reads Markdown in which marks that look as if they begin code are escaped unless they do, as in every answer. */
export function createMarkdownDrawing({ columns, ...look }: Look & { columns: number }): MarkdownDrawing {
  const inline = createInlineDrawing(look);
  const wrapper = createWordWrapper(columns);
  let held = "";
  let fence: Fence | undefined;
  /** Whether the line has begun, and how what is in it is shown. */
  let line: "begins" | "wraps" | "as it is" = "begins";

  function begin(start: string): Text {
    const [, quote = "", indent = "", rest = ""] = LINE.exec(start) ?? [];
    const bars = barsOf(quote);
    const heading = HEADING.exec(rest)?.[0] ?? "";
    line = rest.startsWith("|") ? "as it is" : "wraps";
    const width = BAR.length * bars + Bun.stringWidth(indent);
    const further = [dim(BAR.repeat(bars)), " ".repeat(Bun.stringWidth(indent))];
    inline.begin({ isBold: heading !== "" });
    const before = wrapper.begin({ text: [dim(BAR.repeat(bars)), indent], width }, { text: further, width });
    return [before, go(rest.slice(heading.length), false)];
  }

  function go(text: string, isWhole: boolean): Text {
    const add = line === "wraps" ? wrapper.add : wrapper.addUnwrapped;
    return inline.write(text, isWhole).map(add);
  }

  /** A whole line, as far as it has not been shown. */
  function endLine(text: string): Text {
    if (line !== "begins") {
      const rest = [go(text, true), wrapper.flush(), "\n"];
      line = "begins";
      return rest;
    }
    if (fence !== undefined) {
      const code = codeLine(fence, text);
      if (code !== undefined) return code;
    }
    const opened = fenceOf(text);
    if (opened === undefined) {
      const shown = begin(text);
      return [shown, endLine("")];
    }
    const { indent, ...found } = opened;
    fence = { ...found, indent: Bun.stringWidth(indent) };
    // A mark of a list is shown although the fence behind it is not.
    return /\S/.test(indent) ? [dim(BAR.repeat(fence.bars)), indent.trimEnd(), "\n"] : "";
  }

  /** A line of the open code; undefined where it is none, because the quote around it is over. */
  function codeLine({ marks, bars, indent }: Fence, text: string): Text | undefined {
    const quote = /^(?: {0,3}> ?)*/.exec(text)?.[0] ?? "";
    if (bars > 0 && barsOf(quote) === 0) {
      fence = undefined;
      return undefined;
    }
    const inside = bars > 0 ? text.slice(quote.length) : text;
    const mark = inside.trim();
    if (mark.startsWith(marks) && mark === mark.charAt(0).repeat(mark.length)) {
      fence = undefined;
      return "";
    }
    const own = inside.replace(new RegExp(`^ {0,${indent}}`), "");
    return own === "" && bars === 0
      ? "\n"
      : [dim(BAR.repeat(bars)), " ".repeat(indent), CODE_INDENT, own, "\n"];
  }

  /** What is known of the line that has not ended. */
  function goOn(text: string): Text {
    if (line !== "begins") return go(text, false);
    if (fence === undefined && !UNDECIDED.test(text)) return begin(text);
    held = text + held;
    return "";
  }

  return {
    write(text) {
      const all = (held + text).replaceAll("\r\n", "\n");
      held = HALF.exec(all)?.[0] ?? "";
      const lines = all.slice(0, all.length - held.length).split("\n");
      const last = lines.pop() ?? "";
      return [...lines.map(endLine), last === "" ? "" : goOn(last)];
    },
    end() {
      const rest = held;
      held = "";
      if (line !== "begins") return [go(rest, true), wrapper.flush()];
      if (rest === "") return "";
      if (fence !== undefined || fenceOf(rest) !== undefined) return endLine(rest);
      return [begin(rest), go("", true), wrapper.flush()];
    },
  };
}

const barsOf = (quote: string) => quote.split(">").length - 1;

/** The fence that a line is, behind its bars and marks of lists. */
function fenceOf(text: string) {
  const [, quote = "", indent = "", rest = ""] = LINE.exec(text) ?? [];
  const [, ticks, tildes] = FENCE.exec(rest) ?? [];
  const marks = ticks ?? tildes;
  return marks === undefined ? undefined : { marks, bars: barsOf(quote), indent };
}
