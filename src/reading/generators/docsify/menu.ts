import { plainInline } from "../../markdown/plain-text.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { type DocsTree, nameOf } from "../docs-tree.ts";
import { type LinkListEntry, readLinkList } from "../writing/writing.ts";
import { followLink } from "./links.ts";
import { readOptions, replaceTitled, writeTitled } from "./options.ts";
import type { SitePages } from "./pages.ts";
import type { DocsifySettings } from "./settings.ts";

interface MenuSource {
  tree: DocsTree;
  settings: DocsifySettings;
  pages: SitePages;
}

const MENUS_MAX = 500;

/** The menu of the first page. Folders with a menu of their own are groups of it. */
export async function readMenu(source: MenuSource): Promise<MenuEntry[]> {
  const menus = menusOf(source);
  const [first, ...others] = menus;
  if (first === undefined) return [];
  const menu = await entriesIn(source, first);
  const labels = await navigationLabels(source);
  for (const other of others) {
    const children = await entriesIn(source, other);
    if (children.length === 0) continue;
    const start = source.pages.fileAt(other.route);
    const page = start === undefined ? undefined : source.pages.byLocation.get(start);
    const place = page === undefined ? undefined : entryAt(menu, page.path);
    if (place !== undefined && place.children.length === 0) place.children = children;
    else {
      const label = labels.get(page?.path ?? "") ?? place?.label ?? nameOf(other.route.replace(/\/$/, ""));
      menu.push({ label, children });
    }
  }
  return menu;
}

interface FolderMenu {
  location: string;
  /** The address of the outermost folder that it is shown for. */
  route: string;
}

/** The menus by the folders of pages: each folder has its own, or that of the one above it. */
function menusOf({ settings, pages }: MenuSource): FolderMenu[] {
  const { sidebar } = settings;
  if (sidebar === undefined) return [];
  const folders = new Set(["/"]);
  for (const { route } of pages.pages) folders.add(route.slice(0, route.lastIndexOf("/") + 1));
  const found = new Map<string, FolderMenu>();
  for (const route of [...folders].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const location = nearest(pages, route, sidebar);
    if (location !== undefined && !found.has(location)) found.set(location, { location, route });
  }
  return [...found.values()].slice(0, MENUS_MAX);
}

const DEEP_MAX = 64;

function nearest(pages: SitePages, route: string, name: string): string | undefined {
  let folder = route;
  for (let depth = 0; depth < DEEP_MAX; depth++) {
    const location = pages.fileAt(folder + name);
    if (location !== undefined || folder === "/") return location;
    folder = folder.replace(/[^/]*\/$/, "");
  }
  return undefined;
}

async function entriesIn(source: MenuSource, { location, route }: FolderMenu): Promise<MenuEntry[]> {
  const menu: MenuEntry[] = [];
  let part = menu;
  for (const entry of await linksIn(source.tree, location)) {
    if (entry.kind !== "title") part.push(...entryOf(source, entry, route));
    else if (entry.label !== "") {
      part = [];
      menu.push({ label: entry.label, children: part });
    }
  }
  return menu.filter(
    ({ path, href, children }) => path !== undefined || href !== undefined || children.length > 0,
  );
}

async function linksIn(tree: DocsTree, location: string): Promise<LinkListEntry[]> {
  const text = (await tree.text(location)) ?? "";
  const plain = text
    .replace(/<svg\b[\s\S]{0,5000}?<\/svg>/g, "")
    .split("\n")
    .map((line) => replaceTitled(line, (link) => writeTitled({ ...link, words: "" })))
    .join("\n");
  return readLinkList(plain);
}

function entryOf(source: MenuSource, { label, href, children }: LinkListEntry, route: string): MenuEntry[] {
  const inner = children.flatMap((child) => entryOf(source, child, route));
  const words = readOptions(plainInline(label)).words;
  const place = href === undefined || href === "" ? undefined : followLink(source, route, href);
  const path = place?.page?.path;
  const away = place?.href ?? href ?? "";
  const isElsewhere = path === undefined && /^(?:https?:)?\/\//.test(away);
  if (words === "" || (path === undefined && !isElsewhere && inner.length === 0)) return inner;
  return [
    {
      label: words,
      ...(path === undefined ? {} : { path }),
      ...(isElsewhere ? { href: away } : {}),
      children: inner,
    },
  ];
}

function entryAt(menu: readonly MenuEntry[], path: string): MenuEntry | undefined {
  for (const entry of menu) {
    const found = entry.path === path ? entry : entryAt(entry.children, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the bar at the top calls pages. */
async function navigationLabels(source: MenuSource): Promise<ReadonlyMap<string, string>> {
  const { navbar } = source.settings;
  const location = navbar === undefined ? undefined : source.pages.fileAt(`/${navbar}`);
  const labels = new Map<string, string>();
  const note = (entries: readonly LinkListEntry[]): void => {
    for (const { label, href, children } of entries) {
      const page = href === undefined ? undefined : followLink(source, "/", href)?.page;
      if (page !== undefined && !labels.has(page.path)) labels.set(page.path, label);
      note(children);
    }
  };
  if (location !== undefined) note(await linksIn(source.tree, location));
  return labels;
}

/** The labels of pages in the menu, by their paths. */
export function labelsIn(menu: readonly MenuEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const note = (entries: readonly MenuEntry[]): void => {
    for (const { label, path, children } of entries) {
      if (path !== undefined && !labels.has(path)) labels.set(path, label);
      note(children);
    }
  };
  note(menu);
  return labels;
}
