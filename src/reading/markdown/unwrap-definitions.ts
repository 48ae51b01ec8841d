import { type FenceOpening, fenceBehind, indentOf } from "@docent/kernel/text/markdown-lines";
import { type Definition, writeDefinitions } from "./definition-list.ts";
import { scanBlocks } from "./md/md.ts";

const ANY = /^ {0,3}:[ \t]+\S/m;
const DEFINITION = /^( {0,3}:[ \t]+)(\S.*)$/;
/** What no term begins with: it is another block. */
const OTHER = /^(?:\s|[-*+>|<]\s|[#>|<:]|\d{1,9}[.)]\s|!!!|\?\?\?|===|```|~~~|\[\^?[^\]]+\]:|\{[%{.#:])/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const TERMS_MAX = 5;
const TERM_CHARACTERS_MAX = 300;
const INDENT = 4;

/** A definition as it is found, and the line behind it. */
interface Found {
  definition: Definition;
  end: number;
}

/** How a generator's program reads definition lists. */
interface DefinitionReading {
  /** Whether a definition may follow a heading, which is its term: Python-Markdown takes it so. */
  afterHeadings?: boolean;
}

/**
 * Writes definition lists (a term, and lines below it that begin with a colon) as Docent's own. For generators that have
 * them: to others, such lines are words.
 */
export function unwrapDefinitionLists(
  markdown: string,
  { afterHeadings = false }: DefinitionReading = {},
): string {
  if (!ANY.test(markdown)) return markdown;
  const lines = markdown.split("\n");
  const out: string[] = [];
  let fence: FenceOpening | undefined;
  let headingAbove = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const isInside = fence !== undefined;
    fence = fenceBehind(line, fence);
    const isCode = isInside || fence !== undefined;
    const list: ReturnType<typeof readList> =
      isCode || isText(lines[at - 1]) ? undefined : readList(lines, at, headingAbove);
    if (afterHeadings && line.trim() !== "")
      headingAbove = !isCode && list === undefined && HEADING.test(line);
    out.push(...(list === undefined ? [line] : ["", ...list.lines, ""]));
    at = list?.end ?? at + 1;
  }
  return out.join("\n");
}

/** A term does not begin within a paragraph. */
const isText = (line: string | undefined) => line !== undefined && line.trim() !== "" && !OTHER.test(line);

function readList(
  lines: readonly string[],
  start: number,
  headingAbove: boolean,
): { lines: string[]; end: number } | undefined {
  if (headingAbove && DEFINITION.test(lines[start] ?? "")) {
    const { inside, end } = readInside(lines, start);
    return { lines: inside.join("\n\n").split("\n"), end };
  }
  const definitions: Definition[] = [];
  let end = start;
  for (let found = readDefinition(lines, start); found !== undefined; ) {
    definitions.push(found.definition);
    end = found.end;
    found = readDefinition(lines, nextText(lines, end));
  }
  if (definitions.length === 0) return undefined;
  return { lines: writeDefinitions(definitions).join("\n\n").split("\n"), end };
}

function nextText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === "") at++;
  return at;
}

function readDefinition(lines: readonly string[], start: number): Found | undefined {
  let at = start;
  while (isTerm(lines[at]) && at - start < TERMS_MAX) at++;
  const terms = lines.slice(start, at);
  // One empty line may stand between a term and what it means.
  if (terms.length > 0 && lines[at]?.trim() === "") at++;
  if (terms.length === 0 || !DEFINITION.test(lines[at] ?? "")) return undefined;
  const { inside, end } = readInside(lines, nextText(lines, at));
  const blocks = inside.flatMap(blocksOf);
  return { definition: { terms: terms.map((term) => term.trim()), blocks }, end };
}

/** What definitions say that follow each other, without their marks, and the line behind them. */
function readInside(lines: readonly string[], start: number): { inside: string[]; end: number } {
  const inside: string[] = [];
  let end = start;
  for (let at = start; DEFINITION.test(lines[at] ?? ""); at = nextText(lines, end)) {
    end = endOfDefinition(lines, at);
    const [first = "", ...rest] = lines.slice(at, end);
    const [, , words = ""] = DEFINITION.exec(first) ?? [];
    inside.push([words, ...rest.map(withoutIndent)].join("\n").trimEnd());
  }
  return { inside, end };
}

const isTerm = (line: string | undefined) =>
  line !== undefined && line.trim() !== "" && line.length <= TERM_CHARACTERS_MAX && !OTHER.test(line);

/** A definition goes on to the end of its paragraph, and with what is indented behind it. */
function endOfDefinition(lines: readonly string[], start: number): number {
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const isBehindBlank = lines[at - 1]?.trim() === "";
    const goesOn = indentOf(line) >= INDENT || (!isBehindBlank && isLazy(line, lines[at + 1]));
    if (!goesOn) break;
    end = at + 1;
  }
  return end;
}

/** A line without an indent that belongs to the paragraph above it, and is no term of the next definition. */
const isLazy = (line: string, next: string | undefined) =>
  (indentOf(line) > 0 || !OTHER.test(line)) && !DEFINITION.test(line) && !DEFINITION.test(next ?? "");

const withoutIndent = (line: string) => line.replace(/^(?: {1,4}|\t)/, "");

const blocksOf = (markdown: string) => {
  const lines = markdown.split("\n");
  return scanBlocks(markdown).map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine).join("\n"));
};
