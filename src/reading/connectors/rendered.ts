import { parseRendered, writeBody } from "../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  elementsIn,
  type HtmlElement,
  newElement,
  readHtml,
  setAttribute,
} from "../markdown/html/html.ts";
import type { RenderingKind } from "./kinds.ts";

/** A page that was made Markdown. */
export interface WrittenPage {
  /** What readers take for its title, where that stands in it. */
  title?: string | undefined;
  markdown: string;
  /** What could not be read of it. */
  faults: string[];
}

/** Makes Markdown of pages as their servers show them, which may be done elsewhere. */
export type PageWriter = (kind: RenderingKind, page: RenderedPage) => Promise<WrittenPage>;

/** A page as its server shows it. */
export interface RenderedPage {
  html: string;
  /** Its title, where that is dressed in HTML. */
  titleHtml?: string | undefined;
  address: string;
  /** Headings have the ids that are shown to people by their words. */
  hasWordyIds?: boolean | undefined;
  /**
   * Where a page is listed, for any address of it, and for the id that a link has beside its address; undefined for what is
   * none, or is not there.
   */
  pageAt(address: string, linkedId?: string): string | undefined;
  /** The title of the page at any address of it. */
  titleAt?(address: string): string | undefined;
}

/**
 * Writes the HTML that a server made of a page as Markdown. `edit` takes out what is no part of the page's words; by then
 * its links and images have their whole addresses.
 */
export function writeRendered(
  html: string,
  { address, edit }: { address: string; edit(body: HtmlElement): void },
): WrittenPage {
  const root = parseRendered(html);
  if (root === undefined) {
    const { markdown, fault } = readHtml(html);
    return { markdown, faults: fault === undefined ? [] : [fault] };
  }
  const [body = newElement("div")] = elementsIn(root, ({ tagName }) => tagName === "body");
  for (const name of ["href", "src"])
    for (const element of elementsIn(body, (each) => attribute(each, name) !== undefined))
      setAttribute(element, name, wholeAddress(attribute(element, name) ?? "", address));
  edit(body);
  return { markdown: writeBody(body), faults: [] };
}

/** Of a place on the page itself, its id alone. */
function wholeAddress(written: string, page: string): string {
  if (written.startsWith("#")) return written;
  const url = URL.parse(written, page);
  if (url === null) return written;
  const isSamePage = url.hash !== "" && url.href.slice(0, -url.hash.length) === page;
  return isSamePage ? url.hash : url.href;
}
