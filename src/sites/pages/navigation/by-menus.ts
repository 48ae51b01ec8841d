import { createFreeNames } from "@docent/kernel/text/words-of-name";
import { type MenuEntry, pathOf, type SourceMenu } from "@docent/reading/page/menu";
import { emptyNode, type NavigationNode } from "./node.ts";

/** Nobody can read a menu of endlessly nested groups, and the stack is finite. */
const DEPTH_MAX = 12;
/** What the paths of groups without a page of their own begin with: no page has such a path. */
const GROUP = "-";

/**
 * The tree of pages as the menus of their sources have them, with what else is in the site behind them. `shown` has the
 * pages that may be shown, by the paths that menus name: a translation by that of the page whose place it takes. The
 * menus of trackers, which are not `ofDocs`, stand at the end.
 */
export function treeByMenus(
  others: NavigationNode,
  menus: readonly SourceMenu[],
  { shown, ofDocs }: { shown: ReadonlyMap<string, ShownPage>; ofDocs: ReadonlySet<number> },
): NavigationNode {
  const nodesIn = (some: readonly SourceMenu[]) =>
    some.flatMap(({ entries }) => nodesOf(entries, { shown, above: GROUP, depth: 1 }));
  const children = nodesIn(menus.filter(({ sourceId }) => ofDocs.has(sourceId)));
  const questions = nodesIn(menus.filter(({ sourceId }) => !ofDocs.has(sourceId)));
  const { path = others.path, title = others.title } = shown.get("") ?? {};
  const isPage = others.isPage || shown.has("");
  const root = { ...others, path, isPage, title };
  // The first page of a site stands above its menu.
  root.children = [
    ...children.filter((node) => !(node.isPage && node.path === path && node.children.length === 0)),
  ];
  root.children.push(...others.children, ...questions);
  root.pages = root.children.reduce((sum, { pages }) => sum + pages, Number(isPage));
  return root;
}

/** A page as a menu shows it. */
export interface ShownPage {
  path: string;
  title: string;
}

interface Level {
  shown: ReadonlyMap<string, ShownPage>;
  /** The path of the group above. */
  above: string;
  depth: number;
}

function nodesOf(entries: readonly MenuEntry[], level: Level): NavigationNode[] {
  const free = createFreeNames();
  return entries.flatMap((entry) => {
    const group = free(`${level.above}/${slugOf(entry.label)}`);
    const node = nodeOf(entry, group, level);
    return node === undefined ? [] : [node];
  });
}

/** An entry's node; undefined where it leads to nothing that is shown. */
function nodeOf(entry: MenuEntry, group: string, { shown, depth }: Level): NavigationNode | undefined {
  const { label, href } = entry;
  const path = entry.path ?? pathOf(href);
  const page = path === undefined ? undefined : shown.get(path);
  const children =
    depth < DEPTH_MAX ? nodesOf(entry.children, { shown, above: group, depth: depth + 1 }) : [];
  if (page !== undefined) {
    const pages = 1 + sumOf(children);
    // A label names a page in its own language.
    const name = page.path === path ? label : "";
    return { ...emptyNode(page.path, name || page.title), isPage: true, children, pages };
  }
  if (children.length > 0) return { ...emptyNode(group, label), children, pages: sumOf(children) };
  const isElsewhere = href !== undefined && /^https?:\/\//i.test(href);
  return isElsewhere ? { ...emptyNode(group, label), href } : undefined;
}

const sumOf = (nodes: readonly NavigationNode[]) => nodes.reduce((sum, { pages }) => sum + pages, 0);

function slugOf(label: string): string {
  const words = label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return words.replace(/^-|-$/g, "") || "group";
}
