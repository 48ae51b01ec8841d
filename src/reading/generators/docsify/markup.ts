import {
  calloutKind,
  codeAt,
  eachOutsideCode,
  type NameHeading,
  type WrittenHeading,
  writeCallout,
  writeHeadingIds,
} from "../writing/writing.ts";
import { readOptions, replaceTitled, type TitledLink, writeTitled } from "./options.ts";

/** Docsify's Markdown as Docent's, with the published ids in its headings. */
export function readMarkup(body: string, version: { isOld: boolean }): string {
  const named = writeHeadingIds(withTabs(body), createHeadingNames(version));
  return eachOutsideCode(named, (part) => withCallouts(part.split("\n").map(readLine)).join("\n"));
}

const TAB =
  /^[ \t]*(?:#{1,6}[ \t]+(?:\*\*|__)(.+?)(?:\*\*|__)|<!--\s*tab:\s*(?!\s)(|.+?(?<!\s))\s*-->)[ \t]*$/;

/** The tabs of a plugin: labels with what is below them. */
function withTabs(body: string): string {
  if (!/<!--\s*tabs:start\s*-->/.test(body)) return body;
  const lines = body.split("\n");
  const written: string[] = [];
  let isInside = false;
  for (let at = 0; at < lines.length; ) {
    const length = codeAt(lines, at)?.length ?? 0;
    if (length > 0) {
      written.push(...lines.slice(at, at + length));
      at += length;
      continue;
    }
    const line = lines[at] ?? "";
    at += 1;
    const side = /^[ \t]*<!--\s*tabs:(start|end)\s*-->[ \t]*$/.exec(line)?.[1];
    if (side !== undefined) isInside = side === "start";
    const [whole, bold, said] = side === undefined && isInside ? (TAB.exec(line) ?? []) : [];
    written.push(side !== undefined ? "" : whole === undefined ? line : `**${bold ?? said}**`);
  }
  return written.join("\n");
}

function readLine(line: string): string {
  const shown = showHeading(line).replace(/\{docsify-updated\}/g, "");
  return readAlert(replaceTitled(shown, shownLink));
}

/** Without a place to lead to, a link is its words. */
function shownLink(link: TitledLink): string {
  const { options, isImage, label, href } = link;
  const isOutside = options.has("ignore") && !/:|\/\//.test(href);
  return !isImage && (isOutside || options.has("disabled")) ? label : writeTitled(link);
}

const ALERT = /^([ \t]*>[ \t]*)\[!(\w{1,30})((?:\|[^\]\n]{0,300})?)\][ \t]*/;

/** `> [!TIP|style:flat|label:Good to know]`, as a plugin allows it, and kinds that only Docsify has. */
function readAlert(line: string): string {
  const [whole, quote = "", name = "", options = ""] = ALERT.exec(line) ?? [];
  if (whole === undefined) return line;
  const kind = calloutKind(name);
  const rest = line.slice(whole.length);
  if (kind === undefined) return quote + rest;
  const label = /\|label:([^|]*)/.exec(options)?.[1] ?? "";
  const mark = `${quote}[!${kind.toUpperCase()}]`;
  if (label === "") return options === "" && kind === name.toLowerCase() ? line : `${mark} ${rest}`.trimEnd();
  return rest === "" ? `${mark} ${label}` : `${mark} ${label}\n${quote}${rest}`;
}

const HINT = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)([?!])>[ \t]?(.*)$/;
const INTERRUPTS = /^\s*(?:#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|[?!]>|```|~~~|<\w)/;

/** `?> A tip` and `!> Important`, up to the end of their paragraph. */
function withCallouts(lines: readonly string[]): string[] {
  const written: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [whole, before = "", mark, first = ""] = HINT.exec(lines[at] ?? "") ?? [];
    if (whole === undefined) {
      written.push(lines[at] ?? "");
      continue;
    }
    const body = [first];
    while (
      at + 1 < lines.length &&
      (lines[at + 1] ?? "").trim() !== "" &&
      !INTERRUPTS.test(lines[at + 1] ?? "")
    )
      body.push((lines[++at] ?? "").trim());
    const isNested = before !== "";
    const kind = mark === "?" ? "tip" : "important";
    const callout = writeCallout({ kind, body: body.join("\n") }, { isNested }).split("\n");
    const indent = " ".repeat(before.length);
    const placed = isNested
      ? callout.map((line, index) => (index === 0 ? before : indent) + line)
      : ["", ...callout, ""];
    written.push(...placed);
  }
  return written;
}

const DROPPED = /[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^`{|}~]/g;
const EMOJI = /[\p{Emoji_Presentation}\p{Extended_Pictographic}]/gu;

/** What marks a heading that is in no list of headings. */
const IGNORED = /<!-- \{docsify-ignore(?:-all)?\} -->|\{docsify-ignore(?:-all)?\}/g;

/** Gives the headings of one page their ids, in order. Version 4 makes them of what is shown, 5 of what is written. */
function createHeadingNames({ isOld }: { isOld: boolean }): NameHeading {
  const counts = new Map<string, number>();
  return (heading) => {
    const { options } = readOptions(heading.source);
    const id = options.get("id");
    const slug = isOld ? oldSlug(heading, id) : newSlug(heading, id);
    const count = counts.get(slug);
    counts.set(slug, count === undefined ? 0 : count + 1);
    return count === undefined ? slug : `${slug}-${count + 1}`;
  };
}

function newSlug({ source, given, isInTag }: WrittenHeading, id: string | true | undefined): string {
  if (id === true) return "";
  // Braces are no ids for Docsify.
  const written = id ?? (given === undefined || isInTag ? source : `${source} {#${given}}`);
  const linkless = written
    .trim()
    .normalize("NFC")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  const plain = linkless.replaceAll("\uFE0F", "").replace(EMOJI, "");
  return withoutMarks(plain).replace(/^(\d)/, "_$1");
}

function oldSlug({ words }: WrittenHeading, id: string | true | undefined): string {
  if (id === true) return "";
  const written = id ?? escaped(readOptions(words).words.replace(IGNORED, ""));
  return withoutMarks(written.trim()).replace(/-+/g, "-").replace(/^(\d)/, "_$1");
}

const withoutMarks = (text: string) =>
  text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/<[^>]+>/g, "")
    .replace(DROPPED, "")
    .replace(/\s/g, "-");

const escaped = (words: string) =>
  words
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** A heading with its id, without what only says how it is listed. */
function showHeading(line: string): string {
  const [, marks, source, id] = /^(#{1,6}) (.*) (\{#[^{}\s]*\})$/.exec(line) ?? [];
  if (marks === undefined || source === undefined) return line;
  return `${marks} ${readOptions(source).words.replace(IGNORED, "").trim()} ${id}`;
}
