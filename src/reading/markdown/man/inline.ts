import { safeLink } from "@docent/kernel/text/safe-url";
import { codeSpan, escapeDestination, escapeInline, escapeLabel } from "@docent/kernel/text/write-markdown";
import type { Run } from "./escapes.ts";

/** Finds the page that `name(section)` means: where it leads, from the page that says so. */
export type PageLink = (name: string, section: string) => string | undefined;

/** A part of a line that is written in one way. */
interface Part {
  from: number;
  end: number;
  write: (before: string, after: string) => string;
}

const REFERENCE = /(?<![\w./:@-])([A-Za-z0-9_[][\w.+:@[-]{0,80})\(([1-9n][a-z]{0,9})\)/g;
/** What looks like something that is typed, or is the name of a file, and not like a word. */
const LIKE_CODE = /^[-/~.$@+]\S|[_=/\\$<>{}|[\]#@%^]|\w\.\w|::|\w\(\)|\s-/;
const WORD = /[\p{L}\p{N}]/u;
const CLOSES: Readonly<Record<string, string>> = { "]": "[", ")": "(", "}": "{", ">": "<" };

/** The plain words of runs. */
export const wordsOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");

/** Whether any of the words are set in a font of their own. */
export const isSet = (run: Run | undefined) =>
  run !== undefined && run.font !== "R" && run.text.trim() !== "";

/** Writes a line as Markdown: what is to be typed as code, and names of other pages as links. */
export function writeRuns(runs: readonly Run[], link: PageLink | undefined): string {
  const text = wordsOf(runs);
  const parts = partsOf(merged(runs), text, link);
  const written: string[] = [];
  let at = 0;
  for (const { from, end, write } of parts) {
    if (from < at) continue;
    written.push(
      escapeInline(text.slice(at, from), text.charAt(at - 1)),
      write(text.charAt(from - 1), text.charAt(end)),
    );
    at = end;
  }
  written.push(escapeInline(text.slice(at), text.charAt(at - 1)));
  return written.join("").replace(/\s+/g, " ").trim();
}

/** Runs of one font beside each other as one. */
function merged(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last?.font === run.font && last.href === run.href) last.text += run.text;
    else all.push({ ...run });
  }
  return all;
}

function partsOf(runs: readonly Run[], text: string, link: PageLink | undefined): Part[] {
  const parts: Part[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [words, name = "", section = ""] = match;
    const href = link?.(name, section);
    // What is no page here is plain, in whatever font its parts are.
    const write = () =>
      href === undefined ? escapeInline(words, " ") : `[${escapeLabel(words)}](${escapeDestination(href)})`;
    parts.push({ from: match.index, end: match.index + words.length, write });
  }
  const references = [...parts];
  for (const part of regionsOf(runs, text)) parts.push(...outside(part, references, text));
  return parts.sort((a, b) => a.from - b.from);
}

/** Words that belong together with the fonts that they are set in. */
interface Region {
  from: number;
  end: number;
  fonts: Set<Run["font"]>;
  href: string | undefined;
}

function regionsOf(runs: readonly Run[], text: string): Region[] {
  const regions: Region[] = [];
  let at = 0;
  for (const { text: words, font, href } of runs) {
    const from = at + words.length - words.trimStart().length;
    const end = at + words.trimEnd().length;
    at += words.length;
    if (end <= from || (font === "R" && href === undefined)) continue;
    const last = regions.at(-1);
    const isGlued =
      last !== undefined &&
      href === last.href &&
      !/\s/.test(text.slice(last.end, from)) &&
      from - last.end < 40;
    if (isGlued) {
      last.end = end;
      last.fonts.add(font);
      if (last.end > from && from > 0) last.fonts.add(font);
    } else regions.push({ from, end, fonts: new Set([font]), href });
  }
  return regions.map((region) => ({ ...region, end: withClosing(text, region) }));
}

/** Brackets that are opened within are closed within. */
function withClosing(text: string, { from, end }: Region): number {
  const open: string[] = [];
  for (const sign of text.slice(from, end)) {
    if ("[({<".includes(sign)) open.push(sign);
    else if (open.length > 0 && CLOSES[sign] === open.at(-1)) open.pop();
  }
  let at = end;
  while (open.length > 0) {
    const sign = text.charAt(at);
    if (CLOSES[sign] === open.at(-1)) open.pop();
    else if (sign !== "." || !/^\.{2,3}[\])}>]/.test(text.slice(at, at + 4))) {
      if (sign !== "." || !text.slice(at - 2, at + 1).includes("..")) break;
    }
    at += 1;
  }
  return at;
}

/** A region without what is written in another way already. */
function outside(region: Region, references: readonly Part[], text: string): Part[] {
  const parts: Part[] = [];
  let from = region.from;
  const add = (end: number) => {
    const words = text.slice(from, end).trim();
    if (words === "") return;
    const start = text.indexOf(words, from);
    parts.push({
      from: start,
      end: start + words.length,
      write: (before, after) => writeRegion(words, region, before, after),
    });
  };
  if (region.href === undefined)
    for (const { from: at, end } of references) {
      if (end <= from || at >= region.end) continue;
      if (at > from) add(at);
      from = Math.max(from, end);
    }
  if (from < region.end) add(region.end);
  return parts;
}

function writeRegion(words: string, { fonts, href }: Region, before: string, after: string): string {
  if (href !== undefined) {
    const safe = safeLink(href);
    return safe === undefined
      ? escapeInline(words, before)
      : `[${escapeLabel(words)}](${escapeDestination(safe)})`;
  }
  const isMixed = fonts.size > 1;
  const isTyped = fonts.has("C") || LIKE_CODE.test(words) || (isMixed && fonts.has("B"));
  // Marks count only where they stand as the words' marks do.
  const isBound =
    (WORD.test(before) && !WORD.test(words.charAt(0))) ||
    (WORD.test(after) && !WORD.test(words.charAt(words.length - 1)));
  if (isTyped || isBound) return codeSpan(words.replace(/\s+/g, " "));
  if (isMixed) return escapeInline(words, before);
  const mark = fonts.has("B") ? "**" : "*";
  return `${mark}${escapeInline(words, "*")}${mark}`;
}
