import { codeFence, escapeDestination } from "@docent/kernel/text/write-markdown";
import { writeTab } from "../callouts.ts";
import { writeCode } from "./code.ts";
import { writeDefinitionBlock } from "./definitions.ts";
import { attribute, classesOf, type HtmlElement, type HtmlNode, isElement, textOf } from "./dom.ts";
import { headingAnchor, withAnchor } from "./heading-anchor.ts";
import { linkTarget, placeOf, texOf, writeInline } from "./inline.ts";
import { writeList, writeQuote } from "./list.ts";
import { isDoxygenTitle, isHeading } from "./noise.ts";
import type { Survey } from "./survey.ts";
import { isDataTable, tableRows, writeRows } from "./table.ts";
import type { Tabs } from "./tabs.ts";
import { type BlockPlace, type BlockWriter, type HtmlWriting, MAX_DEPTH } from "./writing.ts";

const MAX_LINK_CARD_CHARACTERS = 300;
const TITLE = { plain: true, unlinked: true, midLine: true };
const NOTE = /^(?:admonition|theme-admonition|starlight-aside|custom-block|callout|alert|markdown-alert)$/;
const NOTE_TITLE =
  /^(?:admonition-?title|admonitionHeading.*|admonition-heading.*|custom-block-title|starlight-aside__title|(?:markdown-)?alert-(?:title|heading)|callout-(?:title|heading))$/;

/** An element's content as Markdown, with its title. */
interface WrittenPage {
  markdown: string;
  /** The words of the first top-level heading, as Markdown. */
  title?: string;
  /** The number of top-level headings. */
  titles: number;
}

/** Writes the content of an element as Markdown. `opensSections`: whether its headings do. */
export function writePage(
  root: HtmlElement,
  survey: Survey,
  tabs: Tabs,
  { opensSections = true }: Partial<Pick<BlockPlace, "opensSections">> = {},
): WrittenPage {
  const writing: HtmlWriting = {
    survey,
    tabs,
    root,
    headingLevel: 1,
    titles: 0,
    blocks: (nodes, place, out) => writeBlocks(nodes, place, out, writing),
  };
  const out: string[] = [];
  writing.blocks(root.childNodes, { depth: 0, containers: 0, opensSections }, out);
  const { title, titles } = writing;
  return { markdown: out.join("\n\n"), titles, ...(title === undefined ? {} : { title }) };
}

function writeBlocks(
  nodes: readonly HtmlNode[],
  place: BlockPlace,
  out: string[],
  writing: HtmlWriting,
): void {
  const { survey } = writing;
  let run: HtmlNode[] = [];
  const flush = () => {
    if (run.length > 0) pushWords(out, writeInline(run, survey));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !survey.isBlock(node)) {
      run.push(node);
      continue;
    }
    if (survey.isNoise(node)) continue;
    flush();
    writeBlock(node, { ...place, depth: place.depth + 1 }, out, writing);
  }
  flush();
}

function writeBlock(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  if (!(place.opensSections && isHeading(element))) pushWords(out, placeOf(element, writing.survey));
  const label = writing.tabs.labelOf.get(element);
  if (label === undefined) {
    writeContent(element, place, out, writing);
    return;
  }
  const inner: string[] = [];
  writeContent(element, place, inner, writing);
  const isNested = place.containers > 0 || !place.opensSections;
  out.push(...writeTab(writeLabel(label), inner, { isNested }));
}

function writeContent(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  if (place.depth > MAX_DEPTH) {
    pushWords(out, writeInline([element], writing.survey));
    return;
  }
  const write = WRITERS.get(element.tagName);
  if (write) write(element, place, out, writing);
  else writeContainer(element, place, out, writing);
}

const WRITERS = new Map<string, BlockWriter>([
  ["pre", (element, _, out, { survey, root }) => pushWords(out, writeCode(element, survey, root))],
  ["hr", () => undefined],
  ["ul", writeList],
  ["ol", writeList],
  ["menu", writeList],
  ["dl", writeDefinitionBlock],
  ["blockquote", writeQuote],
  ["table", writeTableBlock],
  ["summary", writeSummary],
  ["a", writeCard],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, BlockWriter] => [`h${level}`, writeHeading]),
]);

function writeContainer(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  const classes = classesOf(element);
  if (classes.some((name) => NOTE_TITLE.test(name)) && !isHeading(element)) {
    pushStrong(out, element, writing);
    return;
  }
  if (isDoxygenTitle(element)) {
    writeTitle(element, 1, out, writing);
    return;
  }
  const tex = texOf(element);
  if (tex !== undefined) {
    pushWords(out, tex === "" ? "" : codeFence(tex, "math"));
    return;
  }
  const shape = writeReferenceShape(element, writing);
  if (shape !== undefined) {
    pushWords(out, shape);
    return;
  }
  const isNote = classes.some((name) => NOTE.test(name));
  const inside = isNote ? { ...place, opensSections: false } : place;
  writing.blocks(element.childNodes, inside, out);
}

function writeHeading(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  if (place.opensSections) writeTitle(element, Number(element.tagName.slice(1)), out, writing);
  else pushStrong(out, element, writing);
}

function writeTitle(element: HtmlElement, level: number, out: string[], writing: HtmlWriting): void {
  const { survey, root } = writing;
  // rustdoc writes signatures as headings.
  const isCode = classesOf(element).includes("code-header");
  const line = isCode ? codeWords(textOf(element, survey.isNoise)) : headingWords(element, survey);
  if (line === "") return;
  if (level === 1) {
    writing.title ??= line;
    writing.titles += 1;
  }
  writing.headingLevel = level;
  out.push(`${"#".repeat(level)} ${withAnchor(line, headingAnchor(element, root, survey))}`);
}

/**
 * A heading's words on one line. Marks at the end are escaped, or they would be taken for the closing ones.
 */
function headingWords(element: HtmlElement, survey: Survey): string {
  const words = writeInline(element.childNodes, survey, TITLE).replace(/\\\n/g, " ");
  return words.replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
}

function codeWords(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("`", "'")}\``;
}

function writeTableBlock(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  const { survey } = writing;
  const caption = element.childNodes.filter(isElement).find((child) => child.tagName === "caption");
  if (caption && !survey.isNoise(caption)) pushStrong(out, caption, writing);
  const rows = tableRows(element, survey);
  if (isDataTable(element, rows, survey)) {
    pushWords(out, writeRows(rows, survey));
    return;
  }
  for (const row of rows) for (const cell of row.cells) writing.blocks(cell.childNodes, place, out);
}

function writeSummary(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  const holdsHeading = element.childNodes.filter(isElement).some((child) => writing.survey.isBlock(child));
  if (holdsHeading) writing.blocks(element.childNodes, place, out);
  else pushStrong(out, element, writing);
}

/** Writes a link around whole blocks, such as a card, as one linked line of words. */
function writeCard(element: HtmlElement, place: BlockPlace, out: string[], writing: HtmlWriting): void {
  const target = linkTarget(attribute(element, "href"));
  const words = writeInline(element.childNodes, writing.survey, TITLE);
  if (target === undefined || words.length > MAX_LINK_CARD_CHARACTERS || words.includes("\n")) {
    writing.blocks(element.childNodes, place, out);
    return;
  }
  if (words !== "") out.push(`[${words}](${escapeDestination(target)})`);
}

function pushStrong(out: string[], element: HtmlElement, { survey }: HtmlWriting): void {
  const unlinked = isHeading(element);
  const words = writeInline(element.childNodes, survey, { ...TITLE, unlinked }).replace(/\\\n/g, " ");
  if (words !== "") out.push(`**${words}**`);
}

function writeLabel(label: string): string {
  return label.replace(/[*_[\]<`\\]/g, "\\$&");
}

function pushWords(out: string[], words: string): void {
  if (words !== "") out.push(words);
}

/** Classes of API reference generators that write code and tables as plain `<div>`s: Javadoc, Doxygen. */
const SIGNATURES = new Set([
  "type-signature",
  "member-signature",
  "package-signature",
  "module-signature",
  "memproto",
]);
const GRIDS = new Map([
  ["two-column-summary", 2],
  ["three-column-summary", 3],
  ["four-column-summary", 4],
]);

/** The Markdown of a `<div>` that stands for code or a table; undefined for every other element. */
function writeReferenceShape(element: HtmlElement, writing: HtmlWriting): string | undefined {
  const classes = classesOf(element);
  if (classes.length === 0) return undefined;
  const { survey, root } = writing;
  if (classes.some((name) => SIGNATURES.has(name))) {
    const text = textOf(element, survey.isNoise);
    return text === "" ? "" : codeFence(text);
  }
  if (classes.includes("fragment") && element.childNodes.some(isCodeLine))
    return writeCode(element, survey, root);
  const columns = classes.map((name) => GRIDS.get(name)).find((count) => count !== undefined);
  return columns === undefined ? undefined : writeGrid(element, columns, writing);
}

function writeGrid(element: HtmlElement, columns: number, { survey }: HtmlWriting): string | undefined {
  const cells = element.childNodes.filter(isElement).filter((cell) => !survey.isNoise(cell));
  if (cells.length < columns * 2 || survey.holdsUntabular(element)) return undefined;
  const rows = Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) => ({
    cells: cells.slice(row * columns, (row + 1) * columns),
    isHeader: row === 0,
  }));
  return writeRows(rows, survey);
}

function isCodeLine(node: HtmlElement["childNodes"][number]): boolean {
  return isElement(node) && classesOf(node).includes("line");
}
