import { directiveTitle, isContainerName, readDirective } from "../callouts.ts";
import type { Block, Section } from "../md/md.ts";
import type { MarkdownElement } from "../tree.ts";
import { type Footnotes, takeFootnotes } from "./footnotes.ts";

/*
 * Carries the number of a section through the parser, as U+FDD0 number U+FDD1 (both removed from every source
 * before). Bun's parser and our sections read the page separately; with this they always agree on a heading's
 * anchor.
 */
const HEADING_MARK = /\uFDD0(\d{1,9})\uFDD1 ?/g;
/**
 * Stands for a tab at the start of a line of code, which Bun's parser would turn into spaces: a Makefile
 * needs it.
 */
const TAB_MARK = "\uFDD2";

/** Callouts and tabs nested deeper keep only their titles. */
const NESTING_MAX = 4;
/** Bounds the containers that a page begins and never ends. */
const OPEN_MAX = 50;

/** A page's source, prepared for Bun's parser. */
interface PreparedSource {
  markdown: string;
  /** Footnotes stand behind a page that is read on its own; in any other they stay where they are. */
  footnotes: Footnotes;
}

/** Prepares a page's source; `isReading` and `hasFootnotes` say what is read in it besides Markdown. */
export function prepareSource(
  source: string,
  sections: Section[],
  { isReading, hasFootnotes }: { isReading: boolean; hasFootnotes: boolean },
): PreparedSource {
  const lines: Array<string | undefined> = source.split("\n");
  sections.forEach((section, index) => {
    for (const block of section.blocks) replaceMachinery(lines, block);
    if (section.level === 0) return;
    const mark = `\uFDD0${index}\uFDD1`;
    lines[section.startLine - 1] = `${"#".repeat(section.level)} ${mark} ${section.headingSource} #`;
    for (let line = section.startLine; line < section.headingEndLine; line++) lines[line] = undefined;
  });
  const blocks = isReading ? sections.flatMap((section) => section.blocks) : [];
  const footnotes = takeFootnotes(lines, hasFootnotes ? blocks : []);
  quoteContainers(lines, blocks);
  return { markdown: lines.filter((line) => line !== undefined).join("\n"), footnotes };
}

function replaceMachinery(lines: Array<string | undefined>, block: Block): void {
  const { kind, text, startLine, endLine } = block;
  if (kind === "label") lines[startLine - 1] = "";
  if (kind === "directive") lines[startLine - 1] = `\n${directiveTitle(text).join("")}\n`;
  if (kind !== "code" || !/^(?:```|~~~)/.test(text)) return;
  for (let at = startLine; at < endLine; at++)
    lines[at] = lines[at]?.replace(/^\t+/, (tabs) => TAB_MARK.repeat(tabs.length));
}

/** Writes the content between `:::note` and `:::` as a quote that begins with `[!note]`; of tabs likewise. */
function quoteContainers(lines: Array<string | undefined>, blocks: readonly Block[]): void {
  const open: { name: string; title: string; colons: number; line: number }[] = [];
  const isShown = ({ name }: { name: string }) => isContainerName(name);
  for (const { kind, text, startLine } of blocks) {
    if (kind !== "directive") continue;
    const { name, title = "", colons, isWhole } = readDirective(text);
    if (isWhole) continue;
    if (name !== undefined) {
      open.push({ name, title, colons, line: startLine - 1 });
      if (open.length > OPEN_MAX) open.shift();
      continue;
    }
    const begin = open.findLastIndex((each) => each.colons <= colons);
    const [container] = open.slice(begin < 0 ? open.length : begin);
    if (container === undefined) continue;
    open.length = begin;
    if (isShown(container) && open.filter(isShown).length < NESTING_MAX)
      quote(lines, container, startLine - 1);
  }
}

function quote(
  lines: Array<string | undefined>,
  { name, title, line }: { name: string; title: string; line: number },
  end: number,
): void {
  lines[line] = `[!${name}] ${title}\n`;
  for (let at = line; at < end; at++) lines[at] = lines[at]?.split("\n").map(quoted).join("\n");
  lines[line] = `\n${lines[line]}`;
}

/** A line as part of a quote. After the `>` a tab would count fewer columns, so it becomes spaces. */
const quoted = (line: string) => `> ${line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))}`;

/** The anchor of the section that a heading element belongs to. */
export function anchorOf(element: MarkdownElement, anchors: string[]): string | undefined {
  const first = element.children[0];
  if (typeof first !== "string" || !/^h[1-6]$/.test(element.type)) return undefined;
  const number = /^\uFDD0(\d{1,9})\uFDD1/.exec(first)?.[1];
  return number === undefined ? undefined : anchors[Number(number)];
}

/** A text of the page without the inserted marks. */
export function withoutMarks(text: string): string {
  return /[\uFDD0\uFDD2]/.test(text) ? text.replace(HEADING_MARK, "").replaceAll(TAB_MARK, "\t") : text;
}
