import { codeFence, escapeLineStart } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { joinDefinitions, writeDefinition, writeDefinitionList } from "../definition-list.ts";
import { type PodAnchors, readAnchors } from "./anchors.ts";
import { type PodLink, plainWords, writeInline } from "./inline.ts";
import { type Paragraph, readParagraphs } from "./paragraphs.ts";

export type { PodAnchors } from "./anchors.ts";

/** A page in POD, Perl's plain old documentation, as Markdown. */
interface PodPage {
  /** What its section of names says that it is called. */
  title: string | undefined;
  description: string | undefined;
  markdown: string;
  faults: string[];
}

interface Item {
  text: string;
  /** The number of its paragraph. */
  at: number;
  blocks: string[];
}

/** What is set in: a list, or only blocks. */
interface Frame {
  items: Item[];
  blocks: string[];
}

interface Writing {
  link: PodLink;
  anchors: PodAnchors;
  /** The page, and what is set in, the innermost last. */
  frames: Frame[];
  /** How far headings go down, and the level of the last one. */
  shift: number;
  level: number;
}

/** A page with more is cut: Perl's list of functions is an eighth of it. */
const CHARACTERS_MAX = 3_000_000;
/** What is in deeper lists is in the one above. */
const DEEP_MAX = 12;
/** A list with more is a part of the page, and what it explains are sections. */
const LIST_CHARACTERS_MAX = 20_000;

/** Reads a page in POD. Never throws. */
export function readPod(source: string, link: PodLink = () => undefined): PodPage {
  const isCut = source.length > CHARACTERS_MAX;
  const paragraphs = readParagraphs(isCut ? source.slice(0, CHARACTERS_MAX) : source);
  const anchors = readAnchors(paragraphs);
  const { title, description } = namesIn(paragraphs);
  const own: PodLink = (name, section) => {
    if (name !== "") return link(name, section);
    const anchor = anchors.find(section);
    return anchor === undefined ? undefined : `#${anchor}`;
  };
  const page: Frame = { items: [], blocks: [] };
  // Without a title, the first heading is one.
  const shift = title === undefined ? 0 : 1;
  const writing: Writing = { link: own, anchors, frames: [page], shift, level: 0 };
  for (const [at, paragraph] of paragraphs.entries()) writeParagraph(paragraph, at, writing);
  closeFrames(writing, 1);
  return {
    title,
    description,
    markdown: page.blocks.join("\n\n"),
    faults: isCut ? [`is read up to its first ${CHARACTERS_MAX} characters: it is longer`] : [],
  };
}

/** The anchor of each place that links to a page name, for those that lead there from other pages. */
export const podAnchors = (source: string): PodAnchors =>
  readAnchors(readParagraphs(source.slice(0, CHARACTERS_MAX)));

/** `Foo::Bar - does something`, below the heading NAME. */
function namesIn(paragraphs: readonly Paragraph[]): Pick<PodPage, "title" | "description"> {
  const at = paragraphs.findIndex(
    (each) => each.kind === "command" && each.name === "head1" && /^name$/i.test(plainWords(each.text)),
  );
  const words = paragraphs[at + 1];
  if (at < 0 || words?.kind !== "text") return { title: undefined, description: undefined };
  const [title = "", ...rest] = plainWords(words.text).split(/\s+(?:-{1,3}|[–—])\s+/);
  const description = rest.join(" - ");
  return {
    title: title === "" ? undefined : title,
    description: description === "" ? undefined : description,
  };
}

function writeParagraph(paragraph: Paragraph, at: number, writing: Writing): void {
  if (paragraph.kind === "text")
    addBlock(writing, escapeLineStart(writeInline(paragraph.text, writing.link)));
  else if (paragraph.kind === "verbatim") addBlock(writing, writeVerbatim(paragraph.text));
  else if (/^head[1-6]$/.test(paragraph.name)) writeHeading(paragraph, at, writing);
  else if (paragraph.name === "over") openFrame(writing);
  else if (paragraph.name === "back") closeFrames(writing, Math.max(1, writing.frames.length - 1));
  else if (paragraph.name === "item") addItem(writing, { text: paragraph.text.trim(), at, blocks: [] });
  // A command that nobody knows is shown as it is, as Perl does.
  else addBlock(writing, escapeLineStart(writeInline(paragraph.text, writing.link)));
}

function addBlock({ frames }: Writing, block: string): void {
  const frame = frames.at(-1);
  if (block !== "") (frame?.items.at(-1) ?? frame)?.blocks.push(block);
}

function addItem(writing: Writing, item: Item): void {
  // A list that nothing opens is one all the same.
  if (writing.frames.length === 1) openFrame(writing);
  writing.frames.at(-1)?.items.push(item);
}

function openFrame({ frames }: Writing): void {
  const above = frames.length > DEEP_MAX ? frames.at(-1) : undefined;
  frames.push(above ?? { items: [], blocks: [] });
}

function closeFrames(writing: Writing, depth: number): void {
  while (writing.frames.length > depth) {
    const frame = writing.frames.pop();
    if (frame === undefined || frame === writing.frames.at(-1)) continue;
    for (const block of frame.blocks) addBlock(writing, block);
    for (const block of writeList(frame.items, writing)) addBlock(writing, block);
  }
}

function writeHeading({ name, text }: { name: string; text: string }, at: number, writing: Writing): void {
  closeFrames(writing, 1);
  writing.level = Math.min(6, Number(name.slice(4)) + writing.shift);
  addBlock(writing, headingOf(text, at, writing.level, writing));
}

function headingOf(text: string, at: number, level: number, { link, anchors }: Writing): string {
  const words = writeInline(text, link).replace(/(?<!#)#+$/, (marks) => `\\${marks}`);
  const anchor = anchors.at.get(at);
  if (words === "") return "";
  return `${"#".repeat(level)} ${words}${anchor === undefined ? "" : ` {#${anchor}}`}`;
}

function writeVerbatim(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll("\t", "        ").trimEnd());
  const indents = lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((columns, indent) => Math.min(columns, indent), 1_000);
  const code = lines.map((line) => line.slice(least)).join("\n");
  return codeFence(code, isPerl(code) ? "perl" : "");
}

const isPerl = (code: string) => /^\s*(?:use|my|our|sub|package|print) |[$@%][\w{]+.*;\s*$/m.test(code);

const BULLET = /^[*·•-](?:\s+|$)/;
const NUMBER = /^\d{1,9}[.)]?(?:\s+|$)/;

/** A list is of the kind that its first item says. */
function writeList(items: readonly Item[], writing: Writing): string[] {
  const first = items[0]?.text ?? "";
  const mark = BULLET.test(first) || first === "" ? BULLET : NUMBER.test(first) ? NUMBER : undefined;
  if (items.length === 0) return [];
  if (mark === undefined) return writeTerms(items, writing);
  const written = items.map(({ text, blocks }, index) => {
    const words = writeInline(text.replace(mark, ""), writing.link);
    const head = mark === BULLET ? "- " : `${index + 1}. `;
    const inside = [...(words === "" ? [] : [escapeLineStart(words)]), ...blocks].join("\n\n");
    return head + inside.replace(/\n(?=[^\n])/g, `\n${" ".repeat(head.length)}`);
  });
  return [written.join(written.some((item) => item.includes("\n\n")) ? "\n\n" : "\n")];
}

/** Terms that stand together mean the same. */
function writeTerms(items: readonly Item[], writing: Writing): string[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.at(-1)?.blocks.length === 0) last.push(item);
    else groups.push([item]);
  }
  const characters = items.reduce(
    (sum, { blocks }) => sum + blocks.reduce((all, { length }) => all + length, 0),
    0,
  );
  const isOfPage = writing.frames.length === 1 && writing.level > 0 && writing.level < 6;
  if (isOfPage && characters > LIST_CHARACTERS_MAX)
    return groups.flatMap((group) => writeSection(group, writing));
  return writeDefinitions(groups, writing);
}

const blocksIn = (group: readonly Item[]) => group.at(-1)?.blocks ?? [];

/** What is explained at length is a section of its own: it is found, and led to, as one. */
function writeSection([first, ...rest]: readonly Item[], writing: Writing): string[] {
  if (first === undefined) return [];
  const heading = headingOf(first.text, first.at, writing.level + 1, writing);
  const others = rest.map((item) => `**${termOf(item, writing)}**`);
  const blocks = blocksIn(rest.length === 0 ? [first] : rest);
  return [heading, ...(others.length === 0 ? [] : [others.join("\\\n")]), ...blocks];
}

function writeDefinitions(groups: readonly Item[][], writing: Writing): string[] {
  const written: string[] = [];
  let list: string[] = [];
  const end = () => {
    if (list.length > 0) written.push(joinDefinitions(list));
    list = [];
  };
  for (const group of groups) {
    const definition = { terms: group.map((item) => termOf(item, writing)), blocks: blocksIn(group) };
    const item = writeDefinitionList([definition]);
    if (item !== undefined) list.push(item);
    else {
      end();
      written.push(...writeDefinition(definition));
    }
  }
  end();
  return written;
}

function termOf({ text, at }: Item, { link, anchors }: Writing): string {
  const anchor = anchors.at.get(at);
  const words = writeInline(text, link).replaceAll("**", "");
  return anchor === undefined ? words : placeMark(anchor) + words;
}
