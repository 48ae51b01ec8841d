import { codeSpan, escapeDestination, escapeInline, escapeLineStart } from "../../text/write-markdown.ts";
import { INVISIBLE } from "./dom.ts";

/** Writes one run of words as Markdown: white space becomes one space, marks stand close to their words. */
export interface Line {
  words(text: string): void;
  /** Sets apart what comes next, without a line break. */
  space(): void;
  lineBreak(): void;
  code(text: string): void;
  /** A mark that is written only when words follow it. Returns what closes it. */
  open(mark: string): (closing: string) => void;
  /** The character that was written last, "" at the beginning. */
  last(): string;
  /** The Markdown, trimmed, safe at the start of each line. */
  finish(): string;
}

/** How long adjoining code may become one span: two spans in a row would be read as another thing. */
const MAX_MERGED_CODE = 300;

export interface LineOptions {
  /** In a table's cell a bar ends the cell, and there are no line breaks. */
  cell?: boolean;
  /** Something stands before the words on their line, so that nothing begins there. */
  midLine?: boolean;
}

/** Begins an empty line. */
export function createLine({ cell = false, midLine = cell }: LineOptions = {}): Line {
  const parts = createParts();
  /** The code span that still is the last thing on the line. */
  let code: { at: number; text: string } | undefined;

  const putWords = (words: string) => {
    parts.settle(words.charAt(0));
    const before = parts.last() || " ";
    const guard = before === "]" && /^[[(]/.test(words) ? "\\" : "";
    const escaped = guard + escapeInline(words, before);
    parts.put(cell ? escaped.replaceAll("|", "\\|") : escaped);
    code = undefined;
  };
  const putCode = (text: string) => {
    // Two spans that touch would be read as another one.
    if (!parts.isMarkWaiting() && parts.last() === "`") parts.space();
    parts.settle("`");
    code = { at: parts.put(spanOf(text, cell)), text };
  };

  return {
    words(text) {
      const flat = flatten(text.replace(INVISIBLE, ""));
      if (flat.startsWith(" ")) parts.space();
      const words = flat.trim();
      if (words === "") return;
      putWords(words);
      if (flat.endsWith(" ")) parts.space();
    },
    space: parts.space,
    lineBreak() {
      parts.space();
      if (!cell && parts.breakLine()) code = undefined;
    },
    code(text) {
      const flat = flatten(text);
      const words = flat.trim();
      if (words === "") return;
      if (flat.startsWith(" ")) parts.space();
      if (code && parts.isClose() && code.text.length + words.length <= MAX_MERGED_CODE) {
        code.text += words;
        parts.replace(code.at, spanOf(code.text, cell));
      } else putCode(words);
      if (flat.endsWith(" ")) parts.space();
    },
    open(mark) {
      const close = parts.open(mark);
      return (closing) => {
        if (close(closing)) code = undefined;
      };
    },
    last: parts.last,
    finish() {
      const text = parts.text();
      return midLine ? text : text.split("\n").map(escapeLineStart).join("\n");
    },
  };
}

/** Opens a link; what it returns closes it. */
export function openLink(line: Line, href: string): () => void {
  const close = line.open("[");
  return () => close(`](${escapeDestination(href)})`);
}

function spanOf(text: string, cell: boolean): string {
  const span = codeSpan(text);
  return cell ? span.replaceAll("|", "\\|") : span;
}

/** White space of any kind and length as one space. */
const flatten = (text: string) => text.replace(/[\s\u00a0]+/g, " ");

/** The pieces of one line, as they are put one behind the other. */
interface Parts {
  /** Adds a piece, behind the space and the marks that waited for it. Returns its number. */
  put(text: string): number;
  /** Writes a piece again. */
  replace(at: number, text: string): void;
  /** Sets apart what comes next. */
  space(): void;
  /** Ends the line, if something stands on it. Says whether it did. */
  breakLine(): boolean;
  /** A mark that is written only when a piece follows it. Returns what closes it, and says whether it had to. */
  open(mark: string): (closing: string) => boolean;
  /** Decides on the marks of which only the character behind them tells whether they are any. */
  settle(next: string): void;
  /** Whether what comes next touches the last piece. */
  isClose(): boolean;
  /** Whether a mark has been opened that no piece has followed yet. */
  isMarkWaiting(): boolean;
  /** The character that stands before what comes next, "" at the beginning. */
  last(): string;
  /** All of it, trimmed. */
  text(): string;
}

/** A mark whose words have not come yet: `at` is where it then stands. */
interface PendingMark {
  mark: string;
  at: number | undefined;
}

/** Begins without a piece. */
function createParts(): Parts {
  const parts: string[] = [];
  const pending: PendingMark[] = [];
  let space = false;
  let last = "";
  /** Marks that end in punctuation are none when a letter follows: those words go without. */
  let doubtful: Array<{ open: number; close: number }> = [];

  const write = (text: string): number => {
    if (text !== "") last = text.slice(-1);
    return parts.push(text) - 1;
  };
  const writeMark = (pendingMark: PendingMark, first: string) => {
    const { mark } = pendingMark;
    const clashes = mark.startsWith("*") && (last === "*" || (isWord(last) && !isWord(first)));
    // Behind an exclamation mark, a link would be an image.
    if (mark === "[" && last === "!") parts.push(`${parts.pop()?.slice(0, -1)}\\!`);
    pendingMark.at = write(clashes ? "" : mark);
  };
  const close = (own: PendingMark, closing: string): boolean => {
    const waiting = pending.indexOf(own);
    if (waiting >= 0) pending.splice(waiting, 1);
    if (own.at === undefined || parts[own.at] === "") return false;
    if (own.mark.startsWith("*") && !isWord(last)) doubtful.push({ open: own.at, close: parts.length });
    write(closing);
    return true;
  };

  return {
    put(text) {
      if (space && last !== "" && last !== "\n") write(" ");
      space = false;
      for (const mark of pending.splice(0)) writeMark(mark, text.charAt(0));
      return write(text);
    },
    replace(at, text) {
      parts[at] = text;
    },
    space() {
      space = true;
    },
    breakLine() {
      if (last === "" || last === "\n" || pending.length > 0) return false;
      write("\\\n");
      return true;
    },
    open(mark) {
      const own: PendingMark = { mark, at: undefined };
      pending.push(own);
      return (closing) => close(own, closing);
    },
    settle(next) {
      const ended = !space && pending.length === 0 && isWord(next) ? doubtful : [];
      for (const { open, close } of ended) {
        parts[open] = "";
        parts[close] = "";
      }
      doubtful = [];
    },
    isClose: () => !space && pending.length === 0,
    isMarkWaiting: () => pending.length > 0,
    last: () => (space ? " " : last),
    text: () =>
      parts
        .join("")
        .replace(/(?:\\\n)+$/, "")
        .trim(),
  };
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
