import { type CodeSpans, findCodeSpans } from "@docent/kernel/text/code-spans";
import { closesFence, fenceOpening, indentOf } from "@docent/kernel/text/markdown-lines";
import { codeFence, codeSpan } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { decodeEntities } from "../html-text.ts";
import { unwrapMaths } from "../maths.ts";
import { type ImportedImages, importedImages, withImageSource } from "./images.ts";
import { expressionEnd, type ScanBudget, statementEnd } from "./scan.ts";
import { type JsxTag, readTag } from "./tag.ts";
import {
  codeOf,
  containerOf,
  droppedOf,
  expressionWords,
  headingOf,
  type PropertyCode,
  tagGap,
  tagWords,
  tailWords,
} from "./words.ts";

export { isMdx } from "./is-mdx.ts";
export { expressionEnd } from "./scan.ts";

/** MDX converted to Markdown: what a reader would see, as far as that can be told without running it. */
interface UnwrappedMdx {
  markdown: string;
  faults: string[];
}

interface OpenElement {
  name: string;
  /** The indent, in the output, of the line on which the element opened. */
  outerIndent: number;
  /** How far its lines are shifted left; known from its first line with words. */
  shift: number | undefined;
  /** Words to write where it closes. */
  tail: string;
  /** Whether it is written as a container, which has to be closed. */
  isContainer: boolean;
}

interface Scan {
  source: string;
  at: number;
  out: string[];
  /** The indent of the current line, in the output. */
  indent: number;
  /** Whether the current output line has words already. */
  lineHasWords: boolean;
  /** Whether the output is empty or ends with a blank line. */
  previousLineBlank: boolean;
  elements: OpenElement[];
  budget: ScanBudget;
  spans: CodeSpans;
  nesting: number;
  page: MdxPage;
}

/** What is known of the whole page. */
interface MdxPage {
  frontMatter: Record<string, unknown>;
  images: ImportedImages;
  /** Whether a comment at the end of a heading is its id: `{/*id*\/}`, as in React's docs. */
  hasBareIds: boolean;
  /** The attributes of components that are not shown, by the components' names. */
  dropped: Map<string, Set<string>>;
}

const COMPONENTS_NAMED_MAX = 20;
const ATTRIBUTES_NAMED_MAX = 8;
const MAX_OPEN_ELEMENTS = 100;
const MAX_EXPRESSION_NESTING = 5;
const HEADING_CHARACTERS_MAX = 1_000;
const SPECIAL = /[\\`<{\n]/g;
const ESM =
  /(?:import\s*(?:["'{*]|type\s|[\w$]+\s*(?:,|from\s))|export\s+(?:const|let|var|function|async|class|default|type|interface|enum|\{|\*))/y;

/** Removes imports, exports, tags and comments from MDX and keeps the words. Broken JSX stays as text. */
export function unwrapMdx(
  source: string,
  frontMatter: Record<string, unknown> = {},
  { hasBareIds = false }: { hasBareIds?: boolean } = {},
): UnwrappedMdx {
  const budget = { left: source.length * 8 + 10_000 };
  const page = { frontMatter, images: importedImages(source), hasBareIds, dropped: new Map() };
  const markdown = unwrap(unwrapMaths(source), page, budget, 0);
  const tangled = "JSX is too tangled to be taken apart; some of it is kept as text";
  return { markdown, faults: [...(budget.left > 0 ? [] : [tangled]), ...faultsOf(page)] };
}

function faultsOf({ dropped }: MdxPage): string[] {
  return [...dropped].map(([name, attributes]) => {
    const named = [...attributes].slice(0, ATTRIBUTES_NAMED_MAX);
    return `<${name}> is not known: ${named.join(", ")} ${named.length === 1 ? "is" : "are"} not shown`;
  });
}

function unwrap(source: string, page: MdxPage, budget: ScanBudget, nesting: number): string {
  const scan: Scan = {
    source,
    at: 0,
    out: [],
    indent: 0,
    lineHasWords: false,
    previousLineBlank: true,
    elements: [],
    budget,
    spans: findCodeSpans(source),
    nesting,
    page,
  };
  let lineStart = true;
  while (scan.at < source.length) {
    if (lineStart && takeLineStart(scan)) continue;
    lineStart = takeInline(scan);
  }
  return scan.out.join("");
}

/** Handles what only counts at the start of a line. True when it consumed the line. */
function takeLineStart(scan: Scan): boolean {
  const line = lineAt(scan.source, scan.at);
  scan.indent = 0;
  scan.lineHasWords = false;
  if (line.trim() === "") {
    putBlankLine(scan);
    scan.at += line.length + 1;
    return true;
  }
  if (fenceOpening(line)) return copyFence(scan, line);
  if (scan.previousLineBlank && isStatement(scan)) return skipStatement(scan);
  const width = line.length - line.trimStart().length;
  const columns = indentOf(line);
  const element = scan.elements.at(-1);
  const closes = line.startsWith("</", width);
  if (element && element.shift === undefined && !closes)
    element.shift = Math.max(0, columns - element.outerIndent);
  scan.indent = Math.max(0, columns - shiftOf(scan, closes));
  scan.at += width;
  return false;
}

/** A closing tag is aligned with its opening one, so the shift of the surrounding element applies. */
function shiftOf(scan: Scan, closes: boolean): number {
  return scan.elements.at(closes ? -2 : -1)?.shift ?? 0;
}

function copyFence(scan: Scan, opening: string): boolean {
  const fence = fenceOpening(opening);
  const element = scan.elements.at(-1);
  if (element && element.shift === undefined)
    element.shift = Math.max(0, indentOf(opening) - element.outerIndent);
  const shift = element?.shift ?? 0;
  for (let first = true; scan.at < scan.source.length; first = false) {
    const line = lineAt(scan.source, scan.at);
    const columns = indentOf(line);
    const kept =
      columns === 0 || shift === 0 ? line : " ".repeat(Math.max(0, columns - shift)) + line.trimStart();
    scan.out.push(kept, "\n");
    scan.at += line.length + 1;
    if (!first && fence && closesFence(line, fence)) break;
  }
  scan.previousLineBlank = false;
  return true;
}

function isStatement(scan: Scan): boolean {
  ESM.lastIndex = scan.at;
  return ESM.test(scan.source);
}

function skipStatement(scan: Scan): boolean {
  scan.at = statementEnd(scan.source, scan.at, scan.budget) + 1;
  putBlankLine(scan);
  return true;
}

/** Removed tags leave many blank lines: one is enough. */
function putBlankLine(scan: Scan): void {
  if (!scan.previousLineBlank) scan.out.push("\n");
  scan.previousLineBlank = true;
}

/** Writes words up to the next special character, and handles that. True at the end of a line. */
function takeInline(scan: Scan): boolean {
  SPECIAL.lastIndex = scan.at;
  const next = SPECIAL.exec(scan.source)?.index ?? scan.source.length;
  if (next > scan.at) {
    copy(scan, next);
    return false;
  }
  const character = scan.source.charAt(scan.at);
  if (character === "\n") {
    endLine(scan);
    scan.at += 1;
    return true;
  }
  if (character === "\\") copy(scan, scan.source.charAt(scan.at + 1) === "\n" ? scan.at + 1 : scan.at + 2);
  else if (character === "`") copy(scan, scan.spans.endOf(scan.at) ?? afterBackticks(scan));
  else if (character === "<") takeTag(scan);
  else takeExpression(scan);
  return false;
}

function copy(scan: Scan, end: number): void {
  put(scan, scan.source.slice(scan.at, end));
  scan.at = end;
}

function put(scan: Scan, words: string): void {
  if (words === "") return;
  if (!scan.lineHasWords) scan.out.push(" ".repeat(scan.indent));
  scan.out.push(words);
  scan.lineHasWords = true;
}

/** A line with nothing but tags becomes a blank one. */
function endLine(scan: Scan): void {
  if (!scan.lineHasWords) {
    putBlankLine(scan);
    return;
  }
  scan.out.push("\n");
  scan.lineHasWords = false;
  scan.previousLineBlank = false;
}

function afterBackticks(scan: Scan): number {
  let end = scan.at;
  while (scan.source.charAt(end) === "`") end += 1;
  return end;
}

function takeTag(scan: Scan): void {
  if (scan.source.startsWith("<!--", scan.at)) {
    const end = scan.source.indexOf("-->", scan.at);
    copy(scan, end < 0 ? scan.source.length : end + 3);
    return;
  }
  const read = readTag(scan.source, scan.at, scan.budget);
  if (read === undefined) {
    copy(scan, scan.at + 1);
    return;
  }
  const tag = withImageSource(read, scan.page.images);
  const inline = inlineAt(scan, tag);
  scan.at = inline?.end ?? tag.end;
  if (inline !== undefined) {
    put(scan, placeOf(tag) + inline.markdown);
    return;
  }
  if (takeHeading(scan, tag)) return;
  putPlace(scan, tag);
  if (takeContainer(scan, tag)) return;
  putWords(scan, tag);
  for (const code of codeOf(tag)) putCode(scan, code);
  noteDropped(scan.page, tag);
  if (tag.kind === "open" && (tag.name === "style" || tag.name === "script")) skipElement(scan, tag.name);
  else if (tag.kind === "open") openElement(scan, tag);
  else if (tag.kind === "close") closeElement(scan, tag.name);
}

/** The mark of the place that a tag is. */
const placeOf = ({ kind, name, attributes }: JsxTag) =>
  kind === "close"
    ? ""
    : placeMark(attributes.get("id") ?? (name === "a" ? attributes.get("name") : undefined) ?? "");

/** Marks the place that a tag is: apart from what is in it, where that may be a block. */
function putPlace(scan: Scan, tag: JsxTag): void {
  const mark = placeOf(tag);
  if (mark === "") return;
  const isApart = !scan.lineHasWords && tagGap(tag) !== "";
  put(scan, mark);
  if (!isApart) return;
  endLine(scan);
  putBlankLine(scan);
}

/** A short link or code element with plain words becomes Markdown; of any other only the words are kept. */
function inlineAt(scan: Scan, tag: JsxTag): { markdown: string; end: number } | undefined {
  const href = tag.attributes.get("href") ?? "";
  const isLink = tag.name === "a" && /^[^\s()<>]+$/.test(href);
  if (tag.kind !== "open" || !(isLink || tag.name === "code")) return undefined;
  const near = scan.source.slice(tag.end, tag.end + 400);
  const length = near.indexOf("<");
  const closing = `</${tag.name}>`;
  const inside = near.slice(0, Math.max(0, length)).trim();
  if (inside === "" || /[[\]{}`]|\n\s*\n/.test(inside) || !near.startsWith(closing, length)) return undefined;
  const words = inside.replace(/\s+/g, " ");
  // Entities are not decoded inside Markdown's code.
  const markdown = isLink ? `[${words}](${href})` : `\`${decodeEntities(words)}\``;
  return { markdown, end: tag.end + length + closing.length };
}

/** Turns an `<h2 id="x">…</h2>` at the start of a line into a Markdown heading with its anchor. */
function takeHeading(scan: Scan, tag: JsxTag): boolean {
  const heading = scan.lineHasWords ? undefined : headingOf(tag);
  if (heading === undefined) return false;
  const near = scan.source.slice(scan.at, scan.at + HEADING_CHARACTERS_MAX);
  const length = near.indexOf(`</${tag.name}>`);
  const words =
    length < 0 ? undefined : unwrapInside(scan, near.slice(0, length))?.replace(/\s+/g, " ").trim();
  if (words === undefined || words === "") return false;
  const id = heading.id === undefined ? "" : ` {#${heading.id}}`;
  putBlankLine(scan);
  put(scan, `${"#".repeat(heading.level)} ${words}${id}`);
  endLine(scan);
  putBlankLine(scan);
  scan.at += length + tag.name.length + 3;
  return true;
}

/** Writes a callout or a tab that is a block of its own as a container. */
function takeContainer(scan: Scan, tag: JsxTag): boolean {
  const isBlock = !scan.lineHasWords && scan.indent === 0 && scan.nesting === 0;
  const opening = isBlock && scan.elements.length < MAX_OPEN_ELEMENTS ? containerOf(tag) : undefined;
  if (opening === undefined) return false;
  putLine(scan, opening);
  openElement(scan, tag, true);
  return true;
}

function putLine(scan: Scan, words: string): void {
  if (scan.lineHasWords) endLine(scan);
  scan.indent = 0;
  putBlankLine(scan);
  put(scan, words);
  endLine(scan);
  putBlankLine(scan);
}

function putWords(scan: Scan, tag: JsxTag): void {
  const words = tagWords(tag);
  if (words === "") {
    const next = scan.source.charAt(scan.at);
    const isApart =
      /\s$/.test(scan.out.at(-1) ?? "") ||
      /\s/.test(next) ||
      (tag.kind === "close" && /[.,;:!?)]/.test(next));
    if (scan.lineHasWords && !isApart) scan.out.push(tagGap(tag));
    return;
  }
  // A component at the start of a line is a block; inside a sentence it adds to the sentence.
  if (scan.lineHasWords) {
    scan.out.push(` ${words.replaceAll("\n\n", " ")} `);
    return;
  }
  putBlankLine(scan);
  for (const paragraph of words.split("\n\n")) {
    put(scan, paragraph);
    endLine(scan);
    putBlankLine(scan);
  }
}

/** Writes code that a component has in an attribute: in the sentence that it stands in, or under the attribute's name. */
function putCode(scan: Scan, { name, texts }: PropertyCode): void {
  const text = texts.join("\n");
  if (scan.lineHasWords) {
    scan.out.push(` ${codeSpan(text.replace(/\s+/g, " ").trim())} `);
    return;
  }
  putBlankLine(scan);
  if (texts.length > 1 || !text.trim().includes("\n")) {
    put(scan, `${name}: ${texts.map((each) => codeSpan(each.trim())).join(", ")}`);
    endLine(scan);
  } else {
    const indent = " ".repeat(scan.indent);
    const lines = codeFence(text.replace(/^\s*\n|\s+$/g, "")).split("\n");
    scan.out.push(...lines.map((line) => (line === "" ? "\n" : `${indent}${line}\n`)));
    scan.previousLineBlank = false;
  }
  putBlankLine(scan);
}

function noteDropped({ dropped }: MdxPage, tag: JsxTag): void {
  const names = droppedOf(tag);
  const known = dropped.get(tag.name) ?? new Set();
  if (names.length === 0 || dropped.size >= COMPONENTS_NAMED_MAX) return;
  for (const name of names) known.add(name);
  dropped.set(tag.name, known);
}

function openElement(scan: Scan, tag: JsxTag, isContainer = false): void {
  if (scan.elements.length >= MAX_OPEN_ELEMENTS) return;
  const tail = tailWords(tag);
  scan.elements.push({ name: tag.name, outerIndent: scan.indent, shift: undefined, tail, isContainer });
}

function closeElement(scan: Scan, name: string): void {
  const index = scan.elements.findLastIndex((element) => element.name === name);
  if (index < 0) return;
  for (const { tail, isContainer } of scan.elements.splice(index)) {
    if (isContainer) putLine(scan, ":::");
    else put(scan, tail);
  }
}

function skipElement(scan: Scan, name: string): void {
  const end = scan.source.indexOf(`</${name}>`, scan.at);
  scan.budget.left -= (end < 0 ? scan.source.length : end) - scan.at;
  if (end >= 0 && scan.budget.left > 0) scan.at = end + name.length + 3;
}

function takeExpression(scan: Scan): void {
  const end = expressionEnd(scan.source, scan.at, scan.budget);
  if (end === undefined) {
    copy(scan, scan.at + 1);
    return;
  }
  const raw = scan.source.slice(scan.at, end);
  const [, id] = scan.page.hasBareIds && isHeadingsEnd(scan, end) ? (BARE_ID.exec(raw) ?? []) : [];
  if (id !== undefined) {
    put(scan, `{#${id}}`);
    scan.at = end;
    return;
  }
  const words = expressionWords(raw, scan.page.frontMatter, (jsx) => unwrapInside(scan, jsx));
  put(scan, words);
  scan.at = end;
}

const BARE_ID = /^\{\/\*([\p{L}\p{N}_][^\s{}#*]{0,200})\*\/\}$/u;

function isHeadingsEnd({ source, at }: Scan, end: number): boolean {
  const start = source.lastIndexOf("\n", at) + 1;
  return /^ {0,3}#{1,6}[ \t]/.test(source.slice(start, at)) && lineAt(source, end).trim() === "";
}

function unwrapInside(scan: Scan, jsx: string): string | undefined {
  return scan.nesting < MAX_EXPRESSION_NESTING
    ? unwrap(jsx, scan.page, scan.budget, scan.nesting + 1)
    : undefined;
}

function lineAt(source: string, at: number): string {
  const end = source.indexOf("\n", at);
  return source.slice(at, end < 0 ? source.length : end);
}
