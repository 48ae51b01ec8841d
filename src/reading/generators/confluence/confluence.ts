import { escapeLabel } from "@docent/kernel/text/write-markdown";
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
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf } from "../docs-tree.ts";
import { keepPlaces, parseRendered, placeTree, rewriteAnchors, writeBody } from "../wiki-pages/wiki-pages.ts";
import { withoutMacros } from "./html-macros.ts";
import { createLinkTargets, type LinkedNode, type Surroundings } from "./links.ts";
import { readSpace } from "./space.ts";

export { withoutMacros } from "./html-macros.ts";
export { idOfShort } from "./short-id.ts";

/** The HTML export of a space of Confluence, of its Cloud and of its Data Center. */
export const confluence: GeneratorAdapter = {
  name: "Confluence",
  roots: (tree) => {
    const folders = new Set(tree.files.filter((file) => PAGE_NAME.test(nameOf(file))).map(folderOf));
    return [...folders].filter((folder) => tree.has(folder === "" ? "index.html" : `${folder}/index.html`));
  },
  open: openSpace,
};

/** `Title-of-it_12345.html`, or only the number where a title has signs that no file's name may have. */
const PAGE_NAME = /^(?:.*_)?\d{4,20}\.html$/;

const UNSAID = {
  question:
    "Which of its pages are restricted to some people? An HTML export does not say so, and holds all that the person " +
    "who made it may read.",
  guess: "every reader of the site may read all of them",
};

async function openSpace(tree: DocsTree, root: string): Promise<DocsSite | undefined> {
  const space = await readSpace(tree, root);
  if (space === undefined) return undefined;
  const { paths, menu } = placeTree(space.nodes, space.home);
  const nodes = space.nodes.flatMap((node) => {
    const path = paths.get(node.id);
    return path === undefined || !node.isPage ? [] : [{ ...node, path }];
  });
  const byLocation = new Map(nodes.map((node) => [node.location, node]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const documentPath = createDocumentPath(root, new Set(byId.keys()));
  return {
    generator: "Confluence",
    root,
    pages: nodes.map(({ location, path }) => ({ location, path })),
    leftOut: space.leftOut,
    menu,
    redirects: [],
    unknowns: [UNSAID],
    documentPath,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no page of this space`);
      return readPage({ tree, root, key: space.key, nodes, byId, byLocation, documentPath }, page);
    },
  };
}

/** Where attachments lie in an export: by the id of their page, and their own. Those that are read become pages. */
const ATTACHMENT =
  /^attachments\/(\d+)\/[^/]+\.(?:pdf|do[ct][xm]|o[dt][tps]|rtf|p[po][ts][xm]|xl[st][xm]|[ct]sv|epub|eml|msg)$/i;

/** Finds the address of an attached document; undefined for what belongs to a page that is not published. */
const createDocumentPath =
  (root: string, pageIds: ReadonlySet<string>) =>
  (location: string): string | undefined => {
    const below = root === "" ? location : location.slice(root.length + 1);
    const pageId = ATTACHMENT.exec(below)?.[1];
    return pageId !== undefined && pageIds.has(pageId) && isIn(root, location) ? below : undefined;
  };

const isIn = (root: string, location: string) => root === "" || location.startsWith(`${root}/`);

async function readPage(space: Surroundings, page: LinkedNode): Promise<ReadDocsPage> {
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
