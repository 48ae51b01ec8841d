import { type FenceOpening, fenceBehind, indentOf } from "@docent/kernel/text/markdown-lines";
import { isCalloutName, tabOpening } from "../callouts.ts";

/**
 * The opening line `!!! warning "Title"`, `??? note` (folded) or `=== "Tab"`; the content follows, indented
 * by four.
 */
const OPENING = /^(?:(?:!!!|\?\?\?\+?)(?: +([\w-]+))?(?: +[\w-]+)*(?: +"([^"]*)")?|===[+!]? +"([^"]*)") *$/;
const ANY = /^ {0,3}(?:!!!|\?\?\?|===)/m;
const INDENT = 4;
const NESTING_MAX = 20;

interface OpenBlock {
  /** The column from which lines belong to it. */
  indent: number;
  isContainer: boolean;
}

/**
 * Unwraps the indented blocks of MkDocs, which are code in plain Markdown: callouts become `:::` containers;
 * tabs and others keep their titles.
 */
export function unwrapIndentedBlocks(markdown: string): string {
  if (!ANY.test(markdown)) return markdown;
  const lines = markdown.split("\n");
  const indents = indentsBelow(lines);
  const out: string[] = [];
  const open: OpenBlock[] = [];
  let fence: FenceOpening | undefined;
  for (const [index, line] of lines.entries()) {
    const columns = line.trim() === "" ? Number.POSITIVE_INFINITY : indentOf(line);
    while (columns < (open.at(-1)?.indent ?? 0)) {
      if (open.pop()?.isContainer) out.push("", ":::", "");
      fence = undefined;
    }
    const shift = open.at(-1)?.indent ?? 0;
    const own = shift === 0 ? line : withoutColumns(line, shift);
    const opening = fence === undefined && indentOf(own) < INDENT ? OPENING.exec(own.trim()) : null;
    const isBlock =
      opening !== null && (indents[index] ?? 0) >= columns + INDENT && open.length < NESTING_MAX;
    if (!isBlock) {
      fence = fenceBehind(own, fence);
      out.push(own);
      continue;
    }
    const [, kind = "", title = opening[3], tab = ""] = opening;
    const isTab = tab.trim() !== "" && indentOf(own) === 0;
    open.push({ indent: columns + INDENT, isContainer: isTab || isCalloutName(kind) });
    out.push("", isTab ? tabOpening(tab) : beginning(kind, title), "");
  }
  for (const { isContainer } of open.toReversed()) if (isContainer) out.push("", ":::");
  return out.join("\n");
}

function beginning(kind: string, title: string | undefined): string {
  const words = title?.replace(/[[\]]/g, "").trim() ?? "";
  if (isCalloutName(kind)) return `:::${kind.toLowerCase()}${words === "" ? "" : `[${words}]`}`;
  const name = title === undefined ? kind.charAt(0).toUpperCase() + kind.slice(1) : words;
  return name === "" ? "" : `**${name}**`;
}

/** For each line, the indent of the next line with words. */
function indentsBelow(lines: readonly string[]): number[] {
  const found: number[] = [];
  let below = 0;
  for (const line of lines.toReversed()) {
    found.push(below);
    if (line.trim() !== "") below = indentOf(line);
  }
  return found.reverse();
}

function withoutColumns(line: string, columns: number): string {
  return line.trim() === "" ? "" : " ".repeat(indentOf(line) - columns) + line.trimStart();
}
