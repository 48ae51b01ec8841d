import { closesFence, type FenceOpening, fenceOpening } from "@docent/kernel/text/markdown-lines";
import { scanBlocks } from "../md/md.ts";
import { plainInline } from "../plain-text.ts";
import { attributesAt, readAttributes } from "./attributes.ts";
import { readHead } from "./cells.ts";
import type { NameHeading } from "./identifiers.ts";
import { isEnvironment, placeOf } from "./references.ts";

/** A heading of a page, as it is written. */
export interface PandocHeading {
  level: number;
  /** Its Markdown, without attributes. */
  source: string;
  id: string;
  classes: string[];
  /** Its lines, from 0, and the line behind it. */
  start: number;
  end: number;
}

/** What of a page others lead to. */
export interface PandocFacts {
  headings: PandocHeading[];
  /** The labels of figures, tables, formulas and the like. */
  labels: Set<string>;
  /** The lines of comments, from 0, and the line behind each. */
  comments: ReadonlyMap<number, number>;
}

const CHUNK_HEAD = /^([ \t>]*`{3,}[ \t]*)(\{[A-Za-z][^\n]*\})[ \t]*$/;

/** The head of a chunk may have code in its captions, which to Markdown is no opening of a fence. */
export const plainChunkHead = (line: string): string =>
  line.includes("```")
    ? line.replace(CHUNK_HEAD, (_, fence: string, head: string) => fence + head.replaceAll("`", ""))
    : line;

/** A page's text in lines, with the blocks that knitr has for words as the fenced divs that they are now. */
export function pandocLines(body: string): string[] {
  const lines = body.split("\n").map(plainChunkHead);
  let fence: FenceOpening | undefined;
  let isDiv = false;
  return lines.map((line) => {
    if (fence !== undefined) {
      if (!closesFence(line, fence)) return line;
      fence = undefined;
      return isDiv ? ":::" : line;
    }
    fence = fenceOpening(line);
    isDiv = false;
    if (fence === undefined) return line.replace(/^([ \t]*:{3,})(?=\{)/, "$1 ");
    const head = readHead(fence.info);
    const isBlock =
      head.kind === "cell" && (/^(?:block2?|asis)$/.test(head.language) || isEnvironment(head.language));
    if (!isBlock || head.kind !== "cell") return line;
    isDiv = true;
    const name = isEnvironment(head.language) ? head.language : (head.options.get("type") ?? "plain");
    const title = head.options.get("name")?.replace(/["\\]/g, "");
    const label = head.label ?? head.options.get("label");
    const id = label === undefined || !/^[\w:.-]+$/.test(label) ? "" : ` #${label}`;
    return `::: {.${name.replace(/[^\w-]/g, "") || "plain"}${id}${title === undefined ? "" : ` name="${title}"`}}`;
  });
}

export function pandocFacts(lines: readonly string[], nameHeading: NameHeading): PandocFacts {
  const headings: PandocHeading[] = [];
  const comments = new Map<number, number>();
  const text = lines.join("\n");
  for (const { kind, level = 1, text: written, startLine, endLine } of scanBlocks(text)) {
    if (kind === "comment") comments.set(startLine - 1, endLine);
    // To Pandoc, a line below several is no underline of them, nor is one in a formula.
    if (kind !== "heading" || endLine - startLine > 1 || written === "$$") continue;
    const { source, id: given, classes } = withoutAttributes(written);
    const id = nameHeading(source, given);
    headings.push({ level, source, id, classes, start: startLine - 1, end: endLine });
  }
  return { headings, comments, labels: new Set(lines.flatMap(labelsOn)) };
}

function withoutAttributes(written: string): { source: string; id?: string | undefined; classes: string[] } {
  const whole = written.trimEnd();
  const start = whole.endsWith("}") ? whole.lastIndexOf("{") : -1;
  const found = start < 0 ? undefined : attributesAt(whole, start);
  if (found === undefined || found.end !== whole.length) return { source: whole, classes: [] };
  // Braces right behind a span, a picture or code are theirs.
  if (/[\])`]$/.test(whole.slice(0, start)) && found.attributes.id === undefined)
    return { source: whole, classes: [] };
  const { id, classes } = found.attributes;
  return {
    source: whole
      .slice(0, start)
      .trimEnd()
      .replace(/(?<!#)#+$/, "")
      .trimEnd(),
    id,
    classes,
  };
}

const LABELS =
  /\{([^{}\n]{0,200}?#[\w:.-]{1,200}[^{}\n]{0,500})\}|^[ \t]*(?:#|\/\/|--|%%)[ \t]?\|[ \t]*label:[ \t]*["']?([\w:.-]{1,200})|\(\\#([\w:.*-]{1,200})\)|^[ \t]*`{3,}[ \t]*\{\w+[ \t,]+([\w.-]{1,200})[ \t]*[,}]/g;

/** The labels that stand on a line. A chunk's may be that of a figure or of a table. */
export function labelsOn(line: string): string[] {
  if (!/#|```|label:/.test(line)) return [];
  return [...line.matchAll(LABELS)].flatMap(([, braces, option, ofBook, chunk]) => {
    const attributes = braces === undefined ? undefined : readAttributes(braces);
    const label = (attributes === undefined ? undefined : placeOf(attributes)) ?? option ?? ofBook;
    return chunk === undefined ? (label === undefined ? [] : [label]) : [`fig:${chunk}`, `tab:${chunk}`];
  });
}

/** A heading in plain words. */
export const wordsOf = (heading: Pick<PandocHeading, "source">) =>
  plainInline(heading.source.replace(/(?<=[\])])\{[^{}\n]{0,500}\}/g, ""));
