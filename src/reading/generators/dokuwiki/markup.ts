import {
  attributeOf,
  htmlOfText,
  markdownOf,
  type TableCell,
  tableHtml,
} from "../wiki-writing/wiki-writing.ts";
import { createAnchors } from "./ids.ts";
import { type InlineContext, shown, withoutProtected, writeWords } from "./inline.ts";

/** A page of DokuWiki as Markdown. */
export function writeMarkup(context: InlineContext, text: string): string {
  const plain = withoutProtected(context, text.replace(/\r\n?/g, "\n"));
  const html = shown(context, writeBlocks(context, plain.split("\n")));
  const notes = context.notes.map((note) => shown(context, note));
  return markdownOf(html, notes);
}

const HEADING = /^[ \t]*(={2,10})([^\n]+?)={2,10}[ \t]*$/;
const LIST_ITEM = /^((?: {2}|\t)[ \t]*)([*-])[ \t]*(.*)$/;
const INDENTED = /^(?: {2}|\t)(.*)$/;
const TABLE_ROW = /^[ \t]*[|^]/;
const QUOTE = /^(>+)[ \t]?(.*)$/;
const BLOCK_TAG =
  /^[ \t]*<\/?(?:WRAP|block|div|note|box|hidden|tabbox|accordion|panel)\b[^>]{0,300}>[ \t]*$/i;

/** The first heading's words; undefined where there is none. */
export function titleIn(text: string): string | undefined {
  for (const line of text.split("\n", 200)) {
    const words = HEADING.exec(line)?.[2]?.trim();
    if (words !== undefined && words !== "") return words;
  }
  return undefined;
}

/** A kind of block: it begins on a line, and says how many lines it takes. */
type BlockReader = (
  context: InlineContext,
  lines: readonly string[],
  at: number,
) => { html: string; next: number } | undefined;

const READERS: readonly BlockReader[] = [readList, readIndented, readTable, readQuote];

function writeBlocks(context: InlineContext, lines: readonly string[]): string {
  const out: string[] = [];
  const anchorOf = createAnchors();
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) out.push(`<p>${writeWords(context, paragraph.join("\n"))}</p>`);
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const [, signs, words = ""] = HEADING.exec(line) ?? [];
    const block = signs === undefined ? blockAt(context, lines, at) : undefined;
    const isBreak = line.trim() === "" || /^-{4,}[ \t]*$/.test(line) || BLOCK_TAG.test(line);
    if (signs !== undefined || block !== undefined || isBreak) flush();
    if (signs !== undefined) {
      const level = Math.max(1, 7 - signs.length);
      const plain = words.trim();
      out.push(`<h${level} id="${attributeOf(anchorOf(plain))}">${htmlOfText(plain)}</h${level}>`);
    } else if (block !== undefined) out.push(block.html);
    else if (!isBreak) paragraph.push(line);
    at = block?.next ?? at + 1;
  }
  flush();
  return out.join("\n");
}

function blockAt(context: InlineContext, lines: readonly string[], at: number) {
  for (const read of READERS) {
    const block = read(context, lines, at);
    if (block !== undefined) return block;
  }
  return undefined;
}

interface OpenList {
  indent: number;
  tag: "ul" | "ol";
}

const LISTS_MAX = 20;

function readList(context: InlineContext, lines: readonly string[], start: number) {
  if (!LIST_ITEM.test(lines[start] ?? "")) return undefined;
  const out: string[] = [];
  const open: OpenList[] = [];
  let at = start;
  for (; at < lines.length; at++) {
    const [, space = "", sign, words = ""] = LIST_ITEM.exec(lines[at] ?? "") ?? [];
    if (sign === undefined) break;
    const indent = space.replaceAll("\t", "  ").length;
    const tag = sign === "*" ? "ul" : "ol";
    while (open.length > 1 && indent < (open.at(-1)?.indent ?? 0)) out.push(`</li></${open.pop()?.tag}>`);
    const last = open.at(-1);
    if (last === undefined || (indent > last.indent && open.length < LISTS_MAX)) {
      open.push({ indent, tag });
      out.push(`<${tag}>`);
    } else if (last.tag !== tag) {
      out.push(`</li></${last.tag}><${tag}>`);
      open[open.length - 1] = { indent: last.indent, tag };
    } else out.push("</li>");
    out.push(`<li>${writeWords(context, words)}`);
  }
  for (let last = open.pop(); last !== undefined; last = open.pop()) out.push(`</li></${last.tag}>`);
  return { html: out.join("\n"), next: at };
}

/** Lines that are indented and no list are shown as they are written. */
function readIndented(_: InlineContext, lines: readonly string[], start: number) {
  const first = lines[start] ?? "";
  if (!INDENTED.test(first) || first.trim() === "" || /^\s*\uE000\d+\uE001\s*$/.test(first)) return undefined;
  const code: string[] = [];
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const words = INDENTED.exec(line)?.[1];
    if (words === undefined || LIST_ITEM.test(line)) break;
    code.push(words);
  }
  return { html: `<pre>\n${htmlOfText(code.join("\n").trimEnd())}</pre>`, next: at };
}

function readQuote(context: InlineContext, lines: readonly string[], start: number) {
  const out: string[] = [];
  let depth = 0;
  let at = start;
  for (; at < lines.length; at++) {
    const [, signs, words = ""] = QUOTE.exec(lines[at] ?? "") ?? [];
    if (signs === undefined) break;
    const wanted = Math.min(signs.length, LISTS_MAX);
    for (; depth < wanted; depth++) out.push("<blockquote>");
    for (; depth > wanted; depth--) out.push("</blockquote>");
    out.push(`${writeWords(context, words)}<br>`);
  }
  if (at === start) return undefined;
  return { html: out.join("\n") + "</blockquote>".repeat(depth), next: at };
}

function readTable(context: InlineContext, lines: readonly string[], start: number) {
  const rows: TableCell[][] = [];
  let above: (TableCell | undefined)[] = [];
  let at = start;
  for (; at < lines.length && TABLE_ROW.test(lines[at] ?? ""); at++) {
    const { cells, columns } = readRow(context, lines[at] ?? "", above);
    rows.push(cells);
    above = columns;
  }
  return at === start ? undefined : { html: tableHtml(rows), next: at };
}

const LINKS = /\[\[[^\]\n]{1,2000}\]\]|\{\{[^}\n]{1,2000}\}\}/g;

/** The cells of a row, by the sign in front of each. `above` are those of the row before, by their column. */
function readRow(context: InlineContext, line: string, above: readonly (TableCell | undefined)[]) {
  const held: string[] = [];
  const hidden = line.trim().replace(LINKS, (link) => `\uE003${held.push(link) - 1}\uE003`);
  const cells: TableCell[] = [];
  const columns: (TableCell | undefined)[] = [];
  for (const [, sign, written = ""] of hidden.matchAll(/([|^])([^|^]*)(?=[|^])/g)) {
    const words = written.replace(/\uE003(\d+)\uE003/g, (_, number: string) => held[Number(number)] ?? "");
    const over = above[columns.length];
    const last = cells.at(-1);
    if (words.trim() === ":::" && over !== undefined) {
      over.rows += 1;
      columns.push(over);
    } else if (words === "" && last !== undefined) {
      last.columns += 1;
      columns.push(last);
    } else {
      const html = writeWords(context, words.trim());
      const cell: TableCell = { isHeader: sign === "^", html, columns: 1, rows: 1 };
      cells.push(cell);
      columns.push(cell);
    }
  }
  return { cells, columns };
}
