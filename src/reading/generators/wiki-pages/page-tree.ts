import { slug } from "../../markdown/anchors.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { joinLocation } from "../docs-tree.ts";

/** A page of a wiki in its tree. */
export interface TreeNode {
  /** What the wiki knows it by. */
  id: string;
  title: string;
  /** The id of the page above it. */
  parent: string | undefined;
  /** Whether there is a page to read: others are only a place in the tree. */
  isPage: boolean;
}

/** Where the pages of a wiki are published, and the menu. */
interface PlacedTree {
  /** By id. */
  paths: ReadonlyMap<string, string>;
  menu: MenuEntry[];
}

/**
 * Places the pages of a wiki at readable addresses: the titles of the pages above, and its own. The pages below the home
 * page are at the top, as that is the site's own page. Only where two would be the same, the id is added.
 */
export function placeTree(nodes: readonly TreeNode[], home?: string): PlacedTree {
  const below = childrenOf(nodes);
  const paths = new Map<string, string>();
  const taken = new Set<string>();
  const top = (below.get(undefined) ?? []).flatMap((node) =>
    node.id === home ? [node, ...(below.get(node.id) ?? [])] : [node],
  );
  if (home !== undefined) paths.set(home, "");
  let level: { nodes: readonly TreeNode[]; prefix: string }[] = [{ nodes: top, prefix: "" }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { nodes: siblings, prefix } of level) {
      // The order of pages may change, and the page that was there first keeps its address.
      for (const node of siblings.toSorted((a, b) => byId.compare(a.id, b.id))) {
        if (node.id === home) continue;
        const path = freePath(prefix, node, taken);
        taken.add(path);
        paths.set(node.id, path);
        const inside = below.get(node.id) ?? [];
        if (inside.length > 0)
          next.push({ nodes: inside, prefix: path.length > PREFIX_CHARACTERS_MAX ? prefix : path });
      }
    }
    level = next;
  }
  return { paths, menu: menuOf(top, below, paths, home) };
}

const byId = new Intl.Collator("en", { numeric: true });
const PREFIX_CHARACTERS_MAX = 300;
const SLUG_CHARACTERS_MAX = 80;

/** The pages below each, where no page is below itself. */
function childrenOf(nodes: readonly TreeNode[]): Map<string | undefined, TreeNode[]> {
  const byOwnId = new Map(nodes.map((node) => [node.id, node]));
  const isRooted = new Set<string>();
  const below = new Map<string | undefined, TreeNode[]>();
  for (const node of byOwnId.values()) {
    const way = new Set<string>();
    let above: TreeNode | undefined = node;
    while (above !== undefined && !way.has(above.id) && !isRooted.has(above.id)) {
      way.add(above.id);
      above = above.parent === undefined ? undefined : byOwnId.get(above.parent);
    }
    const isCircle = above !== undefined && way.has(above.id);
    const parent = isCircle || !byOwnId.has(node.parent ?? "") ? undefined : node.parent;
    if (!isCircle) for (const id of way) isRooted.add(id);
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [node]);
    else siblings.push(node);
  }
  return below;
}

function freePath(prefix: string, { id, title }: TreeNode, taken: ReadonlySet<string>): string {
  const name = titleSlug(title);
  const path = joinLocation(prefix, name === "" ? id : name);
  return taken.has(path) ? joinLocation(prefix, name === "" ? `${id}-${id}` : `${name}-${id}`) : path;
}

/** A title as a part of an address, in the letters of its script. */
function titleSlug(title: string): string {
  const words = title.normalize("NFC").replace(/[\s/\\:;,.|+=&–—]+/g, " ");
  const dashed = slug(words.trim()).replace(/-{2,}/g, "-").replace(/^-|-$/g, "");
  if (dashed.length <= SLUG_CHARACTERS_MAX) return dashed;
  const cut = [...dashed.slice(0, SLUG_CHARACTERS_MAX)].join("");
  return cut.replace(/-[^-]{0,20}$|[\uD800-\uDBFF]$/g, "").replace(/-$/, "");
}

const DEEP_MAX = 50;

function menuOf(
  top: readonly TreeNode[],
  below: ReadonlyMap<string | undefined, readonly TreeNode[]>,
  paths: ReadonlyMap<string, string>,
  home: string | undefined,
): MenuEntry[] {
  const entryOf = (node: TreeNode, depth: number): MenuEntry => {
    const path = paths.get(node.id);
    const inside = node.id === home || depth > DEEP_MAX ? [] : (below.get(node.id) ?? []);
    return {
      label: node.title,
      ...(node.isPage && path !== undefined ? { path } : {}),
      children: inside.map((child) => entryOf(child, depth + 1)),
    };
  };
  return top.map((node) => entryOf(node, 0));
}
