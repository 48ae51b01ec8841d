import { findBareUrls } from "@docent/kernel/text/bare-url";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { type AnchorStyle, placeOfTag } from "../anchors.ts";
import { asCallout } from "../callouts.ts";
import { asDefinitions } from "../definition-list.ts";
import { decodeEntities, htmlToText } from "../html-text.ts";
import { readOutline } from "../md/md.ts";
import {
  isRawTag,
  type MarkdownElement,
  stringProp,
  type TreeVisitor,
  toElement,
  walkMarkdown,
} from "../tree.ts";
import { createFolds } from "./folds.ts";
import { createFootnoteWriter } from "./footnotes.ts";
import { anchorOf, prepareSource, withoutMarks } from "./source.ts";
import { createGrouping } from "./tabs.ts";
import {
  closingTag,
  escapeHtml,
  imageTag,
  linkedText,
  mathsBlock,
  mathsTag,
  openingTag,
  type RenderTargets,
} from "./tags.ts";

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
  return renderPage(markdown, options, { hasFootnotes: options.reading !== undefined });
}

/** A footnote has none of its own. */
function renderPage(
  markdown: string,
  options: RenderOptions,
  { hasFootnotes }: { hasFootnotes: boolean },
): string {
  const source = normalizeSource(markdown);
  const { sections } = readOutline(source, options.anchors);
  const anchors = options.headingIds === false ? [] : sections.map((section) => section.anchor);
  const isReading = options.reading !== undefined;
  const { markdown: prepared, footnotes } = prepareSource(source, sections, { isReading, hasFootnotes });
  const notes = createFootnoteWriter(footnotes);
  const writer = createWriter(anchors, options, notes);
  walkMarkdown(prepared, writer.visitor);
  const inside = { ...options, headingIds: false };
  return writer.html() + notes.notes((note) => renderPage(note, inside, { hasFootnotes: false }));
}

type FootnoteWriter = ReturnType<typeof createFootnoteWriter>;

function createWriter(
  anchors: string[],
  options: RenderOptions,
  notes: FootnoteWriter,
): { visitor: TreeVisitor; html(): string } {
  const parts: string[] = [];
  // The parser splits text at every mark; an address is whole only once neighbours are joined.
  const words: string[] = [];
  const inside = { literal: 0, links: 0, depth: 0 };
  const folds = createFolds();
  const linked = (text: string) => notes.withReferences(text, (part) => withLinks(part, options));
  const flush = () => {
    const text = words.join("");
    words.length = 0;
    if (text !== "") parts.push(inside.literal + inside.links > 0 ? escapeHtml(text) : linked(text));
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
    read: createReading(options),
    text(text) {
      const plain = withoutMarks(text);
      const place = inside.literal > 0 || options.headingIds === false ? undefined : placeOfTag(plain);
      if (place !== undefined) put(`<a id="${escapeHtml(place)}"></a>`);
      else if (inside.literal > 0 || !isRawTag(plain)) words.push(plain);
      else put(/^<br\s*\/?>$/i.test(plain) ? "<br>" : rawTag(plain, options));
    },
    enter(element) {
      const whole = wholeElement(element, options, (html, words) =>
        reading === undefined ? words(html) : folds.write(html, inside.depth, words),
      );
      put(
        whole ?? (inside.depth < MAX_DEPTH ? openingTag(element, anchorOf(element, anchors), options) : ""),
      );
      if (whole === undefined) count(element, 1);
      return whole === undefined;
    },
    leave(element) {
      flush();
      parts.push(folds.closeFrom(inside.depth));
      count(element, -1);
      if (inside.depth < MAX_DEPTH) parts.push(closingTag(element, anchorOf(element, anchors), options));
    },
  };
  return {
    visitor,
    html() {
      flush();
      return parts.join("") + folds.closeFrom(0);
    },
  };
}

/** Reads elements that Markdown lacks, for a page that is read on its own. */
function createReading({ reading }: RenderOptions): (element: MarkdownElement) => MarkdownElement {
  if (reading === undefined) return (element) => element;
  const grouped = createGrouping();
  return (element) => grouped(withMaths(asDefinitions(asCallout(element, reading.callouts))));
}

/** Writes raw HTML: what is folded in it, and its words. */
type WriteRaw = (html: string, words: (html: string) => string) => string;

/** The HTML of an element that is written as a whole; undefined for one whose content is walked. */
function wholeElement(
  element: MarkdownElement,
  options: RenderOptions,
  writeRaw: WriteRaw,
): string | undefined {
  const { type } = element;
  if (type === "html") {
    return writeRaw(withoutMarks(wordsOf(element)), (words) => rawWords(words, options));
  }
  if (type === "maths") return mathsTag(withoutMarks(stringProp(element, "tex")), options);
  if (type === "pre" && stringProp(element, "language").toLowerCase() === "math")
    return mathsBlock(withoutMarks(wordsOf(element)).trim(), options);
  if (type === "img") {
    const alt = withoutMarks(stringProp(element, "alt"));
    return imageTag(stringProp(element, "src"), { alt, title: stringProp(element, "title") }, options);
  }
  return type === "br" || type === "hr" ? `<${type}>` : undefined;
}

const wordsOf = ({ children }: MarkdownElement) =>
  children.filter((child) => typeof child === "string").join("");

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

function rawWords(html: string, options: RenderOptions): string {
  const parts: string[] = [];
  let images = "";
  const flush = () => {
    if (images !== "") parts.push(`<p>${images}</p>\n`);
    images = "";
  };
  for (const part of splitAtImages(html)) {
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

/** Makes one element of each formula among an element's children: code between dollars. */
function withMaths(element: MarkdownElement): MarkdownElement {
  const { children, type } = element;
  if (type === "pre" || type === "code" || !children.some(isCode)) return element;
  const out: unknown[] = [];
  for (let at = 0; at < children.length; at++) {
    const child = children[at];
    const before = out.at(-1);
    const behind = children[at + 1];
    const tex = isCode(child) ? texOf(child) : undefined;
    const isMaths =
      typeof before === "string" && typeof behind === "string" && OPENS.test(before) && CLOSES.test(behind);
    if (tex === undefined || !isMaths) {
      out.push(child);
      continue;
    }
    out[out.length - 1] = before.slice(0, -1);
    out.push({ type: "maths", props: { tex } }, behind.slice(1));
    at += 1;
  }
  return { ...element, children: out };
}

const OPENS = /(?:^|[^\w$])\$$/;
const CLOSES = /^\$(?![\w$])/;

const isCode = (value: unknown) => toElement(value)?.type === "code";

function texOf(value: unknown): string | undefined {
  const children = toElement(value)?.children ?? [];
  return children.every((child) => typeof child === "string") ? children.join("") : undefined;
}

/** An image in raw HTML. */
interface RawImage {
  src: string;
  alt: string;
  title: string;
  /** As its author wrote it, in pixels. */
  width: number | undefined;
}

const IMAGE = /<img\b((?:[^"'<>]|"[^"<>]{0,5000}"|'[^'<>]{0,5000}'){0,500})>/gi;
/** What is no part of the page: comments, scripts, styles. */
const UNSHOWN = /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript)\b[^>]*>[\s\S]*?(?:<\/\1|$)/gi;

/** The image that a tag alone is; undefined for any other tag. */
function readImageTag(tag: string): RawImage | undefined {
  const [, attributes] = tag.match(new RegExp(`^${IMAGE.source}$`, "i")) ?? [];
  return attributes === undefined ? undefined : imageOf(attributes);
}

/** The images of a piece of HTML, and the HTML between them. */
function splitAtImages(html: string): (string | RawImage)[] {
  const shown = html.replace(UNSHOWN, "");
  const parts: (string | RawImage)[] = [];
  let at = 0;
  for (const { 0: tag, 1: attributes = "", index } of shown.matchAll(IMAGE)) {
    parts.push(shown.slice(at, index), imageOf(attributes));
    at = index + tag.length;
  }
  return [...parts, shown.slice(at)];
}

function imageOf(attributes: string): RawImage {
  const value = (name: string) => {
    const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
    const [, double, single, bare] = pattern.exec(attributes) ?? [];
    return decodeEntities(double ?? single ?? bare ?? "").trim();
  };
  const width = /^(\d{1,4})(?:px)?$/.exec(value("width"))?.[1];
  return {
    src: value("src"),
    alt: value("alt"),
    title: value("title"),
    width: width === undefined || Number(width) === 0 ? undefined : Number(width),
  };
}
