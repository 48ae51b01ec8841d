import { unescaped } from "@docent/kernel/text/entities";
import {
  atxHeading,
  CODE_COLUMNS,
  closesFence,
  dedent,
  type FenceOpening,
  indentOf,
  isBlank,
  isQuote,
  isRule,
  type ListMarker,
  setextLevel,
} from "@docent/kernel/text/markdown-lines";
import type { Targets } from "./allowed-targets.ts";
import { parseInline } from "./inline.ts";
import { fenceBehind, interrupts, isIndentedCode, readFence, readMarker } from "./lines.ts";
import { element, type MarkdownElement, type MarkdownNode, type Tag } from "./nodes.ts";
import { table, tableAt } from "./table.ts";

/** A block, and the line that it begins with. */
interface Block {
  node: MarkdownElement;
  line: number;
}

/** How every block of a text is shown. */
interface BlockOptions {
  targets: Targets;
  headingOffset: number;
}

/** How far the lines of a text, a quote or a list's item have been read. */
interface Reading {
  lines: readonly string[];
  at: number;
  options: BlockOptions;
  /** More lines may come, and belong to the last block. */
  isOpen: boolean;
  depth: number;
}

/** Deeper quotes and lists are shown as text. */
const DEPTH_MAX = 12;
const TASK = /^\[([ xX])\][ \t]+(?=\S)/;
const BEGUN_TASK = /^\[[ xX]?\]?$/;

/** Cuts lines into blocks. `isOpen`: more may come, and belong to the last one. */
export function parseBlocks(
  lines: readonly string[],
  options: BlockOptions,
  isOpen: boolean,
  depth = 0,
): Block[] {
  const reading: Reading = { lines, at: 0, options, isOpen, depth };
  const blocks: Block[] = [];
  while (reading.at < lines.length) {
    const line = reading.at;
    const node = isBlank(lineAt(reading)) ? skipLine(reading) : readBlock(reading);
    if (node !== undefined) blocks.push({ node, line });
  }
  return blocks;
}

const lineAt = ({ lines, at }: Reading) => lines[at] ?? "";

const skipLine = (reading: Reading) => void reading.at++;

/** Whether what was read last may still go on. */
const isComing = ({ isOpen, lines, at }: Reading) => isOpen && at >= lines.length;

/** Reads the lines that belong to the block, for as long as `belongs` says so. */
function takeLines(reading: Reading, belongs: (line: string) => boolean): readonly string[] {
  const from = reading.at;
  while (reading.at < reading.lines.length && belongs(lineAt(reading))) reading.at++;
  return reading.lines.slice(from, reading.at);
}

const inline = (text: string, { options }: Reading, isOpen: boolean): MarkdownNode[] =>
  parseInline(text, options.targets, isOpen);

const nested = (inner: readonly string[], reading: Reading): MarkdownElement[] =>
  parseBlocks(inner, reading.options, isComing(reading), reading.depth + 1).map(({ node }) => node);

function readBlock(reading: Reading): MarkdownElement | undefined {
  const line = lineAt(reading);
  if (isIndentedCode(line)) return indentedCode(reading);
  const fence = readFence(line);
  if (fence) return fencedCode(reading, fence);
  const head = atxHeading(line);
  if (head || isRule(line)) reading.at++;
  if (head) return heading(head.level, head.text, reading);
  if (isRule(line)) return element("hr");
  const isShallow = reading.depth < DEPTH_MAX;
  if (isShallow && isQuote(line)) return quote(reading);
  const marker = isShallow ? readMarker(line) : undefined;
  if (marker) return list(reading, marker);
  return tableAt(line, reading.lines[reading.at + 1]) ? tableHere(reading) : paragraph(reading);
}

const heading = (level: number, text: string, reading: Reading) =>
  element(headingTag(level + reading.options.headingOffset), inline(text, reading, isComing(reading)));

function indentedCode(reading: Reading): MarkdownElement {
  const from = reading.at;
  const code = takeLines(reading, (line) => isBlank(line) || isIndentedCode(line));
  const said = code.slice(0, code.findLastIndex((line) => !isBlank(line)) + 1);
  const isOpen = isComing(reading);
  if (!isOpen) reading.at = from + said.length;
  return codeBlock(
    said.map((line) => dedent(line, CODE_COLUMNS)),
    "",
    isOpen,
  );
}

function fencedCode(reading: Reading, fence: FenceOpening): MarkdownElement {
  reading.at++;
  const code = takeLines(reading, (line) => !closesFence(line, fence));
  const isOpen = isComing(reading);
  reading.at++;
  return codeBlock(
    code.map((line) => dedent(line, fence.indent)),
    fence.info,
    isOpen,
  );
}

function quote(reading: Reading): MarkdownElement {
  const inner: string[] = [];
  let fence: FenceOpening | undefined;
  for (; reading.at < reading.lines.length; reading.at++) {
    const line = lineAt(reading);
    const said = isQuote(line) ? line.slice(line.indexOf(">") + 1) : undefined;
    if (said === undefined && !goesOn(inner.at(-1), line, fence)) break;
    const content = said === undefined ? line.trimStart() : dedent(said, said.startsWith(" ") ? 1 : 0);
    if (said !== undefined) fence = fenceBehind(content, fence);
    inner.push(content);
  }
  return element("blockquote", nested(inner, reading));
}

function list(reading: Reading, { kind, start }: ListMarker): MarkdownElement {
  const items: MarkdownElement[] = [];
  for (let marker = readMarker(lineAt(reading)); marker?.kind === kind; marker = readMarker(lineAt(reading)))
    items.push(item(reading, marker));
  const number = Number(start ?? 1);
  return element(start === undefined ? "ul" : "ol", items, number === 1 ? {} : { start: `${number}` });
}

function item(reading: Reading, { rest, contentIndent }: ListMarker): MarkdownElement {
  const task = TASK.exec(rest);
  const inner = [rest.slice(task?.[0].length ?? 0)];
  let fence = fenceBehind(rest, undefined);
  for (reading.at++; reading.at < reading.lines.length; reading.at++) {
    const line = lineAt(reading);
    const isInside = indentOf(line) >= contentIndent;
    // An item that begins with an empty line holds nothing behind a second one.
    if (inner.length === 2 && inner.every(isBlank) && isBlank(inner[0] ?? "")) break;
    if (!isBlank(line) && !isInside && !goesOn(inner.at(-1), line, fence)) break;
    const content = isInside ? dedent(line, contentIndent) : line.trimStart();
    if (isInside || !isBlank(line)) fence = fenceBehind(content, fence);
    inner.push(content);
  }
  if (isComing(reading) && inner.length === 1 && BEGUN_TASK.test(inner[0] ?? "")) inner[0] = "";
  const children = nested(inner, reading);
  return task === null ? element("li", children) : taskItem(children, task[1] !== " ");
}

function tableHere(reading: Reading): MarkdownElement {
  const header = lineAt(reading);
  const alignments = tableAt(header, reading.lines[reading.at + 1]) ?? [];
  reading.at += 2;
  const rows = takeLines(reading, (line) => !isBlank(line) && !interrupts(line));
  return table(header, rows, alignments, (text, isEnd) => inline(text, reading, isEnd && isComing(reading)));
}

function paragraph(reading: Reading): MarkdownElement | undefined {
  const said: string[] = [];
  for (; reading.at < reading.lines.length; reading.at++) {
    const line = lineAt(reading);
    if (isBlank(line)) break;
    if (said.length > 0) {
      const level = setextLevel(line);
      if (level !== undefined) {
        reading.at++;
        return heading(level, joinLines(said), reading);
      }
      if (interrupts(line) || tableAt(line, reading.lines[reading.at + 1])) break;
    }
    said.push(line.trimStart());
  }
  const isOpen = isComing(reading);
  // The header of a table looks like words until the next line has come.
  if (isOpen && said.at(-1)?.startsWith("|")) said.pop();
  return said.length === 0 ? undefined : element("p", inline(joinLines(said), reading, isOpen));
}

/** Whether a line without the mark of what it stands in still belongs to it, as the next line of its paragraph. */
function goesOn(before: string | undefined, line: string, fence: FenceOpening | undefined): boolean {
  if (before === undefined || isBlank(before) || isBlank(line) || fence !== undefined) return false;
  if (atxHeading(before) || isRule(before) || isIndentedCode(before) || closesAnyFence(before)) return false;
  return !interrupts(line) && readMarker(line) === undefined;
}

const closesAnyFence = (line: string) => readFence(line)?.info === "";

function codeBlock(lines: readonly string[], info: string, isOpen: boolean): MarkdownElement {
  const language = /^[\w+#.-]{1,30}/.exec(unescaped(info))?.[0].toLowerCase();
  const attributes = { tabindex: "0", ...(language && { "data-language": language }) };
  const text = lines.join("\n");
  const code = element("code", text === "" ? [] : [text]);
  return element("div", [element("pre", [code], attributes, isOpen)], { class: "code" });
}

function taskItem(children: readonly MarkdownElement[], isDone: boolean): MarkdownElement {
  const box = element("input", [], { type: "checkbox", disabled: "", ...(isDone && { checked: "" }) });
  const [first, ...rest] = children;
  const words = first?.tag === "p" ? [{ ...first, children: [box, " ", ...first.children] }] : [box];
  return element("li", [...words, ...(first?.tag === "p" ? rest : children)], { class: "task" });
}

const joinLines = (lines: readonly string[]) => lines.join("\n").trimEnd();

const HEADINGS: readonly Tag[] = ["h1", "h2", "h3", "h4", "h5", "h6"];

const headingTag = (level: number): Tag => HEADINGS[Math.min(Math.max(level, 1), 6) - 1] ?? "h6";
