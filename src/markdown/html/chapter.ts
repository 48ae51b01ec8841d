import { attribute, type HtmlElement, isElement, walkNodes } from "./dom.ts";

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const CLOSED = /<([a-z][\w:-]{0,60})((?:\s[^<>]{0,2000}?)?)\s*\/>/gi;

/** XHTML closes elements where they open, which HTML does not know: a title that is closed so would hide the page. */
export const withoutClosedTags = (xhtml: string) =>
  xhtml.replace(CLOSED, (tag: string, name: string, attributes: string) =>
    VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );

/**
 * Makes a chapter of a book a plain page: what surrounds the words of a site does not surround those of a book, ids are those of
 * one chapter alone, and links lead to files of the book.
 */
export function makePlain(body: HtmlElement): void {
  const pageMarks: HtmlElement[] = [];
  walkNodes([body], {
    enter(element) {
      if (attribute(element, "epub:type") === "pagebreak" || attribute(element, "role") === "doc-pagebreak")
        pageMarks.push(element);
      const isCode = element.tagName === "pre" || element.tagName === "code";
      element.attrs = element.attrs.filter(({ name, value }) => {
        if (name === "class") return isCode;
        if (name === "href") return /^(?:https?:|mailto:)/i.test(value.trim());
        return name !== "id" && name !== "role" && name !== "name";
      });
      if (/^(?:header|footer|aside|article|main)$/.test(element.tagName)) element.tagName = "div";
      return true;
    },
  });
  for (const mark of pageMarks) mark.childNodes = [];
}

/** The body of a page. */
export function bodyOf(root: HtmlElement): HtmlElement | undefined {
  return root.childNodes.filter(isElement).find(({ tagName }) => tagName === "body");
}
