import type { NavigationNode, NavigationTree } from "@docent/sites/pages/navigation/navigation";
import type { ReaderAddresses } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import type { ReaderLabels } from "./labels.ts";

/** With no more pages than that the whole tree is in every page; with more, only what is open. */
const WHOLE_PAGES_MAX = 300;
/** With no more than that everything at the top is open. */
const OPEN_PAGES_MAX = 40;
/** The most entries of one folder; the others are in its list. */
const ENTRIES_MAX = 150;

interface Menu {
  current: string | undefined;
  /** What is above the current page, and itself. */
  trail: ReadonlySet<NavigationNode>;
  isWhole: boolean;
  isOpen: (node: NavigationNode, depth: number) => boolean;
  addresses: ReaderAddresses;
  labels: ReaderLabels;
}

/** A site's pages as lists within lists; folders open and close without a script. */
export function menuOf(
  tree: NavigationTree,
  current: string | undefined,
  { addresses, labels }: Pick<Menu, "addresses" | "labels">,
): Html {
  const trail = new Set(current === undefined ? [] : tree.trail(current));
  const { pages } = tree.root;
  const menu: Menu = {
    current,
    trail,
    addresses,
    labels,
    isWhole: pages <= WHOLE_PAGES_MAX,
    isOpen: (node, depth) => trail.has(node) || (depth === 0 && pages <= OPEN_PAGES_MAX),
  };
  return html`<div class="tree">${listOf(menu, tree.root, 0)}</div>`;
}

function listOf(menu: Menu, folder: NavigationNode, depth: number): Html {
  const { shown, hasMore } = windowOf(menu, folder.children);
  const { overview } = menu.labels;
  const isTaken = folder.children.some(({ title }) => title === overview);
  const own = folder.isPage && linkItem(menu, folder, depth === 0 || isTaken ? folder.title : overview);
  const more =
    hasMore &&
    html`<li><a class="more" href="${menu.addresses.list(folder.path, 0)}">${menu.labels.more}</a></li>`;
  return html`<ul>${own}${shown.map((node) => entryOf(menu, node, depth))}${more}</ul>`;
}

function entryOf(menu: Menu, node: NavigationNode, depth: number): Html {
  if (node.children.length === 0) return linkItem(menu, node, node.title);
  const isOpen = menu.isOpen(node, depth);
  if (!isOpen && !menu.isWhole) return closedItem(menu, node);
  return html`<li><details${isOpen && html` open`}><summary><bdi>${node.title}</bdi></summary>${listOf(menu, node, depth + 1)}</details></li>`;
}

/** In a large site, a folder that is not open is a way into it. */
const closedItem = ({ addresses }: Menu, { path, title }: NavigationNode) =>
  html`<li><a class="folder" href="${addresses.page(path)}"><bdi>${title}</bdi></a></li>`;

function linkItem({ current, addresses }: Menu, { path, href }: NavigationNode, title: string): Html {
  if (href !== undefined)
    return html`<li><a class="elsewhere" href="${href}" rel="noopener noreferrer"><bdi>${title}</bdi></a></li>`;
  const mark = path === current && html` aria-current="page"`;
  return html`<li><a href="${addresses.page(path)}"${mark}><bdi>${title}</bdi></a></li>`;
}

/** The entries around the current one, where there are too many. */
function windowOf({ trail }: Menu, entries: NavigationNode[]): { shown: NavigationNode[]; hasMore: boolean } {
  if (entries.length <= ENTRIES_MAX) return { shown: entries, hasMore: false };
  const at = Math.max(
    0,
    entries.findIndex((entry) => trail.has(entry)),
  );
  const from = Math.min(Math.max(0, at - ENTRIES_MAX / 2), entries.length - ENTRIES_MAX);
  return { shown: entries.slice(from, from + ENTRIES_MAX), hasMore: true };
}
