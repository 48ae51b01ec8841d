import { safeImage, safeLink } from "@docent/kernel/text/safe-url";
import type { Callout } from "../callouts.ts";
import { decodeDestination } from "../html-text.ts";
import { widthOf } from "../image-width.ts";
import type { WriteMaths } from "../mathml/mathml.ts";
import { type MarkdownElement, stringProp, toElement } from "../tree.ts";

/** Decides where a page's links and images lead; the result is checked again. */
export interface RenderTargets {
  /** Returns the target to write, or undefined to keep the words without a link. */
  resolveLink?: (href: string) => string | undefined;
  /** Returns the address to write, or undefined to show the description instead. */
  resolveImage?: (src: string) => string | ImageTarget | undefined;
  /** Writes formulas; where it is not given, or cannot, their TeX is shown. */
  maths?: WriteMaths | undefined;
  /** Given for a page that is read on its own. */
  reading?: ReadingWords;
}

/** An image's address, with its size where that is known: a browser then keeps its place free. */
export interface ImageTarget {
  address: string;
  width: number | undefined;
  height: number | undefined;
}

/**
 * Words for a page that is read on its own. There, headings with an anchor link to themselves, callouts have
 * titles, and anything wider than the page can be scrolled by keyboard.
 */
export interface ReadingWords {
  linkHere: string;
  /** Titles of callouts without one of their own. */
  callouts: Readonly<Record<Callout, string>>;
  taskDone: string;
  taskOpen: string;
}

const BLOCKS = new Set([
  "p",
  "dl",
  "dt",
  "dd",
  "ul",
  "ol",
  "li",
  "blockquote",
  "table",
  "thead",
  "tbody",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);
const PLAIN = new Set([
  "p",
  "dl",
  "dt",
  "dd",
  "ul",
  "blockquote",
  "table",
  "thead",
  "tbody",
  "tr",
  "strong",
  "em",
  "del",
  "code",
]);

/** Of elements that Markdown lacks, and that are always written alike. */
const FIXED_TAGS = new Map([
  ["callout-title", ['<p class="callout-title">', "</p>"]],
  ["code-title", ['<p class="code-title">', "</p>"]],
  ["tabs", ['<div class="tabs">', "</div>"]],
  ["tab-title", ["<summary>", "</summary>"]],
  ["tab-panel", ['<div class="tab-panel">', "</div>"]],
]);

const HEADING = /^h[1-6]$/;
/** Headings below the page's title, which needs no link to itself. */
const SECTION = /^h[2-6]$/;

/** Escapes text for HTML, in content and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** The opening tag of an element; "" for one that is not on the list. */
export function openingTag(
  element: MarkdownElement,
  anchor: string | undefined,
  targets: RenderTargets,
): string {
  const { type } = element;
  const isReading = targets.reading !== undefined;
  if (type === "table" && isReading) return `<div class="table" tabindex="0"><table>`;
  if (PLAIN.has(type)) return `<${type}>`;
  if (HEADING.test(type)) return headingTag(type, anchor, isReading);
  if (type === "a") return linkTag(element, targets);
  if (type === "pre") return codeTag(element, isReading);
  if (type === "ol") return listTag(element.props["start"]);
  if (type === "li") return itemTag(element.props["checked"], targets);
  if (type === "td" || type === "th") return cellTag(element, isReading);
  if (type === "callout") return `<div class="callout ${stringProp(element, "callout")}" role="note">`;
  if (type === "tab") return tabTag(element);
  return FIXED_TAGS.get(type)?.[0] ?? "";
}

/** The closing tag for `openingTag` of the same element. */
export function closingTag(
  element: MarkdownElement,
  anchor: string | undefined,
  targets: RenderTargets,
): string {
  const { type } = element;
  const label = targets.reading?.linkHere;
  if (type === "table" && label !== undefined) return "</table></div>\n";
  if (SECTION.test(type) && anchor && label !== undefined)
    return `</${type}><a class="heading-link" href="#${escapeHtml(encodeURIComponent(anchor.toWellFormed()))}" aria-label="${escapeHtml(label)}"></a></div>\n`;
  if (type === "pre")
    return label !== undefined && isDiagram(element) ? "</code></pre></figure>\n" : "</code></pre>\n";
  if (type === "a") return linkTarget(element, targets) === undefined ? "" : "</a>";
  const fixed = FIXED_TAGS.get(type);
  if (fixed !== undefined) return `${fixed[1]}\n`;
  if (type === "callout") return "</div>\n";
  if (type === "tab") return "</details>\n";
  if (BLOCKS.has(type)) return `</${type}>\n`;
  return PLAIN.has(type) || type === "td" || type === "th" ? `</${type}>` : "";
}

/** Details of one name: a browser opens one at a time, without a script, and finds words in all of them. */
function tabTag(element: MarkdownElement): string {
  const isOpen = element.props["isFirst"] === true;
  return `<details class="tab" name="${escapeHtml(stringProp(element, "group"))}"${isOpen ? " open" : ""}>`;
}

/** An image, or its description where its address is not allowed. */
export function imageTag(
  src: string,
  { alt, title, width }: { alt: string; title: string; width?: number | undefined },
  targets: RenderTargets,
): string {
  const decoded = decodeDestination(src);
  const wanted = width ?? widthOf(decoded);
  const resolved = targets.resolveImage ? targets.resolveImage(decoded) : decoded;
  const target =
    typeof resolved === "string" ? { address: resolved, width: undefined, height: undefined } : resolved;
  const address = target === undefined ? undefined : safeImage(target.address);
  if (target === undefined || address === undefined) return pictureInWords(alt, targets);
  const attributes = `${titleAttribute(title)}${sizeAttributes(target, wanted)}`;
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}"${attributes} loading="lazy">`;
}

/** The size of an image, or the one that its author gave it: of a width, with the height that belongs to it. */
function sizeAttributes({ width, height }: ImageTarget, wanted: number | undefined): string {
  if (width === undefined || height === undefined) return wanted === undefined ? "" : ` width="${wanted}"`;
  const shown = wanted ?? width;
  return ` width="${shown}" height="${Math.max(1, Math.round((height * shown) / width))}"`;
}

function pictureInWords(alt: string, { reading }: RenderTargets): string {
  if (reading === undefined || alt === "") return escapeHtml(alt);
  return `<span class="picture">${escapeHtml(alt)}</span>`;
}

/** A formula, or its TeX as code. */
export function mathsTag(tex: string, { maths }: RenderTargets): string {
  return maths?.(tex, { isBlock: false }) ?? `<code>${escapeHtml(`$${tex}$`)}</code>`;
}

/** A formula on lines of its own, which can be scrolled by keyboard; undefined where its TeX is shown. */
export function mathsBlock(tex: string, { maths }: RenderTargets): string | undefined {
  const formula = maths?.(tex, { isBlock: true });
  return formula && `<div class="maths" tabindex="0">${formula}</div>\n`;
}

/** A bare address as a link, or as words where it is not allowed. */
export function linkedText(url: string, targets: RenderTargets): string {
  const target = allowed(url, targets);
  return target === undefined ? escapeHtml(url) : `${linkOpening(target, "")}${escapeHtml(url)}</a>`;
}

function headingTag(type: string, anchor: string | undefined, isReading: boolean): string {
  if (!anchor) return `<${type}>`;
  const tag = `<${type} id="${escapeHtml(anchor)}">`;
  return isReading && SECTION.test(type) ? `<div class="heading">${tag}` : tag;
}

function linkTag(element: MarkdownElement, targets: RenderTargets): string {
  const target = linkTarget(element, targets);
  return target === undefined ? "" : linkOpening(target, stringProp(element, "title"));
}

function linkOpening(target: string, title: string): string {
  const outside = /^https?:/i.test(target) ? ' rel="noopener noreferrer"' : "";
  return `<a href="${escapeHtml(target)}"${titleAttribute(title)}${outside}>`;
}

function linkTarget(element: MarkdownElement, targets: RenderTargets): string | undefined {
  return allowed(completed(decodeDestination(stringProp(element, "href")), element.children), targets);
}

function allowed(href: string, targets: RenderTargets): string | undefined {
  if (safeLink(href) === undefined) return undefined;
  const resolved = targets.resolveLink ? targets.resolveLink(href) : href;
  return resolved === undefined ? undefined : safeLink(resolved);
}

/** Adds the scheme that `<a@b.c>` lacks when it reaches us. */
function completed(href: string, children: unknown[]): string {
  if (children.length !== 1 || children[0] !== href) return href;
  return /^[^\s:/?#@]+@[^\s:/?#@]+$/.test(href) ? `mailto:${href}` : href;
}

function titleAttribute(title: string): string {
  return title === "" ? "" : ` title="${escapeHtml(decodeDestination(title))}"`;
}

/** Languages that are drawn where a script may draw them. */
const isDiagram = (element: MarkdownElement) => stringProp(element, "language").toLowerCase() === "mermaid";

function codeTag(element: MarkdownElement, isReading: boolean): string {
  const pre = isReading ? '<pre tabindex="0">' : "<pre>";
  const language = /^[\w+#.-]{1,40}$/.exec(stringProp(element, "language"))?.[0];
  if (isReading && isDiagram(element))
    return `<figure class="diagram"><figcaption>Mermaid</figcaption>${pre}<code>`;
  return language === undefined ? `${pre}<code>` : `${pre}<code class="language-${escapeHtml(language)}">`;
}

function listTag(start: unknown): string {
  return typeof start === "number" && start !== 1 ? `<ol start="${start}">` : "<ol>";
}

function itemTag(checked: unknown, { reading }: RenderTargets): string {
  if (typeof checked !== "boolean") return "<li>";
  const label = reading && ` aria-label="${escapeHtml(checked ? reading.taskDone : reading.taskOpen)}"`;
  return `<li><input type="checkbox" disabled${checked ? " checked" : ""}${label ?? ""}> `;
}

/** Heads of columns stay on one line, except those that are sentences. */
const HEAD_CHARACTERS_MAX = 40;

function cellTag(element: MarkdownElement, isReading: boolean): string {
  const { type } = element;
  const align = stringProp(element, "align");
  const aligned = ["left", "center", "right"].includes(align) ? ` align="${align}"` : "";
  const isLong = isReading && type === "th" && charactersIn(element) > HEAD_CHARACTERS_MAX;
  return `<${type}${aligned}${isLong ? ' class="long"' : ""}>`;
}

const charactersIn = ({ children }: MarkdownElement): number =>
  children.reduce<number>((sum, child) => {
    if (typeof child === "string") return sum + child.length;
    const inside = toElement(child)?.children ?? [];
    return sum + inside.reduce<number>((all, each) => all + (typeof each === "string" ? each.length : 0), 0);
  }, 0);
