import {
  closesFence,
  dedent,
  type FenceOpening,
  fenceBehind,
  fenceOpening,
  indentOf,
  isBlank,
} from "@docent/kernel/text/markdown-lines";
import { escapeDestination } from "@docent/kernel/text/write-markdown";
import { isCalloutName, readDirective, writeCallout } from "../callouts.ts";

export { unwrapIndentedBlocks } from "./indented-blocks.ts";
export { unwrapMdc } from "./mdc.ts";

const ANY = /^(?:[ \t]+:{3}|:::[ \t]*image\b)/m;
const LINE = /^[ \t]*:{3,}(?!:)/;
/** How far the end of a callout is looked for, and how far in all for each line of a page. */
const LINES_MAX = 500;
const LOOKS_PER_LINE = 10;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** As far in, a line still closes what began at the margin. */
const CLOSING_INDENT_MAX = 3;

/**
 * Writes callouts inside of lists as quotes, as containers stand at the margin alone, and moves there what closes a
 * container from behind a list in it. Images of `:::image` become those of Markdown.
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
      const image = imageOf(line);
      if (image !== undefined) {
        out.push(image);
        continue;
      }
      const isNested = indentOf(line) > 0 && isInList(out, indentOf(line));
      const end = isNested ? calloutEnd(lines, at, left, open.length > 0) : undefined;
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

/** `:::image source="a.png" alt-text="A":::` as an image, its end as nothing; undefined for another line. */
function imageOf(line: string): string | undefined {
  const [, indent = "", isEnd, attributes = ""] =
    /^([ \t]*):::[ \t]*image(-end)?\b([^\n]{0,3000}?):::(?:image-end:::)?[ \t]*$/.exec(line) ?? [];
  if (isEnd !== undefined) return "";
  const image = imageOfAttributes(attributes);
  return image === undefined ? undefined : indent + image;
}

/** The image that `source="a.png" alt-text="A"` describes; undefined where it has no source. */
export function imageOfAttributes(attributes: string): string | undefined {
  const of = (name: string) => new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1];
  const source = of("source");
  return source === undefined
    ? undefined
    : `![${of("alt-text")?.replace(/[[\]]/g, "") ?? ""}](${escapeDestination(source)})`;
}

/**
 * The line that closes the callout that begins on one; undefined where it is no callout, or none closes it. Translators
 * move it to the margin, where it closes a container of the page if one is open.
 */
function calloutEnd(
  lines: readonly string[],
  begin: number,
  left: { looks: number },
  isInContainer: boolean,
): number | undefined {
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
    const inside = LINE.test(line) ? readDirective(line) : undefined;
    const closes = inside !== undefined && inside.name === undefined && inside.colons >= colons;
    if (indentOf(line) < indentOf(opening))
      return closes && !isInContainer && indentOf(line) === 0 ? at : undefined;
    if (closes) return at;
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

const FRAME = /^[ \t]*:{3}[ \t]*(row|column)(-end)?\b[^:\n]{0,200}:{3}[ \t]*$/;

/** What is shown for some versions of a product alone. */
const CONDITION = /^[ \t]*:{3}[ \t]*(?:moniker|zone)(?:-end)?\b[^\n]{0,300}$/;

/** What DocFX shows in columns, below each other. It is further in than its page, where Markdown would see code. */
export function unwrapColumns(markdown: string): string {
  if (!markdown.includes(":::")) return markdown;
  const out: string[] = [];
  let column: string[] | undefined;
  let fence: FenceOpening | undefined;
  const close = () => {
    out.push("", ...withoutIndent(column ?? []), "");
    column = undefined;
  };
  for (const line of markdown.split("\n")) {
    const [, name, isEnd] = (fence === undefined ? FRAME.exec(line) : null) ?? [];
    fence = fenceBehind(line, fence);
    const isShown = fence !== undefined || !CONDITION.test(line);
    if (name === undefined && isShown) (column ?? out).push(line);
    else if (name !== undefined && column !== undefined) close();
    if (name === "column" && isEnd === undefined) column = [];
  }
  if (column !== undefined) close();
  return out.join("\n");
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  const common = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return lines.map((line) => (isBlank(line) ? "" : dedent(line, common)));
}
