import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { asciidocWords } from "../markdown/asciidoc/asciidoc.ts";
import { isHidden, splitFrontMatter } from "../markdown/front-matter.ts";
import { decodeEntities } from "../markdown/html-text.ts";
import { readOutline } from "../markdown/md/md.ts";
import { type PageFormat, type ParsedPage, titleIn } from "../markdown/page.ts";
import { cutPassages } from "../markdown/passages/passages.ts";
import type { PlainText } from "../source-reader.ts";

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
export function plainPage(source: string, { fallbackTitle, format }: PlainPageOptions): ParsedPage {
  const { data, body, title } = partsOf(source, format);
  const markdown = escaped(body);
  return {
    title: titleIn(data) ?? title ?? fallbackTitle,
    frontMatter: data,
    markdown,
    passages: cutPassages(readOutline(markdown)),
    links: [],
    hidden: isHidden(data),
    faults: [],
  };
}

/** The words of a text of which no page is made, as Markdown, with what stands in front of them. */
export function plainWords({ text, format, title }: PlainText): {
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
