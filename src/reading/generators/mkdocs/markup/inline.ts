import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";

import { EMOJI_SIGNS } from "./emoji-signs.ts";

/** Which of the marks are read: those of extensions that are on. */
interface InlineMarks {
  attributes: boolean;
  abbreviations: boolean;
  emoji: boolean;
  keys: boolean;
  highlights: boolean;
  inserts: boolean;
  subscripts: boolean;
  critic: boolean;
  codeLanguages: boolean;
  markdownInHtml: boolean;
}

/** Extensions that are several at once. */
const EXTRA = ["extra", "pymdownx.extra"];

export const marksOf = (extensions: ReadonlyMap<string, unknown>): InlineMarks => ({
  attributes: EXTRA.some((name) => extensions.has(name)) || extensions.has("attr_list"),
  abbreviations: EXTRA.some((name) => extensions.has(name)) || extensions.has("abbr"),
  emoji: extensions.has("pymdownx.emoji"),
  keys: extensions.has("pymdownx.keys"),
  highlights: extensions.has("pymdownx.mark"),
  inserts: extensions.has("pymdownx.caret"),
  subscripts: extensions.has("pymdownx.tilde"),
  critic: extensions.has("pymdownx.critic"),
  codeLanguages: extensions.has("pymdownx.inlinehilite"),
  markdownInHtml: ["md_in_html", ...EXTRA].some((name) => extensions.has(name)),
});

const ABBREVIATION = /^ {0,3}\*\[[^\]\n]{1,200}\]: ?.*$/;
const ATTRIBUTES =
  /(?<![ \t])[ \t]*\{:?[ \t]*((?:[.#][\w:.-]|[\w-]{1,50}=|data-[\w-]{1,50})[^{}\n]{0,500}?)(?<![ \t])[ \t]*\}/g;
const HEADING = /^ {0,3}#{1,6}/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const CODE = /(`+)(?!`)((?:(?!\1)[^\n]|(?<=`)\1`){1,5000}?)\1(?!`)/g;

/**
 * Turns what only this generator's extensions read within lines into plain Markdown. Returns the ids that attributes
 * give too.
 */
export function readInline(markdown: string, marks: InlineMarks): { markdown: string; ids: string[] } {
  const lines = markdown.split("\n");
  const definitions = lastDefinitions(lines);
  const ids: string[] = [];
  const out: string[] = [];
  const tags: string[] = [];
  let fence: FenceOpening | undefined;
  for (const [index, line] of lines.entries()) {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      out.push(line);
      continue;
    }
    fence = fenceOpening(line);
    if (fence !== undefined) {
      out.push(line);
      continue;
    }
    if (marks.abbreviations && ABBREVIATION.test(line)) continue;
    const label = DEFINITION.exec(line)?.[1]?.toLowerCase();
    if (label !== undefined && definitions.get(label) !== index) continue;
    if (/^ {0,3}\[TOC\][ \t]*$/.test(line)) continue;
    const isHeading = HEADING.test(line) || (line.trim() !== "" && UNDERLINE.test(lines[index + 1] ?? ""));
    // This generator wants no space behind the marks.
    const spaced = line.replace(/^#{1,6}(?=[^#\s])/, "$& ");
    const unwrapped = marks.markdownInHtml && line.includes("<") ? withoutMarkdownTags(spaced, tags) : spaced;
    out.push(lineOf(unwrapped, { marks, ids, isHeading }));
  }
  return { markdown: out.join("\n"), ids };
}

const DEFINITION = /^ {0,3}\[(?!\^)([^\]\n]{1,300})\]:[ \t]*\S/;

/** Of definitions of the same link, this generator takes the last one, where others take the first. */
function lastDefinitions(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const label = line.includes("]:") ? DEFINITION.exec(line)?.[1] : undefined;
    if (label !== undefined) found.set(label.toLowerCase(), index);
  }
  return found;
}

interface LineReading {
  marks: InlineMarks;
  ids: string[];
  isHeading: boolean;
}

/** A line, whose code is left alone. */
function lineOf(line: string, reading: LineReading): string {
  if (!line.includes("`")) return textOf(line, reading);
  const pieces: string[] = [];
  let at = 0;
  for (const match of line.matchAll(CODE)) {
    pieces.push(textOf(line.slice(at, match.index), { ...reading, isHeading: false }));
    pieces.push(reading.marks.codeLanguages ? match[0].replace(/^(`+)(?:#!|:::)[\w+-]+ /, "$1") : match[0]);
    at = match.index + match[0].length;
  }
  return [...pieces, textOf(line.slice(at), reading)].join("");
}

function textOf(text: string, { marks, ids, isHeading }: LineReading): string {
  let read = text;
  if (marks.attributes && read.includes("{")) read = withoutAttributes(read, ids, isHeading);
  if (marks.emoji && read.includes(":")) read = read.replace(EMOJI, withSign);
  if (marks.keys && read.includes("++")) read = read.replace(KEYS, (_, keys: string) => keyNames(keys));
  if (marks.critic && read.includes("{")) read = withoutCritic(read);
  if (marks.highlights && read.includes("=="))
    read = read.replace(/==(?=[^\s=])([^=\n]{1,500}?)(?<=\S)==(?!=)/g, "$1");
  if (marks.inserts && read.includes("^")) read = withoutCarets(read);
  if (marks.subscripts && read.includes("~"))
    read = read.replace(/(?<![~\\])~(?=[^\s~])([^\s~]{1,100})~(?!~)/g, "$1");
  return read;
}

/** Attributes are nothing to read, but a heading's id is written at its end. */
function withoutAttributes(text: string, ids: string[], isHeading: boolean): string {
  let own: string | undefined;
  const rest = text.replace(ATTRIBUTES, (_, inside: string) => {
    const [, mark, named] = /(?:^|\s)(?:#([^\s{}#]{1,200})|id=["']?([^\s"'{}]{1,200}))/.exec(inside) ?? [];
    const id = mark ?? named;
    if (id !== undefined) {
      ids.push(id);
      own = id;
    }
    return "";
  });
  return isHeading && own !== undefined ? `${rest.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, "")} {#${own}}` : rest;
}

const EMOJI = /(?<![\w:]):([a-z0-9][a-z0-9_+-]{0,80}|[+-]1):(?![\w:])( ?)/g;
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [
    /(?:^|[-_])(?:check|check_mark|check-circle|check-bold|thumbs_?up)(?:-\d+|-circle)?$|^\+1$|check_mark/,
    "✓",
  ],
  [/(?:^|[-_])(?:close|x|cross_mark|negative_squared_cross_mark|close-circle)(?:-\d+)?$/, "✗"],
  [/(?:^|[-_])warning$/, "⚠"],
];

/** A sign that means something in a table; most are ornaments. */
const signOf = (name: string) => EMOJI_SIGNS[name] ?? SIGNS.find(([names]) => names.test(name))?.[1] ?? "";

/** A list's item that begins with an ornament would otherwise begin with two spaces. */
function withSign(_: string, name: string, space: string): string {
  const sign = signOf(name);
  return sign === "" ? "" : sign + space;
}

const KEYS = /\+\+((?:[\w-]{1,50}|"[^"\n]{1,50}")(?:\+(?:[\w-]{1,50}|"[^"\n]{1,50}"))*)\+\+/g;
const KEY_NAMES: Readonly<Record<string, string>> = {
  cmd: "Cmd",
  ctrl: "Ctrl",
  control: "Ctrl",
  alt: "Alt",
  del: "Del",
  esc: "Esc",
  "page-up": "Page Up",
  "page-down": "Page Down",
  "arrow-up": "Up",
  "arrow-down": "Down",
  "arrow-left": "Left",
  "arrow-right": "Right",
};

const keyNames = (keys: string) =>
  keys
    .split("+")
    .map((key) => {
      if (key.startsWith('"')) return key.slice(1, -1);
      const words = key.replaceAll("-", " ");
      return KEY_NAMES[key] ?? words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    })
    .join("+");

const withoutCritic = (text: string) =>
  text
    .replace(/\{--[^{}\n]{0,500}--\}/g, "")
    .replace(/\{(?:\+\+|==)([^{}\n]{0,500}?)(?:\+\+|==)\}/g, "$1")
    .replace(/\{>>[^{}\n]{0,500}<<\}/g, "")
    .replace(/\{~~[^{}\n]{0,500}?~>([^{}\n]{0,500}?)~~\}/g, "$1");

const withoutCarets = (text: string) =>
  text
    .replace(/\^\^(?=[^\s^])([^^\n]{1,500}?)(?<=\S)\^\^/g, "$1")
    .replace(/(?<![\\^[])\^(?=[^\s^])([^\s^\]]{1,100})\^(?!\^)/g, "$1");

const OPENING_TAG =
  /^[ \t]*<([a-z]+)\b[^<>]{0,500}?\smarkdown(?:=["']?\w+["']?)?(?=[\s>/])[^<>]{0,500}>[ \t]*$/i;
const ATTRIBUTE = /(<[a-z]+\b[^<>]{0,500}?)\smarkdown(?:=["']?\w+["']?)?(?=[\s>/])/gi;

/** Elements with the attribute `markdown` are taken off: what is in them is Markdown. */
function withoutMarkdownTags(line: string, tags: string[]): string {
  const opening = OPENING_TAG.exec(line)?.[1];
  if (opening !== undefined) {
    tags.push(opening);
    return "";
  }
  const last = tags.at(-1);
  if (last !== undefined) {
    if (line.trim() === `</${last}>`) {
      tags.pop();
      return "";
    }
    const summary = /^[ \t]*<summary>(.{0,500})<\/summary>[ \t]*$/.exec(line)?.[1];
    if (summary !== undefined) return `**${summary.trim()}**\n`;
  }
  return line.replace(ATTRIBUTE, "$1");
}
