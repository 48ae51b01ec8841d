import { decodePercent } from "@docent/kernel/text/decode-percent";
import { codeAsText, withoutMacros } from "../../generators/confluence/confluence.ts";
import { keepPlaces, rewriteAnchors } from "../../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  classesOf,
  elementsIn,
  type HtmlElement,
  newText,
  setAttribute,
  setChildren,
  textOf,
  withoutClosedTags,
} from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";

/** The body of a page as Confluence renders it for exports. */
export function writePage(page: RenderedPage): WrittenPage {
  const { html, address, hasWordyIds } = page;
  let unrendered = 0;
  const written = writeRendered(withoutClosedTags(codeAsText(html)), {
    address,
    edit(body) {
      unrendered = elementsIn(body, isUnrendered).length;
      for (const pre of elementsIn(body, ({ tagName }) => tagName === "pre")) markCode(pre);
      for (const image of elementsIn(body, ({ tagName }) => tagName === "img")) showWhole(image, address);
      for (const link of elementsIn(body, isCard)) nameCard(link, page);
      withoutMacros(body);
      unrendered += elementsIn(body, isEmptyApp).length;
      keepPlaces(body, (each) => classesOf(each).includes("confluence-anchor-link") || each.tagName === "a");
      const places = hasWordyIds ? nameHeadings(body) : new Map<string, string>();
      rewriteAnchors(body, (link) => targetOf(link, page, places));
    },
  });
  if (unrendered > 0)
    written.faults.push(`${unrendered} of its macros could not be shown by Confluence itself`);
  return written;
}

/** A link that the browser shows as what it leads to: for exports its words are its address. */
const isCard = (element: HtmlElement) =>
  element.tagName === "a" && attribute(element, "data-card-appearance") !== undefined;

function nameCard(link: HtmlElement, { titleAt }: RenderedPage): void {
  const title = titleAt?.(attribute(link, "href") ?? "");
  if (title !== undefined && URL.canParse(textOf(link).trim())) setChildren(link, [newText(title)]);
}

const isUnrendered = (element: HtmlElement) =>
  classesOf(element).some((name) => /^(?:conf-macro-error|wysiwyg-unknown-macro)$/.test(name));

/** An app shows its macros in the browser: for exports their place is empty, as is that of a report of page properties. */
const isEmptyApp = (element: HtmlElement) =>
  classesOf(element).some((name) => /^(?:ap-container|metadata-summary-macro)$/.test(name)) &&
  textOf(element).trim() === "" &&
  elementsIn(element, ({ tagName }) => tagName === "img").length === 0;

/** What is rendered for exports has the parameters of code as classes: "theme: Confluence; brush: java; gutter: false". */
function markCode(pre: HtmlElement): void {
  const parameters = attribute(pre, "class") ?? "";
  if (!parameters.includes("brush:")) return;
  setAttribute(pre, "class", "syntaxhighlighter-pre");
  setAttribute(pre, "data-syntaxhighlighter-params", parameters);
}

/** What is shown may be a smaller picture of the file. */
function showWhole(image: HtmlElement, address: string): void {
  const whole = attribute(image, "data-image-src");
  const url = whole === undefined ? null : URL.parse(whole, address);
  if (url !== null && /^https?:$/.test(url.protocol)) setAttribute(image, "src", url.href);
}

/** The ids of headings by those that they had, and by their words alone. */
type Places = ReadonlyMap<string, string>;

/** The Cloud shows pages with headings that have their words as ids, while it renders them with the page's title before. */
function nameHeadings(body: HtmlElement): Places {
  const places = new Map<string, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  for (const heading of elementsIn(body, ({ tagName }) => /^h[1-6]$/.test(tagName))) {
    const words = textOf(heading).trim().replace(/\s/g, "-");
    if (words === "") continue;
    let nth = counts.get(words) ?? 0;
    let id = nth === 0 ? words : `${words}.${nth}`;
    while (taken.has(id)) id = `${words}.${++nth}`;
    taken.add(id);
    counts.set(words, nth + 1);
    places.set(attribute(heading, "id") ?? id, id);
    if (!places.has(bare(words))) places.set(bare(words), id);
    setAttribute(heading, "id", id);
  }
  for (const id of taken) places.set(id, id);
  return places;
}

const bare = (id: string) => id.replace(/[\s-]+/g, "").toLowerCase();

/** Where a link leads; undefined for nowhere. */
function targetOf(link: HtmlElement, { address, pageAt }: RenderedPage, places: Places): string | undefined {
  const href = attribute(link, "href") ?? "";
  // A page that nobody has written yet.
  if (classesOf(link).some((name) => /^(?:createlink|unresolved)$/.test(name))) return undefined;
  const isPage = /^(?:page|blogpost)$/.test(attribute(link, "data-linked-resource-type") ?? "");
  const linkedId = isPage ? attribute(link, "data-linked-resource-id") : undefined;
  const target = href.startsWith("#") ? href : (pageAt(href, linkedId) ?? href);
  const here = target.startsWith(`${address}#`) ? target.slice(address.length) : target;
  if (!here.startsWith("#")) return here;
  const id = decodePercent(here.slice(1));
  return `#${encodeURIComponent(places.get(id) ?? places.get(bare(id)) ?? id)}`;
}
