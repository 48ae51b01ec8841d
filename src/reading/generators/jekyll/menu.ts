import { asRecord, asText } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import type { JekyllPage } from "./pages.ts";
import type { JekyllSettings } from "./settings.ts";

const DEPTH_MAX = 20;

/**
 * What Just the Docs lists at the end of a page: the pages below it, by the paths of those that have any. Pages that the
 * menu leaves out are listed.
 */
export function childrenByPath(
  pages: readonly JekyllPage[],
  settings: JekyllSettings,
): ReadonlyMap<string, readonly MenuEntry[]> {
  const found = new Map<string, readonly MenuEntry[]>();
  const visit = (entries: readonly MenuEntry[]) => {
    for (const { path, children } of entries) {
      if (path !== undefined && children.length > 0) found.set(path, children);
      visit(children);
    }
  };
  const shown = pages.map((page) => ({ ...page, data: { ...page.data, nav_exclude: false } }));
  visit(menuOf(shown, settings));
  return found;
}

/** The menu of Just the Docs: pages name their parents by title. Empty for sites of other themes. */
export function menuOf(pages: readonly JekyllPage[], { site }: JekyllSettings): MenuEntry[] {
  const theme = `${asText(site["theme"]) ?? ""} ${asText(site["remote_theme"]) ?? ""}`;
  const isUsed = pages.some(({ data }) => "nav_order" in data || "parent" in data);
  if (!/just-the-docs/.test(theme) && !isUsed) return [];
  const isFolded = site["nav_sort"] === "case_insensitive";
  const listed = (type: string) =>
    pages.filter(
      ({ type: of, data }) =>
        of === type && asText(String(data["title"] ?? "")) !== "" && data["nav_exclude"] !== true,
    );
  const menuOfType = (type: string) => {
    const shown = listed(type);
    const tops = shown.filter(({ data }) => textIn(data, "parent") === undefined);
    const topTitles = new Set(tops.map(({ data }) => textIn(data, "title")));
    return entriesBelow(undefined, { pages: shown, topTitles, isFolded, depth: 0 });
  };
  const own = menuOfType("pages");
  const others = collectionsInMenus(site).flatMap(({ type, said, isTheme }) => {
    const { name, nav_exclude } = asRecord(said);
    const children = menuOfType(type);
    if (nav_exclude === true || children.length === 0) return [];
    if (typeof name !== "string") return children;
    const index = isTheme ? undefined : pages.find(({ path }) => path === type);
    return [{ label: name, ...(index === undefined ? {} : { path: index.path }), children }];
  });
  return [...own, ...others];
}

/**
 * The collections that the theme lists, and those of menus that a site has beside that, each under a name of its own:
 * there, a collection's name leads to its first page.
 */
function collectionsInMenus(
  site: Readonly<Record<string, unknown>>,
): { type: string; said: unknown; isTheme: boolean }[] {
  const known = asRecord(site["collections"]);
  return Object.entries(site).flatMap(([key, value]) => {
    const isTheme = key === "just_the_docs";
    const listed = Object.entries(asRecord(asRecord(value)["collections"]));
    const isMenu = isTheme || listed.every(([type]) => type in known);
    return isMenu ? listed.map(([type, said]) => ({ type, said, isTheme })) : [];
  });
}

interface Menu {
  pages: readonly JekyllPage[];
  topTitles: ReadonlySet<string | undefined>;
  isFolded: boolean;
  depth: number;
}

const textIn = (data: Readonly<Record<string, unknown>>, name: string) =>
  data[name] === undefined || data[name] === null ? undefined : String(data[name]);

/** A page with the titles of those above it. */
interface Parent {
  page: JekyllPage;
  above: readonly string[];
}

/** The pages that name this one as their parent, or none. */
function entriesBelow(parent: Parent | undefined, menu: Menu): MenuEntry[] {
  const { pages, isFolded, depth } = menu;
  const title = parent && textIn(parent.page.data, "title");
  const children = pages.filter((page) => page !== parent?.page && isChild(page, parent, menu));
  const sorted = children.toSorted((a, b) => byOrder(a, b, isFolded));
  const order = parent && textIn(parent.page.data, "child_nav_order");
  if (order === "desc" || order === "reversed") sorted.reverse();
  const above = title === undefined ? [] : [...(parent?.above ?? []), title];
  return sorted.map((page) => ({
    label: textIn(page.data, "title") ?? "",
    path: page.path,
    children:
      depth >= DEPTH_MAX || page.data["has_children"] === false
        ? []
        : entriesBelow({ page, above }, { ...menu, depth: depth + 1 }),
  }));
}

function isChild({ data }: JekyllPage, parent: Parent | undefined, { topTitles }: Menu): boolean {
  const named = textIn(data, "parent");
  if (parent === undefined) return named === undefined;
  const title = textIn(parent.page.data, "title");
  if (named !== title) return false;
  const grandparent = textIn(data, "grand_parent");
  if (grandparent !== undefined && grandparent !== textIn(parent.page.data, "parent")) return false;
  const ancestor = textIn(data, "ancestor");
  if (ancestor !== undefined) return ancestor === title || parent.above.includes(ancestor);
  // What could stand below a page at the top stands there alone.
  return grandparent !== undefined || parent.above.length === 0 || !topTitles.has(title);
}

/** Numbers come first, then words: what a page's order says, or else its title. */
function byOrder(a: JekyllPage, b: JekyllPage, isFolded: boolean): number {
  const [first, second] = [orderOf(a, isFolded), orderOf(b, isFolded)];
  if (typeof first === "number" && typeof second === "number") return first - second;
  if (typeof first === "number" || typeof second === "number") return typeof first === "number" ? -1 : 1;
  return first < second ? -1 : first > second ? 1 : 0;
}

function orderOf({ data }: JekyllPage, isFolded: boolean): number | string {
  const order = data["nav_order"] ?? data["title"];
  if (typeof order === "number") return order;
  const text = String(order ?? "");
  return isFolded ? text.toLowerCase() : text;
}
