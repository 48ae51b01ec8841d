import { decodePercent } from "@docent/kernel/text/decode-percent";
import {
  attribute,
  classesOf,
  elementsIn,
  type HtmlElement,
  isElement,
  parseHtml,
  textOf,
  walkNodes,
} from "../../markdown/html/html.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import type { TreeNode } from "../wiki-pages/wiki-pages.ts";

/** A page of a space, and the file that it is in. */
export interface SpaceNode extends TreeNode {
  location: string;
}

/** What an export holds. */
interface Space {
  key: string;
  nodes: SpaceNode[];
  /** The id of the page that the space opens with. */
  home: string | undefined;
  leftOut: LeftOut[];
}

/** Reads the tree of pages in `index.html`, and the pages that it does not list. Undefined for any other `index.html`. */
export async function readSpace(tree: DocsTree, root: string): Promise<Space | undefined> {
  const index = joinLocation(root, "index.html");
  const page = parseHtml((await tree.text(index)) ?? "");
  if (page === undefined || !isOfConfluence(page)) return undefined;
  const [, key = "", name = ""] = /^\s*(\S+)\s+\((.*)\)\s*$/s.exec(titleOf(page)) ?? [];
  const { nodes, home } = listedPages(page, root);
  const byLocation = new Map(nodes.map((node) => [node.location, node]));
  const leftOut: LeftOut[] = [
    { location: index, detail: "lists the pages of the space, which are the menu" },
  ];
  for (const location of tree.below(root)) {
    if (folderOf(location) !== root || !location.endsWith(".html") || location === index) continue;
    const listed = byLocation.get(location);
    const text = (await tree.text(location)) ?? "";
    const detail = whyLeftOut(text);
    const found = listed ?? (detail === undefined ? unlistedPage(text, location, name) : undefined);
    if (detail !== undefined) leftOut.push({ location, detail });
    if (found !== undefined && listed === undefined) nodes.push(found);
    if (found !== undefined) found.isPage = detail === undefined;
  }
  return { key, nodes, home, leftOut };
}

/** What Confluence writes around the pages of an export, whatever its language. */
const isOfConfluence = (page: HtmlElement) =>
  elementsIn(
    page,
    (each) => attribute(each, "id") === "title-heading" || classesOf(each).includes("pageSection"),
  ).length > 1;

const titleOf = (page: HtmlElement) =>
  elementsIn(page, ({ tagName }) => tagName === "title")
    .slice(0, 1)
    .map((title) => textOf(title))
    .join("");

/** The lists of pages that lie in each other: each item holds the link to its page, and a list for each page below. */
function listedPages(page: HtmlElement, root: string): { nodes: SpaceNode[]; home: string | undefined } {
  const nodes = new Map<string, SpaceNode>();
  const open: (string | undefined)[] = [];
  let home: string | undefined;
  walkNodes([page], {
    enter(element) {
      if (element.tagName === "img" && /home_page/.test(attribute(element, "src") ?? ""))
        home ??= open.at(-1);
      if (element.tagName !== "li") return true;
      const link = element.childNodes.filter(isElement).find(({ tagName }) => tagName === "a");
      const file = decodePercent(attribute(link ?? element, "href") ?? "").replace(/[?#].*$/s, "");
      if (link === undefined || !/^[^/\\]+\.html$/.test(file)) open.push(open.at(-1));
      else {
        const id = idOf(file);
        const node = { id, title: textOf(link), parent: open.at(-1), location: joinLocation(root, file) };
        if (!nodes.has(id)) nodes.set(id, { ...node, isPage: false });
        open.push(id);
      }
      return true;
    },
    leave(element) {
      if (element.tagName === "li") open.pop();
    },
  });
  const [first, ...others] = [...nodes.values()].filter(({ parent }) => parent === undefined);
  return { nodes: [...nodes.values()], home: home ?? (others.length === 0 ? first?.id : undefined) };
}

/** The number at the end of a page's name is what Confluence knows it by. */
const idOf = (file: string) => /(\d+)\.html$/.exec(file)?.[1] ?? stemOf(nameOf(file));

/** Confluence says in the words of its own language that it exports no whiteboards and databases, in two parts. */
const whyLeftOut = (text: string) =>
  text.includes('id="main-content-2"')
    ? "stands for a whiteboard or a database, which such an export does not hold"
    : undefined;

const HEAD_CHARACTERS = 20_000;

/** A page that the list does not have: its place is in the links above its title. */
function unlistedPage(text: string, location: string, spaceName: string): SpaceNode | undefined {
  if (!text.includes('id="title-text"')) return undefined;
  // What follows the title is not needed here.
  const end = text.indexOf('id="main-content"');
  const head = parseHtml(text.slice(0, end < 0 ? HEAD_CHARACTERS : Math.min(end, HEAD_CHARACTERS)));
  if (head === undefined) return undefined;
  const [shown] = elementsIn(head, (each) => attribute(each, "id") === "title-text");
  const title = shown === undefined ? "" : textOf(shown);
  const prefix = `${spaceName} : `;
  const above = elementsIn(head, (each) => attribute(each, "id") === "breadcrumbs")
    .flatMap((list) => elementsIn(list, ({ tagName }) => tagName === "a"))
    .map((link) => decodePercent(attribute(link, "href") ?? ""))
    .filter((href) => href !== "index.html")
    .at(-1);
  return {
    id: idOf(nameOf(location)),
    title: title.startsWith(prefix) ? title.slice(prefix.length) : title,
    parent: above === undefined ? undefined : idOf(above),
    location,
    isPage: true,
  };
}
