import { createFreeNames } from "@docent/kernel/text/words-of-name";
import { readHtmlBlocks, readInlineHtml } from "../../markdown/html/html.ts";
import { htmlToText } from "../../markdown/html-text.ts";
import { textToMarkdown } from "../../markdown/txt.ts";
import { eachOutsideCode } from "../writing/writing.ts";

export { menuOfLinks, menuOfTree, type PlacedPage, pathsIn } from "./menu.ts";

/*
 * Wikis say what their markup means in HTML, and allow HTML beside it. A page of a wiki is therefore written as HTML first,
 * of a few elements that are known, and read by the same reader as any other HTML.
 */

const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});)/g;

/** Words as HTML. Entities in them stay what they are: wikis allow them everywhere. */
export const htmlOfWords = (words: string) =>
  words.replace(BARE_AMPERSAND, "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Text as HTML, character by character. */
export const htmlOfText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A text as the value of an attribute. */
export const attributeOf = (text: string) =>
  htmlOfText(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;");

/**
 * A link. Its empty id says that it is of the page: on other pages a link called "top" or "copy link" is furniture, and is
 * left out.
 */
export const linkHtml = (href: string, words: string) => `<a id="" href="${attributeOf(href)}">${words}</a>`;

/** A block of code. */
export function codeHtml(text: string, language = ""): string {
  const name = /^[a-z][\w+#.-]{0,39}$/i.exec(language)?.[0];
  const attributes = name === undefined ? "" : ` class="language-${name}"`;
  // The first line break of a <pre> is none of its text.
  return `<pre>\n<code${attributes}>${htmlOfText(text)}</code></pre>`;
}

/** A formula, within a line or as a block. */
export const mathsHtml = (tex: string, isBlock: boolean) =>
  isBlock
    ? `<div class="math notranslate">${htmlOfText(tex)}</div>`
    : `<math><annotation encoding="application/x-tex">${htmlOfText(tex)}</annotation></math>`;

export interface TableCell {
  isHeader: boolean;
  html: string;
  columns: number;
  rows: number;
}

const SPAN_MAX = 50;
const COLUMNS_MAX = 200;
const REPEATED_CHARACTERS_MAX = 120;

/** A table. A cell over several rows has its words in each of them, where they are few: a row is read by itself. */
export function tableHtml(rows: readonly (readonly TableCell[])[], caption = ""): string {
  const written: string[] = [];
  /** What is left of cells over several rows, by their column. */
  let open = new Map<number, { html: string; left: number }>();
  for (const row of rows) {
    const cells: string[] = [];
    const below = new Map<number, { html: string; left: number }>();
    let column = 0;
    const fill = () => {
      for (let above = open.get(column); above !== undefined; above = open.get(column)) {
        cells.push(above.html);
        if (above.left > 1) below.set(column, { ...above, left: above.left - 1 });
        column += 1;
      }
    };
    for (const cell of row.slice(0, COLUMNS_MAX)) {
      fill();
      const tag = cell.isHeader ? "th" : "td";
      const columns = Math.min(Math.max(1, cell.columns), SPAN_MAX);
      const left = Math.min(Math.max(1, cell.rows), SPAN_MAX * SPAN_MAX) - 1;
      const empty = `<${tag}></${tag}>`;
      const isShort = cell.html.length <= REPEATED_CHARACTERS_MAX && !cell.html.includes("id=");
      cells.push(`<${tag}>${cell.html}</${tag}>`, ...Array.from({ length: columns - 1 }, () => empty));
      for (let at = 0; at < columns && left > 0; at++) {
        const html = at === 0 && isShort ? `<${tag}>${cell.html}</${tag}>` : empty;
        below.set(column + at, { html, left });
      }
      column += columns;
    }
    fill();
    open = below;
    written.push(`<tr>${cells.join("")}</tr>`);
  }
  const title = caption === "" ? "" : `<caption>${caption}</caption>`;
  return `<table>${title}${written.join("\n")}</table>`;
}

const NOTE_MARK = /\uE002(\d{1,6})\uE003/g;

/** Stands for the mark of a footnote while a page is HTML. */
export const noteMark = (number: number) => `\uE002${number}\uE003`;

/** Characters that stand for something while a page is written, and that no page may have itself. */
const RESERVED = /[\uE000-\uE003\0]/g;
export const withoutReserved = (text: string) => text.replace(RESERVED, "");

/** A page of HTML as Markdown. `notes` are its footnotes, in the order of their numbers from 1. */
export function markdownOf(html: string, notes: readonly string[] = []): string {
  const body = readHtmlBlocks(html, { keepsImages: true, keepsPlaces: true }).join("\n\n");
  // What is nested too deep to be read as HTML still has its words.
  const read = body === "" && /[\p{L}\p{N}]/u.test(html) ? textToMarkdown(htmlToText(html)) : body;
  const used = new Set([...read.matchAll(NOTE_MARK)].map(([, number]) => Number(number)));
  const below = notes.flatMap((note, index) => {
    const words = readInlineHtml(note)
      .replace(/\\?\n\s*/g, " ")
      .replace(NOTE_MARK, "");
    return used.has(index + 1) && words !== "" ? `[^${index + 1}]: ${words}` : [];
  });
  const known = new Set(below.map((note) => note.slice(2, note.indexOf("]"))));
  const marked = read.replace(NOTE_MARK, (_, number: string) => (known.has(number) ? `[^${number}]` : ""));
  return [marked, ...below].filter((block) => block !== "").join("\n\n");
}

/** Where the headings of a page in Markdown begin at the first level, all are a level lower: its title stands above them. */
export function lowerMarkdownHeadings(markdown: string): string {
  if (!/^# /m.test(markdown)) return markdown;
  return eachOutsideCode(markdown, (part) => part.replace(/^(#{1,5}) /gm, "#$1 "));
}

const PART_CHARACTERS_MAX = 100;

/** A title as a part of an address: letters of all scripts, digits, and dashes for all else. "" where it has none of them. */
const slugOf = (title: string): string =>
  title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "")
    .slice(0, PART_CHARACTERS_MAX)
    .toWellFormed()
    .replace(/[-\uFFFD]$/, "");

/** Gives pages their paths, one after the other: `id` tells apart those that would have the same. */
type NamePath = (titles: readonly string[], id: string) => string;

export function createPaths(): NamePath {
  const taken = new Set<string>([""]);
  const free = createFreeNames(taken);
  return (titles, id) => {
    const path = titles.map((title) => slugOf(title) || slugOf(id) || "page").join("/");
    // A page called so would be taken for that of its folder.
    const isFree = !taken.has(path) && !/(?:^|\/)index$/.test(path);
    const stem = isFree ? path : `${path}-${slugOf(id) || "page"}`;
    return free(stem);
  };
}
