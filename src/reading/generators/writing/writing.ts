import { decodePercent } from "@docent/kernel/text/decode-percent";
import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { placeMark, takeHeadingId } from "../../markdown/anchors.ts";
import { isCalloutName } from "../../markdown/callouts.ts";
import { relativeDestinations, rewriteDestinations } from "../../markdown/destinations.ts";
import { htmlToText } from "../../markdown/html-text.ts";
import {
  type Block,
  collectDefinitions,
  type Definitions,
  definitionsUsedIn,
  scanBlocks,
} from "../../markdown/md/md.ts";
import { inlineText, plainInline } from "../../markdown/plain-text.ts";

export { writeCallout } from "../../markdown/callouts.ts";
export { asDiff, codeAt, linesIn, type WrittenCode, writeCode } from "./code.ts";
export { createInclusions, type Inclusions, readIncluded, takenIn } from "./included-files.ts";
export { type LinkListEntry, readLinkList } from "./link-list.ts";
export { linesOfRegion, shownCode, withoutCommonIndent } from "./marked-lines.ts";
export { eachOutsideCode } from "./outside-code.ts";
export { withPartials } from "./partials.ts";

/** A heading as it is written, and what gives it its published id. */
export interface WrittenHeading {
  level: number;
  /** The definitions of the page that its links use. */
  definitions: string[];
  /** Its words, with the spaces that ids are made from. */
  words: string;
  /** Its Markdown. */
  source: string;
  /** The id that its author gave it. */
  given: string | undefined;
  /** Whether that id is on an `<a id="…">` in the heading, which some generators take for the heading's. */
  isInTag: boolean;
}

/** Gives the headings of one page their ids, in order; "" for a heading without one. */
export type NameHeading = (heading: WrittenHeading) => string;

/** Writes the published ids into a page's headings: `## Setup {#setup-1}`. */
export function writeHeadingIds(markdown: string, nameHeading: NameHeading): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  const blocks = scanBlocks(markdown);
  const definitions = collectDefinitions(blocks);
  let next = 1;
  for (const block of blocks) {
    if (block.kind === "quote")
      lines.splice(
        block.startLine - 1,
        block.text.split("\n").length,
        ...quoteWithIds(block.text, nameHeading, definitions),
      );
    if (block.kind !== "heading") continue;
    const { text, id } = named(block, nameHeading, definitions);
    written.push(...lines.slice(next - 1, block.startLine - 1));
    written.push(`${"#".repeat(block.level ?? 1)} ${text} {#${id}}`);
    next = block.endLine + 1;
  }
  return [...written, ...lines.slice(next - 1)].join("\n");
}

/** The Markdown and the published id of a heading. */
function named(
  block: Block,
  nameHeading: NameHeading,
  definitions: Definitions,
): { text: string; id: string } {
  const { text, id: given } = takeHeadingId(block.text);
  const isInTag = given !== undefined && text === block.text;
  const used = definitionsUsedIn(text, definitions);
  const words = inlineText(text, used).trim();
  const heading = { level: block.level ?? 1, words, source: text, definitions: used, given, isInTag };
  return { text, id: nameHeading(heading) };
}

const QUOTE = /^ {0,3}> ?/;

/**
 * The lines of a quote, whose headings are no sections of the page: their ids are marked as places. It is one line for
 * each that was written.
 */
function quoteWithIds(
  quote: string,
  nameHeading: NameHeading,
  definitions: Definitions,
  depth = 0,
): string[] {
  const lines = quote.split("\n");
  const marks = lines.map((line) => QUOTE.exec(line)?.[0] ?? "");
  const inner = lines.map((line) => line.replace(QUOTE, ""));
  for (const block of scanBlocks(inner.join("\n"))) {
    if (block.kind === "quote" && depth < QUOTES_MAX)
      inner.splice(
        block.startLine - 1,
        block.text.split("\n").length,
        ...quoteWithIds(block.text, nameHeading, definitions, depth + 1),
      );
    if (block.kind !== "heading" || block.startLine !== block.endLine) continue;
    const { text, id } = named(block, nameHeading, definitions);
    const mark = placeMark(id);
    const words = text.includes(mark) ? text : mark + text;
    inner[block.startLine - 1] = `${"#".repeat(block.level ?? 1)} ${words}`;
  }
  return inner.map((line, index) => (marks[index] ?? "") + line);
}

const QUOTES_MAX = 5;

/** Rewrites the relative links of a page; undefined leaves one as it is. */
export function rewriteLinks(markdown: string, rewrite: (href: string) => string | undefined): string {
  const rewritten = relativeDestinations(markdown).flatMap((destination) => {
    const isLink = destination.kind === "link" && !isFootnote(markdown, destination.start);
    const href = isLink ? rewrite(destination.href) : undefined;
    return href === undefined ? [] : [{ ...destination, href }];
  });
  return rewriteDestinations(markdown, rewritten);
}

const LABEL_CHARACTERS_MAX = 120;

/** Whether what begins here is the text of a footnote, which is written as the target of a reference is. */
const isFootnote = (markdown: string, start: number) =>
  /\[\^[^\]\n]{1,100}\]:[ \t]*$/.test(markdown.slice(Math.max(0, start - LABEL_CHARACTERS_MAX), start));

/** A link's target without its query and anchor, decoded, and these. */
export function splitHref(href: string): { target: string; rest: string } {
  const end = href.search(/[?#]/);
  const target = end < 0 ? href : href.slice(0, end);
  return { target: decodePercent(target), rest: end < 0 ? "" : href.slice(end) };
}

/** The title that a page has by its front matter, or else by its first heading of the highest level. */
export function titleOf(data: Readonly<Record<string, unknown>>, body: string): string | undefined {
  const { title } = data;
  if (typeof title === "string" && title.trim() !== "") return title.trim();
  if (typeof title === "number") return String(title);
  const heading = scanBlocks(body).find(({ kind, level }) => kind === "heading" && level === 1);
  const words = heading === undefined ? "" : plainInline(takeHeadingId(heading.text).text);
  return words === "" ? undefined : words;
}

/** The names that generators have for a callout, besides those that are known everywhere. */
const OTHER_NAMES: Record<string, string> = {
  primary: "note",
  secondary: "note",
  default: "note",
  abstract: "note",
  question: "note",
  new: "tip",
  highlight: "note",
  warn: "warning",
  alert: "warning",
  critical: "danger",
  fatal: "danger",
};

/** The kind of a callout by the name that a generator has for it; undefined for any other word. */
export function calloutKind(name: string): string | undefined {
  const lower = name.toLowerCase();
  return isCalloutName(lower) ? lower : OTHER_NAMES[lower];
}

/** What the front matter of a home page says, as Markdown: its names, its buttons, and what it praises. */
export function writeHero(data: Readonly<Record<string, unknown>>): string {
  const hero = asRecord(data["hero"]);
  const names = ["name", "title", "text"].map((each) => wordsOf(hero[each]));
  const heading = names.filter((each) => each !== "").join(" ");
  const actions = asList(hero["actions"]).flatMap((each) => linkIn(asRecord(each), "text"));
  const features = asList(data["features"]).map((each) => featureOf(asRecord(each)));
  const parts = [heading && `**${heading}**`, wordsOf(hero["tagline"]), actions.join(" · "), ...features];
  return parts.flatMap((part) => (part === "" ? [] : [`${part}\n\n`])).join("");
}

function featureOf(feature: Readonly<Record<string, unknown>>): string {
  const title = wordsOf(feature["title"]);
  const details = wordsOf(feature["details"]);
  const more = linkIn(feature, "linkText", title);
  const words = [title && `**${title}**`, details].filter((part) => part !== "").join(": ");
  return [words, ...more].join(" ");
}

function linkIn(record: Readonly<Record<string, unknown>>, textName: string, usual = ""): string[] {
  const link = asText(record["link"]);
  const text = wordsOf(record[textName]) || usual;
  if (text === "" || link === undefined) return [];
  return /^[^\s()<>]+$/.test(link) ? [`[${text.replace(/[[\]]/g, "")}](${link})`] : [text];
}

/** Its words in one line; they may have tags. */
const wordsOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? htmlToText(String(value)).replace(/\s+/g, " ").trim()
    : "";
