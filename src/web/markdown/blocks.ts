import { unescaped } from "./entities.ts";
import { parseInline } from "./inline.ts";
import {
  closesFence,
  dedent,
  type Fence,
  fenceBehind,
  indentOf,
  interrupts,
  isBlank,
  isIndentedCode,
  isQuote,
  isRule,
  type Marker,
  readFence,
  readHeading,
  readMarker,
} from "./lines.ts";
import { element, type MarkdownElement, type MarkdownNode, type Tag } from "./nodes.ts";
import { table, tableAt } from "./table.ts";
import type { Targets } from "./targets.ts";

/** A block, and the line that it begins with. */
export interface Block {
  node: MarkdownElement;
  line: number;
}

/** What blocks are made with. */
export interface BlockOptions {
  targets: Targets;
  headingOffset: number;
}

/** Deeper quotes and lists are shown as text. */
const DEPTH_MAX = 12;
const CODE_COLUMNS = 4;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const TASK = /^\[([ xX])\][ \t]+(?=\S)/;
const BEGUN_TASK = /^\[[ xX]?\]?$/;

/** Cuts lines into blocks. `isOpen`: more may come, and belong to the last one. */
export function parseBlocks(
  lines: readonly string[],
  options: BlockOptions,
  isOpen: boolean,
  depth = 0,
): Block[] {
  const blocks: Block[] = [];
  let at = 0;

  const isLast = () => isOpen && at >= lines.length;
  const lineAt = (index: number) => lines[index] ?? "";
  const inline = (text: string, open: boolean): MarkdownNode[] => parseInline(text, options.targets, open);
  const nested = (inner: readonly string[]): MarkdownElement[] =>
    parseBlocks(inner, options, isLast(), depth + 1).map(({ node }) => node);

  function next(): MarkdownElement | undefined {
    const line = lineAt(at);
    if (isIndentedCode(line)) return indentedCode();
    const fence = readFence(line);
    if (fence) return fencedCode(fence);
    const head = readHeading(line);
    if (head) {
      at++;
      return heading(head.level, head.text);
    }
    if (isRule(line)) {
      at++;
      return element("hr");
    }
    if (depth < DEPTH_MAX && isQuote(line)) return quote();
    const marker = depth < DEPTH_MAX ? readMarker(line) : undefined;
    if (marker) return list(marker);
    return tableAt(line, lines[at + 1]) ? tableHere() : paragraph();
  }

  function heading(level: number, text: string): MarkdownElement {
    return element(headingTag(level + options.headingOffset), inline(text, isLast()));
  }

  function indentedCode(): MarkdownElement {
    const from = at;
    let end = at;
    for (; at < lines.length && (isBlank(lineAt(at)) || isIndentedCode(lineAt(at))); at++)
      if (!isBlank(lineAt(at))) end = at + 1;
    const isComing = isLast();
    at = isComing ? at : end;
    return codeBlock(
      lines.slice(from, end).map((line) => dedent(line, CODE_COLUMNS)),
      "",
      isComing,
    );
  }

  function fencedCode(fence: Fence): MarkdownElement {
    const from = ++at;
    while (at < lines.length && !closesFence(lineAt(at), fence)) at++;
    const code = lines.slice(from, at).map((line) => dedent(line, fence.indent));
    const isComing = isLast();
    at++;
    return codeBlock(code, fence.info, isComing);
  }

  function quote(): MarkdownElement {
    const inner: string[] = [];
    let fence: Fence | undefined;
    for (; at < lines.length; at++) {
      const line = lineAt(at);
      const said = isQuote(line) ? line.slice(line.indexOf(">") + 1) : undefined;
      if (said === undefined && !goesOn(inner.at(-1), line, fence)) break;
      const content = said === undefined ? line.trimStart() : dedent(said, said.startsWith(" ") ? 1 : 0);
      if (said !== undefined) fence = fenceBehind(content, fence);
      inner.push(content);
    }
    return element("blockquote", nested(inner));
  }

  function list(first: Marker): MarkdownElement {
    const items: MarkdownElement[] = [];
    for (let marker: Marker | undefined = first; marker?.kind === first.kind; marker = markerAt(at))
      items.push(item(marker));
    const start =
      first.start === undefined || Number(first.start) === 1 ? {} : { start: `${Number(first.start)}` };
    return element(first.start === undefined ? "ul" : "ol", items, start);
  }

  const markerAt = (index: number) => (index < lines.length ? readMarker(lineAt(index)) : undefined);

  function item(marker: Marker): MarkdownElement {
    const task = TASK.exec(marker.rest);
    const inner = [marker.rest.slice(task?.[0].length ?? 0)];
    let fence = fenceBehind(marker.rest, undefined);
    for (at++; at < lines.length; at++) {
      const line = lineAt(at);
      const isInside = indentOf(line) >= marker.width;
      // An item that begins with an empty line holds nothing behind a second one.
      if (inner.length === 2 && inner.every(isBlank) && isBlank(inner[0] ?? "")) break;
      if (!isBlank(line) && !isInside && !goesOn(inner.at(-1), line, fence)) break;
      const content = isInside ? dedent(line, marker.width) : line.trimStart();
      if (isInside || !isBlank(line)) fence = fenceBehind(content, fence);
      inner.push(content);
    }
    if (isLast() && inner.length === 1 && BEGUN_TASK.test(inner[0] ?? "")) inner[0] = "";
    const children = nested(inner);
    return task === null ? element("li", children) : taskItem(children, task[1] !== " ");
  }

  function tableHere(): MarkdownElement {
    const header = lineAt(at);
    const alignments = tableAt(header, lines[at + 1]) ?? [];
    const from = at + 2;
    at = from;
    while (at < lines.length && !isBlank(lineAt(at)) && !interrupts(lineAt(at))) at++;
    const isComing = isLast();
    return table(header, lines.slice(from, at), alignments, (text, isEnd) => inline(text, isEnd && isComing));
  }

  function paragraph(): MarkdownElement | undefined {
    const said: string[] = [];
    for (; at < lines.length; at++) {
      const line = lineAt(at);
      if (isBlank(line)) break;
      if (said.length > 0) {
        if (SETEXT.test(line)) {
          at++;
          return heading(line.trimStart().startsWith("=") ? 1 : 2, joinLines(said));
        }
        if (interrupts(line) || tableAt(line, lines[at + 1])) break;
      }
      said.push(line.trimStart());
    }
    // The header of a table looks like words until the next line has come.
    if (isLast() && said.at(-1)?.startsWith("|")) said.pop();
    return said.length === 0 ? undefined : element("p", inline(joinLines(said), isLast()));
  }

  while (at < lines.length) {
    const line = at;
    if (isBlank(lineAt(at))) {
      at++;
      continue;
    }
    const node = next();
    if (node !== undefined) blocks.push({ node, line });
  }
  return blocks;
}

/** Whether a line without the mark of what it stands in still belongs to it, as the next line of its paragraph. */
function goesOn(before: string | undefined, line: string, fence: Fence | undefined): boolean {
  if (before === undefined || isBlank(before) || isBlank(line) || fence !== undefined) return false;
  if (readHeading(before) || isRule(before) || isIndentedCode(before) || closesAnyFence(before)) return false;
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
