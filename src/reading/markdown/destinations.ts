import { findBareUrls } from "@docent/kernel/text/bare-url";
import { escapeDestination } from "@docent/kernel/text/write-markdown";
import { decodeDestination, decodeEntities } from "./html-text.ts";
import { isRawTag, type MarkdownElement, stringProp, walkMarkdown } from "./tree.ts";

/** The address of a link or image, with its position in the page's Markdown. */
export interface LinkDestination {
  /** Decoded. */
  href: string;
  kind: "link" | "picture";
  start: number;
  end: number;
  /** Where it stands: in Markdown, or in a quoted or unquoted attribute of raw HTML. */
  syntax: "markdown" | "quoted" | "unquoted";
}

type Candidate = Omit<LinkDestination, "kind">;

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** The parenthesis of a link, or the colon after the label of a definition. */
const OPENING = /\](?:\(|:)([ \t]{0,100}(?:\n[ \t>]{0,100})?)/g;
const ANGLED = /<((?:[^<>\\\n`|]|\\[^\n`|]){1,2000})>/y;
const BARE_CHARACTERS_MAX = 2000;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const TAG = /<[A-Za-z][\w:.-]{0,100}/g;
const ATTRIBUTE =
  /\s{1,100}([A-Za-z_:@][\w:.@-]{0,100})(?:\s{0,20}=\s{0,20}(?:"([^"<]{0,5000})"|'([^'<]{0,5000})'|([^\s"'=<>`]{1,2000})))?/y;
const LINKING = /^(?:href|src|poster)$/i;
const ATTRIBUTES_MAX = 50;
/** Parts of raw HTML that contain no tags: comments, scripts, styles. */
const NO_TAGS = /<!--[\s\S]*?(?:-->|$)|<(script|style|textarea)\b[^>]*>[\s\S]*?(?:<\/\1|$)/gi;

/**
 * The relative destinations in a page's Markdown, in order: of links, images, used definitions, and raw HTML.
 * Each candidate is replaced by a unique name and parsed: only where that name comes back as a link's target
 * is it a destination, and not code or words.
 */
export function relativeDestinations(markdown: string): LinkDestination[] {
  const candidates = candidatesIn(markdown).filter(({ href }) => href !== "" && !WITH_SCHEME.test(href));
  if (candidates.length === 0) return [];
  const word = wordNotIn(markdown);
  const named = replaceAt(markdown, candidates, (_, index) => `${word}n${index}z`);
  const kinds = kindsIn(named, `${word}n(\\d+)z`);
  return candidates.flatMap((candidate, index) => {
    const kind = kinds.get(index);
    return kind === undefined ? [] : [{ ...candidate, kind }];
  });
}

/** The targets of a page's links, including bare addresses: decoded, distinct, in order. */
export function linksIn(markdown: string): string[] {
  const links = new Set<string>();
  const none = () => "";
  const link = (_: string, { href }: { href: string }) => {
    links.add(decodeDestination(href));
    return "";
  };
  const words = Bun.markdown.render(markdown, { link, code: none, codespan: none, html: none });
  for (const { start, end } of findBareUrls(words)) links.add(words.slice(start, end));
  links.delete("");
  return [...links];
}

/** A link with the words that it is made of. */
interface NamedLink {
  /** Decoded. */
  href: string;
  text: string;
}

/** The links of a page that have words, in order. */
export function namedLinksIn(markdown: string): NamedLink[] {
  const links: NamedLink[] = [];
  const link = (text: string, { href }: { href: string }) => {
    if (text.trim() !== "") links.push({ href: decodeDestination(href), text: text.trim() });
    return text;
  };
  const none = () => "";
  Bun.markdown.render(markdown, { link, image: none, code: none, html: none });
  return links;
}

/** Replaces destinations in the Markdown and changes nothing else. */
export function rewriteDestinations(markdown: string, rewritten: readonly LinkDestination[]): string {
  return replaceAt(markdown, rewritten, ({ href, syntax }) => {
    if (syntax === "markdown") return escapeDestination(href);
    const value = href.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
    return syntax === "quoted" ? value : `"${value}"`;
  });
}

function replaceAt<Place extends Candidate>(
  text: string,
  places: readonly Place[],
  write: (place: Place, index: number) => string,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const [index, place] of places.entries()) {
    pieces.push(text.slice(at, place.start), write(place, index));
    at = place.end;
  }
  return pieces.join("") + text.slice(at);
}

/** Everything that looks like a destination, in order; of two that overlap, the first. */
function candidatesIn(markdown: string): Candidate[] {
  const found = [...inMarkdown(markdown), ...inHtml(markdown)].sort((a, b) => a.start - b.start);
  let end = 0;
  return found.filter((candidate) => {
    if (candidate.start < end) return false;
    end = candidate.end;
    return true;
  });
}

function inMarkdown(markdown: string): Candidate[] {
  return [...markdown.matchAll(OPENING)].flatMap(({ 0: opening, 1: space = "", index }) => {
    const start = index + opening.length;
    ANGLED.lastIndex = start;
    const angled = ANGLED.exec(markdown)?.[1];
    const isOnNextLine = space.includes("\n");
    if (angled !== undefined && !isOnNextLine) return [markdownCandidate(start + 1, angled)];
    const bare = markdown.slice(start, bareEnd(markdown, start));
    return isOnNextLine && beginsBlock(bare) ? [] : [markdownCandidate(start, bare)];
  });
}

const markdownCandidate = (start: number, written: string): Candidate => ({
  href: decodeDestination(written).trim(),
  start,
  end: start + written.length,
  syntax: "markdown",
});

/**
 * The end of an address without angle brackets: a space, or a parenthesis that it did not open. Returns the
 * start where it is not an address, or where the replacement could change the parse of what follows.
 */
function bareEnd(text: string, start: number): number {
  let depth = 0;
  const last = Math.min(text.length, start + BARE_CHARACTERS_MAX);
  for (let at = start; at < last; at++) {
    const character = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (character === "\\" && ESCAPABLE.test(next)) at++;
    else if (character <= " ") return depth === 0 ? at : start;
    else if (character === ")" && depth === 0) return at;
    else if ("`|<>".includes(character) || (character === "]" && "(:".includes(next))) return start;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
  }
  return last === text.length && depth === 0 ? last : start;
}

/** Whether a word could make a list, heading or fence of the line that it begins. */
const beginsBlock = (word: string) => !/^(?:[/.#]|[A-Za-z])/.test(word) || /^#{1,6}$/.test(word);

function inHtml(markdown: string): Candidate[] {
  const found: Candidate[] = [];
  for (const { 0: tag, index } of markdown.matchAll(TAG)) {
    ATTRIBUTE.lastIndex = index + tag.length;
    for (let count = 0; count < ATTRIBUTES_MAX; count++) {
      const attribute = ATTRIBUTE.exec(markdown);
      if (attribute === null) break;
      const [whole, name = "", double, single, unquoted] = attribute;
      const value = double ?? single ?? unquoted ?? "";
      if (!LINKING.test(name) || value === "" || /[`|<>\n]/.test(value)) continue;
      const end = attribute.index + whole.length - (unquoted === undefined ? 1 : 0);
      const syntax = unquoted === undefined ? "quoted" : "unquoted";
      found.push({ href: decodeEntities(value).trim(), start: end - value.length, end, syntax });
    }
  }
  return found;
}

/** The candidates that the parser takes for targets, found by their placeholder names, each with its kind. */
function kindsIn(markdown: string, name: string): Map<number, LinkDestination["kind"]> {
  const kinds = new Map<number, LinkDestination["kind"]>();
  const target = new RegExp(`^${name}$`);
  const attribute = new RegExp(`([\\w:.@-]{1,100})\\s{0,20}=\\s{0,20}["']?${name}`, "g");
  const note = (text: string, kind: LinkDestination["kind"]) => {
    const index = target.exec(text)?.[1];
    if (index !== undefined) kinds.set(Number(index), kind);
  };
  const noteTags = (html: string) => {
    for (const [, of = "", index] of html.replace(NO_TAGS, "").matchAll(attribute))
      kinds.set(Number(index), of.toLowerCase() === "href" ? "link" : "picture");
  };
  walkMarkdown(markdown, {
    text: (text) => isRawTag(text) && noteTags(text),
    enter(element) {
      if (element.type === "a") note(stringProp(element, "href"), "link");
      else if (element.type === "img") note(stringProp(element, "src"), "picture");
      else if (element.type === "html") noteTags(wordsOf(element));
      return !["code", "pre", "html"].includes(element.type);
    },
    leave: () => {},
  });
  return kinds;
}

const wordsOf = ({ children }: MarkdownElement) =>
  children.filter((child) => typeof child === "string").join("");

/** A word that is not in the text, and that its author cannot foresee. */
function wordNotIn(text: string): string {
  for (let seed = 0; ; seed++) {
    const word = `z${Bun.hash(text, seed).toString(36)}`;
    if (!text.includes(word)) return word;
  }
}
