import { posix } from "node:path";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { asciidocWords } from "../markdown/asciidoc/asciidoc.ts";
import { isHidden, splitFrontMatter } from "../markdown/front-matter.ts";
import type { HtmlAround } from "../markdown/html/html.ts";
import { decodeEntities } from "../markdown/html-text.ts";
import { type Authored, lostWords } from "../markdown/kept-words/kept-words.ts";
import { readOutline } from "../markdown/md/md.ts";
import { type AnchorStyle, type PageFormat, type ParsedPage, parsePage, titleIn } from "../markdown/page.ts";
import { cutPassages } from "../markdown/passages/passages.ts";
import type { PublishedIds } from "../markdown/published-ids/published-ids.ts";
import type { AroundPage, PlainText, ReadWords, SourceItem } from "../source-reader.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { askedShape, plainShape } from "./page-shape.ts";

/** A page that is to be read. */
export interface PageToRead {
  source: string;
  /** The title of a page that does not have one. */
  fallbackTitle: string;
  format: PageFormat;
  anchors: AnchorStyle;
  keepsImages: boolean;
  around: AroundPage | undefined;
  /** What its author wrote, where the source was made from that. */
  authored?: Authored | undefined;
  /** The ids that it has where it is published. */
  published?: PublishedIds | undefined;
}

/** A page of a source, once it was read. */
export const pageToRead = (item: SourceItem, source: string, anchors: AnchorStyle): PageToRead => ({
  source,
  fallbackTitle: item.path.split("/").at(-1) || "Home",
  format: item.format,
  anchors,
  keepsImages: item.imageFile !== undefined,
  around: item.around?.(),
  authored: item.authored?.(),
  published: item.published,
});

/** Reads a page in this process, or no more of it than its words. */
export function readHere({ source, around, authored, ...options }: PageToRead, isPlain = false): ReadWords {
  if (isPlain) return { ...plainPage(source, options), lost: [] };
  const page = parsePage(source, {
    ...options,
    around: around === undefined ? undefined : htmlAround(around),
  });
  return { ...page, lost: lostWords(authored ?? { text: source, format: options.format }, page) };
}

function htmlAround({ folder, shared, leftOut }: AroundPage): HtmlAround {
  return {
    keepsPlaces: true,
    shared,
    leadsNowhere(href) {
      const [target = ""] = href.split(/[?#]/, 1);
      return target !== "" && leftOut.has(posix.join(folder, decodePercent(target)));
    },
  };
}

/** Reads a page for the process that asks for it. */
export function answerPage(body: Uint8Array): Uint8Array {
  const { isPlain, around, ...page } = askedShape.parse(decoded(body));
  const given = around && { ...around, shared: around.shared };
  return encoded(readHere({ ...page, around: given }, isPlain));
}

/** No more than the words of a text, for the process that asks for them. */
export const answerWords = (body: Uint8Array): Uint8Array =>
  encoded(plainWords(plainShape.parse(decoded(body))));

interface PlainPageOptions {
  fallbackTitle: string;
  format: PageFormat;
}

/** What front matter is not for these, though it may look like it. */
const WITHOUT_FRONT = new Set<PageFormat>(["html", "rst", "man", "org", "pod", "ipynb", "txt"]);
const SIGN = /[!-/:-@[-`{-~]/g;
const UNSHOWN = /<!--[\s\S]*?(?:-->|$)|<(script|style|template)\b[\s\S]*?(?:<\/\1|$)/gi;
const ORG_HIDDEN = /^#\+filetags:[^\n]{0,500}:noexport:/im;
const NOINDEX = /<meta\b[^<>]{0,500}\bnoindex\b/i;
const HTML_TITLE = /<title\b[^<>]{0,200}>([^<]{1,1000})/i;

/**
 * The words of a page as plain text, which nothing in them can make long: for one that takes too long to read as what it is.
 * What stands in front of it still says what it is called, whom it is for, and whether it is hidden.
 */
function plainPage(source: string, { fallbackTitle, format }: PlainPageOptions): ParsedPage {
  const { data, body, title } = partsOf(source, format);
  const markdown = escaped(body);
  return {
    title: titleIn(data) ?? title ?? fallbackTitle,
    frontMatter: data,
    markdown,
    passages: cutPassages(readOutline(markdown)),
    links: [],
    anchors: [],
    headings: [],
    hidden: isHidden(data),
    faults: [],
  };
}

/** The words of a text of which no page is made, as Markdown, with what stands in front of them. */
function plainWords({ text, format, title }: PlainText): {
  data: Record<string, unknown>;
  markdown: string;
} {
  const named = title === undefined ? {} : { title };
  if (format === "adoc") {
    const { data, markdown } = asciidocWords(text);
    return { data: { ...named, ...data }, markdown };
  }
  const { data, body, title: own } = partsOf(text, format);
  const said = own === undefined ? named : { title: own, ...named };
  return { data: { ...said, ...data }, markdown: escaped(body) };
}

interface Parts {
  data: Record<string, unknown>;
  body: string;
  title?: string | undefined;
}

function partsOf(source: string, format: PageFormat): Parts {
  if (!WITHOUT_FRONT.has(format)) return splitFrontMatter(source);
  const text = normalizeSource(source);
  const data: Record<string, unknown> = Object.create(null);
  if (format === "ipynb") return { data, body: cellsOf(text) };
  if (format === "org" && ORG_HIDDEN.test(text)) data["noindex"] = true;
  if (format !== "html") return { data, body: text };
  if (NOINDEX.test(text)) data["noindex"] = true;
  const words = text.replace(UNSHOWN, " ").replace(/<[^<>]{0,10000}>/g, " ");
  const title = decodeEntities(HTML_TITLE.exec(text)?.[1] ?? "").trim();
  return { data, body: decodeEntities(words), title: title === "" ? undefined : title };
}

/** What stands in the cells of a notebook, or all of a file that is none. */
function cellsOf(text: string): string {
  const cells = asList(asRecord(jsonIn(text))["cells"]);
  const sources = cells.map((cell) => {
    const { source } = asRecord(cell);
    return typeof source === "string"
      ? source
      : asList(source)
          .map((line) => asText(line) ?? "")
          .join("");
  });
  return sources.length === 0 ? text : sources.join("\n\n");
}

/** As Markdown in which no sign means anything, and no line is indented. */
const escaped = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim().replace(SIGN, "\\$&"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
