import { directiveTitle, isCalloutName, readDirective } from "../callouts.ts";
import type { Block, Section } from "../md/md.ts";
import type { MarkdownElement } from "../tree.ts";

/*
 * Bun's parser and our sections read the same page separately. Each heading that is a section carries its number through
 * the parser as U+FDD0 number U+FDD1 (removed from every source before), so both always agree on its anchor.
 */
const HEADING_MARK = /\uFDD0(\d{1,9})\uFDD1 ?/g;
/** Stands for a tab at the beginning of a line of code, of which Bun's parser makes spaces: a Makefile needs it. */
const TAB_MARK = "\uFDD2";

/** Callouts nested deeper keep their titles alone. */
const NESTING_MAX = 4;
/** Bounds the containers that are begun and never ended, as some pages do. */
const OPEN_MAX = 50;

/** A page's source as Bun's parser is to read it. */
export function preparedSource(source: string, sections: Section[], isReading: boolean): string {
  const lines: Array<string | undefined> = source.split("\n");
  sections.forEach((section, index) => {
    for (const block of section.blocks) replaceMachinery(lines, block);
    if (section.level === 0) return;
    const mark = `\uFDD0${index}\uFDD1`;
    lines[section.startLine - 1] = `${"#".repeat(section.level)} ${mark} ${section.headingSource} #`;
    for (let line = section.startLine; line < section.headingEndLine; line++) lines[line] = undefined;
  });
  if (isReading)
    quoteContainers(
      lines,
      sections.flatMap(({ blocks }) => blocks),
    );
  return lines.filter((line) => line !== undefined).join("\n");
}

function replaceMachinery(lines: Array<string | undefined>, block: Block): void {
  const { kind, text, startLine, endLine } = block;
  if (kind === "label") lines[startLine - 1] = "";
  if (kind === "directive") lines[startLine - 1] = `\n${directiveTitle(text).join("")}\n`;
  if (kind !== "code" || !/^(?:```|~~~)/.test(text)) return;
  for (let at = startLine; at < endLine; at++)
    lines[at] = lines[at]?.replace(/^\t+/, (tabs) => TAB_MARK.repeat(tabs.length));
}

/** Writes what stands between `:::note` and `:::` as a quote that begins with `[!note]`. */
function quoteContainers(lines: Array<string | undefined>, blocks: readonly Block[]): void {
  const open: { name: string; title: string; colons: number; line: number }[] = [];
  const isCallout = ({ name }: { name: string }) => isCalloutName(name);
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
    if (isCallout(container) && open.filter(isCallout).length < NESTING_MAX)
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

/** A line as part of a quote. Behind the `>`, a tab would be worth fewer columns, so it becomes spaces. */
const quoted = (line: string) => `> ${line.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length))}`;

/** The anchor of the section whose heading an element is. */
export function anchorOf(element: MarkdownElement, anchors: string[]): string | undefined {
  const first = element.children[0];
  if (typeof first !== "string" || !/^h[1-6]$/.test(element.type)) return undefined;
  const number = /^\uFDD0(\d{1,9})\uFDD1/.exec(first)?.[1];
  return number === undefined ? undefined : anchors[Number(number)];
}

/** A text of the page without the marks that were put into it. */
export function withoutMarks(text: string): string {
  return /[\uFDD0\uFDD2]/.test(text) ? text.replace(HEADING_MARK, "").replaceAll(TAB_MARK, "\t") : text;
}
