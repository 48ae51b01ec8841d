import {
  closesFence,
  dedent,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isBlank,
} from "../../text/markdown-lines.ts";
import { isCalloutName, readDirective, writeCallout } from "../callouts.ts";

export { unwrapMdc } from "./mdc.ts";

const ANY = /^[ \t]+:{3,}/m;
const LINE = /^[ \t]*:{3,}(?!:)/;
/** How far the end of a callout is looked for, and how far in all for each line of a page. */
const LINES_MAX = 500;
const LOOKS_PER_LINE = 10;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** As far in, a line still closes what began at the margin. */
const CLOSING_INDENT_MAX = 3;

/**
 * Writes callouts inside of lists as quotes, as containers stand at the margin alone, and moves there what closes a
 * container from behind a list in it.
 */
export function placeNestedContainers(markdown: string): string {
  if (!ANY.test(markdown)) return markdown;
  const lines = markdown.split("\n");
  const out: string[] = [];
  /** The colons of the containers at the margin that are open. */
  const open: number[] = [];
  const left = { looks: lines.length * LOOKS_PER_LINE };
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      out.push(line);
      continue;
    }
    fence = fenceOpening(line);
    if (fence === undefined && LINE.test(line)) {
      const end =
        indentOf(line) > 0 && isInList(out, indentOf(line)) ? calloutEnd(lines, at, left) : undefined;
      if (end !== undefined) {
        out.push(...quoteOf(lines.slice(at, end + 1)));
        at = end;
        continue;
      }
      const { name, colons, isWhole } = readDirective(line);
      const closes = name === undefined && indentOf(line) <= CLOSING_INDENT_MAX;
      const index = closes ? open.findLastIndex((each) => each <= colons) : -1;
      if (index >= 0) {
        open.length = index;
        out.push(...(indentOf(line) === 0 ? [line] : ["", line.trim()]));
        continue;
      }
      if (name !== undefined && !isWhole && indentOf(line) === 0) open.push(colons);
    }
    out.push(line);
  }
  return out.join("\n");
}

/** Whether a line that is so far in belongs to the item of a list. */
function isInList(before: readonly string[], indent: number): boolean {
  for (let at = before.length - 1; at >= 0 && at > before.length - LINES_MAX; at--) {
    const line = before[at] ?? "";
    if (!isBlank(line) && indentOf(line) < indent) return LIST_ITEM.test(line);
  }
  return false;
}

/** The line that closes the callout that begins on one; undefined where it is no callout, or none closes it. */
function calloutEnd(lines: readonly string[], begin: number, left: { looks: number }): number | undefined {
  const opening = lines[begin] ?? "";
  const { name, colons, isWhole } = readDirective(opening);
  if (name === undefined || isWhole || !isCalloutName(name)) return undefined;
  let fence: FenceOpening | undefined;
  for (let at = begin + 1; at < lines.length && at < begin + LINES_MAX && left.looks-- > 0; at++) {
    const line = lines[at] ?? "";
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      continue;
    }
    fence = fenceOpening(line);
    if (fence !== undefined || isBlank(line)) continue;
    if (indentOf(line) < indentOf(opening)) return undefined;
    if (!LINE.test(line)) continue;
    const inside = readDirective(line);
    if (inside.name === undefined && inside.colons >= colons) return at;
  }
  return undefined;
}

function quoteOf(lines: readonly string[]): string[] {
  const opening = lines[0] ?? "";
  const columns = indentOf(opening);
  const { name = "", title } = readDirective(opening);
  const body = placeNestedContainers(
    lines
      .slice(1, -1)
      .map((line) => dedent(line, columns))
      .join("\n"),
  );
  const quote = writeCallout({ kind: name, title, body }, { isNested: true });
  return ["", ...quote.split("\n"), ""].map((line) => (line === "" ? line : " ".repeat(columns) + line));
}
