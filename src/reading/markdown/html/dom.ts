import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from "parse5";

/** An element of a parsed page. */
export type HtmlElement = DefaultTreeAdapterTypes.Element;
/** A node inside an element. */
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;

/** The callbacks of `walkNodes` for each text and element. */
interface TreeWalk {
  text?(value: string): void;
  /** Returns false to skip what is inside; `leave` is then not called. */
  enter?(element: HtmlElement): boolean;
  leave?(element: HtmlElement): void;
}

const SPARE_ELEMENTS = 100;

/**
 * Parses a page as browsers do, however broken. Undefined where the tree would outgrow its source: the
 * standard repeats unclosed formatting in every later paragraph, which a hostile page can make quadratic.
 */
export function parseHtml(html: string): HtmlElement | undefined {
  let elementsLeft = html.length + SPARE_ELEMENTS;
  const tooLarge = new RangeError("the tree outgrows its source");
  const createElement: typeof defaultTreeAdapter.createElement = (...given) => {
    elementsLeft -= 1;
    if (elementsLeft < 0) throw tooLarge;
    return defaultTreeAdapter.createElement(...given);
  };
  try {
    const document = parse(html, {
      scriptingEnabled: false,
      treeAdapter: { ...defaultTreeAdapter, createElement },
    });
    return document.childNodes.find(isElement);
  } catch (error) {
    if (error === tooLarge) return undefined;
    throw error;
  }
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return "tagName" in node;
}

export function textValue(node: HtmlNode): string | undefined {
  return node.nodeName === "#text" && "value" in node ? node.value : undefined;
}

/** An attribute's value; undefined where the element lacks it. */
export function attribute(element: HtmlElement, name: string): string | undefined {
  for (const each of element.attrs) if (each.name === name) return each.value;
  return undefined;
}

/** The anchor of an element: its id, or the name of an old-style anchor. */
export function idOf(element: HtmlElement): string | undefined {
  const id = attribute(element, "id") ?? (element.tagName === "a" ? attribute(element, "name") : undefined);
  return id === "" ? undefined : id;
}

export function classesOf(element: HtmlElement): readonly string[] {
  const value = attribute(element, "class");
  if (value === undefined || value === "") return NO_CLASSES;
  return /\s/.test(value) ? value.split(/\s+/).filter(Boolean) : [value];
}

const NO_CLASSES: readonly string[] = [];

export function parentOf(element: HtmlElement): HtmlElement | undefined {
  const parent = element.parentNode;
  return parent !== null && "tagName" in parent ? parent : undefined;
}

/** Walks nodes in page order, with a stack of its own: pages nest as deep as they are long. */
export function walkNodes(nodes: readonly HtmlNode[], walk: TreeWalk): void {
  const open: HtmlElement[] = [];
  const positions = [0];
  for (;;) {
    const inside = open.at(-1);
    const position = positions[open.length] ?? 0;
    const node = (inside?.childNodes ?? nodes)[position];
    positions[open.length] = position + 1;
    if (node === undefined) {
      if (inside === undefined) return;
      open.pop();
      walk.leave?.(inside);
    } else if (isElement(node)) {
      if (walk.enter?.(node) === false) continue;
      open.push(node);
      positions[open.length] = 0;
    } else if (node.nodeName === "#text" && "value" in node) walk.text?.(node.value);
  }
}

/** The words inside an element on one line, without the elements that `leaveOut` selects. */
export function textOf(element: HtmlElement, leaveOut?: (element: HtmlElement) => boolean): string {
  const parts: string[] = [];
  walkNodes(element.childNodes, {
    text: (value) => void parts.push(value),
    enter(inner) {
      if (inner.tagName === "br") parts.push(" ");
      return !UNSPOKEN.has(inner.tagName) && leaveOut?.(inner) !== true;
    },
  });
  return collapse(parts.join(""));
}

/** Elements whose content is never part of the page's words. */
export const UNSPOKEN = new Set(
  "script style template noscript svg head iframe object embed audio video canvas map datalist".split(" "),
);

/** Runs of white space become one space, none at the ends; invisible characters are dropped. */
export function collapse(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
}

/** Soft hyphens, zero-width spaces and word joiners. */
export const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;
