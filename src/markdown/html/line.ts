import { codeSpan, escapeDestination, escapeInline, escapeLineStart } from "../../text/write-markdown.ts";
import { INVISIBLE } from "./dom.ts";
import { createParts } from "./parts.ts";

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
