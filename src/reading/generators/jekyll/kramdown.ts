import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { asRecord, asText } from "@docent/kernel/text/json";
import { type FenceOpening, fenceBehind, isBlank, isQuote } from "@docent/kernel/text/markdown-lines";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import { calloutKind, eachOutsideCode, type NameHeading, writeCallout } from "../writing/writing.ts";
import type { JekyllSettings } from "./settings.ts";

/** `{: .note #id key="value" }` on a line of its own says something of the block before or after it. */
const ATTRIBUTES = /^[ \t]*\{:[ \t]*([^{}]*)\}[ \t]*$/;
/** Other words to the parser: options, and `{:/comment}`. */
const EXTENSION = /^[ \t]*\{:(?::[^{}]*|\/[^{}]*)\}[ \t]*$/;
const UNSHOWN = /\{::options[^{}]*\/\}|\{::\/?nomarkdown\}|\{:\/(?:nomarkdown)?\}/g;
const INLINE = /(?<=[)\]*_`\w])\{:[ \t]*(?:[.#/][^{}]*|[\w-]+=[^{}]*)\}/g;

/** Turns kramdown's own marks into Markdown's: callouts, ids of headings; the rest only says how things look. */
export function plainKramdown(markdown: string, settings: JekyllSettings): string {
  const shown = replaceEnclosed(
    markdown,
    /\{::comment\}/,
    () => String.raw`\{:\/(?:comment)?\}`,
    () => "",
  );
  const lines = withShortTags(shown.replace(UNSHOWN, "")).split("\n");
  const out: string[] = [];
  const boxes = createBoxes(readsBoxes(markdown, settings));
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const said = fence === undefined ? ATTRIBUTES.exec(line)?.[1] : undefined;
    if (said !== undefined && !EXTENSION.test(line)) {
      at += takeAttributes(said, { lines, at, out, settings });
      continue;
    }
    if (fence === undefined && EXTENSION.test(line)) continue;
    if (fence === undefined) {
      const box = boxes.read(line);
      if (box !== undefined) {
        out.push(...box);
        continue;
      }
    }
    fence = fenceBehind(line, fence);
    out.push(fence === undefined ? line.replace(INLINE, "") : line);
  }
  return settings.isKramdown ? unwrapDefinitionLists(plainTables(out).join("\n")) : out.join("\n");
}

const NAMES = "div|section|details|aside|article|main|header|footer|nav|figure|center|form|fieldset";
const OPENING = new RegExp(`^[ \\t]*<(${NAMES})\\b([^<>]*)>(.*)$`);
const CLOSING = new RegExp(`^(.*)</(${NAMES})>[ \\t]*$`);
const BEGINS = new RegExp(`<(?:${NAMES})\\b`);
/** A tag that goes on for a few lines. */
const LONG_TAG = new RegExp(`^[ \\t]*<(?:${NAMES})\\b[^<>\\n]*(?:\\n[^<>\\n]*){1,8}>`, "gm");

const withShortTags = (markdown: string) =>
  /\bmarkdown\s*=/.test(markdown)
    ? eachOutsideCode(markdown, (part) => part.replace(LONG_TAG, (tag) => tag.replace(/\s*\n\s*/g, " ")))
    : markdown;

const ALL_BOXES = /\{::options[^{}]*\bparse_block_html\s*=\s*["']true["'][^{}]*\}/;

/** Whether what is in HTML boxes is Markdown where they do not say it. */
const readsBoxes = (markdown: string, { site }: JekyllSettings) =>
  asRecord(site["kramdown"])["parse_block_html"] === true || ALL_BOXES.test(markdown);

/** HTML boxes: what is in one with `markdown="1"` is Markdown, and after the end of one Markdown goes on at once. */
function createBoxes(isUsual: boolean) {
  const open: boolean[] = [];

  function begin(line: string, [, name = "", attributes = "", rest = ""]: RegExpExecArray) {
    const [, said] = /\bmarkdown\s*=\s*["']?(\w+)/.exec(attributes) ?? [];
    const isMarkdown = said === undefined ? isUsual : /^(?:1|block|span)$/.test(said);
    const words = rest.trim();
    if (!isMarkdown && words !== "") return undefined;
    const isWhole = words.endsWith(`</${name}>`);
    const isFold = name === "details";
    if (!isWhole) open.push(isMarkdown);
    if (!isMarkdown) return undefined;
    if (isFold) return isWhole ? ["", line, ""] : ["", `<details>${words}`, ...afterTitle(words)];
    const inside = isWhole ? words.slice(0, -name.length - 3).trim() : words;
    return inside === "" ? [""] : ["", inside, ...(isWhole ? [""] : [])];
  }

  function end(line: string, [, before = "", name = ""]: RegExpExecArray) {
    const hasWords = before.trim() !== "";
    if (hasWords && (open.at(-1) !== true || BEGINS.test(before))) return undefined;
    const wasMarkdown = open.pop() === true;
    if (!wasMarkdown) return [line, ""];
    return [...(hasWords ? [before.trimEnd()] : []), "", ...(name === "details" ? ["</details>", ""] : [])];
  }

  return {
    /** The lines in the place of one that begins or ends a box, or the title of one. */
    read(line: string): string[] | undefined {
      const opening = OPENING.exec(line);
      if (opening !== null) return begin(line, opening);
      const closing = CLOSING.exec(line);
      if (closing !== null) return end(line, closing);
      const isTitle = open.at(-1) === true && afterTitle(line).length > 0;
      return isTitle ? [line, ...afterTitle(line)] : undefined;
    },
  };
}

/** What follows the title of a part that unfolds is Markdown behind an empty line alone. */
const afterTitle = (line: string) => (/<\/summary>[ \t]*$/.test(line) ? [""] : []);

interface Place {
  lines: readonly string[];
  at: number;
  out: string[];
  settings: JekyllSettings;
}

/** Writes what a line of attributes makes of its block, and says how many further lines it took. */
function takeAttributes(said: string, { lines, at, out, settings }: Place): number {
  const before = out.at(-1) ?? "";
  const words = said.trim().split(/\s+/);
  if (/^toc\b/.test(said.trim()) && /^[ \t]*(?:[-*+]|\d+\.)\s/.test(before)) {
    out.pop();
    return 0;
  }
  const id = words.find((word) => word.startsWith("#"));
  if (id !== undefined && /^#{1,6}\s/.test(before)) {
    out[out.length - 1] = `${before.replace(/(?<!\s)\s*\{#[^{}]*\}\s*$/, "")} {${id}}`;
    return 0;
  }
  const callout = words.map((word) => calloutOf(word, settings)).find((each) => each !== undefined);
  const rest = callout === undefined || !isBlank(before) ? 0 : blockLength(lines, at + 1);
  if (callout === undefined || rest === 0) return 0;
  const block = lines.slice(at + 1, at + 1 + rest);
  const inner = block.every(isQuote) ? block.map((line) => line.replace(/^[ \t]*>[ ]?/, "")) : block;
  const [first = "", ...others] = inner;
  const text = callout.hasTitle ? others : inner;
  const title = callout.hasTitle ? first : callout.title;
  const nested = writeCallout({ kind: callout.kind, title, body: text.join("\n") }, { isNested: false });
  out.push(...nested.split("\n"), "");
  return rest;
}

/** The lines of the block that begins here. */
function blockLength(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !isBlank(lines[end] ?? "")) end++;
  return end - from;
}

interface Callout {
  kind: string;
  title: string | undefined;
  /** Whether the first line is its title. */
  hasTitle: boolean;
}

/** Just the Docs has the callouts that the configuration names, each with a form whose first line is its title. */
function calloutOf(word: string, { site }: JekyllSettings): Callout | undefined {
  if (!word.startsWith(".")) return undefined;
  const name = word.slice(1).replace(/-title$/, "");
  const hasTitle = word.endsWith("-title");
  const named = asRecord(site["callouts"])[name];
  const known = calloutKind(name);
  if (named === undefined && known === undefined) return undefined;
  return { kind: known ?? "note", title: asText(asRecord(named)["title"]), hasTitle };
}

/** Ids as kramdown makes them: a number is added without a look at what else is called so. */
export function createHeadingNames({ headingIds }: JekyllSettings): NameHeading {
  const counts = new Map<string, number>();
  return ({ words, source, given, isInTag }) => {
    if (given !== undefined && !isInTag) return given;
    if (headingIds === "none") return "";
    const text = source.includes("--") ? words.replace(/-{2,3}/g, "") : words;
    const stem = headingIds === "GFM" ? gfmId(text) : kramdownId(text);
    const count = counts.get(stem) ?? 0;
    counts.set(stem, count + 1);
    return count === 0 ? stem : `${stem}-${count}`;
  };
}

const gfmId = (words: string) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- \t]/gu, "")
    .replace(/[ \t]/g, "-");

function kramdownId(words: string): string {
  const plain = words
    .replace(/^[^a-zA-Z]+/, "")
    .replace(/[^a-zA-Z0-9 -]/g, "")
    .replaceAll(" ", "-")
    .toLowerCase();
  return plain === "" ? "section" : plain;
}

const DELIMITER = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A line that belongs to another block, whatever is in it. */
const OTHER_BLOCK = /^(?: {0,3}(?:[-*+>#]|\d{1,9}[.)])(?:\s|$)| {4}|\t| {0,3}<)/;
/** A blank line, or a heading. */
const BEFORE_TABLE = /^[ \t]*$|^#{1,6}\s/;
const COLUMNS_MAX = 100;

/**
 * Writes the tables that kramdown knows as Markdown does: the line below the head may have fewer columns than the others, a row
 * more than the head, and there may be no head at all.
 */
function plainTables(lines: readonly string[]): string[] {
  const out: string[] = [];
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (
      fence === undefined &&
      BEFORE_TABLE.test(out.at(-1) ?? "") &&
      hasBar(line) &&
      !OTHER_BLOCK.test(line)
    ) {
      const rows = rowsFrom(lines, at);
      out.push(...(writeTable(rows) ?? rows));
      at += rows.length - 1;
      continue;
    }
    fence = fenceBehind(line, fence);
    out.push(line);
  }
  return out;
}

function rowsFrom(lines: readonly string[], from: number): string[] {
  let end = from;
  while (end < lines.length && hasBar(lines[end] ?? "")) end++;
  return lines.slice(from, end);
}

/** Undefined where the table is one already, or is none. */
function writeTable(rows: readonly string[]): string[] | undefined {
  const [first = "", second = ""] = rows;
  const widths = rows.map((row) => cellsOf(row).length);
  const columns = Math.max(...widths);
  const hasHead = DELIMITER.test(second) && !DELIMITER.test(first);
  if (columns > COLUMNS_MAX) return undefined;
  if (hasHead) {
    if (widths[0] === columns && widths[1] === columns) return undefined;
    const delimiters = [...cellsOf(second).map((cell) => cell.trim() || "---"), ...blanks(columns, "---")];
    return [wide(first, columns), rowOf(delimiters.slice(0, columns)), ...rows.slice(2)];
  }
  // A bar in a paragraph is a table to kramdown; to whoever wrote it, only where there are rows of them.
  if (rows.length < 2 || rows.some((row) => DELIMITER.test(row)) || new Set(widths).size > 1 || columns < 2)
    return undefined;
  return [rowOf(blanks(columns, " ")), rowOf(blanks(columns, "---")), ...rows];
}

const blanks = (count: number, cell: string) => Array.from({ length: count }, () => cell);
const rowOf = (cells: readonly string[]) => `|${cells.join("|")}|`;
const wide = (row: string, columns: number) =>
  rowOf([...cellsOf(row), ...blanks(columns, " ")].slice(0, columns));

const hasBar = (line: string) => line.includes("|") && (cellsOf(line).length > 1 || /^[ \t]*\|/.test(line));

/** The cells of a row. A bar in code, or behind a backslash, is none of the table's. */
function cellsOf(row: string): string[] {
  const cells = [""];
  for (const [piece = ""] of row.trim().matchAll(/\\.|(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|[\s\S]/g)) {
    if (piece === "|") cells.push("");
    else cells[cells.length - 1] += piece;
  }
  if (cells.length > 1 && cells[0]?.trim() === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells;
}
