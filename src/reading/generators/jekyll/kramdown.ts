import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { asRecord, asText } from "@docent/kernel/text/json";
import { type FenceOpening, fenceBehind, isBlank, isQuote } from "@docent/kernel/text/markdown-lines";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import { calloutKind, type NameHeading, writeCallout } from "../writing/writing.ts";
import type { JekyllSettings } from "./settings.ts";
import { plainTables } from "./tables.ts";

/** `{: .note #id key="value" }` on a line of its own says something of the block before or after it. */
const ATTRIBUTES = /^[ \t]*\{:[ \t]*([^{}]*)\}[ \t]*$/;
/** Other words to the parser: options, and `{:/comment}`. */
const EXTENSION = /^[ \t]*\{:(?::[^{}]*|\/[^{}]*)\}[ \t]*$/;
const UNSHOWN = /\{::options[^{}]*\/\}|\{::\/?nomarkdown\}|\{:\/(?:nomarkdown)?\}/g;
const INLINE = /(?<=[)\]*_`\w])\{:[ \t]*(?:[.#/][^{}]*|[\w-]+=[^{}]*)\}/g;

/** Turns kramdown's own marks into Markdown's: callouts, ids of headings; the rest only says how things look. */
export function plainKramdown(markdown: string, settings: JekyllSettings): string {
  const shown = replaceEnclosed(
    markdown,
    /\{::comment\}/,
    () => String.raw`\{:\/(?:comment)?\}`,
    () => "",
  );
  const lines = shown.replace(UNSHOWN, "").split("\n");
  const out: string[] = [];
  const boxes = createBoxes();
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const said = fence === undefined ? ATTRIBUTES.exec(line)?.[1] : undefined;
    if (said !== undefined && !EXTENSION.test(line)) {
      at += takeAttributes(said, { lines, at, out, settings });
      continue;
    }
    if (fence === undefined && EXTENSION.test(line)) continue;
    if (fence === undefined) {
      const box = boxes.read(line);
      if (box !== undefined) {
        out.push(...box);
        continue;
      }
    }
    fence = fenceBehind(line, fence);
    out.push(fence === undefined ? line.replace(INLINE, "") : line);
  }
  return settings.isKramdown ? unwrapDefinitionLists(plainTables(out).join("\n")) : out.join("\n");
}

const BOX = /^[ \t]*<(\/?)(div|section|details|aside)\b([^<>]*)>[ \t]*$/;

/** HTML boxes: what is in one with `markdown="1"` is Markdown, and after the end of one Markdown goes on at once. */
function createBoxes() {
  const open: boolean[] = [];
  return {
    /** The lines in the place of one that begins or ends a box. */
    read(line: string): string[] | undefined {
      const [whole, slash, , attributes = ""] = BOX.exec(line) ?? [];
      if (whole === undefined) return undefined;
      if (slash !== "/") {
        const isMarkdown = /\bmarkdown\s*=\s*["']?(?:1|block|span)\b/.test(attributes);
        open.push(isMarkdown);
        return isMarkdown ? [""] : undefined;
      }
      return open.pop() === true ? [""] : [line, ""];
    },
  };
}

interface Place {
  lines: readonly string[];
  at: number;
  out: string[];
  settings: JekyllSettings;
}

/** Writes what a line of attributes makes of its block, and says how many further lines it took. */
function takeAttributes(said: string, { lines, at, out, settings }: Place): number {
  const before = out.at(-1) ?? "";
  const words = said.trim().split(/\s+/);
  if (/^toc\b/.test(said.trim()) && /^[ \t]*(?:[-*+]|\d+\.)\s/.test(before)) {
    out.pop();
    return 0;
  }
  const id = words.find((word) => word.startsWith("#"));
  if (id !== undefined && /^#{1,6}\s/.test(before)) {
    out[out.length - 1] = `${before.replace(/(?<!\s)\s*\{#[^{}]*\}\s*$/, "")} {${id}}`;
    return 0;
  }
  const callout = words.map((word) => calloutOf(word, settings)).find((each) => each !== undefined);
  const rest = callout === undefined || !isBlank(before) ? 0 : blockLength(lines, at + 1);
  if (callout === undefined || rest === 0) return 0;
  const block = lines.slice(at + 1, at + 1 + rest);
  const inner = block.every(isQuote) ? block.map((line) => line.replace(/^[ \t]*>[ ]?/, "")) : block;
  const [first = "", ...others] = inner;
  const text = callout.hasTitle ? others : inner;
  const title = callout.hasTitle ? first : callout.title;
  const nested = writeCallout({ kind: callout.kind, title, body: text.join("\n") }, { isNested: false });
  out.push(...nested.split("\n"), "");
  return rest;
}

/** The lines of the block that begins here. */
function blockLength(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !isBlank(lines[end] ?? "")) end++;
  return end - from;
}

interface Callout {
  kind: string;
  title: string | undefined;
  /** Whether the first line is its title. */
  hasTitle: boolean;
}

/** Just the Docs has the callouts that the configuration names, each with a form whose first line is its title. */
function calloutOf(word: string, { site }: JekyllSettings): Callout | undefined {
  if (!word.startsWith(".")) return undefined;
  const name = word.slice(1).replace(/-title$/, "");
  const hasTitle = word.endsWith("-title");
  const named = asRecord(site["callouts"])[name];
  const known = calloutKind(name);
  if (named === undefined && known === undefined) return undefined;
  return { kind: known ?? "note", title: asText(asRecord(named)["title"]), hasTitle };
}

/** Ids as kramdown makes them: a number is added without a look at what else is called so. */
export function createHeadingNames({ headingIds }: JekyllSettings): NameHeading {
  const counts = new Map<string, number>();
  return ({ words, source, given, isInTag }) => {
    if (given !== undefined && !isInTag) return given;
    if (headingIds === "none") return "";
    const text = source.includes("--") ? words.replace(/-{2,3}/g, "") : words;
    const stem = headingIds === "GFM" ? gfmId(text) : kramdownId(text);
    const count = counts.get(stem) ?? 0;
    counts.set(stem, count + 1);
    return count === 0 ? stem : `${stem}-${count}`;
  };
}

const gfmId = (words: string) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- \t]/gu, "")
    .replace(/[ \t]/g, "-");

function kramdownId(words: string): string {
  const plain = words
    .replace(/^[^a-zA-Z]+/, "")
    .replace(/[^a-zA-Z0-9 -]/g, "")
    .replaceAll(" ", "-")
    .toLowerCase();
  return plain === "" ? "section" : plain;
}
