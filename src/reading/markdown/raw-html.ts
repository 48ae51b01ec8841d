import { outsideCode, outsideFences } from "@docent/kernel/text/code-spans";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { dedent, type FenceOpening, fenceBehind, indentOf } from "@docent/kernel/text/markdown-lines";
import { codeSpan, escapeDestination, escapeLabel } from "@docent/kernel/text/write-markdown";
import { placeMark, takeHeadingId } from "./anchors.ts";
import { readHtmlFragment } from "./html/html.ts";
import { decodeEntities } from "./html-text.ts";
import { isForDarkPages, withWidth } from "./image-width.ts";
import { type Block, scanBlocks } from "./md/md.ts";

/** Shown folded by whoever shows a page; their words are Markdown. */
const FOLDS = /<\/?(?:details|summary)\b/i;
const INLINE =
  "a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr";
const BLOCKS =
  "br caption center col colgroup dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p picture section table tbody td tfoot th thead tr ul";
const INLINE_NAMES = new Set(INLINE.split(" "));
/** Other tags may be what a page is about, or words that are to be filled in, such as `<name>`. */
const NAMES = new Set(`${INLINE} ${BLOCKS}`.split(" "));
const HOLDERS = "blockquote center div dl figure ol p pre section table td th tr ul".split(" ");

const ATTRIBUTES = String.raw`(?:\s{1,20}[^\s<>"'=/]{1,60}(?:\s{0,5}=\s{0,5}(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}'|[^\s"'<>=]{1,2000}))?){0,20}\s{0,20}`;
/** A link's target may stand in brackets of the same kind, and a tag behind a backslash is shown. */
const NO_TARGET = String.raw`(?<!\]\([ \t]{0,5})(?<!\\)`;
const TAG = new RegExp(`${NO_TARGET}</?([A-Za-z][A-Za-z0-9]{0,20})(${ATTRIBUTES})/?>`, "g");
/** An element within a paragraph whose words hold no tag. */
const ELEMENT = new RegExp(
  `${NO_TARGET}<(a|b|strong|i|em|code|kbd|samp|tt)(${ATTRIBUTES})>([^<>]{0,2000})</\\1\\s{0,5}>`,
  "gi",
);
const CODE = /^(?:code|kbd|samp|tt)$/;
const STRONG = /^(?:b|strong)$/;

/**
 * Writes the raw HTML of a page as Markdown, outside of code: tables and lists as such, marks and links as theirs, other
 * tags as nothing. Tags in headings stay where an id may depend on them.
 */
export function unwrapRawHtml(markdown: string): string {
  if (!/<[/A-Za-z]/.test(markdown)) return markdown;
  const lines = withoutScripts(withNamesShown(markdown).split("\n"));
  const out: string[] = [];
  let next = 1;
  let target: string | undefined;
  for (const block of withWholeTables(scanBlocks(lines.join("\n")))) {
    const source = lines.slice(block.startLine - 1, block.endLine).join("\n");
    out.push(...lines.slice(next - 1, block.startLine - 1));
    if (block.kind === "heading") out.push(withTarget(block, source, target, out));
    else out.push(unwrapBlock(block, source));
    target = TARGETS.exec(source)?.[1];
    next = block.endLine + 1;
  }
  return [...out, ...lines.slice(next - 1)].join("\n");
}

/** How many pieces a table may lie in. */
const TABLE_BLOCKS_MAX = 500;

/** The blocks of a page, with a table that blank lines cut into several as one. */
function withWholeTables(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    const parts = block.kind === "html" ? blocks.slice(at, lastOfTable(blocks, at) + 1) : [block];
    const text = parts.map((part) => part.text).join("\n");
    out.push({ ...block, text, endLine: parts.at(-1)?.endLine ?? block.endLine });
    at += parts.length - 1;
  }
  return out;
}

/** The index of the block in which the table ends that one leaves open: its own, where Markdown comes before that. */
function lastOfTable(blocks: readonly Block[], start: number): number {
  let open = 0;
  for (let at = start; at < blocks.length && at < start + TABLE_BLOCKS_MAX; at++) {
    const { kind, text } = blocks[at] ?? { kind: undefined, text: "" };
    if (kind !== "html" && kind !== "comment") return start;
    open += countOf(text, "<table") - countOf(text, "</table");
    if (open <= 0) return at;
  }
  return start;
}

/** Nothing but places to jump to; the last one's name is taken. */
const TARGETS = /^\s*(?:<a\s{1,5}(?:name|id)="([^"<>\s]{1,200})"\s{0,5}>\s{0,5}<\/a>\s*){1,20}$/i;

const writeHeading = (level: number, words: string, id: string) => `${"#".repeat(level)} ${words} {#${id}}`;

/** A heading with the id that an author put before it, which its readers' links lead to. */
function withTarget(
  { level = 1, text }: Block,
  source: string,
  target: string | undefined,
  above: string[],
): string {
  const { text: words, id } = takeHeadingId(text);
  if (id !== undefined)
    return writeHeading(level, unwrapLine(unwrapLine(words).replace(placeMark(id), "")), id);
  if (target === undefined) return source;
  const at = above.findLastIndex((part) => part.includes("<a "));
  above[at] = (above[at] ?? "").replace(placeMark(target), "");
  return writeHeading(level, text, target);
}

const NAMED = /<xref:([^<>\s?]{1,500})(?:\?([^<>\s]{0,300}))?>/g;
const LINKED = /\[([^[\]\n]{1,500})\]\(xref:[^()\s]{1,500}(?:\([^()\s]{0,300}\)[^()\s]{0,300})?\)/g;

/** What DocFX' names of things say, `<xref:System.String>`, where nobody knows the places that they lead to. */
const withNamesShown = (markdown: string) =>
  /[<(]xref:/.test(markdown)
    ? outsideFences(markdown, (words) =>
        outsideCode(words, (prose) => prose.replace(NAMED, showName).replace(LINKED, "$1")),
      )
    : markdown;

function showName(_: string, written: string, query = ""): string {
  const name = decodePercent(written)
    .replace(/`+\d*/g, "")
    .replace(/(?<![*#])[*#]+$/, "");
  const isShort = /displayProperty=nameWithType/i.test(query);
  return codeSpan(isShort ? name.split(".").slice(-2).join(".") : name);
}

const SCRIPT = /^\s*<(style|script)\b/i;

/** A notebook's tables begin with a style, which a blank line does not end. One that is not closed stays. */
function withoutScripts(lines: string[]): string[] {
  const out: string[] = [];
  let fence: FenceOpening | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const name = fence === undefined ? SCRIPT.exec(line)?.[1]?.toLowerCase() : undefined;
    const end = name === undefined ? -1 : lastLineOf(lines, at, name);
    if (end >= 0) {
      at = end;
      continue;
    }
    fence = fenceBehind(line, fence);
    out.push(line);
  }
  return out;
}

const SCRIPT_LINES_MAX = 500;

function lastLineOf(lines: readonly string[], start: number, name: string): number {
  const end = Math.min(lines.length, start + SCRIPT_LINES_MAX);
  for (let at = start; at < end; at++) if (lines[at]?.toLowerCase().includes(`</${name}`)) return at;
  return -1;
}

function unwrapBlock({ kind }: Block, source: string): string {
  if (!source.includes("<")) return source;
  switch (kind) {
    case "html":
      return unwrapHtmlBlock(source);
    case "paragraph":
    case "list":
    case "quote":
    case "table":
      return outsideFences(source, (words) => outsideCode(words, unwrapInline));
    default:
      return source;
  }
}

/** Leaves one that is not closed. Each part is looked at once. */
function withoutComments(html: string): string {
  const [first = "", ...parts] = html.split("<!--");
  const after = parts.map((part) => {
    const end = part.indexOf("-->");
    return end < 0 ? `<!--${part}` : part.slice(end + 3);
  });
  return first + after.join("");
}

function unwrapHtmlBlock(written: string): string {
  if (FOLDS.test(written)) return unwrapFolds(written);
  const source = withoutComments(written);
  if (source.includes("<!--") || source.trim() === "") return written;
  const isWhole = HOLDERS.every((name) => countOf(source, `<${name}`) === countOf(source, `</${name}`));
  // What is left open goes on after the next blank line, with Markdown inside.
  const words = isWhole
    ? withImages(source, (html) => readHtmlFragment(html, { opensSections: HEADING.test(html) }))
    : source.split("\n").map(unwrapLine).join("\n").trim();
  return words === "" ? "" : `\n${words}\n`;
}

/** A tag of a part that unfolds, or its title. */
const FOLD =
  /<details\b[^<>]{0,1000}>|<\/details\s{0,20}>|<summary\b[^<>]{0,1000}>(?:(?!<\/?summary\b)[\s\S]){0,2000}<\/summary\s{0,20}>/gi;

/** Writes what unfolds with empty lines around it, so that it is read as Markdown. */
function unwrapFolds(written: string): string {
  if (FOLDS.test(written.replace(FOLD, ""))) return written;
  const parts: string[] = [];
  let at = 0;
  const addWords = (text: string) => {
    const words = wordsOfFold(text);
    if (words !== "") parts.push("", words, "");
  };
  for (const { 0: tag, index } of written.matchAll(FOLD)) {
    addWords(written.slice(at, index));
    parts.push(tag);
    at = index + tag.length;
  }
  addWords(written.slice(at));
  return `\n${parts.join("\n")}\n`;
}

function wordsOfFold(text: string): string {
  const lines = text.replace(/^(?:[ \t]*\n)+|\s+$/g, "").split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const indent = Math.min(...indents);
  if (indents.length === 0) return "";
  const words = lines.map((line) => dedent(line, indent)).join("\n");
  if (/^<[/a-z]/i.test(words)) return unwrapHtmlBlock(words).trim();
  return outsideFences(words, (prose) => outsideCode(prose, unwrapInline));
}

/** A heading that is a block of its own and has an id: what an author's links lead to is a section. */
const HEADING =
  /^\s*<(h[1-6])[^<>]{0,500}\sid=["']?[^\s"'<>][^<>]{0,500}>(?:(?!<\/?h[1-6]\b)[\s\S]){1,2000}<\/\1\s*>\s*$/i;

const IMAGE = new RegExp(`<img(${ATTRIBUTES})/?>`, "gi");
/** Stands for an image that goes through the reading of HTML, which keeps only their words. No source has these. */
const PLACE = /\uFDD3(\d{1,9})\uFDD4/g;

function withImages(source: string, read: (html: string) => string): string {
  const images: string[] = [];
  const named = source.replace(IMAGE, (_, attributes: string) => {
    images.push(writeImage(attributes));
    return `\uFDD3${images.length - 1}\uFDD4`;
  });
  return read(named).replace(PLACE, (_, index: string) => images[Number(index)] ?? "");
}

/** An indent would make code of what was none. */
const unwrapLine = (line: string) => unwrapInline(line).trim();

function countOf(source: string, tag: string): number {
  let count = 0;
  const text = source.toLowerCase();
  for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + 1))
    if (!/[a-z0-9]/.test(text.charAt(at + tag.length))) count++;
  return count;
}

/** Stands for what looks like tags and is to stay: the mark of a place, and code. No source has these. */
const MARK = /\uFDD5(\d{1,9})\uFDD6/g;

function unwrapInline(words: string): string {
  if (!words.includes("<")) return words;
  const kept: string[] = [];
  const keep = (text: string) => `\uFDD5${kept.push(text) - 1}\uFDD6`;
  const marked = (written: string, tag: string, attributes: string) => {
    const mark = placeMark(placeOf(tag, attributes) ?? "");
    return mark === "" ? written : keep(mark) + written;
  };
  return words
    .replace(ELEMENT, (whole: string, tag: string, attributes: string, inside: string) => {
      const written = writeElement(whole, tag, attributes, inside);
      if (written === whole) return whole;
      return marked(CODE.test(tag.toLowerCase()) ? keep(written) : written, tag, attributes);
    })
    .replace(TAG, (whole: string, tag: string, attributes: string) => {
      const written = writeTag(whole, tag, attributes);
      return written === whole ? whole : marked(written, tag, attributes);
    })
    .replace(MARK, (_, index: string) => kept[Number(index)] ?? "");
}

/** The name under which links lead to an element. */
const placeOf = (tag: string, attributes: string) =>
  attributeOf(attributes, "id") ?? (/^a$/i.test(tag) ? attributeOf(attributes, "name") : undefined);

function writeElement(whole: string, tag: string, attributes: string, inside: string): string {
  const name = tag.toLowerCase();
  if (inside.trim() === "") return inside;
  if (CODE.test(name)) return codeSpan(decodeEntities(inside.replace(/\s+/g, " ")));
  if (name === "a") return writeLink(attributeOf(attributes, "href"), inside);
  // A mark next to a space, or to one of its kind, would be no mark.
  if (inside.trim() !== inside || /[*_]/.test(inside)) return inside;
  return STRONG.test(name) ? `**${inside}**` : name === "i" || name === "em" ? `*${inside}*` : whole;
}

const writeLink = (href: string | undefined, words: string) =>
  href === undefined || /[[\]]/.test(words) ? words : `[${words}](${escapeDestination(href)})`;

function writeTag(whole: string, tag: string, attributes: string): string {
  const name = tag.toLowerCase();
  if (!NAMES.has(name)) return whole;
  if (name === "img") return writeImage(attributes);
  return INLINE_NAMES.has(name) ? "" : " ";
}

function writeImage(attributes: string): string {
  const source = attributeOf(attributes, "src");
  if (isForDarkPages(attributeOf(attributes, "class") ?? "")) return "";
  const label = escapeLabel(attributeOf(attributes, "alt") ?? "");
  if (source === undefined) return label;
  return `![${label}](${escapeDestination(withWidth(source, attributeOf(attributes, "width")))})`;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'<>=]+))`, "i").exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value);
}
