import {
  attribute,
  classesOf,
  closest,
  elementsIn,
  type HtmlElement,
  newElement,
  readHtml,
  textOf,
  withoutClosedTags,
} from "../../markdown/html/html.ts";
import { escapeLabel } from "../../text/write-markdown.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { keepPlaces, parseRendered, rewriteAnchors, writeBody } from "../wiki-pages/wiki-pages.ts";
import { createLinkTargets, type LinkedNode, type Surroundings } from "./links.ts";
import { withoutMacros } from "./macros.ts";

export async function readPage(space: Surroundings, page: LinkedNode): Promise<ReadDocsPage> {
  const text = (await space.tree.text(page.location)) ?? "";
  const html = parseRendered(withoutClosedTags(codeAsText(text)));
  if (html === undefined) {
    const { markdown, fault } = readHtml(text);
    return { data: { title: page.title }, markdown, faults: fault === undefined ? [] : [fault] };
  }
  const [main = newElement("div")] = elementsIn(html, (each) => attribute(each, "id") === "main-content");
  const tags = labelsOf(html);
  withoutMacros(main);
  keepPlaces(main, (each) => classesOf(each).includes("confluence-anchor-link") || each.tagName === "a");
  const targetOf = await createLinkTargets(space, page, main);
  rewriteAnchors(main, targetOf);
  const markdown = writeBody(main);
  return {
    data: { title: page.title, ...(tags.length > 0 ? { tags } : {}) },
    markdown: markdown === "" ? listOfPages(space, page) : markdown,
    faults: [],
  };
}

/** Older exports hold code in scripts, which their own style sheet shows. */
const CODE_SCRIPT =
  /<script\b([^<>]{0,500}\bsyntaxhighlighter\b[^<>]{0,500})>\s*(?:<!\[CDATA\[)?([\s\S]*?)(?:\]\]>\s*|(?<!\s)\s*|)<\/script>/gi;

/** Code that lies in scripts, as text that is shown. */
export const codeAsText = (html: string) =>
  html.includes("syntaxhighlighter")
    ? html.replace(CODE_SCRIPT, (_, attributes: string, code: string) => {
        const params = /class="([^"]*)"/.exec(attributes)?.[1] ?? "";
        const escaped = code.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
        return `<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="${params}">${escaped}</pre>`;
      })
    : html;

const LABELS_MAX = 50;

/** The labels of the page itself, and not those that its words list. */
function labelsOf(html: HtmlElement): string[] {
  const labels = elementsIn(html, (each) => attribute(each, "rel") === "tag")
    .filter((each) => closest(each, (outer) => attribute(outer, "id") === "main-content") === undefined)
    .map((each) => textOf(each));
  return [...new Set(labels)].filter((label) => label !== "").slice(0, LABELS_MAX);
}

/** A page or folder without words of its own shows what is below it. */
const listOfPages = ({ nodes }: Surroundings, { id }: LinkedNode) =>
  nodes
    .filter(({ parent }) => parent === id)
    .map(({ title, path }) => `- [${escapeLabel(title)}](/${path})`)
    .join("\n");
