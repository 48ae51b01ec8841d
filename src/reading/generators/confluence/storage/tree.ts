import {
  attribute,
  type HtmlElement,
  type HtmlNode,
  isElement,
  newElement,
  newText,
  setChildren,
  walkNodes,
} from "../../../markdown/html/html.ts";
import { decodeEntities } from "../../../markdown/html-text.ts";
import { readXmlPiece } from "../../xml/xml.ts";

/** Elements below this depth stand beside each other: writers call themselves for what is inside. */
const DEPTH_MAX = 200;
const CDATA_OR_ENTITY = /<!\[CDATA\[[\s\S]*?\]\]>|&([A-Za-z][A-Za-z\d]{1,31});/g;
const OF_XML = new Set(["amp", "lt", "gt", "quot", "apos"]);

/** The storage format as a tree: XML without a root, with the names of HTML's entities. */
export function parseStorage(storage: string): { root: HtmlElement; fault: string | undefined } {
  const plain = storage.replace(CDATA_OR_ENTITY, (whole, name: string | undefined) =>
    name === undefined || OF_XML.has(name) ? whole : decodeEntities(whole),
  );
  const root = newElement("div");
  const open: { element: HtmlElement; children: HtmlNode[] }[] = [{ element: root, children: [] }];
  let deeper = 0;
  let isRoot = true;
  const end = () => {
    const closed = open.pop();
    if (closed !== undefined) setChildren(closed.element, closed.children);
  };
  const fault = readXmlPiece(`<root>${plain}</root>`, {
    open(name, attributes) {
      if (isRoot) {
        isRoot = false;
        return;
      }
      const element = newElement(name, [], attributes);
      open.at(-1)?.children.push(element);
      if (open.length > DEPTH_MAX) deeper += 1;
      else open.push({ element, children: [] });
    },
    close() {
      if (deeper > 0) deeper -= 1;
      else if (open.length > 1) end();
    },
    words(text) {
      open.at(-1)?.children.push(newText(text));
    },
  });
  while (open.length > 0) end();
  return { root, fault };
}

/** The elements inside an element, of one name or all. */
export const childrenOf = (element: HtmlElement, name?: string): HtmlElement[] =>
  element.childNodes.filter(isElement).filter(({ tagName }) => name === undefined || tagName === name);

/** The first element inside an element that has one of some names. */
export const childOf = (element: HtmlElement, ...names: string[]): HtmlElement | undefined =>
  childrenOf(element).find(({ tagName }) => names.includes(tagName));

/** The text inside an element, with its white space. */
export function rawText(element: HtmlElement): string {
  const parts: string[] = [];
  walkNodes(element.childNodes, { text: (value) => void parts.push(value), enter: () => true });
  return parts.join("");
}

/** An attribute by its name, with `ac:` or `ri:` or without, "" where there is none. */
export const namedValue = (element: HtmlElement | undefined, name: string): string =>
  ["ac:", "ri:", ""]
    .map((prefix) => (element === undefined ? undefined : attribute(element, prefix + name)))
    .find((value) => value !== undefined) ?? "";
