import { asText } from "@docent/kernel/text/json";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { type LinkListEntry, readLinkList } from "../writing/writing.ts";
import { itemOf, itemsOfNav, type MenuItem } from "./menu.ts";
import type { MkDocsPage } from "./pages.ts";
import type { MkDocsSettings } from "./settings.ts";
import { titleFromName } from "./titles.ts";

interface Listing {
  tree: DocsTree;
  docsFolder: string;
  fileName: string;
  hasImplicitIndex: boolean;
  pages: readonly MkDocsPage[];
  byName: ReadonlyMap<string, MkDocsPage>;
  /** The pages and folders that are listed. */
  seen: Set<string>;
  /** The names in each folder of pages. */
  names: ReadonlyMap<string, ReadonlySet<string>>;
  /** What may still be listed: a few lists can name each other again and again. */
  left: { entries: number };
}

const DEEP_MAX = 20;
const ENTRIES_MAX = 50_000;

/** The menu that the plugin literate-nav makes of a `SUMMARY.md` in each folder; undefined where it is off. */
export async function literateMenu(
  tree: DocsTree,
  { plugins, docsFolder, nav }: MkDocsSettings,
  pages: readonly MkDocsPage[],
): Promise<MenuItem[] | undefined> {
  const options = plugins.get("literate-nav");
  if (options === undefined) return undefined;
  const listing: Listing = {
    tree,
    docsFolder,
    fileName: asText(options["nav_file"]) ?? "SUMMARY.md",
    hasImplicitIndex: options["implicit_index"] === true,
    pages,
    byName: new Map(pages.map((page) => [page.name, page])),
    seen: new Set(),
    names: namesIn(pages),
    left: { entries: ENTRIES_MAX },
  };
  if (nav === undefined) return itemsOfFolder(listing, "", []);
  const items: MenuItem[] = [];
  for (const item of itemsOfNav(nav, listing.byName)) items.push(...(await withFolders(listing, item, 0)));
  return items;
}

/** `- API: api/` in the configuration stands for the menu of that folder. */
async function withFolders(listing: Listing, item: MenuItem, depth: number): Promise<MenuItem[]> {
  const { href, label, children } = item;
  if (children !== undefined && depth < DEEP_MAX) {
    const inside: MenuItem[] = [];
    for (const child of children) inside.push(...(await withFolders(listing, child, depth + 1)));
    return [{ ...item, children: inside }];
  }
  if (href === undefined || /^[a-z][a-z\d+.-]*:/i.test(href)) return [item];
  if (href.includes("*")) return matching(listing, href, []);
  const folder = href.endsWith("/") ? resolveLocation("", href) : undefined;
  return folder === undefined ? [item] : [{ label, children: await itemsOfFolder(listing, folder, []) }];
}

async function itemsOfFolder(
  listing: Listing,
  folder: string,
  above: readonly string[],
): Promise<MenuItem[]> {
  if (above.includes(folder) || above.length > DEEP_MAX) return [];
  const name = joinLocation(folder, listing.fileName);
  const text = await listing.tree.text(joinLocation(listing.docsFolder, name));
  if (text === undefined) return matching(listing, joinLocation(folder, "*"), [...above, folder]);
  listing.seen.add(name);
  const list = readLinkList(text.slice(Math.max(0, text.lastIndexOf("<!--nav-->"))));
  const entries = list.filter(({ kind }) => kind === "item");
  notePages(listing, entries, folder);
  const index = listing.hasImplicitIndex
    ? listing.pages.find((page) => page.isIndex && folderOf(page.name) === folder)
    : undefined;
  if (index !== undefined) listing.seen.add(index.name);
  const first = index === undefined ? [] : [{ label: undefined, page: index, name: index.name }];
  return [...first, ...(await itemsOfList(listing, entries, { folder, above: [...above, folder] }))];
}

/** What is listed anywhere is not found by a star before it. */
function notePages(listing: Listing, entries: readonly LinkListEntry[], folder: string): void {
  for (const { href, children } of entries) {
    const place = href === undefined ? undefined : resolveLocation(folder, href);
    if (place !== undefined) listing.seen.add(place);
    notePages(listing, children, folder);
  }
}

async function itemsOfList(
  listing: Listing,
  entries: readonly LinkListEntry[],
  at: { folder: string; above: readonly string[] },
): Promise<MenuItem[]> {
  const items: MenuItem[] = [];
  for (const { label, href, children } of entries) {
    if (listing.left.entries-- <= 0) break;
    if (href === undefined && children.length === 0)
      items.push(...(await matching(listing, joinLocation(at.folder, label), at.above)));
    else if (href?.endsWith("/") && !/^[a-z]+:/i.test(href)) {
      const folder = resolveLocation(at.folder, href) ?? "";
      items.push({ label, name: folder, children: await itemsOfFolder(listing, folder, at.above) });
    } else if (children.length > 0) {
      const own = href === undefined ? [] : [itemOf(undefined, href, listing.byName, at.folder)];
      items.push({ label, children: [...own, ...(await itemsOfList(listing, children, at))] });
    } else items.push(itemOf(label, href ?? "", listing.byName, at.folder));
  }
  return items;
}

/** What a star stands for: the pages and folders beside each other that are not listed. */
async function matching(listing: Listing, pattern: string, above: readonly string[]): Promise<MenuItem[]> {
  const folder = folderOf(pattern.replace(/\/$/, ""));
  const glob = new Bun.Glob(nameOf(pattern.replace(/\/$/, "")));
  const items: MenuItem[] = [];
  for (const name of inOrder([...(listing.names.get(folder) ?? [])], listing, folder)) {
    if (listing.left.entries-- <= 0) break;
    const place = joinLocation(folder, name);
    if (!glob.match(name) || listing.seen.has(place)) continue;
    const page = listing.byName.get(place);
    if (page === undefined) {
      const children = await itemsOfFolder(listing, place, above);
      if (children.length > 0) items.push({ label: titleFromName(name), name: place, children });
    } else if (!pattern.endsWith("/")) items.push({ label: undefined, page, name: page.name });
    listing.seen.add(place);
  }
  return items;
}

function namesIn(pages: readonly MkDocsPage[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const page of pages) {
    for (let name = page.name; name !== ""; name = folderOf(name)) {
      const beside = names.get(folderOf(name)) ?? new Set();
      names.set(folderOf(name), beside.add(nameOf(name)));
    }
  }
  return names;
}

/** The index first, then pages, then folders, each by name. */
function inOrder(names: string[], { byName }: Listing, folder: string): string[] {
  const rank = (name: string) => {
    const page = byName.get(joinLocation(folder, name));
    return page === undefined ? 2 : page.isIndex ? 0 : 1;
  };
  return names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
