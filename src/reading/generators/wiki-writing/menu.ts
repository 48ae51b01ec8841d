import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { MenuEntry } from "../../page/menu.ts";
import { type LinkListEntry, readLinkList } from "../writing/writing.ts";

/** A page of a wiki, by its titles from the outermost page or folder that it is below. */
export interface PlacedPage {
  titles: readonly string[];
  label: string;
  path: string;
}

interface Node {
  label: string;
  path: string | undefined;
  children: Map<string, Node>;
}

const DEPTH_MAX = 20;
const collator = new Intl.Collator("en", { numeric: true });

/** The tree of pages as a menu, in the order of their titles. */
export function menuOfTree(pages: readonly PlacedPage[]): MenuEntry[] {
  const top = new Map<string, Node>();
  for (const { titles, label, path } of pages) {
    let level = top;
    let node: Node | undefined;
    for (const title of titles.slice(0, DEPTH_MAX)) {
      node = level.get(title) ?? { label: title, path: undefined, children: new Map() };
      level.set(title, node);
      level = node.children;
    }
    if (node === undefined) continue;
    node.label = label;
    node.path ??= path;
  }
  return entriesOf(top);
}

const entriesOf = (level: ReadonlyMap<string, Node>): MenuEntry[] =>
  [...level.values()]
    .sort((a, b) => collator.compare(a.label, b.label))
    .map(({ label, path, children }) => ({
      label,
      ...(path === undefined ? {} : { path }),
      children: entriesOf(children),
    }));

/** The paths that a menu names. */
export function pathsIn(menu: readonly MenuEntry[]): Set<string> {
  const found = new Set<string>();
  const visit = (entries: readonly MenuEntry[]) => {
    for (const { path, children } of entries) {
      if (path !== undefined) found.add(path);
      visit(children);
    }
  };
  visit(menu);
  return found;
}

/** A menu that is written as lists of links in Markdown, with titles between them. Links to no page are only groups. */
export function menuOfLinks(markdown: string, titles: ReadonlyMap<string, string>): MenuEntry[] {
  const menu: MenuEntry[] = [];
  let group: MenuEntry | undefined;
  for (const entry of readLinkList(markdown)) {
    if (entry.kind === "title") {
      // A heading has its anchor behind it.
      group = { label: entry.label.replace(/(?<!\s)\s*\{#[^{}\s]*\}$/, ""), children: [] };
      menu.push(group);
    } else (group?.children ?? menu).push(...linkEntries([entry], titles));
  }
  return menu.filter(({ path, children }) => path !== undefined || children.length > 0);
}

const linkEntries = (entries: readonly LinkListEntry[], titles: ReadonlyMap<string, string>): MenuEntry[] =>
  entries.flatMap(({ label, href, children }): MenuEntry[] => {
    const inner = linkEntries(children, titles);
    const path = href?.startsWith("/") ? decodePercent(href.slice(1).split("#", 1)[0] ?? "") : undefined;
    const title = path === undefined ? undefined : titles.get(path);
    if (path !== undefined && title !== undefined) return [{ label: label || title, path, children: inner }];
    return inner.length === 0 || label === "" ? inner : [{ label, children: inner }];
  });
