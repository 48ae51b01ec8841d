import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  newElement,
  newText,
  readHtml,
  setAttribute,
  setChildren,
  textOf,
  textValue,
} from "../../markdown/html/html.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import {
  calloutOf,
  keepPlaces,
  markTask,
  parseRendered,
  rewriteAnchors,
  writeBody,
} from "../wiki-pages/wiki-pages.ts";
import { markOf } from "./callouts.ts";
import { linkedPath, type PlacedPage, type Surroundings } from "./links.ts";
import { tagsOf } from "./properties.ts";

export async function readHtmlPage(surroundings: Surroundings, page: PlacedPage): Promise<ReadDocsPage> {
  const text = (await surroundings.tree.text(page.location)) ?? "";
  const html = parseRendered(text);
  if (html === undefined)
    return { data: { title: page.title }, markdown: readHtml(text).markdown, faults: [] };
  const [body = newElement("div")] = elementsIn(html, (each) => classesOf(each).includes("page-body"));
  const properties = propertiesOf(html);
  const facts = properties.flatMap(({ name, nodes }) =>
    nodes.length === 0
      ? []
      : [newElement("li", [newElement("strong", [newText(`${name}:`)]), newText(" "), ...nodes])],
  );
  const whole = newElement("div", [
    ...(facts.length > 0 ? [newElement("ul", facts)] : []),
    ...body.childNodes,
  ]);
  withoutBlocks(whole);
  joinLists(whole);
  // Links to blocks are not kept: their ids say nothing, and are none of headings that readers name.
  keepPlaces(whole, () => false);
  rewriteAnchors(whole, (link) => {
    const href = attribute(link, "href") ?? "";
    const path = linkedPath(surroundings, page, href);
    return path === "" || href.startsWith("#") ? undefined : (path ?? href);
  });
  for (const heading of elementsIn(whole, ({ tagName }) => /^h[1-6]$/.test(tagName)))
    setAttribute(heading, "id", undefined);
  const tags = tagsOf(properties);
  return {
    data: { title: page.title, ...(tags.length > 0 ? { tags } : {}) },
    markdown: writeBody(whole),
    faults: [],
  };
}

interface Property {
  name: string;
  values: string[];
  /** The value as it is shown. */
  nodes: readonly HtmlNode[];
}

function propertiesOf(html: HtmlElement): Property[] {
  return elementsIn(html, (each) => classesOf(each).includes("property-row")).map((row) => {
    const [name, value] = ["th", "td"].map((tag) =>
      row.childNodes.filter(isElement).find(({ tagName }) => tagName === tag),
    );
    const chosen =
      value === undefined ? [] : elementsIn(value, (each) => classesOf(each).includes("selected-value"));
    const [box] = value === undefined ? [] : elementsIn(value, isCheckbox);
    const words = chosen.map((each) => textOf(each));
    const shown =
      box !== undefined
        ? [newText(isChecked(box) ? "✓" : "✗")]
        : words.length > 0
          ? [newText(words.join(", "))]
          : value === undefined || textOf(value) === ""
            ? []
            : value.childNodes;
    return { name: name === undefined ? "" : textOf(name), values: words, nodes: shown };
  });
}

const isCheckbox = (element: HtmlElement) => classesOf(element).includes("checkbox");
const isChecked = (box: HtmlElement) => classesOf(box).includes("checkbox-on");

/** Writes Notion's blocks as plain HTML. */
function withoutBlocks(root: HtmlElement): void {
  editElements(root, (element) => {
    const classes = classesOf(element);
    const { tagName } = element;
    if (tagName === "style" || classes.includes("table_of_contents")) return [];
    if (classes.includes("callout")) return calloutFrom(element);
    if (tagName === "li") return taskFrom(element);
    if (classes.includes("collection-title"))
      return [newElement("p", [newElement("strong", element.childNodes)])];
    if (isCheckbox(element) && isInCell(element)) return [newText(isChecked(element) ? "✓" : "✗")];
    if (classes.includes("icon") || classes.includes("bookmark-image") || classes.includes("bookmark-icon"))
      return isInCallout(element) ? undefined : [];
    if (classes.includes("bookmark")) return bookmarkOf(element);
    // Each block is in a frame of its own for its direction.
    if (tagName === "div" && /display:\s?contents/.test(attribute(element, "style") ?? ""))
      return element.childNodes;
    if (tagName === "a") return imageLink(element);
    return undefined;
  });
}

const parentElement = (element: HtmlElement): HtmlElement | undefined =>
  element.parentNode !== null && "tagName" in element.parentNode ? element.parentNode : undefined;

const isInCell = (element: HtmlElement) => /^t[dh]$/.test(parentElement(element)?.tagName ?? "");

/** The sign of a callout stands in a part of its own, which is taken when the callout is. */
function isInCallout(element: HtmlElement): boolean {
  const part = parentElement(element);
  const frame = part === undefined ? undefined : parentElement(part);
  return frame !== undefined && classesOf(frame).includes("callout");
}

function calloutFrom(element: HtmlElement): HtmlNode[] {
  const parts = element.childNodes.filter(isElement);
  const icon = parts
    .slice(0, 1)
    .flatMap((part) => part.childNodes.filter(isElement))
    .filter((each) => classesOf(each).includes("icon"))
    .at(0);
  const sign =
    icon === undefined ? "" : (attribute(icon, "src") ?? attribute(icon, "data-emoji") ?? textOf(icon));
  const body = parts.slice(icon === undefined ? 0 : 1).flatMap((part) => part.childNodes);
  return calloutOf(element, { mark: markOf(sign), body });
}

/** A task has its box in front of its words. */
function taskFrom(item: HtmlElement): undefined {
  const box = item.childNodes.filter(isElement).find(isCheckbox);
  if (box === undefined) return;
  setChildren(
    item,
    item.childNodes.filter((node) => node !== box),
  );
  markTask(item, isChecked(box));
}

/** A bookmark is a card with a title, a few words and the address. */
function bookmarkOf(card: HtmlElement): HtmlNode[] | undefined {
  const href = attribute(card, "href");
  const [title] = elementsIn(card, (each) => classesOf(each).includes("bookmark-title"));
  const words = title === undefined ? "" : textOf(title);
  return href === undefined ? undefined : [newElement("a", [newText(words || href)], { href })];
}

/** An image is a link to its own file. */
function imageLink(link: HtmlElement): readonly HtmlNode[] | undefined {
  const inside = link.childNodes.filter((node) => isElement(node) || textValue(node)?.trim() !== "");
  const [only, ...others] = inside;
  const isImage = only !== undefined && isElement(only) && only.tagName === "img" && others.length === 0;
  return isImage && attribute(only, "src") === attribute(link, "href") ? [only] : undefined;
}

/** Each item is exported as a list of its own. */
function joinLists(root: HtmlElement): void {
  for (const holder of [root, ...elementsIn(root, () => true)]) {
    const kept: HtmlNode[] = [];
    let last: HtmlElement | undefined;
    for (const node of holder.childNodes) {
      const isList = isElement(node) && /^[uo]l$/.test(node.tagName);
      if (isList && last !== undefined && continues(last, node))
        for (const child of node.childNodes) {
          last.childNodes.push(child);
          child.parentNode = last;
        }
      else kept.push(node);
      if (isList && (last === undefined || kept.at(-1) === node)) last = node;
      else if (!isList && textValue(node)?.trim() !== "") last = undefined;
    }
    if (kept.length < holder.childNodes.length) setChildren(holder, kept);
  }
}

const continues = (list: HtmlElement, next: HtmlElement) =>
  list.tagName === next.tagName &&
  attribute(list, "class") === attribute(next, "class") &&
  (list.tagName === "ul" || Number(attribute(next, "start") ?? 1) > 1);
