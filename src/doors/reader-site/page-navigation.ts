import type { NavigationNode, NavigationTree } from "@docent/sites/pages/navigation/navigation";
import type { ReaderAddresses } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import type { ReaderLabels } from "./labels.ts";

/** The entries of a folder's list that are shown at once. */
const LISTED_MAX = 500;

interface Place {
  tree: NavigationTree;
  path: string;
  addresses: ReaderAddresses;
  labels: ReaderLabels;
}

/** The folders above a page, from the top. */
export function trailOf({ tree, path, addresses, labels }: Place): Html | undefined {
  const above = (tree.trail(path) ?? []).slice(0, -1);
  if (above.length === 0) return undefined;
  const items = above.map(
    (node) => html`<li><a href="${addresses.page(node.path)}"><bdi>${node.title}</bdi></a></li>`,
  );
  return html`<nav class="crumbs" aria-label="${labels.path}"><ol>${items}</ol></nav>`;
}

/** The pages before and behind a page, in the order of the menu. */
export function neighboursOf({ tree, path, addresses, labels }: Place): Html | undefined {
  const { previous, next } = tree.neighbours(path);
  if (previous === undefined && next === undefined) return undefined;
  const link = (node: NavigationNode | undefined, rel: "prev" | "next", label: string) =>
    node &&
    html`<a class="${rel}" rel="${rel}" href="${addresses.page(node.path)}"><span>${label}</span><strong><bdi>${node.title}</bdi></strong></a>`;
  return html`<nav class="neighbours" aria-label="${labels.previous}, ${labels.next}">${link(previous, "prev", labels.previous)}${link(next, "next", labels.next)}</nav>`;
}

/** What is in a folder, from the nth entry; for a folder without a page of its own, and for one that no menu can hold. */
export function folderList(
  folder: NavigationNode,
  from: number,
  { addresses, labels }: Omit<Place, "tree" | "path">,
): Html {
  const own = folder.isPage ? [folder] : [];
  const entries = [...own, ...folder.children];
  if (entries.length === 0) return html`<p class="nothing">${labels.noPages}</p>`;
  const shown = entries.slice(from, from + LISTED_MAX);
  const more =
    from + LISTED_MAX < entries.length &&
    html`<p><a class="more" href="${addresses.list(folder.path, from + LISTED_MAX)}">${labels.more}</a></p>`;
  return html`<ul class="contents">${shown.map((node) => contentItem(node, node === folder, addresses))}</ul>${more}`;
}

/** Pages that may be called alike: each with its path. */
export function pageList(pages: readonly NavigationNode[], addresses: ReaderAddresses): Html {
  const items = pages.map(
    ({ path, title }) =>
      html`<li><a href="${addresses.page(path)}"><bdi>${title}</bdi></a> <span class="pages" dir="ltr">${path}</span></li>`,
  );
  return html`<ul class="contents">${items}</ul>`;
}

function contentItem(node: NavigationNode, isItself: boolean, addresses: ReaderAddresses): Html {
  const count = node.children.length > 0 && !isItself && html` <span class="pages">${node.pages}</span>`;
  const href = node.href ?? addresses.page(node.path);
  return html`<li><a href="${href}"><bdi>${node.title}</bdi></a>${count}</li>`;
}
