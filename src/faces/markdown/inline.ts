import { trimmedLength } from "@docent/kernel/text/bare-url";
import { decodeEntity, ENTITY } from "@docent/kernel/text/entities";
import type { Targets } from "./allowed-targets.ts";
import { type InlineItem, pairEmphasis, readDelimiter } from "./emphasis.ts";
import { element, type MarkdownNode, textOf, withoutLinks } from "./nodes.ts";
import { match, type ParsedTarget, parseTarget } from "./parse-target.ts";

/** A bracket that may turn out to begin a link or an image. */
interface Bracket {
  /** Its place among the items. */
  item: number;
  /** Its place in the text. */
  at: number;
  isImage: boolean;
}

/** Plain words, or a formula in TeX as models write them: that is shown as it is, because its marks are not Markdown's. */
const WORDS = /[^\\`*_~[\]!<&\nhH$]+|(\$\$?)(?!\s)[^$]*[^$\s]\1(?!\d)|\\(\(|\[\s).{1,999}?\\[)\]]/sy;
const MARKS = /\*+|_+|~+/y;
const BACKTICKS = /`+/y;
/** Full-width marks end an address: where they are written, no space stands behind it. */
const ADDRESS = /(?<![a-z\d])https?:\/\/[^\s<>`\u3000-\u303f\uff00-\uffef]+/iy;
const ANGLED_ADDRESS = /<(https?:\/\/[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,255})>/iy;
const BREAK_TAG = /<br ?\/?>/iy;
/** Tags that do nothing but look, around plain words. Answers keep these as they are. */
const LOOK_TAG = /<(kbd|sub|sup)>([^<>\n]{1,200})<\/\1>/y;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const ALT_CHARACTERS_MAX = 500;
/** How far back a link is looked for that has begun and not ended. */
const BEGUN_CHARACTERS_MAX = 500;
const BEGUN_CITATION = /^[[\]\d]*$/;

/** What was found in a text as far as it has been read. */
interface Reading {
  targets: Targets;
  /** The text is still coming. */
  isOpen: boolean;
  items: InlineItem[];
  /** Plain words that are no item yet. */
  words: string;
  brackets: Bracket[];
  /** Brackets below this place in the stack stand around a link, and cannot be one themselves. */
  aroundLink: number;
  /** Where the last run of backticks of each length is, once one was met. */
  lastRuns?: Map<number, number>;
}

/** Reads what stands at a place of the text, and gives how long it is. */
type Rule = (reading: Reading, text: string, at: number) => number;

/** What may begin with a character. */
const RULES: Record<string, Rule> = {
  "\\": backslash,
  "`": code,
  "*": marks,
  _: marks,
  "~": marks,
  "!": (reading, text, at) =>
    text[at + 1] === "[" ? openBracket(reading, at, "![") : plain(reading, text, at),
  "[": (reading, _text, at) => openBracket(reading, at, "["),
  "]": closeBracket,
  "<": angle,
  "&": entity,
  "\n": lineEnd,
  h: bareAddress,
  H: bareAddress,
};

/** The text of one paragraph, heading or cell. Where it is still coming, what is half written looks calm. */
export function parseInline(written: string, targets: Targets, isOpen: boolean): MarkdownNode[] {
  const text = isOpen ? withoutBegunMark(written) : written;
  const reading: Reading = { targets, isOpen, items: [], words: "", brackets: [], aroundLink: 0 };
  let at = 0;
  while (at < text.length) {
    const words = match(WORDS, text, at)?.[0];
    at += words ? say(reading, words) : (RULES[text[at] ?? ""] ?? plain)(reading, text, at);
  }
  flush(reading);
  if (isOpen) hideBegunLinks(reading, text);
  return pairEmphasis(reading.items, isOpen);
}

function flush(reading: Reading): void {
  if (reading.words !== "") reading.items.push(reading.words);
  reading.words = "";
}

function say(reading: Reading, said: string, length = said.length): number {
  reading.words += said;
  return length;
}

function add(reading: Reading, item: InlineItem, length: number): number {
  flush(reading);
  reading.items.push(item);
  return length;
}

const plain: Rule = (reading, text, at) => say(reading, text[at] ?? "");

function backslash(reading: Reading, text: string, at: number): number {
  const next = text[at + 1] ?? "";
  if (next === "\n") return add(reading, element("br"), 2);
  return ESCAPABLE.test(next) ? say(reading, next, 2) : say(reading, "\\");
}

function code(reading: Reading, text: string, at: number): number {
  const { isOpen } = reading;
  const mark = match(BACKTICKS, text, at)?.[0] ?? "`";
  const from = at + mark.length;
  reading.lastRuns ??= lastOfEachLength(text);
  const isClosed = (reading.lastRuns.get(mark.length) ?? 0) > at;
  if (!isClosed && !isOpen) return say(reading, mark);
  const to = isClosed ? startOfRun(text, from, mark.length) : text.length;
  const inside = text.slice(from, to).replaceAll("\n", " ");
  const isPadded = /^ .* $/.test(inside) && inside.trim() !== "";
  const length = to - at + (isClosed ? mark.length : 0);
  if (inside === "") return length;
  return add(reading, element("code", [isPadded ? inside.slice(1, -1) : inside]), length);
}

function marks(reading: Reading, text: string, at: number): number {
  const run = match(MARKS, text, at)?.[0] ?? "";
  return add(reading, readDelimiter(run, text[at - 1] ?? "", text[at + run.length] ?? ""), run.length);
}

function openBracket(reading: Reading, at: number, mark: string): number {
  flush(reading);
  reading.brackets.push({ item: reading.items.length, at, isImage: mark !== "[" });
  return add(reading, mark, mark.length);
}

function closeBracket(reading: Reading, text: string, at: number): number {
  const { isOpen, brackets, items } = reading;
  // What follows decides what it is.
  if (isOpen && at + 1 === text.length && brackets.length > 0) return 1;
  const bracket = brackets.pop();
  const mayLink = bracket?.isImage || brackets.length >= reading.aroundLink;
  reading.aroundLink = Math.min(reading.aroundLink, brackets.length);
  const target = bracket && mayLink && text[at + 1] === "(" ? parseTarget(text, at + 1) : undefined;
  if (bracket === undefined || target === undefined) return say(reading, "]");
  if (target === "unfinished") {
    if (!isOpen) return say(reading, "]");
    brackets.push(bracket);
    return text.length - at;
  }
  flush(reading);
  const inside = pairEmphasis(items.splice(bracket.item).slice(1), false);
  items.push(...(bracket.isImage ? image : link)(inside, target, reading.targets));
  if (!bracket.isImage) reading.aroundLink = brackets.length;
  return target.end - at;
}

function link(inside: MarkdownNode[], { href, title }: ParsedTarget, targets: Targets): MarkdownNode[] {
  const attributes = targets.link(href);
  const children = withoutLinks(inside);
  if (attributes === undefined || children.length === 0) return children;
  return [element("a", children, { ...attributes, ...(title && { title }) })];
}

function image(inside: MarkdownNode[], target: ParsedTarget, targets: Targets): MarkdownNode[] {
  const { href, title } = target;
  const alt = textOf(inside, ALT_CHARACTERS_MAX);
  const src = targets.image(href);
  if (src === undefined) return alt === "" ? [] : link([alt], target, targets);
  const shown = { src, alt, loading: "lazy", referrerpolicy: "no-referrer", ...(title && { title }) };
  return [element("img", [], shown)];
}

function angle(reading: Reading, text: string, at: number): number {
  const address = match(ANGLED_ADDRESS, text, at);
  if (address !== undefined) return addAddress(reading, address[1] ?? "", address[0]);
  const lineBreak = match(BREAK_TAG, text, at);
  if (lineBreak !== undefined) return add(reading, element("br"), lineBreak[0].length);
  const look = match(LOOK_TAG, text, at);
  const tag = look?.[1];
  if (look !== undefined && (tag === "kbd" || tag === "sub" || tag === "sup"))
    return add(reading, element(tag, [look[2] ?? ""]), look[0].length);
  return say(reading, "<");
}

/** A link of an address; what was written of it where it must not be one. */
function addAddress(reading: Reading, address: string, written: string): number {
  const attributes = reading.targets.link(/^https?:/i.test(address) ? address : `mailto:${address}`);
  if (attributes === undefined) return say(reading, written);
  return add(reading, element("a", [address], attributes), written.length);
}

function entity(reading: Reading, text: string, at: number): number {
  const found = match(ENTITY, text, at)?.[0] ?? "&";
  return say(reading, decodeEntity(found), found.length);
}

function lineEnd(reading: Reading): number {
  const isBreak = reading.words.endsWith("  ");
  reading.words = reading.words.trimEnd();
  return add(reading, isBreak ? element("br") : "\n", 1);
}

function bareAddress(reading: Reading, text: string, at: number): number {
  const address = match(ADDRESS, text, at)?.[0];
  if (address === undefined) return plain(reading, text, at);
  // A link for every letter that comes would be another link each time.
  if (reading.isOpen && at + address.length === text.length) return say(reading, address);
  const own = address.slice(0, trimmedLength(address));
  return addAddress(reading, own, own);
}

/** Where the next run of so many backticks begins. */
function startOfRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf("`", from); at !== -1; at = text.indexOf("`", at)) {
    const run = match(BACKTICKS, text, at)?.[0].length ?? 1;
    if (run === length) return at;
    at += run;
  }
  return text.length;
}

/** Links that have begun show their words alone; of a citation or an image nothing shows before it is whole. */
function hideBegunLinks({ items, brackets }: Reading, text: string): void {
  for (let index = brackets.length - 1; index >= 0; index--) {
    const bracket = brackets[index];
    if (bracket === undefined || text.length - bracket.at > BEGUN_CHARACTERS_MAX) return;
    const label = text.slice(bracket.at).split("(", 1)[0] ?? "";
    if (bracket.isImage || BEGUN_CITATION.test(label)) items.length = bracket.item;
    else items[bracket.item] = "";
  }
}

/** Where the last run of backticks of each length is: one that has no equal behind it begins no code. */
function lastOfEachLength(text: string): Map<number, number> {
  const last = new Map<number, number>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) last.set(run.length, index);
  return last;
}

/** The text without the marks, half an entity or half a tag at its end: what follows decides what they are. */
function withoutBegunMark(text: string): string {
  let end = text.length;
  while (end > 0 && "*_~`\\".includes(text[end - 1] ?? " ")) end--;
  const begun = /(?:&#?\w{0,31}|<[a-z/]{0,5})$/i.exec(text.slice(Math.max(0, end - 40), end));
  return text.slice(0, end - (begun?.[0].length ?? 0));
}
