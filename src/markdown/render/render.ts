import { findBareUrls } from "../../text/bare-url.ts";
import { normalizeSource } from "../../text/decode-bytes.ts";
import type { AnchorStyle } from "../anchors.ts";
import { asCallout } from "../callouts.ts";
import { htmlToText } from "../html-text.ts";
import { readOutline } from "../md/md.ts";
import { isRawTag, type MarkdownElement, stringProp, type TreeVisitor, walkMarkdown } from "../tree.ts";
import { type RawImage, readImageTag, splitAtImages } from "./raw-images.ts";
import { anchorOf, preparedSource, withoutMarks } from "./source.ts";
import { closingTag, escapeHtml, imageTag, linkedText, openingTag, type RenderTargets } from "./tags.ts";

export type { ImageTarget, ReadingWords } from "./tags.ts";

export interface RenderOptions extends RenderTargets {
  /**
   * Gives headings the anchors of `readOutline`, so that a citation's `#anchor` leads to its heading.
   * Default: true.
   */
  headingIds?: boolean;
  /** The style of those anchors, the same as when the page was read. Default: GitHub's. */
  anchors?: AnchorStyle;
}

/** Deeper elements are dropped and their words kept: browsers give up on endless nesting. */
const MAX_DEPTH = 100;

/**
 * Renders a page as safe HTML. Every tag comes from a closed list, all text and attributes are escaped, raw
 * HTML is reduced to its words, and links lead only where `text/safe-url.ts` allows.
 */
export function renderHtml(markdown: string, options: RenderOptions = {}): string {
  const source = normalizeSource(markdown);
  const { sections } = readOutline(source, options.anchors);
  const anchors = options.headingIds === false ? [] : sections.map((section) => section.anchor);
  const writer = createWriter(anchors, options);
  walkMarkdown(preparedSource(source, sections, options.reading !== undefined), writer.visitor);
  return writer.html();
}

function createWriter(anchors: string[], options: RenderOptions): { visitor: TreeVisitor; html(): string } {
  const parts: string[] = [];
  // The parser splits text at every mark; an address is whole only once neighbours are joined.
  const words: string[] = [];
  const inside = { literal: 0, links: 0, depth: 0 };
  const flush = () => {
    const text = words.join("");
    words.length = 0;
    if (text !== "")
      parts.push(inside.literal + inside.links > 0 ? escapeHtml(text) : withLinks(text, options));
  };
  const put = (html: string) => {
    flush();
    parts.push(html);
  };
  const count = (element: MarkdownElement, step: 1 | -1) => {
    if (element.type === "pre" || element.type === "code") inside.literal += step;
    if (element.type === "a") inside.links += step;
    inside.depth += step;
  };
  const { reading } = options;
  const visitor: TreeVisitor = {
    read: (element) => (reading ? asCallout(element, reading.callouts) : element),
    text(text) {
      const plain = withoutMarks(text);
      if (inside.literal > 0 || !isRawTag(plain)) words.push(plain);
      else put(/^<br\s*\/?>$/i.test(plain) ? "<br>" : rawTag(plain, options));
    },
    enter(element) {
      const whole = wholeElement(element, options);
      put(
        whole ?? (inside.depth < MAX_DEPTH ? openingTag(element, anchorOf(element, anchors), options) : ""),
      );
      if (whole === undefined) count(element, 1);
      return whole === undefined;
    },
    leave(element) {
      flush();
      count(element, -1);
      if (inside.depth < MAX_DEPTH) parts.push(closingTag(element, anchorOf(element, anchors), options));
    },
  };
  return {
    visitor,
    html() {
      flush();
      return parts.join("");
    },
  };
}

/** The HTML of an element that is written as a whole; undefined for one whose content is walked. */
function wholeElement(element: MarkdownElement, options: RenderOptions): string | undefined {
  const { type } = element;
  if (type === "html") return htmlBlock(element, options);
  if (type === "img") {
    const alt = withoutMarks(stringProp(element, "alt"));
    return imageTag(stringProp(element, "src"), { alt, title: stringProp(element, "title") }, options);
  }
  return type === "br" || type === "hr" ? `<${type}>` : undefined;
}

function withLinks(text: string, options: RenderOptions): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of findBareUrls(text)) {
    parts.push(escapeHtml(text.slice(at, start)), linkedText(text.slice(start, end), options));
    at = end;
  }
  parts.push(escapeHtml(text.slice(at)));
  return parts.join("");
}

function rawTag(tag: string, options: RenderOptions): string {
  const image = readImageTag(tag);
  return image === undefined ? escapeHtml(htmlToText(tag)) : rawImage(image, options);
}

const rawImage = (image: RawImage, options: RenderOptions) =>
  image.src === "" ? escapeHtml(image.alt) : imageTag(image.src, image, options);

function htmlBlock(element: MarkdownElement, options: RenderOptions): string {
  const html = element.children.filter((child) => typeof child === "string").join("");
  const parts: string[] = [];
  let images = "";
  const flush = () => {
    if (images !== "") parts.push(`<p>${images}</p>\n`);
    images = "";
  };
  for (const part of splitAtImages(withoutMarks(html))) {
    const words = typeof part === "string" ? paragraphsOf(part) : "";
    if (typeof part !== "string") images += rawImage(part, options);
    else if (words !== "") flush();
    parts.push(words);
  }
  flush();
  return parts.join("");
}

function paragraphsOf(html: string): string {
  const paragraphs = htmlToText(html).split(/\n\s*\n/);
  const words = paragraphs.map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== "");
  return words.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>\n`).join("");
}

/** What a page's images are called, as `resolveImage` is asked for them: distinct, in order. */
export function imageReferences(markdown: string): string[] {
  if (!/!\[|<img\b/i.test(markdown)) return [];
  const references = new Set<string>();
  renderHtml(markdown, {
    resolveImage(src) {
      references.add(src);
      return undefined;
    },
  });
  return [...references];
}
