import { decodePercent } from "@docent/kernel/text/decode-percent";
import { encodePath } from "../../page/page-path.ts";
import type { DocsSite, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { ATTACHED_IN_OUTLINE } from "../site-files.ts";
import { placeTree, type TreeNode } from "../wiki-pages/wiki-pages.ts";
import { lowerMarkdownHeadings } from "../wiki-writing/wiki-writing.ts";
import { eachOutsideCode, rewriteLinks, splitHref } from "../writing/writing.ts";

interface Page extends TreeNode {
  location: string;
}

const UNSAID = {
  question:
    "Whom are these pages for? An export of Outline as Markdown does not say who may see a collection.",
  guess: "every reader of the site may read all of them",
};

export const isAttached = (location: string) => ATTACHED_IN_OUTLINE.test(location);

/** Documents as files of Markdown, with a folder for what is below each, below one for each collection. */
export async function openMarkdownExport(tree: DocsTree, root: string): Promise<DocsSite> {
  const files = tree.below(root).filter((file) => file.endsWith(".md") && !isAttached(file));
  const nodes = new Map<string, TreeNode>();
  const pages: Page[] = [];
  for (const location of files) {
    const id = location.slice(0, -".md".length);
    const title = titleIn((await tree.text(location)) ?? "") ?? decodePercent(stemOf(nameOf(location)));
    const page = { id, title, parent: parentOf(id, root), isPage: true, location };
    pages.push(page);
    nodes.set(id, page);
  }
  for (const { id } of pages) addFolders(nodes, id, root);
  const { paths, menu } = placeTree([...nodes.values()]);
  const byLocation = new Map(
    pages.map((page) => [page.location, { ...page, path: paths.get(page.id) ?? page.id }]),
  );
  return {
    generator: "Outline",
    root,
    pages: [...byLocation.values()].map(({ location, path }) => ({ location, path })),
    leftOut: [],
    menu,
    redirects: [],
    unknowns: [UNSAID],
    documentPath,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no document of this export`);
      const hrefOf = (href: string) =>
        linkedPath(tree, location, href, (place) => byLocation.get(place)?.path);
      return readPage((await tree.text(location)) ?? "", page.title, hrefOf);
    },
  };
}

const parentOf = (id: string, root: string): string | undefined =>
  folderOf(id) === root ? undefined : folderOf(id);

/** A collection, and a page that was not exported, are only folders. */
function addFolders(nodes: Map<string, TreeNode>, id: string, root: string): void {
  for (
    let folder = parentOf(id, root);
    folder !== undefined && !nodes.has(folder);
    folder = parentOf(folder, root)
  )
    nodes.set(folder, {
      id: folder,
      title: decodePercent(nameOf(folder)),
      parent: parentOf(folder, root),
      isPage: false,
    });
}

const TITLE = /^\uFEFF?\s*# ([^\n]{0,500})(?:\n|$)/;

/** The title, without the sign that people put in front of it. */
const titleIn = (text: string): string | undefined =>
  TITLE.exec(text)?.[1]
    ?.replace(
      /^\p{Extended_Pictographic}(?:\uFE0F|\u200D|\p{Emoji_Modifier}|\p{Extended_Pictographic})*\s+/u,
      "",
    )
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .trim() || undefined;

function documentPath(location: string): string | undefined {
  const [, id, name] = ATTACHED_IN_OUTLINE.exec(location) ?? [];
  return id === undefined ? undefined : `attachments/${id}/${name}`;
}

function readPage(text: string, title: string, hrefOf: (href: string) => string | undefined): ReadDocsPage {
  const body = text.replace(/\r\n?/g, "\n").replace(TITLE, "");
  const plain = eachOutsideCode(body, withoutMarks);
  const linked = rewriteLinks(lowerMarkdownHeadings(plain), hrefOf);
  return { data: { title }, markdown: eachOutsideCode(linked, withoutDeadLinks).trim(), faults: [] };
}

/** What Outline writes that Markdown has not: marks of the editor, people, folded parts, and lines of one backslash. */
const withoutMarks = (text: string) =>
  text
    .replace(/^\\$/gm, "")
    .replace(/^\+{3,}[ \t]*(.*)$/gm, (_, words: string) => (words === "" ? "" : `**${words}**`))
    .replace(/@\[([^[\]\n]{1,200})\]\(mention:\/\/[^()\s]{1,500}\)/g, "$1")
    .replace(
      /==(?=\S)([^=\n]{1,2000})==|!!(?=\S)([^!\n]{1,2000})!!/g,
      (_, marked?: string, placeholder?: string) => marked ?? placeholder ?? "",
    );

/** A link to what the export does not hold is its words. */
const withoutDeadLinks = (text: string) => text.replace(/(?<!!)\[([^[\]\n]{1,500})\]\(\)/g, "$1");

/** Where a link leads: undefined leaves it as it is, and "" is nowhere. */
function linkedPath(
  tree: DocsTree,
  from: string,
  href: string,
  pathOf: (location: string) => string | undefined,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (/^\/?(?:doc|collection)\//.test(target)) return "";
  const location =
    target === "" || target.startsWith("/") ? undefined : resolveLocation(folderOf(from), target);
  if (location === undefined) return undefined;
  const path = pathOf(location);
  if (path !== undefined) return `/${encodePath(path)}${rest}`;
  if (target.endsWith(".md")) return "";
  const document = tree.has(location) ? documentPath(location) : undefined;
  return document === undefined ? undefined : `/${encodePath(document)}`;
}
