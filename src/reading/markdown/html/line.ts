import {
  codeSpan,
  escapeDestination,
  escapeInline,
  escapeLabel,
  escapeLineStart,
  mathsSpan,
} from "@docent/kernel/text/write-markdown";
import { INVISIBLE } from "./dom.ts";

/** Writes a run of words as Markdown: white space becomes one space, and marks stay close to their words. */
export interface Line {
  words(text: string): void;
  /** Separates what comes next by a space, without a line break. */
  space(): void;
  /** Separates what comes next as the next item of a list that has to stand on one line. */
  nextItem(): void;
  lineBreak(): void;
  code(text: string): void;
  maths(tex: string): void;
  image(alt: string, source: string): void;
  /** Puts the mark of a footnote, `[^1]`, close to the words before it. */
  note(label: string): void;
  /** Puts the mark of a place before the words that come next: it is none itself. */
  place(mark: string): void;
  /** Opens a mark that is written only once words follow. Returns the function that closes it. */
  open(mark: string): (closing: string) => void;
  /** The last character written; "" at the beginning. */
  last(): string;
  /** The Markdown, trimmed, with escaped line starts. */
  finish(): string;
}

/**
 * The length up to which adjoining code becomes one span: two spans in a row would be parsed as something
 * else.
 */
const MAX_MERGED_CODE = 300;

export interface LineOptions {
  /** In a table's cell bars are escaped and there are no line breaks. */
  cell?: boolean;
  /** Something stands before the words on their line, so that no block begins there. */
  midLine?: boolean;
}

/** Begins an empty line. */
export function createLine({ cell = false, midLine = cell }: LineOptions = {}): Line {
  const parts = noParts();
  /** The code span that is still the last thing on the line. */
  let code: { at: number; text: string } | undefined;

  const putWords = (words: string) => {
    settle(parts, words.charAt(0));
    const before = lastOf(parts) || " ";
    const guard = before === "]" && /^[[(]/.test(words) ? "\\" : "";
    const escaped = guard + escapeInline(words, before);
    put(parts, cell ? escaped.replaceAll("|", "\\|") : escaped);
    code = undefined;
  };
  const putCode = (text: string) => {
    // Two code spans that touch would be parsed as a different one.
    if (parts.waiting.length === 0 && lastOf(parts) === "`") parts.hasSpace = true;
    settle(parts, "`");
    code = { at: put(parts, spanOf(text, cell)), text };
  };
  const putMarkdown = (markdown: string) => {
    settle(parts, markdown.charAt(0));
    put(parts, cell ? markdown.replace(/(?<!\\)\|/g, "\\|") : markdown);
    code = undefined;
  };

  return {
    words: (text) => spaced(parts, text.replace(INVISIBLE, ""), putWords),
    space: () => separate(parts, "hasSpace"),
    nextItem: () => separate(parts, "isNextItem"),
    lineBreak() {
      parts.hasSpace = true;
      if (!cell && breakLine(parts)) code = undefined;
    },
    code(text) {
      if (text.trim() === "") return;
      spaced(parts, text, (words) => {
        if (code && isClose(parts) && code.text.length + words.length <= MAX_MERGED_CODE) {
          code.text += words;
          parts.written[code.at] = spanOf(code.text, cell);
        } else putCode(words);
      });
    },
    maths(tex) {
      if (putMaths(parts, tex, cell)) code = undefined;
    },
    image: (alt, source) => putMarkdown(`![${escapeLabel(alt)}](${escapeDestination(source)})`),
    note: (label) => putMarkdown(`[^${label}]`),
    place: (mark) => void (mark === "" || parts.places.push(mark)),
    open(mark) {
      const own: WaitingMark = { mark, at: undefined };
      parts.waiting.push(own);
      return (closing) => {
        if (closeMark(parts, own, closing)) code = undefined;
      };
    },
    last: () => lastOf(parts),
    finish: () => finished(parts, midLine),
  };
}

/** Opens a link; returns the function that closes it. */
export function openLink(line: Line, href: string): () => void {
  const close = line.open("[");
  return () => close(`](${escapeDestination(href)})`);
}

function finished({ written, places }: Parts, midLine: boolean): string {
  const text = [...written, ...places]
    .join("")
    .replace(/(?:\\\n)+$/, "")
    .trim();
  return midLine ? text : text.split("\n").map(escapeLineStart).join("\n");
}

/** Writes a formula. Returns whether there was any. */
function putMaths(parts: Parts, tex: string, cell: boolean): boolean {
  const words = tex.replace(/[\s\u00a0]+/g, " ").trim();
  if (words === "") return false;
  // Dollars that touch would be others.
  if (isClose(parts) && /[\w$`]/.test(parts.last)) parts.hasSpace = true;
  settle(parts, "$");
  const span = mathsSpan(words);
  put(parts, cell ? span.replaceAll("|", "\\|") : span);
  return true;
}

function spanOf(text: string, cell: boolean): string {
  const span = codeSpan(text);
  return cell ? span.replaceAll("|", "\\|") : span;
}

/** A mark that is written only once words follow; `at` is its place then. */
interface WaitingMark {
  mark: string;
  at: number | undefined;
}

/** The pieces of one line, in order. */
interface Parts {
  written: string[];
  /** Opened marks that no piece has followed yet. */
  waiting: WaitingMark[];
  /** Marks of places that the next piece is. */
  places: string[];
  /** Whether a space comes before the next piece. */
  hasSpace: boolean;
  /** Whether the next piece begins an item of a list, of which there are some before it. */
  isNextItem: boolean;
  /** The last character written. */
  last: string;
  /** Marks that end in punctuation, which do not work when a letter follows: those are dropped. */
  doubtful: Array<{ open: number; close: number }>;
}

const noParts = (): Parts => ({
  written: [],
  waiting: [],
  places: [],
  hasSpace: false,
  isNextItem: false,
  last: "",
  doubtful: [],
});

/** Sets what comes next apart. */
function separate(parts: Parts, by: "hasSpace" | "isNextItem"): void {
  parts[by] = true;
}

/** Adds a piece after the waiting space and marks. Returns its number. */
function put(parts: Parts, text: string): number {
  // What ends a sentence is set apart already.
  if (parts.isNextItem && /[\p{L}\p{N}\p{Pe}\p{Pf}"'%`*]/u.test(parts.last)) write(parts, ";");
  parts.isNextItem = false;
  if (parts.hasSpace && parts.last !== "" && parts.last !== "\n") write(parts, " ");
  parts.hasSpace = false;
  parts.written.push(...parts.places.splice(0));
  for (const mark of parts.waiting.splice(0)) writeMark(parts, mark, text.charAt(0));
  return write(parts, text);
}

function write(parts: Parts, text: string): number {
  if (text !== "") parts.last = text.slice(-1);
  return parts.written.push(text) - 1;
}

function writeMark(parts: Parts, waiting: WaitingMark, first: string): void {
  const { mark } = waiting;
  const { last, written } = parts;
  const clashes = mark.startsWith("*") && (last === "*" || (isWord(last) && !isWord(first)));
  // After an exclamation mark, a link would be an image.
  if (mark === "[" && last === "!") written.push(`${written.pop()?.slice(0, -1)}\\!`);
  waiting.at = write(parts, clashes ? "" : mark);
}

/** Closes a mark. Returns whether it was written and so needed closing. */
function closeMark(parts: Parts, own: WaitingMark, closing: string): boolean {
  const index = parts.waiting.indexOf(own);
  if (index >= 0) parts.waiting.splice(index, 1);
  if (own.at === undefined || parts.written[own.at] === "") return false;
  if (own.mark.startsWith("*") && !isWord(parts.last))
    parts.doubtful.push({ open: own.at, close: parts.written.length });
  write(parts, closing);
  return true;
}

/** Puts text whose white space becomes single spaces; a trailing one waits for what comes next. */
function spaced(parts: Parts, text: string, putText: (words: string) => void): void {
  const flat = text.replace(/[\s\u00a0]+/g, " ");
  if (flat.startsWith(" ")) parts.hasSpace = true;
  const words = flat.trim();
  if (words === "") return;
  putText(words);
  if (flat.endsWith(" ")) parts.hasSpace = true;
}

/** Ends the line, if there is anything on it. Returns whether it did. */
function breakLine(parts: Parts): boolean {
  if (parts.last === "" || parts.last === "\n" || parts.waiting.length > 0) return false;
  write(parts, "\\\n");
  return true;
}

/** Decides the marks that depend on the character after them. */
function settle(parts: Parts, next: string): void {
  for (const { open, close } of isClose(parts) && isWord(next) ? parts.doubtful : []) {
    parts.written[open] = "";
    parts.written[close] = "";
  }
  parts.doubtful = [];
}

/** Whether what comes next touches the last piece. */
const isClose = (parts: Parts) => !parts.hasSpace && parts.waiting.length === 0;

/** The character before what comes next; "" at the beginning. */
const lastOf = (parts: Parts) => (parts.hasSpace ? " " : parts.last);

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
