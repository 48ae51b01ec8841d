import { htmlToText } from "../html-text.ts";
import { plainInline } from "../plain-text.ts";
import { textToMarkdown } from "../txt.ts";
import { writePage } from "./blocks.ts";
import { attribute, type HtmlElement, isElement, parseHtml, walkNodes } from "./dom.ts";
import { elementsIn, setAttribute } from "./edit.ts";
import { findMainContent } from "./main-content.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import { findShared, ownTitle, type SharedParts, withoutShared } from "./shared-parts.ts";
import { survey } from "./survey.ts";
import { findTabs } from "./tabs.ts";

export {
  attribute,
  classesOf,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parentOf,
  parseHtml,
  textOf,
  textValue,
  walkNodes,
} from "./dom.ts";
export {
  closest,
  editElements,
  elementsIn,
  newElement,
  newText,
  setAttribute,
  setChildren,
} from "./edit.ts";
export { inlineHtmlText, readHtmlBlocks, readInlineHtml } from "./fragment.ts";
export { withAnchor } from "./heading-anchor.ts";
export { createLine, type LineOptions, openLink } from "./line.ts";
export type { SharedParts } from "./shared-parts.ts";

/** A page of a site as Markdown, with its metadata. */
/** What a source knows of a page of HTML, and the page does not say. */
export interface HtmlAround {
  /** Whether places that links lead to, and that are no headings, are marked. */
  keepsPlaces?: boolean;
  /** What the pages beside it have, too, which is none of its words. */
  shared?: SharedParts | undefined;
  /** Of a link to what is no page, only the words stay. */
  leadsNowhere?: (href: string) => boolean;
}

interface ReadHtmlOptions extends HtmlAround {
  url?: string | undefined;
  keepsImages?: boolean;
}

export interface HtmlPage {
  title?: string;
  description?: string;
  /** The main content only; headings carry the page's anchors. Links stay as written. */
  markdown: string;
  /** Whether the page asks not to be found. */
  noindex: boolean;
  /** Whether the page asks that its links not be followed. */
  nofollow: boolean;
  canonical?: string;
  language?: string;
  /** The address to which the page redirects its readers at once. */
  redirect?: string;
  /**
   * The targets of all links, navigation included, distinct and in order, as written; relative ones are
   * relative to the page.
   */
  links: string[];
  /** The address of the same page as Markdown. */
  markdownTwin?: string;
  /** Tags and version, under front matter's keys. */
  front: Record<string, unknown>;
  /** What was wrong with the page, for its author. */
  fault?: string;
}

/**
 * Reads a page of HTML. Never throws, and takes time linear in the page's length. A relative `<base>` is
 * resolved against `url`. Of images, the description is kept, or with `keepsImages` they themselves.
 */
export function readHtml(
  html: string,
  { url, keepsImages = false, keepsPlaces = false, shared, leadsNowhere }: ReadHtmlOptions = {},
): HtmlPage {
  const root = parseHtml(html);
  if (root === undefined) return wordsAlone(html);
  if (leadsNowhere !== undefined)
    for (const link of elementsIn(root, (each) => leadsNowhere(attribute(each, "href") ?? "")))
      setAttribute(link, "href", undefined);
  const metadata = readMetadata(root, url);
  const written = writeMain(root, { keepsImages, keepsPlaces });
  const heading = plainInline(written.title ?? "");
  const own = shared && withoutShared(written.markdown, shared);
  const headTitle = shared === undefined ? metadata.title : titleBeside(metadata, shared);
  // Several top-level headings are sections, and none of them is the page's title; one that all pages have is none either.
  const isTitle = written.titles <= 1 && own?.lostTitle !== true;
  const markdown = own?.markdown ?? written.markdown;
  const title = isTitle ? heading || headTitle : (headTitle ?? (firstHeading(markdown) || heading));
  return { ...pageOf(metadata), ...(title ? { title } : {}), markdown };
}

function writeMain(root: HtmlElement, keeps: Pick<ReadHtmlOptions, "keepsImages" | "keepsPlaces">) {
  const tabs = findTabs(root);
  const looked = survey(root, tabs, keeps);
  return writePage(findMainContent(root, looked), looked, tabs);
}

/** What of `<title>` only this page has. Where pages have nothing in common there, it is read as that of a single page. */
function titleBeside({ title, headTitle }: Metadata, shared: SharedParts): string | undefined {
  const own = ownTitle(headTitle, shared);
  return own === headTitle.trim() ? title : own;
}

const firstHeading = (markdown: string) =>
  plainInline(/^#{2,6} (.{1,500})$/m.exec(markdown)?.[1]?.replace(/ \{#[^}\s]*\}$/, "") ?? "");

/** What a page has in common with those that lie beside it. */
export function sharedByPages(pages: readonly string[]): SharedParts | undefined {
  return findShared(
    pages.flatMap((html) => {
      const root = parseHtml(html);
      if (root === undefined) return [];
      const { headTitle } = readMetadata(root, undefined);
      return [{ markdown: writeMain(root, {}).markdown, headTitle }];
    }),
  );
}

/** Writes an element of a parsed page as Markdown, with its images and the places that links lead to. */
export function writeHtmlElement(element: HtmlElement): string {
  const tabs = findTabs(element);
  const looked = survey(element, tabs, { keepsImages: true, keepsPlaces: true });
  return writePage(element, looked, tabs).markdown;
}

/** Reads HTML that stands between Markdown: no heading in it opens a section unless asked. Takes linear time as well. */
export function readHtmlFragment(html: string, { opensSections = false } = {}): string {
  const body = parseHtml(html)?.childNodes.find((node) => isElement(node) && node.tagName === "body");
  if (body === undefined || !isElement(body)) return textToMarkdown(htmlToText(html));
  const tabs = findTabs(body);
  return writePage(body, survey(body, tabs, { keepsPlaces: true }), tabs, { opensSections }).markdown;
}

/** Reads a chapter of a book: all of its words, without places, and without links into the book. Takes linear time as well. */
export function readHtmlChapter(xhtml: string): string {
  const root = parseHtml(withoutClosedTags(xhtml));
  const body = root === undefined ? undefined : bodyOf(root);
  if (body === undefined) return textToMarkdown(htmlToText(xhtml));
  makePlain(body);
  const tabs = findTabs(body);
  return writePage(body, survey(body, tabs), tabs).markdown;
}

function pageOf(metadata: Metadata): Omit<HtmlPage, "markdown"> {
  const { tags, version, title: _, headTitle: __, ...said } = metadata;
  const front = { ...(tags.length > 0 ? { tags } : {}), ...(version === undefined ? {} : { version }) };
  return { ...said, front };
}

function wordsAlone(html: string): HtmlPage {
  return {
    markdown: textToMarkdown(htmlToText(html)),
    noindex: /<meta[^>]{1,200}noindex/i.test(html.slice(0, 20_000)),
    nofollow: false,
    links: [],
    front: {},
    fault: "the page's tags are left open so often that only its words were read",
  };
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const CLOSED = /<([a-z][\w:-]{0,60})((?:\s[^<>]{0,2000}?)?)\s*\/>/gi;

/** XHTML closes elements where they open, which HTML does not know: a title that is closed so would hide the page. */
export const withoutClosedTags = (xhtml: string) =>
  xhtml.replace(CLOSED, (tag: string, name: string, attributes: string) =>
    VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );

/**
 * Makes a chapter of a book a plain page: what surrounds the words of a site does not surround those of a book, ids are those of
 * one chapter alone, and links lead to files of the book.
 */
function makePlain(body: HtmlElement): void {
  const pageMarks: HtmlElement[] = [];
  walkNodes([body], {
    enter(element) {
      if (attribute(element, "epub:type") === "pagebreak" || attribute(element, "role") === "doc-pagebreak")
        pageMarks.push(element);
      const isCode = element.tagName === "pre" || element.tagName === "code";
      element.attrs = element.attrs.filter(({ name, value }) => {
        if (name === "class") return isCode;
        if (name === "href") return /^(?:https?:|mailto:)/i.test(value.trim());
        return name !== "id" && name !== "role" && name !== "name";
      });
      if (/^(?:header|footer|aside|article|main)$/.test(element.tagName)) element.tagName = "div";
      return true;
    },
  });
  for (const mark of pageMarks) mark.childNodes = [];
}

/** The body of a page. */
function bodyOf(root: HtmlElement): HtmlElement | undefined {
  return root.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
}
