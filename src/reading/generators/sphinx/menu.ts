import type { MenuEntry } from "../../page/menu.ts";
import { folderOf, resolveLocation } from "../docs-tree.ts";
import type { PageFacts, Toctree } from "./page-facts.ts";
import type { SphinxPage } from "./pages.ts";

/** What the menu is made from. */
interface MenuSource {
  byName: ReadonlyMap<string, SphinxPage>;
  facts: ReadonlyMap<string, PageFacts>;
  rootPage: string;
}

const DEEP_MAX = 20;
const ENTRIES_MAX = 50_000;

/** The menu that the toctrees make, from the page at the top. */
export function menuOf(source: MenuSource): MenuEntry[] {
  let left = ENTRIES_MAX;

  function entriesBelow(name: string, above: readonly string[]): MenuEntry[] {
    const trees = source.facts.get(name)?.toctrees ?? [];
    return trees.flatMap((tree) => entriesOf(tree, name, above));
  }

  function entriesOf(tree: Toctree, name: string, above: readonly string[]): MenuEntry[] {
    return itemsOf(tree, name, source.byName).flatMap(({ label, target, href }): MenuEntry[] => {
      left -= 1;
      if (left < 0) return [];
      if (href !== undefined) return [{ label: label ?? href, href, children: [] }];
      const page = source.byName.get(target);
      const title = source.facts.get(target)?.title;
      if (page === undefined || (label ?? title) === undefined || above.includes(target)) return [];
      const isSelf = target === name;
      const children = isSelf || above.length >= DEEP_MAX ? [] : entriesBelow(target, [...above, target]);
      return [{ label: label ?? title ?? target, path: page.path, children }];
    });
  }

  const trees = source.facts.get(source.rootPage)?.toctrees ?? [];
  const menu: MenuEntry[] = [];
  for (const tree of trees) {
    const entries = entriesOf(tree, source.rootPage, []);
    if (tree.caption === undefined) menu.push(...entries);
    else if (entries.length > 0) menu.push({ label: tree.caption, children: entries });
  }
  return menu;
}

interface Item {
  label: string | undefined;
  target: string;
  href?: string;
}

/** `page`, `Title <page>`, an address, `self`, or patterns. */
export function itemsOf(tree: Toctree, name: string, byName: ReadonlyMap<string, SphinxPage>): Item[] {
  const listed = new Set<string>();
  const items = tree.entries.flatMap((entry): Item[] => {
    const [, label, inside] = /^(|.+?(?<!\s))\s*(?<!\\)<([^<>]*)>$/.exec(entry) ?? [];
    const written = (inside ?? entry).trim();
    if (tree.isGlob && inside === undefined && /[*?[]/.test(written)) {
      const pattern = placeOf(name, written);
      const glob = new Bun.Glob(pattern ?? "");
      const found = [...byName.keys()].filter((each) => glob.match(each) && !listed.has(each)).sort();
      for (const each of found) listed.add(each);
      return found.filter((each) => each !== name).map((target) => ({ label: undefined, target }));
    }
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(written))
      return [{ label: label || undefined, target: "", href: written }];
    if (written === "self") return [{ label: label || undefined, target: name }];
    const place = placeOf(name, written) ?? "";
    const bare = place.replace(/\.(?:rst|md|ipynb|txt)$/, "");
    const target = byName.has(place) ? place : bare;
    listed.add(target);
    return [{ label: label || undefined, target }];
  });
  return tree.isReversed ? items.toReversed() : items;
}

/** A name as it is written on a page; one that begins with a slash is meant from the root. */
export function placeOf(from: string, written: string): string | undefined {
  return resolveLocation(folderOf(from), written);
}
