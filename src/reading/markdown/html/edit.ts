import { defaultTreeAdapter, html } from "parse5";
import { type HtmlElement, type HtmlNode, isElement, parentOf, walkNodes } from "./dom.ts";

/** A new element around nodes. */
export function newElement(
  tagName: string,
  children: readonly HtmlNode[] = [],
  attributes: Readonly<Record<string, string>> = {},
): HtmlElement {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  const element = defaultTreeAdapter.createElement(tagName, html.NS.HTML, attrs);
  setChildren(element, children);
  return element;
}

export const newText = (value: string): HtmlNode => defaultTreeAdapter.createTextNode(value);

export function setChildren(element: HtmlElement, children: readonly HtmlNode[]): void {
  element.childNodes = [...children];
  for (const child of element.childNodes) child.parentNode = element;
}

export function setAttribute(element: HtmlElement, name: string, value: string | undefined): void {
  element.attrs = element.attrs.filter((each) => each.name !== name);
  if (value !== undefined) element.attrs.push({ name, value });
}

/**
 * Puts other nodes, or none, where elements are, the innermost first: `edit` says which, and undefined keeps one. Takes
 * linear time.
 */
export function editElements(
  root: HtmlElement,
  edit: (element: HtmlElement) => readonly HtmlNode[] | undefined,
): void {
  walkNodes([root], {
    enter: () => true,
    leave(element) {
      setChildren(
        element,
        element.childNodes.flatMap((child) => (isElement(child) ? (edit(child) ?? [child]) : [child])),
      );
    },
  });
}

/** The elements inside another that are wanted, in page order. */
export function elementsIn(root: HtmlElement, isWanted: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  walkNodes(root.childNodes, {
    enter(element) {
      if (isWanted(element)) found.push(element);
      return true;
    },
  });
  return found;
}

/** How far up is looked: what nests deeper was made to. */
const ANCESTORS_MAX = 200;

/** The nearest element around another that is wanted. */
export function closest(
  element: HtmlElement,
  isWanted: (element: HtmlElement) => boolean,
): HtmlElement | undefined {
  let outer = parentOf(element);
  for (let steps = 0; outer !== undefined && steps < ANCESTORS_MAX; steps++) {
    if (isWanted(outer)) return outer;
    outer = parentOf(outer);
  }
  return undefined;
}
