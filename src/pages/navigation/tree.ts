import { humanizedName, type NavigationPlace, numberInName } from "./place.ts";

/** A page, a folder, or both: a folder's index page belongs to the folder's node. */
export interface NavigationNode {
  path: string;
  /** The name in the menu. */
  title: string;
  /** Whether a page is at that path. A folder without one only groups what is below it. */
  isPage: boolean;
  position: number | undefined;
  /** In menu order. */
  children: NavigationNode[];
  /** The number of pages in it and below. */
  pages: number;
}

/** A page to put into a tree. */
export interface PlacedPage {
  path: string;
  title: string;
  place: NavigationPlace;
}

/** The menu of a site's pages in one version and language. */
export interface NavigationTree {
  root: NavigationNode;
  /**
   * The nodes from the root (left out unless it is asked for) to a path; undefined for a path not in the
   * tree.
   */
  trail(path: string): NavigationNode[] | undefined;
  /** The pages before and after a page, in menu order. */
  neighbours(path: string): { previous: NavigationNode | undefined; next: NavigationNode | undefined };
  /** Pages of the same name in other folders: a page may have moved there. */
  namesakes(path: string): NavigationNode[];
}

const NAMESAKES_MAX = 5;
/** Nobody can read a menu of endlessly nested folders, and the stack is finite. */
const DEPTH_MAX = 12;

/**
 * Builds the tree of pages with distinct paths: those with a position first, then by title. `language`
 * decides the sorting of titles.
 */
export function buildNavigationTree(pages: readonly PlacedPage[], language: string): NavigationTree {
  const root = emptyNode("", "");
  const nodes = new Map([["", root]]);
  for (const { path, title, place } of pages) {
    if (place.isLeftOut) continue;
    const { position, label } = place;
    Object.assign(nodeAt(nodes, path), { isPage: true, position, title: label ?? title });
  }
  finish(root, collatorOf(language));
  const order = [...pagesBelow(root)];
  const places = new Map(order.map((node, index) => [node.path, index]));
  return {
    root,
    trail(path) {
      if (!nodes.has(path)) return undefined;
      return path === "" ? [root] : ancestorsOf(path).flatMap((each) => nodes.get(each) ?? []);
    },
    neighbours(path) {
      const at = places.get(path);
      return { previous: at ? order[at - 1] : undefined, next: at === undefined ? undefined : order[at + 1] };
    },
    namesakes(path) {
      const name = nameOf(path).toLowerCase();
      if (name === "") return [];
      return order.filter((node) => nameOf(node.path).toLowerCase() === name).slice(0, NAMESAKES_MAX);
    },
  };
}

/** The node of a path, with the folders above it. */
function nodeAt(nodes: Map<string, NavigationNode>, path: string): NavigationNode {
  const known = nodes.get(path);
  if (known) return known;
  const cut = parentOf(path);
  const node = emptyNode(path, humanizedName(path.slice(cut === "" ? 0 : cut.length + 1)));
  nodes.set(path, node);
  nodeAt(nodes, cut).children.push(node);
  return node;
}

const emptyNode = (path: string, title: string): NavigationNode => ({
  path,
  title,
  isPage: false,
  position: numberInName(path),
  children: [],
  pages: 0,
});

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The folder that shows a path. Anything below the menu's depth is shown in the deepest folder. */
function parentOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, Math.min(parts.length - 1, DEPTH_MAX)).join("/");
}

function ancestorsOf(path: string): string[] {
  const found = [path];
  for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) found.unshift(parent);
  return found;
}

function finish(node: NavigationNode, titles: Intl.Collator): void {
  for (const child of node.children) finish(child, titles);
  node.children.sort(
    (a, b) =>
      (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY) ||
      titles.compare(a.title, b.title) ||
      titles.compare(a.path, b.path),
  );
  node.pages = node.children.reduce((sum, { pages }) => sum + pages, Number(node.isPage));
}

function* pagesBelow(node: NavigationNode): Iterable<NavigationNode> {
  if (node.isPage) yield node;
  for (const child of node.children) yield* pagesBelow(child);
}

/** Natural order: 2 before 10. An unknown language sorts like English. */
function collatorOf(language: string): Intl.Collator {
  try {
    return new Intl.Collator(language || "en", { numeric: true, sensitivity: "base" });
  } catch {
    return new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  }
}
