import { writePage } from "./blocks.ts";
import { type HtmlElement, isElement, parseHtml, walkNodes } from "./dom.ts";
import { writeInline } from "./inline.ts";
import type { LineOptions } from "./line.ts";
import { survey } from "./survey.ts";
import { findTabs } from "./tabs.ts";

/** How inline HTML is written as Markdown. */
interface InlineHtmlOptions extends LineOptions {
  /** Leaves out emphasis, for words that are a title already. */
  plain?: boolean;
  /** Writes links as their words. */
  unlinked?: boolean;
  /** Writes images as such, and not as their description. */
  keepsImages?: boolean;
  /** Marks places that links lead to, and that are no headings. */
  keepsPlaces?: boolean;
}

/** Inline HTML as one paragraph of Markdown. */
export function readInlineHtml(html: string, options: InlineHtmlOptions = {}): string {
  const body = bodyOf(html);
  return body === undefined
    ? ""
    : writeInline(body.childNodes, survey(body, findTabs(body), options), options);
}

/** HTML as blocks of Markdown. */
export function readHtmlBlocks(
  html: string,
  options: Pick<InlineHtmlOptions, "keepsImages" | "keepsPlaces"> = {},
): string[] {
  const body = bodyOf(html);
  if (body === undefined) return [];
  const tabs = findTabs(body);
  return [writePage(body, survey(body, tabs, options), tabs).markdown];
}

/** The text of inline HTML, with its white space: what a browser shows of code. */
export function inlineHtmlText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const parts: string[] = [];
  walkNodes(bodyOf(`<pre>\n${html}</pre>`)?.childNodes ?? [], {
    text: (value) => void parts.push(value),
    enter(element) {
      if (element.tagName === "br") parts.push("\n");
      return true;
    },
  });
  return parts.join("");
}

function bodyOf(html: string): HtmlElement | undefined {
  const root = parseHtml(`<!doctype html><body>${html}`);
  return root?.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
}
