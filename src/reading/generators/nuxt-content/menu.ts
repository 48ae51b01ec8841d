import { asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { readConfig } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { addressOf, titleOfName } from "./addresses.ts";
import { type ContentPage, filesOf } from "./pages.ts";
import type { NuxtSettings } from "./settings.ts";

/** An entry while the menu is made. */
interface Node {
  label: string;
  path: string;
  isPage: boolean;
  children: Node[];
}

/** What a file such as `.navigation.yml` says of its folder. */
interface FolderSaid {
  title: string | undefined;
  isHidden: boolean;
}

/** The menu, as Nuxt Content makes it of the addresses of pages and the files that describe folders. */
export async function readMenu(
  tree: DocsTree,
  settings: NuxtSettings,
  pages: readonly ContentPage[],
): Promise<MenuEntry[]> {
  const names = [...new Set(settings.sources.map(({ collection }) => collection))];
  const docs = names.filter((name) => /^(?:docs|content)/i.test(name));
  const shown = docs.length > 0 ? docs : names;
  const folders = await foldersSaid(tree, settings);
  const menu = shown.flatMap((name) => {
    const nodes = treeOf(
      pages.filter(({ collection, isInMenu }) => collection === name && isInMenu),
      folders,
    );
    const only = settings.showsDocsAlone ? nodes.find(({ path }) => path === "docs") : undefined;
    return only === undefined ? nodes : only.children;
  });
  return menu.map(entryOf);
}

async function foldersSaid(tree: DocsTree, settings: NuxtSettings): Promise<Map<string, FolderSaid>> {
  const name = settings.isVersion2 ? "_dir" : ".navigation";
  const said = new Map<string, FolderSaid>();
  for (const source of settings.sources)
    for (const { location, stem } of filesOf(tree, source)) {
      if (nameOf(stem) !== name || !/\.(?:ya?ml|json)$/.test(location)) continue;
      const value = asRecord((await readConfig(tree, location))?.value);
      const { navigation } = value;
      // Nuxt Content 3 does not find a file that says so, and makes the folder's entry as if there were none.
      if (navigation === false && !settings.isVersion2) continue;
      const own = asText(isRecord(navigation) ? navigation["title"] : value["navigation.title"]);
      const title = own ?? asText(value["title"]);
      said.set(addressOf(folderOf(stem)), {
        title: title?.toLowerCase() === "navigation" ? undefined : title,
        isHidden: settings.isVersion2 && navigation === false,
      });
    }
  return said;
}

function treeOf(pages: readonly ContentPage[], folders: ReadonlyMap<string, FolderSaid>): Node[] {
  const top: Node[] = [];
  for (const page of pages) {
    // Any name with the word in it: that is how Nuxt Content looks for it.
    const isIndex = nameOf(page.stem).includes("index");
    if (isIndex && folders.get(page.path)?.isHidden === true) continue;
    const node: Node = { label: page.menuLabel, path: page.path, isPage: true, children: [] };
    if (isIndex && page.path !== "") {
      node.children.push({ ...node, children: [] });
      node.label = folders.get(page.path)?.title ?? node.label;
    }
    const siblings = siblingsOf(top, page.path, folders);
    const folder = siblings?.find(({ path, isPage }) => path === page.path && !isPage);
    if (folder === undefined) siblings?.push(node);
    else if (isIndex || page.path.includes("/")) {
      folder.isPage = true;
      folder.children.unshift(...node.children);
      if (page.path.includes("/")) folder.label = node.label;
    } else siblings?.push(node);
  }
  return top;
}

/** The entries of the folder that an address is in; undefined where that is in no menu. */
function siblingsOf(top: Node[], path: string, folders: ReadonlyMap<string, FolderSaid>): Node[] | undefined {
  let nodes = top;
  let folder = "";
  for (const part of path.split("/").slice(0, -1)) {
    folder = joinLocation(folder, part);
    const said = folders.get(folder);
    if (said?.isHidden === true) return undefined;
    let node = nodes.find((each) => each.path === folder);
    if (node === undefined) {
      node = { label: said?.title || titleOfName(part), path: folder, isPage: false, children: [] };
      nodes.push(node);
    }
    nodes = node.children;
  }
  return nodes;
}

/** A folder whose page is the first of its entries leads nowhere by itself. */
function entryOf({ label, path, isPage, children }: Node): MenuEntry {
  const isOwn = isPage && !children.some((child) => child.path === path);
  return { label, ...(isOwn ? { path } : {}), children: children.map(entryOf) };
}
