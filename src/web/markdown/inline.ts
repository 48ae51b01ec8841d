import { bareLinkLength } from "./bare-link.ts";
import { type InlineItem, pairEmphasis, readDelimiter } from "./emphasis.ts";
import { decodeEntity, ENTITY } from "./entities.ts";
import { match, readLinkTarget } from "./link-target.ts";
import { element, type MarkdownNode, textOf, withoutLinks } from "./nodes.ts";
import type { Targets } from "./targets.ts";

/** A bracket that may turn out to begin a link or an image. */
interface Bracket {
  /** Its place among the items. */
  item: number;
  /** Its place in the text. */
  at: number;
  isImage: boolean;
}

const WORDS = /[^\\`*_~[\]!<&\nhH]+/y;
const MARKS = /\*+|_+|~+/y;
const BACKTICKS = /`+/y;
/** Full-width marks end an address: where they are written, no space stands behind it. */
const ADDRESS = /https?:\/\/[^\s<>`\u3000-\u303f\uff00-\uffef]+/iy;
const ANGLED_ADDRESS = /<(https?:\/\/[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})>/iy;
const BREAK_TAG = /<br ?\/?>/iy;
/** Tags that do nothing but look, around plain words. Answers keep these as they are. */
const LOOK_TAG = /<(kbd|sub|sup)>([^<>\n]{1,200})<\/\1>/y;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const LETTER = /[a-z\d]/i;
const ALT_CHARACTERS_MAX = 500;
/** So far back a link is looked for that has begun and not ended. */
const BEGUN_CHARACTERS_MAX = 500;
const BEGUN_CITATION = /^\[{1,2}\d{0,3}\]{0,2}$/;

/** The text of one paragraph, heading or cell. Where it is still coming, what is half written looks calm. */
export function parseInline(written: string, targets: Targets, isOpen: boolean): MarkdownNode[] {
  const text = isOpen ? withoutBegunMark(written) : written;
  const items: InlineItem[] = [];
  const brackets: Bracket[] = [];
  /** Brackets below this place in the stack stand around a link, and cannot be one themselves. */
  let aroundLink = 0;
  let lastRuns: Map<number, number> | undefined;
  let words = "";
  let at = 0;

  const flush = () => {
    if (words !== "") items.push(words);
    words = "";
  };
  // Each of these reads something where we are, and gives how long it is.
  const say = (said: string, length = said.length) => {
    words += said;
    return length;
  };
  const add = (item: InlineItem, length: number) => {
    flush();
    items.push(item);
    return length;
  };

  function plain(): number {
    return say(match(WORDS, text, at)?.[0] ?? text[at] ?? "");
  }

  function backslash(): number {
    const next = text[at + 1] ?? "";
    if (next === "\n") return add(element("br"), 2);
    return ESCAPABLE.test(next) ? say(next, 2) : say("\\");
  }

  function code(): number {
    const mark = match(BACKTICKS, text, at)?.[0] ?? "`";
    const from = at + mark.length;
    lastRuns ??= lastOfEachLength(text);
    const isClosed = (lastRuns.get(mark.length) ?? 0) > at;
    if (!isClosed && !isOpen) return say(mark);
    const to = isClosed ? startOfRun(text, from, mark.length) : text.length;
    const inside = text.slice(from, to).replaceAll("\n", " ");
    const isPadded = inside.startsWith(" ") && inside.endsWith(" ") && inside.trim() !== "";
    const length = to - at + (isClosed ? mark.length : 0);
    return inside === "" ? length : add(element("code", [isPadded ? inside.slice(1, -1) : inside]), length);
  }

  function marks(): number {
    const run = match(MARKS, text, at)?.[0] ?? "";
    const behind = text[at + run.length] ?? "";
    return add(readDelimiter(run, text[at - 1] ?? "", behind), run.length);
  }

  function openBracket(mark: string): number {
    flush();
    brackets.push({ item: items.length, at, isImage: mark !== "[" });
    return add(mark, mark.length);
  }

  function closeBracket(): number {
    // What follows decides what it is.
    if (isOpen && at + 1 === text.length && brackets.length > 0) return 1;
    const bracket = brackets.pop();
    const mayLink = bracket?.isImage || brackets.length >= aroundLink;
    aroundLink = Math.min(aroundLink, brackets.length);
    const target = bracket && mayLink && text[at + 1] === "(" ? readLinkTarget(text, at + 1) : undefined;
    if (bracket === undefined || target === undefined) return say("]");
    if (target === "unfinished") {
      if (!isOpen) return say("]");
      brackets.push(bracket);
      return text.length - at;
    }
    flush();
    const inside = pairEmphasis(items.splice(bracket.item).slice(1), false);
    items.push(...(bracket.isImage ? image : link)(inside, target.href, target.title));
    if (!bracket.isImage) aroundLink = brackets.length;
    return target.end - at;
  }

  function link(inside: MarkdownNode[], href: string, title: string | undefined): MarkdownNode[] {
    const attributes = targets.link(href);
    const children = withoutLinks(inside);
    if (attributes === undefined || children.length === 0) return children;
    return [element("a", children, { ...attributes, ...(title && { title }) })];
  }

  function image(inside: MarkdownNode[], address: string, title: string | undefined): MarkdownNode[] {
    const alt = textOf(inside, ALT_CHARACTERS_MAX);
    const src = targets.image(address);
    if (src === undefined) return alt === "" ? [] : link([alt], address, title);
    const shown = { src, alt, loading: "lazy", referrerpolicy: "no-referrer", ...(title && { title }) };
    return [element("img", [], shown)];
  }

  function angle(): number {
    const address = match(ANGLED_ADDRESS, text, at);
    if (address !== undefined) return addAddress(address[1] ?? "", address[0].length);
    const lineBreak = match(BREAK_TAG, text, at);
    if (lineBreak !== undefined) return add(element("br"), lineBreak[0].length);
    const look = match(LOOK_TAG, text, at);
    const tag = look?.[1];
    if (look !== undefined && (tag === "kbd" || tag === "sub" || tag === "sup"))
      return add(element(tag, [look[2] ?? ""]), look[0].length);
    return say("<");
  }

  function addAddress(address: string, length: number): number {
    const attributes = targets.link(/^https?:/i.test(address) ? address : `mailto:${address}`);
    if (attributes === undefined) return say(text.slice(at, at + length));
    return add(element("a", [address], attributes), length);
  }

  function entity(): number {
    const found = match(ENTITY, text, at)?.[0] ?? "&";
    return say(decodeEntity(found), found.length);
  }

  function lineEnd(): number {
    const before = words.trimEnd();
    const isBreak = words.length - before.length >= 2;
    words = before;
    return add(isBreak ? element("br") : "\n", 1);
  }

  function bareAddress(): number {
    const isInWord = LETTER.test(text[at - 1] ?? "");
    const address = isInWord ? undefined : match(ADDRESS, text, at)?.[0];
    if (address === undefined) return say(text[at] ?? "");
    // A link for every letter that comes would be another link each time.
    if (isOpen && at + address.length === text.length) return say(address);
    const length = bareLinkLength(address);
    return addAddress(address.slice(0, length), length);
  }

  const rules: Record<string, () => number> = {
    "\\": backslash,
    "`": code,
    "*": marks,
    _: marks,
    "~": marks,
    "!": () => (text[at + 1] === "[" ? openBracket("![") : say("!")),
    "[": () => openBracket("["),
    "]": closeBracket,
    "<": angle,
    "&": entity,
    "\n": lineEnd,
    h: bareAddress,
    H: bareAddress,
  };
  while (at < text.length) at += (rules[text[at] ?? ""] ?? plain)();
  flush();
  if (isOpen) hideBegunLinks(text, items, brackets);
  return pairEmphasis(items, isOpen);
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
function hideBegunLinks(text: string, items: InlineItem[], brackets: readonly Bracket[]): void {
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
