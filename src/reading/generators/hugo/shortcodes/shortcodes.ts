import { listMarker } from "@docent/kernel/text/markdown-lines";
import { createInclusions, writeHeadingIds } from "../../writing/writing.ts";
import type { ContentPage } from "../content.ts";
import { createHeadingNames, VARYING } from "../heading-ids.ts";
import type { HugoSite } from "../site.ts";
import { innerAsCode, writeCode } from "./code.ts";
import { KNOWN } from "./known.ts";
import { type Piece, type Shortcode, scanShortcodes } from "./scan.ts";
import { findTemplate, highlightsInner, readTemplate } from "./template.ts";
import {
  argumentOf,
  labelled,
  NOTHING,
  type ShortcodeContext,
  type WriteShortcode,
  type Written,
  withoutIndent,
} from "./writing.ts";

const LOOP = "includes itself, or is nested too deeply";
const FAULTS_MAX = 50;

/** A page's body with all its shortcodes written out as Markdown. */
export async function expandShortcodes(
  site: HugoSite,
  page: ContentPage,
  body: string,
): Promise<{ markdown: string; faults: string[] }> {
  const context: ShortcodeContext = {
    site,
    page,
    faults: new Set(),
    parents: [],
    files: [page.location],
    isNested: false,
    inclusions: createInclusions(site.tree, { loop: LOOP, deep: LOOP }),
    expand: (text, within) => writePieces(scanShortcodes(text), within),
    inner: () => Promise.resolve(""),
    code: () => Promise.resolve(""),
  };
  const markdown = await context.expand(body, context);
  return { markdown, faults: [...context.faults].slice(0, FAULTS_MAX) };
}

async function writePieces(pieces: readonly Piece[], context: ShortcodeContext): Promise<string> {
  const out = createOutput();
  for (const piece of pieces) {
    if (piece.kind === "text") {
      out.add(out.isAfterBlank() ? piece.text.replace(/^\n(?=\n)/, "") : piece.text);
      continue;
    }
    const place = placeOn(out.line());
    const isNested = context.isNested || place.indent !== "";
    const written = await writeShortcode(piece, { ...context, isNested });
    if ("inline" in written) out.add(inlineOf(piece, written.inline, out.line()));
    else placeBlock(out, place, written.block);
    context.inclusions.charactersLeft -= "inline" in written ? written.inline.length : written.block.length;
  }
  return out.whole();
}

/** Text as it grows, with its last line at hand. */
function createOutput() {
  const parts: string[] = [];
  let line = "";
  let isAfterBlank = true;
  return {
    line: () => line,
    /** Whether the line before the last is blank. */
    isAfterBlank: () => isAfterBlank && line === "",
    beginsParagraph: () => isAfterBlank,
    add(text: string) {
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) {
        const lines = line + text.slice(0, end);
        isAfterBlank = lines === "\n" || lines.endsWith("\n\n");
        parts.push(lines);
        line = "";
      }
      line += text.slice(end);
    },
    setLine(text: string) {
      line = text;
    },
    whole: () => parts.join("") + line,
  };
}

type Output = ReturnType<typeof createOutput>;

/** Where on its line a shortcode stands. */
interface LinePlace {
  /** What the lines of a block begin with here. */
  indent: string;
  isAtStart: boolean;
}

/** Nothing that begins a block is longer. */
const MARKER_CHARACTERS_MAX = 1_000;

function placeOn(before: string): LinePlace {
  if (before.length > MARKER_CHARACTERS_MAX) return { indent: "", isAtStart: false };
  if (before.trim() === "") return { indent: before, isAtStart: true };
  const marker = listMarker(before);
  if (marker !== undefined && marker.rest.trim() === "")
    return { indent: " ".repeat(Math.max(marker.contentIndent, before.length)), isAtStart: true };
  return { indent: /^[ \t]*/.exec(before)?.[0] ?? "", isAtStart: false };
}

function placeBlock(out: Output, { indent, isAtStart }: LinePlace, block: string): void {
  if (block.trim() === "") return;
  const text = block
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : indent + line))
    .join("\n");
  if (!isAtStart) {
    out.setLine(out.line().trimEnd());
    out.add(`\n\n${indent}${text}\n\n${indent}`);
    return;
  }
  const line = out.line();
  if (line.trim() === "" && !out.beginsParagraph()) {
    out.setLine("");
    out.add(`\n${line}`);
  }
  out.add(`${text}\n\n`);
}

/** A heading that holds one of the `<` kind has an id that no two builds share. */
function inlineOf({ isMarkdown }: Shortcode, inline: string, before: string): string {
  return !isMarkdown && /^ {0,3}#{1,6}\s/.test(before) ? inline + VARYING : inline;
}

/** Takes the indent of the inner text off, or the white space around it. */
const TRIMMING = /InnerDeindent|trim\w*\s+\$?\.Inner|\.Inner\s*\|\s*[\w.]*trim/i;

/** Whether what is inside is indented as code, by a site's own template that leaves the indent as it is. */
async function keepsIndent(text: string, { name }: Shortcode, context: ShortcodeContext): Promise<boolean> {
  if (!/^(?: {4}|\t)/.test(text.replace(/^(?:[ \t]*\n)+/, "")) || context.isNested) return false;
  const template = await findTemplate(name, context);
  return template !== undefined && !TRIMMING.test(template);
}

async function writeShortcode(shortcode: Shortcode, context: ShortcodeContext): Promise<Written> {
  if (context.inclusions.charactersLeft <= 0) {
    context.faults.add("its shortcodes and includes make it too large: the rest of them is left out");
    return { inline: "" };
  }
  const within = { ...context, parents: [...context.parents, shortcode] };
  const code = async ({ inner: pieces = [] }: Shortcode) => withoutIndent(await writePieces(pieces, within));
  const inner = async (of: Shortcode) => {
    const written = await writePieces(of.inner ?? [], within);
    const text = (await keepsIndent(written, of, context)) ? written : withoutIndent(written);
    // What is not a part of the page's own Markdown is turned into HTML by itself, with ids of its own.
    const isApart = within.parents.some(({ isMarkdown }) => !isMarkdown);
    return isApart && /^ {0,3}#/m.test(text)
      ? writeHeadingIds(text, createHeadingNames(context.site.settings))
      : text;
  };
  const own = { ...context, inner, code };
  const known = KNOWN.get(shortcode.name.toLowerCase());
  if (known !== undefined) return known(shortcode, own);
  const read = await readTemplate(shortcode, own);
  if (read !== undefined) return read;
  const isCode = await highlightsInner(shortcode, own);
  return isCode ? writeCode(shortcode, own) : writeUnknown(shortcode, own);
}

/** The names under which words for readers are given. */
const WORDY = [
  "title",
  "header",
  "label",
  "name",
  "text",
  "caption",
  "summary",
  "subtitle",
  "description",
  "content",
  "alt",
];

/** A shortcode whose template is not known: what it is given to say is kept. */
const writeUnknown: WriteShortcode = async (shortcode, context) => {
  const { name, positional, inner } = shortcode;
  const say = (kept: string) =>
    void context.faults.add(`the shortcode "${name.slice(0, NAME_CHARACTERS_MAX)}" is not known: ${kept}`);
  const code = await innerAsCode(shortcode, context);
  if (code !== undefined) {
    say("what is inside of it is kept as code");
    return code;
  }
  const named = WORDY.flatMap((each) => argumentOf(shortcode, [each]) ?? []);
  const words = [...named, ...positional.filter((each) => WORDS.test(each))];
  if (inner === undefined) {
    const dropped = droppedOf(shortcode);
    if (words.length > 0)
      say(`the words that it is given are kept${dropped === "" ? "" : `, but not ${dropped}`}`);
    else say(`it is left out${dropped === "" ? "" : `, with ${dropped}`}`);
    return words.length === 0 ? NOTHING : { inline: words.join(" ") };
  }
  say("what is inside of it is kept");
  const text = await context.inner(shortcode);
  if (!text.includes("\n")) return { inline: [...words, text].join(" ") };
  const [label = "", ...others] = words;
  return { block: labelled(label, [...others, text].join("\n\n")) };
};

const WORDS = /\S\s+\S/;
const NAME_CHARACTERS_MAX = 60;
const DROPPED_MAX = 8;

/** What of the arguments of a shortcode that is not known is not shown. */
function droppedOf({ named, positional }: Shortcode): string {
  const names = [...named.keys()].filter((each) => !WORDY.includes(each));
  const values = positional.filter((each) => !WORDS.test(each)).map((each) => `"${each}"`);
  const dropped = [...names, ...values].map((each) => each.slice(0, NAME_CHARACTERS_MAX));
  return dropped.slice(0, DROPPED_MAX).join(", ");
}
