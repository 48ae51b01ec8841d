import { decodeEntity } from "@docent/kernel/text/entities";
import { attributeOf } from "../wiki-writing/wiki-writing.ts";
import { writeQuotes } from "./quotes.ts";
import { readTable, TABLE_START } from "./tables.ts";
import { anchorOf } from "./titles.ts";

/** A page while its lines are written as HTML. */
interface BlockState {
  /** The id of a heading by its anchor: another one of the same words is numbered. */
  idOf(anchor: string): string;
  /** The words of a piece of HTML, with what is kept elsewhere. */
  wordsOf(html: string): string;
}

interface Writing extends BlockState {
  depth: number;
  out: string[];
  /** The signs of the lists that are open. */
  lists: string;
  paragraph: string[];
  indented: string[];
  /** How many tags of blocks are open: there, an indented line is no code. */
  openTags: number;
}

const DEPTH_MAX = 8;
const LIST_SIGNS_MAX = 20;
const HEADING = /^(={1,6})(.+?)(={1,6})[ \t]*(?:(?:<[^<>]*>|\uE000\d+\uE001)[ \t]*)*$/;
const BLOCK_OPEN = /<(?:div|table|ul|ol|dl|blockquote|details|h[1-6])\b/g;
const BLOCK_CLOSE = /<\/(?:div|table|ul|ol|dl|blockquote|details|h[1-6])>/g;

/** Writes lines of wikitext as HTML. Their links and tags are HTML already. */
export function writeBlocks(state: BlockState, lines: readonly string[], depth = 0): string {
  const { idOf, wordsOf } = state;
  const writing: Writing = {
    idOf,
    wordsOf,
    depth,
    out: [],
    lists: "",
    paragraph: [],
    indented: [],
    openTags: 0,
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (TABLE_START.test(line) && depth < DEPTH_MAX) {
      endBlocks(writing);
      const { html, next } = readTable(lines, at, {
        blocks: (inner) => writeBlocks(state, inner, depth + 1),
        words: writeQuotes,
      });
      writing.out.push(html);
      at = next;
    } else {
      writeLine(writing, line);
      at += 1;
    }
  }
  endBlocks(writing);
  return writing.out.join("\n");
}

function writeLine(writing: Writing, line: string): void {
  const { out } = writing;
  const [, open = "", words = "", close = ""] = HEADING.exec(line) ?? [];
  const [signs = ""] = /^[*#:;]+/.exec(line) ?? [];
  if (open !== "") {
    endBlocks(writing);
    out.push(headingHtml(writing, open, words, close));
  } else if (signs !== "") {
    endParagraph(writing);
    writeItem(writing, signs.slice(0, LIST_SIGNS_MAX), line.slice(signs.length));
  } else if (/^-{4,}/.test(line)) {
    endBlocks(writing);
    out.push("<hr>");
    const behind = line.replace(/^-+/, "").trim();
    if (behind !== "") writing.paragraph.push(writeQuotes(behind));
  } else if (line.trim() === "") endBlocks(writing);
  else if (/^ /.test(line) && isCode(writing, line)) {
    endLists(writing, "");
    if (writing.paragraph.length > 0) endParagraph(writing);
    writing.indented.push(writeQuotes(line.slice(1)));
  } else {
    endLists(writing, "");
    endIndented(writing);
    writing.paragraph.push(writeQuotes(line.trim()));
  }
  writing.openTags += countOf(line, BLOCK_OPEN) - countOf(line, BLOCK_CLOSE);
}

const isCode = ({ openTags }: Writing, line: string) =>
  openTags <= 0 && !/<\/?(?:div|table|tr|td|th|ul|ol|li|dl|dd|dt|p|blockquote|h[1-6]|caption)\b/.test(line);
const countOf = (line: string, sign: RegExp) => line.match(sign)?.length ?? 0;

function headingHtml({ idOf, wordsOf }: Writing, open: string, words: string, close: string): string {
  const level = Math.min(open.length, close.length);
  const text = open.slice(level) + words + close.slice(level);
  const html = writeQuotes(text.trim());
  const anchor = anchorOf(wordsOf(html).replace(/&#?\w{1,31};/g, decodeEntity)).slice(0, 200);
  return `<h${level} id="${attributeOf(idOf(anchor))}">${html}</h${level}>`;
}

function endBlocks(writing: Writing): void {
  endLists(writing, "");
  endParagraph(writing);
}

function endParagraph(writing: Writing): void {
  endIndented(writing);
  if (writing.paragraph.length > 0) writing.out.push(`<p>${writing.paragraph.join("\n")}</p>`);
  writing.paragraph = [];
}

function endIndented(writing: Writing): void {
  if (writing.indented.length > 0) writing.out.push(`<pre>\n${writing.indented.join("\n")}</pre>`);
  writing.indented = [];
}

const LISTS: Readonly<Record<string, string>> = { "*": "ul", "#": "ol", ":": "dl", ";": "dl" };
const ITEMS: Readonly<Record<string, string>> = { "*": "li", "#": "li", ":": "dd", ";": "dt" };
/** The signs of two lines go on with one list where they are of its kind. */
const kindOf = (sign: string | undefined) => (sign === undefined ? undefined : LISTS[sign]);

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && kindOf(a[length]) === kindOf(b[length])) length += 1;
  return length;
}

/** Closes the lists that are deeper than what two lines have in common. */
function endLists(writing: Writing, signs: string): number {
  const kept = commonLength(writing.lists, signs);
  for (let at = writing.lists.length - 1; at >= kept; at--) {
    const sign = writing.lists[at] ?? "*";
    writing.out.push(`</${ITEMS[sign]}></${LISTS[sign]}>`);
  }
  writing.lists = writing.lists.slice(0, kept);
  return kept;
}

function writeItem(writing: Writing, signs: string, text: string): void {
  const { out } = writing;
  const kept = endLists(writing, signs);
  const last = signs.length - 1;
  if (kept === signs.length) {
    const before = writing.lists[last] ?? "*";
    out.push(`</${ITEMS[before]}><${ITEMS[signs[last] ?? "*"]}>`);
  }
  for (let at = kept; at < signs.length; at++) {
    const sign = signs[at] ?? "*";
    out.push(`<${LISTS[sign]}><${ITEMS[sign]}>`);
  }
  writing.lists = signs;
  const colon = signs.endsWith(";") ? text.search(/:(?!\/\/)/) : -1;
  if (colon < 0) {
    out.push(writeQuotes(text.trim()));
    return;
  }
  out.push(
    `${writeQuotes(text.slice(0, colon).trim())}</dt><dd>${writeQuotes(text.slice(colon + 1).trim())}`,
  );
  writing.lists = `${signs.slice(0, -1)}:`;
}
