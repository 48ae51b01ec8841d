import { keepPlaces, rewriteAnchors } from "../../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  newElement,
  newText,
  setAttribute,
  setChildren,
  textOf,
} from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";

/** The body of a page as DokuWiki renders it. */
export function writePage({ html, address, pageAt }: RenderedPage): WrittenPage {
  let title: string | undefined;
  const written = writeRendered(html, {
    address,
    edit(body) {
      const [heading] = elementsIn(body, ({ tagName }) => tagName === "h1");
      title = heading === undefined ? undefined : textOf(heading).replace(/\s+/g, " ").trim();
      keepPlaces(body, ({ tagName }) => tagName === "a");
      editElements(body, plainElement);
      for (const pre of elementsIn(body, ({ tagName }) => tagName === "pre")) nameLanguage(pre);
      rewriteAnchors(body, (link) => {
        const href = attribute(link, "href") ?? "";
        return pageAt(href) ?? (classesOf(link).includes("wikilink2") ? undefined : href);
      });
    },
  });
  return { title: title === "" ? undefined : title, ...written };
}

const FURNITURE = /^(?:secedit|editbutton_\w+)$/;
const NOTE = /^(?:fn_top|fn_bot)$/;

function plainElement(element: HtmlElement) {
  const classes = classesOf(element);
  if (attribute(element, "id") === "dw__toc" || classes.some((name) => FURNITURE.test(name))) return [];
  // The mark of a footnote, in the text and below it.
  if (classes.some((name) => NOTE.test(name))) return [newText(`[${textOf(element).replace(")", "")}]`)];
  if (element.tagName === "img" && classes.includes("icon"))
    return [newText(attribute(element, "alt") ?? "")];
  // An image leads to what is known of it.
  const isOfImage = element.tagName === "a" && classes.includes("media");
  if (isOfImage && elementsIn(element, ({ tagName }) => tagName === "img").length > 0)
    return element.childNodes;
  if (element.tagName === "dl" && (classes.includes("file") || classes.includes("code")))
    return fileOf(element);
  return undefined;
}

/** A file that is shown: its name, and what it holds. */
function fileOf(list: HtmlElement) {
  const [term] = elementsIn(list, ({ tagName }) => tagName === "dt");
  const blocks = elementsIn(list, ({ tagName }) => tagName === "pre");
  const name = term === undefined ? "" : textOf(term).trim();
  const label = name === "" ? [] : [newElement("p", [newElement("code", [newText(name)])])];
  return [...label, ...blocks];
}

/** "code file bash", in which "code" and "file" say only how it looks. */
function nameLanguage(pre: HtmlElement): void {
  const classes = classesOf(pre);
  const language = classes.find((name) => !/^(?:code|file)$/.test(name));
  if (!classes.includes("code") && !classes.includes("file")) return;
  const code = newElement("code", [...pre.childNodes]);
  if (language !== undefined) setAttribute(code, "class", `language-${language}`);
  setChildren(pre, [code]);
}
