import {
  codeFence,
  codeSpan,
  escapeDestination,
  escapeInline,
  escapeLineStart,
  writeMarkdownTable,
} from "@docent/kernel/text/write-markdown";
import { placeMark } from "../../markdown/anchors.ts";
import type { Piece } from "./page/page.ts";
import type { Inline, Part } from "./parts.ts";

/** The parts of a document as Markdown. */
export function writeParts(parts: readonly Part[], codeMeansNothing: boolean): string {
  const write = (inlines: readonly Inline[]) =>
    writeInlines(codeMeansNothing ? withoutCode(inlines) : inlines);
  let markdown = "";
  let before: Part | undefined;
  for (const part of parts) {
    const text = writePart(part, write);
    if (text === "") continue;
    const tight = part.kind === "item" && before?.kind === "item";
    markdown += (markdown === "" ? "" : tight ? "\n" : "\n\n") + text;
    before = part;
  }
  return markdown === "" ? "" : `${markdown}\n`;
}

const withoutCode = (inlines: readonly Inline[]): Inline[] =>
  inlines.map((inline) => ("text" in inline ? { ...inline, code: false } : inline));

const pageMark = (page: number) => placeMark(`page=${page}`);

function writePart(part: Part, write: (inlines: readonly Inline[]) => string): string {
  switch (part.kind) {
    case "page":
      return pageMark(part.page);
    case "heading": {
      const words = write(withoutCode(part.pieces))
        .replace(/\s+/g, " ")
        .trim()
        .replace(/(\s#+)$/, "\\$1");
      return words === "" ? "" : `${"#".repeat(part.level)} ${words}`;
    }
    case "code":
      return codeFence(part.text);
    case "table":
      return writeMarkdownTable(part.rows.map((row) => row.map((cell) => cellOf(write(cell)))));
    case "item": {
      const indent = "   ".repeat(part.depth);
      const words = lines(write(part.inlines));
      return words === "" ? "" : `${indent}${part.marker} ${words.replaceAll("\n", `\n${indent}  `)}`;
    }
    case "paragraph":
      return lines(write(part.inlines));
  }
}

/** Dots that lead from the first cell of a row to its values say nothing. */
const cellOf = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<=[^\s…]) …$/, "")
    .replace(/(?<!\\)((?:\\\\)*)\|/g, "$1\\|");

/** Escapes the start of each line, after the marks that it may begin with. */
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [marks = ""] = /^(?:<a id="page=\d+"><\/a>)*/.exec(line) ?? [];
      return marks + escapeLineStart(line.slice(marks.length).trimStart());
    })
    .join("\n");

function writeInlines(inlines: readonly Inline[]): string {
  let text = "";
  for (const inline of inlines) {
    if ("mark" in inline) text += pageMark(inline.mark);
    else if ("break" in inline) text = `${text.trimEnd()}\\\n`;
    else text += writePiece(inline, text.slice(-1));
  }
  return text;
}

function writePiece({ text: written, code, link }: Piece, before: string): string {
  const text = written.replaceAll("\u00AD", "").replace(DOTS, " … ");
  const [, start = "", words = "", end = ""] = /^(\s*)(|[\s\S]+?(?<!\s))(\s*)$/.exec(text) ?? [];
  if (words === "") return text;
  const inner = code && isCode(words) ? codeSpan(words) : escapeInline(words, start === "" ? before : " ");
  const linked =
    link === undefined ? inner : `[${inner.replace(/(?<!\\)([[\]])/g, "\\$1")}](${escapeDestination(link)})`;
  return start + linked + end;
}

/** Dots, and signs like them, that lead from an entry to its page. */
const DOTS = /(?<!\s)\s*(?:(?:[.·]\s{0,3}){5,}|[…⋯]{3,})\s*/g;

/** Signs and numbers in letters of one width are no code: in many fonts, digits alone are as wide as each other. */
const isCode = (words: string) => /[A-Za-z]/.test(words) && words.length < 500;
