import { asList, asRecord, asText } from "@docent/kernel/text/json";
import {
  type CalloutMark,
  calloutOf,
  keepPlaces,
  rewriteAnchors,
  takeTasks,
} from "../../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  isElement,
  newElement,
  newText,
  parseHtml,
  setAttribute,
  setChildren,
  textOf,
  textValue,
} from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";
import { jsonSaid, webAddress } from "../said.ts";

const BEGIN = '<template slot="contents">';
const END = '</template><template slot="comments">';

/** What the wiki made of a page's words, in the HTML that it sends to browsers; undefined where it shows no page. */
export function bodyIn(html: string): string | undefined {
  const begin = html.indexOf(BEGIN);
  if (begin < 0) return undefined;
  const end = html.lastIndexOf(END);
  const body = html.slice(begin + BEGIN.length, end < begin ? html.lastIndexOf("</template>") : end);
  // What stands in a template is no part of a page's elements.
  return body.replace(/<(\/?)template\b/gi, "<$1div");
}

/** An entry of the menu that the wiki's owners made. */
export interface SideLink {
  label: string;
  href: string;
}

/** What the frame of a page tells of the wiki. */
export interface Frame {
  /** Where people reach the wiki. */
  origin: string | undefined;
  links: SideLink[];
}

export function frameIn(html: string): Frame {
  const root = parseHtml(html.replace(BEGIN, ""));
  if (root === undefined) return { origin: undefined, links: [] };
  const [address] = elementsIn(root, (each) => attribute(each, "property") === "og:url");
  const [page] = elementsIn(root, ({ tagName }) => tagName === "page");
  const sidebar = Buffer.from((page && attribute(page, "sidebar")) ?? "", "base64");
  const isShown = page !== undefined && attribute(page, "nav-mode") !== "NONE";
  const links = (isShown ? asList(jsonSaid(sidebar)) : []).map(asRecord).flatMap((entry): SideLink[] => {
    const [label = "", href = ""] = [asText(entry["l"]), asText(entry["t"])];
    return entry["k"] === "link" && /^(?:page|home)$/.test(asText(entry["y"]) ?? "") ? [{ label, href }] : [];
  });
  return { origin: webAddress((address && attribute(address, "content")) ?? "")?.origin, links };
}

const CALLOUTS: ReadonlyMap<string, CalloutMark> = new Map([
  ["is-info", "NOTE"],
  ["is-success", "TIP"],
  ["is-warning", "WARNING"],
  ["is-danger", "CAUTION"],
]);

/** The body of a page, whatever editor it was written with. */
export function writePage({ html, address, pageAt }: RenderedPage): WrittenPage {
  return writeRendered(html, {
    address,
    edit(body) {
      keepPlaces(body, (element) => /^(?:a|li|section|dt)$/.test(element.tagName));
      editElements(body, plainElement);
      takeTasks(body);
      for (const formula of elementsIn(body, ({ tagName }) => tagName === "math")) markFormula(formula);
      rewriteAnchors(body, (link) => {
        const href = attribute(link, "href") ?? "";
        // What was no page when this one was written may be one now.
        const isNone = classesOf(link).includes("is-invalid-page");
        return pageAt(href) ?? (isNone ? undefined : href);
      });
    },
  });
}

function plainElement(element: HtmlElement) {
  const classes = classesOf(element);
  if (classes.some((name) => /^(?:toc-anchor|footnote-backref|footnotes-sep|katex-html)$/.test(name)))
    return [];
  if (element.tagName === "img" && classes.includes("emoji"))
    return [newText(attribute(element, "alt") ?? "")];
  if (element.tagName === "tabset") return tabsOf(element);
  if (classes.includes("footnote-ref")) return [newText(textOf(element))];
  const mark = classes.flatMap((name) => CALLOUTS.get(name) ?? [])[0];
  return element.tagName === "blockquote" && mark !== undefined
    ? calloutOf(element, { mark, body: element.childNodes })
    : undefined;
}

/** Tabs below each other, each with its name above it. */
function tabsOf(tabset: HtmlElement) {
  const [names, contents] = tabset.childNodes.filter(isElement);
  const labels = names?.childNodes.filter(isElement) ?? [];
  const panels = contents?.childNodes.filter(isElement) ?? [];
  return panels.flatMap((panel, index) => {
    const label = labels[index];
    const name = label === undefined ? "" : textOf(label).replace("¶", "").trim();
    return [newElement("p", [newElement("strong", [newText(name)])]), ...panel.childNodes];
  });
}

/** The wiki's cleaning takes the tags around a formula's source, which then stands behind it. */
function markFormula(formula: HtmlElement): void {
  const source = formula.childNodes.at(-1);
  const words = source === undefined ? undefined : textValue(source);
  if (words === undefined || words.trim() === "" || formula.childNodes.length < 2) return;
  const annotation = newElement("annotation", [newText(words)]);
  setAttribute(annotation, "encoding", "application/x-tex");
  setChildren(formula, [newElement("semantics", [...formula.childNodes.slice(0, -1), annotation])]);
}
