import { parseRendered, writeBody } from "../../generators/wiki-pages/wiki-pages.ts";
import {
  attribute,
  classesOf,
  editElements,
  elementsIn,
  type HtmlElement,
  isElement,
  newElement,
  newText,
  setAttribute,
  setChildren,
  textOf,
} from "../../markdown/html/html.ts";
import { type RenderedPage, type WrittenPage, writeRendered } from "../rendered.ts";

/** Stand for the mark of a footnote until the Markdown is written. */
const NOTE = { open: "\uE002", close: "\uE003" };
const NOTE_MARK = /\uE002(\d{1,6})\uE003/g;
const NOTES_MAX = 5_000;

/** Parts of a rendered page that are none of its words. */
const FURNITURE =
  /^(?:mw-editsection|toc|mw-jump-link|noprint|navbox|vertical-navbox|catlinks|printfooter|mw-empty-elt|mw-cite-backlink|mw-references-backlink|mbox-image|sistersitebox|mw-kartographer-container|mwe-math-fallback-image-(?:inline|display))$/;

/** The body of a page as MediaWiki renders it. */
export function writePage({ html, titleHtml = "", address, pageAt }: RenderedPage): WrittenPage {
  const notes: HtmlElement[] = [];
  const written = writeRendered(html, {
    address,
    edit(body) {
      withoutFurniture(body);
      placeAnchors(body);
      writeCode(body);
      notes.push(...takeNotes(body));
      for (const part of [body, ...notes]) editLinks(part, pageAt);
    },
  });
  return { ...written, title: plainTitle(titleHtml), markdown: withNotes(written.markdown, notes) };
}

function withoutFurniture(body: HtmlElement): void {
  editElements(body, (element) => {
    const isFurniture =
      /^(?:style|script|link|noscript)$/.test(element.tagName) ||
      attribute(element, "id") === "toc" ||
      classesOf(element).some((name) => FURNITURE.test(name));
    return isFurniture ? [] : undefined;
  });
}

/** Older versions have the id of a heading at a part of it. */
function placeAnchors(body: HtmlElement): void {
  for (const heading of elementsIn(body, ({ tagName }) => /^h[1-6]$/.test(tagName))) {
    const [headline] = elementsIn(heading, (each) => classesOf(each).includes("mw-headline"));
    const id = headline === undefined ? undefined : attribute(headline, "id");
    if (headline === undefined || id === undefined) continue;
    setAttribute(heading, "id", id);
    setChildren(heading, [newText(textOf(headline))]);
  }
}

const LANGUAGE = /^mw-highlight-lang-([\w+#.-]{1,40})$/;

function writeCode(body: HtmlElement): void {
  for (const block of elementsIn(body, (each) => classesOf(each).includes("mw-highlight"))) {
    const language = classesOf(block).flatMap((name) => LANGUAGE.exec(name)?.[1] ?? [])[0];
    for (const pre of elementsIn(block, ({ tagName }) => tagName === "pre")) {
      for (const number of elementsIn(pre, (each) => classesOf(each).includes("linenos")))
        setChildren(number, []);
      const code = newElement("code", [...pre.childNodes]);
      if (language !== undefined) setAttribute(code, "class", `language-${language}`);
      setChildren(pre, [code]);
    }
  }
}

/** Takes the notes from the end of the page. Where they are mentioned, the mark of their number stays. */
function takeNotes(body: HtmlElement): HtmlElement[] {
  const notes: HtmlElement[] = [];
  const numbers = new Map<string, number>();
  editElements(body, (element) => {
    if (!classesOf(element).includes("references")) return undefined;
    for (const item of element.childNodes.filter(isElement)) {
      const id = attribute(item, "id");
      const [words] = elementsIn(item, (each) => classesOf(each).includes("reference-text"));
      if (id === undefined || words === undefined || notes.length >= NOTES_MAX) continue;
      numbers.set(id, notes.push(newElement("div", words.childNodes)));
    }
    return [];
  });
  editElements(body, (element) => {
    if (element.tagName !== "sup" || !classesOf(element).includes("reference")) return undefined;
    const [link] = elementsIn(element, ({ tagName }) => tagName === "a");
    const number = numbers.get(attribute(link ?? element, "href")?.replace(/^#/, "") ?? "");
    return number === undefined ? [] : [newText(NOTE.open + number + NOTE.close)];
  });
  return notes;
}

function withNotes(markdown: string, notes: readonly HtmlElement[]): string {
  const marked = markdown.replace(NOTE_MARK, (_, number: string) => `[^${number}]`);
  const below = notes.map(
    (note, index) => `[^${index + 1}]: ${writeBody(note).replace(/(?<!\s)\s*\n\s*/g, " ")}`,
  );
  return [marked, ...below].filter((block) => block !== "").join("\n\n");
}

/** Links to pages that do not exist become their words, and an image does not lead to its description. */
function editLinks(body: HtmlElement, pageAt: RenderedPage["pageAt"]): void {
  editElements(body, (element) => {
    const href = element.tagName === "a" ? attribute(element, "href") : undefined;
    if (href === undefined || href.startsWith("#")) return undefined;
    const classes = classesOf(element);
    if (classes.includes("new") || classes.some((name) => /^(?:image|mw-file-description)$/.test(name)))
      return element.childNodes;
    setAttribute(element, "href", pageAt(href) ?? href);
    return undefined;
  });
}

/** A title that is dressed in HTML, in plain words. */
function plainTitle(html: string): string {
  const root = parseRendered(html);
  return root === undefined ? "" : textOf(root).replace(/\s+/g, " ").trim();
}
