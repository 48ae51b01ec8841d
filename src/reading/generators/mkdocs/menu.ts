import { isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import type { MkDocsPage } from "./pages.ts";
import type { MkDocsSettings } from "./settings.ts";
import { titleFromName } from "./titles.ts";

/** An entry before it has its labels: a page may be called by its own title. */
export interface MenuItem {
  label: string | undefined;
  page?: MkDocsPage;
  href?: string;
  /** Undefined for a page or a link. */
  children?: MenuItem[];
  /** The folder that a section stands for, or the file of a page: what other files name it by. */
  name?: string;
}

const DEEP_MAX = 20;
const ITEMS_MAX = 50_000;

/** The menu that the configuration lists. */
export function itemsOfNav(
  nav: unknown,
  byName: ReadonlyMap<string, MkDocsPage>,
  folder = "",
  depth = 0,
): MenuItem[] {
  if (depth > DEEP_MAX) return [];
  const list = Array.isArray(nav) ? nav.slice(0, ITEMS_MAX) : [nav];
  return list.flatMap((each): MenuItem[] => {
    if (typeof each === "string") return [itemOf(undefined, each, byName, folder)];
    if (!isRecord(each)) return [];
    return Object.entries(each).flatMap(([label, value]): MenuItem[] => {
      if (typeof value === "string") return [itemOf(label, value, byName, folder)];
      const children = itemsOfNav(value ?? [], byName, folder, depth + 1);
      return [{ label, children }];
    });
  });
}

export function itemOf(
  label: string | undefined,
  target: string,
  byName: ReadonlyMap<string, MkDocsPage>,
  folder: string,
): MenuItem {
  const place = /^[a-z][a-z\d+.-]*:/i.test(target) ? undefined : resolveLocation(folder, target);
  const page = place === undefined ? undefined : byName.get(place);
  // Some write further attributes of the link behind it.
  return page === undefined ? { label, href: target.replace(/".*$/s, "") } : { label, page, name: page.name };
}

/** The menu that the folders make: pages first, with the index at the top. */
export function itemsOfFolders(pages: readonly MkDocsPage[]): MenuItem[] {
  return itemsBelow(
    pages.filter(({ isInMenu }) => isInMenu),
    "",
    0,
  );
}

function itemsBelow(pages: readonly MkDocsPage[], folder: string, depth: number): MenuItem[] {
  const own = pages.filter(({ name }) => folderOf(name) === folder).toSorted(byFileName);
  const deeper = Map.groupBy(
    pages.filter(({ name }) => folderOf(name) !== folder),
    ({ name }) => name.slice(folder === "" ? 0 : folder.length + 1).split("/", 1)[0] ?? "",
  );
  const folders = [...deeper].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...own.map((page) => ({ label: undefined, page, name: page.name })),
    ...(depth > DEEP_MAX ? [] : folders).map(([name, inside]) => ({
      label: titleFromName(name),
      name: joinLocation(folder, name),
      children: itemsBelow(inside, joinLocation(folder, name), depth + 1),
    })),
  ];
}

const byFileName = (a: MkDocsPage, b: MkDocsPage) =>
  a.isIndex !== b.isIndex ? (a.isIndex ? -1 : 1) : nameOf(a.name) < nameOf(b.name) ? -1 : 1;

/** The names that the menu gives to pages: the first one counts. */
export function labelsIn(
  items: readonly MenuItem[],
  found = new Map<MkDocsPage, string>(),
): Map<MkDocsPage, string> {
  for (const { label, page, children } of items) {
    if (page !== undefined && label !== undefined && !found.has(page)) found.set(page, label);
    labelsIn(children ?? [], found);
  }
  return found;
}

/** The menu as it is shown. */
export function entriesOf(
  items: readonly MenuItem[],
  titleOf: (page: MkDocsPage) => string,
  settings: MkDocsSettings,
): MenuEntry[] {
  return items.flatMap((item): MenuEntry[] => {
    if (item.page !== undefined) return [{ label: titleOf(item.page), path: item.page.path, children: [] }];
    if (item.children === undefined)
      return [
        {
          label: item.label ?? item.href ?? "",
          ...(item.href === undefined ? {} : { href: item.href }),
          children: [],
        },
      ];
    if (item.children.length === 0) return [];
    const index = indexOf(item.children, settings);
    const children = entriesOf(
      item.children.filter((child) => child !== index),
      titleOf,
      settings,
    );
    const label = item.label || (index?.page === undefined ? "" : titleOf(index.page));
    return [{ label, ...(index?.page === undefined ? {} : { path: index.page.path }), children }];
  });
}

/** The page that a section leads to itself. */
function indexOf(children: readonly MenuItem[], { features, plugins }: MkDocsSettings): MenuItem | undefined {
  if (features.has("navigation.indexes")) return children.find(({ page }) => page?.isIndex);
  const [first] = children;
  return plugins.has("section-index") && first?.page !== undefined && first.label === undefined
    ? first
    : undefined;
}
