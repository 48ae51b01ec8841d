import { readUrl } from "@docent/kernel/text/safe-url";
import {
  codeFence,
  escapeDestination,
  escapeInline,
  escapeLineStart,
  writeMarkdownTable,
} from "@docent/kernel/text/write-markdown";
import { type Block, cellWords, type Paragraph, type ParagraphStyle, type Run } from "./flow.ts";

/** What the styles of a document say of its paragraphs. */
export interface RtfStyle {
  name: string;
  /** 0 for a heading of the first level. */
  outlineLevel: number | undefined;
}

/** Open items of lists: of which level, and how far what is inside them is indented. */
interface OpenItem {
  level: number;
  indent: number;
}

const HEADING_CHARACTERS_MAX = 400;
const HEADING_NAME =
  /^(?:heading|überschrift|titre|título|titolo|titulo|kop|rubrik|overskrift|заголовок|nagłówek|标题|標題|見出し|otsikko|nadpis|címsor)\s*([1-9])\b/iu;
const CODE_NAME = /^(?:html preformatted|preformatted text|source ?code|code|listing)\b/i;

/** Writes blocks as those of Markdown. */
export function writeBlocks(blocks: readonly Block[], styles: ReadonlyMap<number, RtfStyle>): string {
  const out: string[] = [];
  let items: OpenItem[] = [];
  let code: string[] = [];
  const flushCode = () => {
    if (code.length > 0) out.push(codeFence(code.join("\n")));
    code = [];
  };
  for (const block of blocks) {
    if (block.kind === "paragraph" && isCode(block, styles)) {
      code.push(plainWords(block.runs));
      items = [];
      continue;
    }
    flushCode();
    const level = block.kind === "paragraph" ? headingLevel(block.style, styles) : undefined;
    if (block.kind === "paragraph" && block.marker !== undefined && level === undefined) {
      const written = writeItem(block, block.marker, items);
      if (items.length > 0 && out.length > 0) out[out.length - 1] += `\n${written.line}`;
      else out.push(written.line);
      items = written.items;
      continue;
    }
    items = [];
    out.push(...(block.kind === "table" ? writeTable(block.rows) : [writeParagraph(block, level)]));
  }
  flushCode();
  return out.filter((text) => text.trim() !== "").join("\n\n");
}

function isCode({ style: { style }, runs }: Paragraph, styles: ReadonlyMap<number, RtfStyle>): boolean {
  if (style === undefined) return false;
  return CODE_NAME.test(styles.get(style)?.name ?? "") && runs.every(({ href }) => href === undefined);
}

const plainWords = (runs: readonly Run[]) =>
  runs
    .map(({ words }) => words)
    .join("")
    .replaceAll("\u00a0", " ");

/** The level of a heading, from 1; undefined for other paragraphs. */
function headingLevel(
  { style, outlineLevel }: ParagraphStyle,
  styles: ReadonlyMap<number, RtfStyle>,
): number | undefined {
  const known = style === undefined ? undefined : styles.get(style);
  const name = known?.name.trim() ?? "";
  if (/^(?:title|titel|заглавие|название)$/i.test(name)) return 1;
  const numbered = HEADING_NAME.exec(name)?.[1];
  if (numbered !== undefined) return Math.min(6, Number(numbered));
  const outline = outlineLevel ?? known?.outlineLevel;
  return outline === undefined || outline < 0 || outline > 8 ? undefined : Math.min(6, outline + 1);
}

function writeParagraph(block: Paragraph, level: number | undefined): string {
  const words = writeRuns(block.runs);
  if (level === undefined || words.length > HEADING_CHARACTERS_MAX) return escapeLines(words);
  const line = words.replace(/\\?\n/g, " ").trim();
  // A heading's number is typed by the program.
  const number = block.marker === undefined ? "" : numberWords(block.marker);
  return `${"#".repeat(level)} ${number}${line.replace(/(?<!#)#+$/, (marks) => `\\${marks}`)}`;
}

/** A typed number as words: `1.2`, `a)`, `IV.`; nothing for a bullet, which fonts of pictures have as a letter. */
const numberWords = (marker: string) =>
  /\p{N}|\p{L}.*[^\p{L}\s]|[^\p{L}\s]+\p{L}|\p{L}{2}/u.test(marker) ? `${escapeInline(marker, "")} ` : "";

/** Writes an item of a list, indented below the items that it is part of. */
function writeItem(
  { runs, style: { indent: left, listLevel } }: Paragraph,
  marker: string,
  items: readonly OpenItem[],
): { line: string; items: OpenItem[] } {
  // Lists inside others have an indent that is larger, but not always a level of their own.
  const level = left + listLevel;
  const around = items.filter((item) => item.level < level);
  const indent = around.at(-1)?.indent ?? 0;
  const number = /^\(?(\d{1,9})[.)]$/.exec(marker)?.[1];
  // Letters, Roman numbers and numbers with parts are no marks of Markdown's: they stay words.
  const label = number === undefined ? escapeLineStart(numberWords(marker)) : "";
  const mark = number === undefined ? "- " : `${number}. `;
  const inside = indent + mark.length;
  const words = escapeLines(writeRuns(runs)).replaceAll("\n", `\n${" ".repeat(inside)}`);
  return {
    line: `${" ".repeat(indent)}${mark}${label}${words}`,
    items: [...around, { level, indent: inside }].slice(-10),
  };
}

/** A table; one of a single row or column only sets paragraphs in a frame. */
function writeTable(rows: readonly Run[][][]): string[] {
  if (rows.length > 1 && rows.some((cells) => cells.length > 1)) {
    const cells = rows.map((row) => row.map(cellWords));
    const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
    const [head = [], ...body] = cells;
    return [
      writeMarkdownTable([[...head, ...Array.from({ length: width - head.length }, () => "")], ...body]),
    ];
  }
  return rows.flatMap((row) => row.map((runs) => escapeLines(writeRuns(runs))));
}

const escapeLines = (markdown: string) =>
  markdown
    .split("\n")
    .map((line) => escapeLineStart(line.trimStart()))
    .join("\n");

/** Writes runs as inline Markdown; a line break of the author's is a hard one. */
export function writeRuns(runs: readonly Run[]): string {
  let written = "";
  for (const { words, href, isMarkdown } of runs) {
    if (isMarkdown) {
      written += words;
      continue;
    }
    const escaped = escapeInline(words.replace(/[^\S\n]+/g, " "), written.slice(-1));
    const target = href === undefined ? undefined : linkTarget(href);
    const label = escaped.replace(/[[\]]/g, "\\$&").replace(/(?<!\s)\s*\n\s*/g, " ");
    written += target === undefined || words.trim() === "" ? escaped : `[${label.trim()}](${target})`;
  }
  return written.trim().replace(/ *\n[ \n]*/g, "\\\n");
}

function linkTarget(href: string): string | undefined {
  const read = readUrl(href);
  return read !== undefined && /^(?:https?|mailto):/i.test(read.url)
    ? escapeDestination(read.url)
    : undefined;
}
