import { type TableCell, tableHtml } from "../wiki-writing/wiki-writing.ts";

/** Writes words with their marks as HTML. */
type WriteWords = (text: string) => string;

const HEADING = /^[ \t]*(={1,6})[ \t]*(.*)$/;

/** The words of a heading, without the signs that end it. */
export const wordsOfHeading = (said: string) =>
  said
    .trimEnd()
    .replace(/(?<!=)=+$/, "")
    .trimEnd();
const LIST_ITEM = /^[ \t]*(\*+|[*1]+\.|(?:[*1]+\.?)?[;:]+)[ \t]+(.*)$/;
const QUOTE = /^[ \t]*(>+)(.*)$/;
const TABLE_ROW = /^[ \t]*(?:\||![=!])/;
const RULE = /^[ \t]*-{4,}[ \t]*$/;
/** A piece that stands alone on its line is a block. */
const ALONE = /^[ \t]*\uE000\d+\uE001[ \t]*$/;

type Begin = "heading" | "list" | "quote" | "table" | "rule" | "alone" | "blank" | "words";

/** A text whose pieces are taken out, as blocks of HTML. */
export function writeBlocks(text: string, words: WriteWords): string {
  const lines = text.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const begin = beginOf(lines[at] ?? "");
    let end = at + 1;
    // A list goes on over lines that begin nothing, and words to the next block.
    while (end < lines.length && continues(begin, beginOf(lines[end] ?? ""))) end += 1;
    out.push(writeBlock(begin, lines.slice(at, end), words));
    at = end;
  }
  return out.join("\n");
}

function continues(begin: Begin, next: Begin): boolean {
  if (begin === "words") return next === "words";
  if (begin === "list") return next === "list" || next === "words";
  if (begin === "table") return next === "table" || next === "words";
  return begin === "quote" && next === "quote";
}

function beginOf(line: string): Begin {
  if (line.trim() === "") return "blank";
  if (ALONE.test(line)) return "alone";
  if (RULE.test(line)) return "rule";
  if (HEADING.test(line)) return "heading";
  if (LIST_ITEM.test(line)) return "list";
  if (QUOTE.test(line)) return "quote";
  return TABLE_ROW.test(line) ? "table" : "words";
}

function writeBlock(begin: Begin, lines: readonly string[], words: WriteWords): string {
  if (begin === "heading") {
    const [, signs = "=", written = ""] = HEADING.exec(lines[0] ?? "") ?? [];
    const said = wordsOfHeading(written);
    return said === "" ? "" : `<h${signs.length}>${words(said)}</h${signs.length}>`;
  }
  if (begin === "list") return writeList(lines, words);
  if (begin === "quote") return writeQuote(lines, words);
  if (begin === "table") return writeTable(lines, words);
  if (begin === "alone") return lines.join("").trim();
  if (begin === "rule") return "<hr>";
  return begin === "blank" ? "" : `<p>${withBreaks(lines, words)}</p>`;
}

/** A line break is one, as its author sees. */
const withBreaks = (lines: readonly string[], words: WriteWords) =>
  words(lines.map((line) => line.trim()).join("\n")).replaceAll("\n", "<br>\n");

const LISTS_MAX = 20;

/** The kind of list for each level, by the signs in front of an item: `1*.`, `**`, `;`. */
const levelsOf = (signs: string) =>
  [...signs.replace(".", "")]
    .slice(0, LISTS_MAX)
    .map((sign) => (sign === "*" ? "ul" : sign === "1" ? "ol" : "dl"));

function writeList(lines: readonly string[], words: WriteWords): string {
  const items: { levels: string[]; isTerm: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const [, signs, said = ""] = LIST_ITEM.exec(line) ?? [];
    if (signs !== undefined)
      items.push({ levels: levelsOf(signs), isTerm: signs.endsWith(";"), lines: [said] });
    else items.at(-1)?.lines.push(line);
  }
  const out: string[] = [];
  const open: { list: string; item: string }[] = [];
  const close = () => {
    const last = open.pop();
    if (last !== undefined) out.push(`</${last.item}></${last.list}>`);
  };
  for (const { levels, isTerm, lines: own } of items) {
    while (open.length > levels.length) close();
    while (open.length > 0 && open.at(-1)?.list !== levels[open.length - 1]) close();
    const item = levels.at(-1) === "dl" ? (isTerm ? "dt" : "dd") : "li";
    const last = open.at(-1);
    if (open.length === levels.length && last !== undefined) {
      out.push(`</${last.item}><${item}>`);
      last.item = item;
    }
    while (open.length < levels.length) {
      const list = levels[open.length] ?? "ul";
      const own = open.length === levels.length - 1 ? item : list === "dl" ? "dd" : "li";
      out.push(`<${list}><${own}>`);
      open.push({ list, item: own });
    }
    out.push(withBreaks(own, words));
  }
  while (open.length > 0) close();
  return out.join("");
}

function writeQuote(lines: readonly string[], words: WriteWords): string {
  const out: string[] = [];
  let depth = 0;
  for (const line of lines) {
    const [, signs = "", said = ""] = QUOTE.exec(line) ?? [];
    const level = Math.min(signs.length, LISTS_MAX);
    for (; depth < level; depth++) out.push("<blockquote>");
    for (; depth > level; depth--) out.push("</blockquote>");
    out.push(`<p>${words(said.trim())}</p>`);
  }
  return out.join("") + "</blockquote>".repeat(depth);
}

const CELL = /(\|=|!=|!!|\|)/;

/** Cells are on one line, or begin where the line before ended. */
function writeTable(lines: readonly string[], words: WriteWords): string {
  const rows: string[] = [];
  for (const line of lines) {
    if (TABLE_ROW.test(line)) rows.push(line.trim());
    else rows[rows.length - 1] += `\n${line}`;
  }
  const cells = rows.map((row) => {
    const parts = row.split(CELL);
    const own: TableCell[] = [];
    for (let at = 1; at < parts.length; at += 2) {
      const html = withBreaks((parts[at + 1] ?? "").trim().split("\n"), words);
      own.push({ isHeader: (parts[at] ?? "").endsWith("="), html, columns: 1, rows: 1 });
    }
    return own;
  });
  return tableHtml(cells);
}
