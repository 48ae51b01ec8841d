import {
  type CalloutMark,
  calloutOf,
  keepPlaces,
  rewriteAnchors,
} from "../../generators/wiki-pages/wiki-pages.ts";
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
  setChildren,
  textValue,
} from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";

/** The body of a page as XWiki renders it. */
export function writePage({ html, address, pageAt }: RenderedPage): WrittenPage {
  let failed = 0;
  const written = writeRendered(html, {
    address,
    edit(body) {
      failed = elementsIn(body, (each) => classesOf(each).includes(FAILED)).length;
      const [content] = elementsIn(body, (each) => attribute(each, "id") === "xwikicontent");
      if (content !== undefined) setChildren(body, [...content.childNodes]);
      keepPlaces(body, ({ tagName }) => /^(?:a|span)$/.test(tagName));
      editElements(body, plainElement);
      rewriteAnchors(body, (link) => {
        const href = attribute(link, "href") ?? "";
        const isNone = elementsAround(link).some((each) => classesOf(each).includes("wikicreatelink"));
        return isNone ? undefined : (pageAt(href) ?? href);
      });
    },
  });
  if (failed > 0) written.faults.push(`${failed} of its macros could not be shown by XWiki itself`);
  return written;
}

/** Stands in the place of a macro that could not be executed, and says why. */
const FAILED = "xwikirenderingerror";

const elementsAround = (element: HtmlElement): HtmlElement[] => {
  const { parentNode } = element;
  return parentNode !== null && "tagName" in parentNode ? [element, parentNode] : [element];
};

const CALLOUTS: ReadonlyMap<string, CalloutMark> = new Map([
  ["infomessage", "NOTE"],
  ["successmessage", "TIP"],
  ["warningmessage", "WARNING"],
  ["errormessage", "CAUTION"],
]);

const FURNITURE =
  /^(?:wikitoc|icon-block|sr-only|wikigeneratedlinkcontent-icon|xwikirenderingerror(?:description)?)$/;

function plainElement(element: HtmlElement) {
  const classes = classesOf(element);
  if (/^(?:style|script|link|noscript)$/.test(element.tagName)) return [];
  if (classes.some((name) => FURNITURE.test(name))) return [];
  const mark = classes.flatMap((name) => CALLOUTS.get(name) ?? [])[0];
  if (mark !== undefined) return calloutOf(element, { mark, body: element.childNodes });
  if (element.tagName === "div" && classes.includes("code")) return [codeOf(element)];
  return undefined;
}

/** Code is lines with breaks between them, and spaces that do not break. */
function codeOf(element: HtmlElement): HtmlElement {
  const text = linesOf(element).replaceAll("\u00A0", " ");
  return newElement("pre", [newElement("code", [newText(text)])]);
}

const linesOf = (node: HtmlNode): string => {
  if (!isElement(node)) return textValue(node) ?? "";
  return node.tagName === "br" ? "\n" : node.childNodes.map(linesOf).join("");
};
