import type { Document, Html5Converter } from "@asciidoctor/core";
import { readInlineHtml } from "../html/html.ts";

/** A reference to another page as it is written, without its anchor. */
export interface CrossReference {
  target: string;
  anchor: string | undefined;
  /** As HTML; undefined where the page's title is to be said. */
  text: string | undefined;
}

/** Where a reference leads, and what it says as HTML. */
interface FoundReference {
  href: string;
  text: string;
}

type Awaitable<T> = T | Promise<T>;

/** Where references lead, where that is not said by files beside each other. */
export interface AsciidocLinks {
  /** Undefined leaves a reference as it is written. `text` is HTML. */
  page(reference: CrossReference): Awaitable<FoundReference | undefined>;
  /** Where a reference to an id leads that is not on the page. */
  missing?(anchor: string, text: string | undefined): Awaitable<FoundReference | undefined>;
  /** Where it is not said, images lie as they are written. */
  image?(target: string): Awaitable<string>;
}

/** Stand around what is Markdown already within HTML. No keyboard has them. */
const [OPENS, CLOSES] = ["\uE0F0", "\uE0F1"];
const SET_ASIDE = /\uE0F0fn(\d{1,6})\uE0F1/g;

/** Takes the signs out of a text that stand for something here. */
export const withoutSigns = (text: string) => text.replace(/[\uE0F0\uE0F1]/g, "");

/** A node of a line, as far as the converter looks at it. */
interface InlineNode {
  type?: string | null;
  text?: string | null;
  target?: string | null;
  attributes: Record<string, unknown>;
  document: { catalog: { refs: Record<string, unknown> } };
  imageUri(target: string): string | Promise<string>;
  getAttribute(name: string): unknown;
}

/** The methods of the library's converter whose results differ here. */
export function inlineMethods(base: Html5Converter, links: AsciidocLinks | undefined) {
  const anchor = base.convert_inline_anchor.bind(base);
  const image = base.convert_inline_image.bind(base);
  const quoted = base.convert_inline_quoted.bind(base);
  return {
    async convert_inline_footnote(node: InlineNode): Promise<string> {
      const index = node.getAttribute("index");
      return index === undefined || index === null ? (node.text ?? "") : `${OPENS}fn${index}${CLOSES}`;
    },
    async convert_inline_anchor(node: InlineNode): Promise<string> {
      const { path, fragment, refid } = node.attributes;
      if (node.type === "xref" && typeof refid === "string" && typeof path !== "string") {
        const text = typeof node.text === "string" && node.text !== `[${refid}]` ? node.text : undefined;
        const elsewhere = node.document.catalog.refs[refid] ? undefined : await links?.missing?.(refid, text);
        if (elsewhere !== undefined) return `<a href="${escapeQuotes(elsewhere.href)}">${elsewhere.text}</a>`;
      }
      if (links === undefined || node.type !== "xref" || typeof path !== "string") return anchor(node);
      const isOwn = typeof node.text === "string" && node.text !== "" && node.text !== path;
      const found = await links.page({
        target: path,
        anchor: typeof fragment === "string" && fragment !== "" ? fragment : undefined,
        text: isOwn ? (node.text ?? undefined) : undefined,
      });
      return found === undefined ? anchor(node) : `<a href="${escapeQuotes(found.href)}">${found.text}</a>`;
    },
    async convert_inline_image(node: InlineNode): Promise<string> {
      const { target, type } = node;
      if (type === "icon" || typeof target !== "string") return image(node);
      const alt = node.getAttribute("alt");
      const words = alt === node.getAttribute("default-alt") ? "" : String(alt ?? "");
      const isElsewhere = /^(?:[a-z]+:\/\/|data:)/i.test(target);
      const source =
        (isElsewhere ? undefined : await links?.image?.(target)) ?? (await node.imageUri(target));
      const width = Number(node.getAttribute("width"));
      return `<img src="${escapeQuotes(source)}" alt="${words.replaceAll('"', "&quot;")}"${width > 0 ? ` width="${width}"` : ""}>`;
    },
    async convert_inline_quoted(node: InlineNode): Promise<string> {
      if (node.type === "latexmath") return `<span class="arithmatex">${node.text ?? ""}</span>`;
      // A notation of its own, which is read as it is written.
      return node.type === "asciimath" ? `<code>${node.text ?? ""}</code>` : quoted(node);
    },
  };
}

const escapeQuotes = (href: string) => href.replaceAll('"', "%22");

type InlineOptions = Parameters<typeof readInlineHtml>[1];

/** A line of the library's HTML as Markdown. */
export function writeInline(html: string | null | undefined, options?: InlineOptions): string {
  return readInlineHtml(html ?? "", { ...options, keepsImages: true, keepsPlaces: true }).replace(
    SET_ASIDE,
    "[^$1]",
  );
}

/** The words of a title or a term: no emphasis, and no mark of a footnote. */
export function writeTitle(html: string | null | undefined, options?: InlineOptions): string {
  const words = readInlineHtml(html ?? "", { ...options, plain: true, midLine: true });
  return words.replace(SET_ASIDE, "").replace(/\\\n/g, " ").trim();
}

/** The footnotes of a document that has been written. */
export function writeFootnotes(document: Document): string[] {
  return document.footnotes.map(({ index, text }) => `[^${index}]: ${writeInline(text)}`);
}
