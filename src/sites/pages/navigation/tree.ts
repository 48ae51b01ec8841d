import { namedBeside, type SourceMenu } from "@docent/reading/page/menu";
import { withoutEnding } from "@docent/reading/page/page-path";
import { type ShownPage, treeByMenus } from "./by-menus.ts";
import { nearestPages } from "./nearest.ts";
import { emptyNode, type NavigationNode } from "./node.ts";
import { humanizedName, type NavigationPlace } from "./place.ts";

export type { NavigationNode } from "./node.ts";

/** A page to put into a tree. */
interface PlacedPage {
  path: string;
  title: string;
  sourceId: number;
  place: NavigationPlace;
  /** It is a question out of a tracker: the menu of a source with nothing else stands behind all docs. */
  isQuestion?: boolean;
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
  /** The pages that may have been meant by a path at which there is none, the likeliest first. */
  nearest(path: string): NavigationNode[];
}

/** Nobody can read a menu of endlessly nested folders, and the stack is finite. */
const DEPTH_MAX = 12;

/**
 * Builds the tree of pages with distinct paths. Those of a source whose docs generator makes a menu stand where that has
 * them, and pages that it leaves out are in no menu; the others stand by their paths: those with a position first, then by
 * title. `language` decides the sorting of titles; `standIns` has translations by the paths of what they translate.
 */
export function buildNavigationTree(
  pages: readonly PlacedPage[],
  menus: readonly SourceMenu[],
  language: string,
  standIns: ReadonlyMap<string, PlacedPage> = new Map(),
): NavigationTree {
  const withMenu = new Set(menus.map(({ sourceId }) => sourceId));
  const named = new Map(menus.map(({ sourceId, entries }) => [sourceId, namedBeside(entries)]));
  const byPath = treeByPath(
    pages.filter(({ sourceId, path }) => !withMenu.has(sourceId) || named.get(sourceId)?.has(path) === false),
    language,
  );
  const shown = new Map<string, ShownPage>([
    ...standIns,
    ...pages.filter(({ sourceId }) => withMenu.has(sourceId)).map((page) => [page.path, page] as const),
  ]);
  const ofDocs = new Set(pages.flatMap(({ sourceId, isQuestion }) => (isQuestion ? [] : [sourceId])));
  return withLookups(menus.length === 0 ? byPath : treeByMenus(byPath, menus, { shown, ofDocs }));
}

function treeByPath(pages: readonly PlacedPage[], language: string): NavigationNode {
  const root = emptyNode("", "");
  const nodes = new Map([["", root]]);
  for (const { path, title, place } of pages) {
    if (place.isLeftOut) continue;
    const { position, label } = place;
    Object.assign(ownNode(nodes, path), { path, isPage: true, position, title: label ?? title });
  }
  finish(root, collatorOf(language));
  return root;
}

/** A tree in which every node is found by its path, the first of several with one path. */
function withLookups(root: NavigationNode): NavigationTree {
  const parents = new Map<NavigationNode, NavigationNode>();
  const nodes = new Map<string, NavigationNode>();
  for (const { node, parent } of nodesBelow(root)) {
    if (!nodes.has(node.path)) nodes.set(node.path, node);
    parents.set(node, parent);
  }
  for (const path of ["", root.path]) nodes.set(path, root);
  const order = [...new Map([...pagesBelow(root)].map((node) => [node.path, node])).values()];
  const places = new Map(order.map(({ path }, index) => [path, index]));
  return {
    root,
    trail(path) {
      const node = nodes.get(path);
      return node && trailTo(node, root, parents);
    },
    neighbours(path) {
      const at = places.get(path);
      return { previous: at ? order[at - 1] : undefined, next: at === undefined ? undefined : order[at + 1] };
    },
    nearest: (path) => nearestPages(order, path),
  };
}

/** The nodes from the root, which is left out unless it is asked for. */
function trailTo(
  node: NavigationNode,
  root: NavigationNode,
  parents: ReadonlyMap<NavigationNode, NavigationNode>,
): NavigationNode[] {
  const trail = [node];
  for (let above = parents.get(node); above && above !== root; above = parents.get(above))
    trail.unshift(above);
  return trail;
}

function* nodesBelow(root: NavigationNode): Iterable<{ node: NavigationNode; parent: NavigationNode }> {
  for (const node of root.children) {
    yield { node, parent: root };
    yield* nodesBelow(node);
  }
}

/**
 * The node that a page takes. One whose address ends in an extension stands for the folder of its name: what is below
 * `guide.html` is often in `guide`.
 */
function ownNode(nodes: Map<string, NavigationNode>, path: string): NavigationNode {
  const folder = nodeAt(nodes, withoutEnding(path));
  return folder.isPage ? nodeAt(nodes, path) : folder;
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

/** The folder that shows a path. Anything below the menu's depth is shown in the deepest folder. */
function parentOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, Math.min(parts.length - 1, DEPTH_MAX)).join("/");
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

/** The pages of a part of a menu, in its order. */
export function* pagesBelow(node: NavigationNode): Iterable<NavigationNode> {
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
