import { codeSpan, escapeDestination, escapeInline, escapeLineStart } from "../escape.ts";
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

/** A mark whose words have not come yet: `at` is where it then stands. */
interface PendingMark {
  mark: string;
  at: number | undefined;
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
  const parts: string[] = [];
  const pending: PendingMark[] = [];
  let space = false;
  let last = "";
  let code: { at: number; text: string } | undefined;
  /** Marks that end in punctuation are none when a letter follows: those words go without. */
  let doubtful: Array<{ open: number; close: number }> = [];

  const put = (text: string) => {
    if (text === "") return;
    if (space && last !== "" && last !== "\n") {
      parts.push(" ");
      last = " ";
    }
    space = false;
    for (const mark of pending) {
      mark.at = parts.length;
      const clashes =
        mark.mark.startsWith("*") && (last === "*" || (isWord(last) && !isWord(text.charAt(0))));
      const image = mark.mark === "[" && last === "!" && parts.length > 0;
      if (image) parts[parts.length - 1] = `${parts.at(-1)?.slice(0, -1)}\\!`;
      parts.push(clashes ? "" : mark.mark);
      if (!clashes) last = mark.mark.slice(-1);
    }
    pending.length = 0;
    parts.push(text);
    last = text.slice(-1);
    code = undefined;
  };
  const settle = (first: string) => {
    if (!space && pending.length === 0 && isWord(first)) {
      for (const { open, close } of doubtful) {
        parts[open] = "";
        parts[close] = "";
      }
    }
    doubtful = [];
  };

  return {
    words(text) {
      const flat = text.replace(INVISIBLE, "").replace(/[\s\u00a0]+/g, " ");
      if (flat.startsWith(" ")) space = true;
      const words = flat.trim();
      if (words === "") return;
      settle(words.charAt(0));
      const before = space || last === "" ? " " : last;
      const guard = last === "]" && !space && /^[[(]/.test(words) ? "\\" : "";
      const escaped = guard + escapeInline(words, before);
      put(cell ? escaped.replaceAll("|", "\\|") : escaped);
      space = flat.endsWith(" ");
    },
    space() {
      space = true;
    },
    lineBreak() {
      space = true;
      if (cell || last === "" || last === "\n" || pending.length > 0) return;
      parts.push("\\\n");
      last = "\n";
      code = undefined;
    },
    code(text) {
      const flat = text.replace(/[\s\u00a0]+/g, " ");
      if (flat.trim() === "") return;
      if (flat.startsWith(" ")) space = true;
      const kept = flat.trim();
      const merges = code !== undefined && !space && pending.length === 0;
      if (code !== undefined && merges && code.text.length + kept.length <= MAX_MERGED_CODE) {
        code.text += kept;
        parts[code.at] = spanOf(code.text, cell);
        return;
      }
      if (last === "`" && pending.length === 0) space = true;
      settle("`");
      put(spanOf(kept, cell));
      code = { at: parts.length - 1, text: kept };
      space = flat.endsWith(" ");
    },
    open(mark) {
      const own: PendingMark = { mark, at: undefined };
      pending.push(own);
      return (closing) => {
        const waiting = pending.indexOf(own);
        if (waiting >= 0) pending.splice(waiting, 1);
        if (own.at === undefined || parts[own.at] === "") return;
        const emphasis = mark.startsWith("*");
        if (emphasis && !isWord(last)) doubtful.push({ open: own.at, close: parts.length });
        parts.push(closing);
        last = closing.slice(-1);
        code = undefined;
      };
    },
    last: () => (space ? " " : last),
    finish() {
      const text = parts
        .join("")
        .replace(/(?:\\\n)+$/, "")
        .trim();
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

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
