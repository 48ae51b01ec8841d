import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { type MenuLink, type PublishedPage, pathOfName } from "./pages.ts";
import { type MintlifySettings, trimSlashes } from "./settings.ts";

/** The parts of a site that have menus of their own, and how each calls its name. */
const DIVISIONS = [
  ["languages", "language"],
  ["versions", "version"],
  ["products", "product"],
  ["tabs", "tab"],
  ["anchors", "anchor"],
  ["dropdowns", "dropdown"],
  ["menu", "item"],
] as const;

interface MenuSource {
  byPath: ReadonlyMap<string, PublishedPage>;
  links: ReadonlyMap<string, MenuLink>;
  settings: MintlifySettings;
  /** Whether something was named whose pages are made from an API's description. */
  hasMade: boolean;
}

const DEEP_MAX = 30;
const OPERATION = /^(?:\S+\s+)?(?:get|post|put|patch|delete|head|options|trace|webhook)\s+\S+$/i;

/** The menu that the configuration writes down. */
export function readMenu(
  settings: MintlifySettings,
  { byPath, links }: Pick<MenuSource, "byPath" | "links">,
): MenuEntry[] {
  const source: MenuSource = { byPath, links, settings, hasMade: false };
  const { navigation } = settings;
  const menu = Array.isArray(navigation)
    ? oldMenu(source, navigation)
    : childrenOf(source, asRecord(navigation), 0);
  if (source.hasMade)
    settings.unknowns.push({
      question: "Which pages does Mintlify make from the descriptions of APIs that the navigation names?",
      guess: "none: name an OpenAPI file as a source of its own",
    });
  return menu;
}

function childrenOf(source: MenuSource, node: Readonly<Record<string, unknown>>, depth: number): MenuEntry[] {
  if (depth > DEEP_MAX) return [];
  const pages = [...asList(node["groups"]), ...asList(node["pages"])];
  if ((node["openapi"] !== undefined || node["asyncapi"] !== undefined) && pages.length === 0)
    source.hasMade = true;
  const own = pages.flatMap((each) => entryOf(source, each, depth));
  const parts = DIVISIONS.flatMap(([list, name]) => divisionsOf(source, node[list], name, depth));
  return [...own, ...parts];
}

function divisionsOf(source: MenuSource, list: unknown, name: string, depth: number): MenuEntry[] {
  const shown = asList(list).filter((each) => isRecord(each) && each["hidden"] !== true);
  const [only] = shown;
  const isChoice = name === "language" || name === "version";
  // A choice of one is none.
  if (isChoice && shown.length === 1) return childrenOf(source, asRecord(only), depth + 1);
  const first = isChoice ? shown.filter((each) => asRecord(each)["default"] === true) : [];
  const ordered = [...first, ...shown.filter((each) => !first.includes(each))];
  return ordered.flatMap((each): MenuEntry[] => {
    const node = asRecord(each);
    const label = asText(node[name]) ?? "";
    const children = childrenOf(source, node, depth + 1);
    const href = asText(node["href"]);
    if (label === "" || (children.length === 0 && href === undefined)) return [];
    const place = href === undefined ? {} : placeOf(source, href);
    if (name === "language") return [{ label: languageName(label), language: label, ...place, children }];
    return [{ label, ...(name === "version" ? { version: label } : {}), ...place, children }];
  });
}

/** What speakers of a language call it. */
function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch {
    return code;
  }
}

function entryOf(source: MenuSource, entry: unknown, depth: number): MenuEntry[] {
  if (typeof entry === "string") return entryOfPage(source, entry);
  if (!isRecord(entry) || entry["hidden"] === true) return [];
  const label = asText(entry["group"]) ?? "";
  const root = asText(entry["root"]);
  const page = root === undefined ? undefined : source.byPath.get(pathNamed(root));
  const children = childrenOf(source, entry, depth + 1);
  if (label === "") return children;
  if (children.length === 0 && page === undefined) return [];
  return [{ label, ...(page === undefined ? {} : { path: page.path }), children }];
}

function entryOfPage(source: MenuSource, name: string): MenuEntry[] {
  const page = source.byPath.get(pathNamed(name));
  if (page !== undefined)
    return page.isHidden ? [] : [{ label: page.menuLabel, path: page.path, children: [] }];
  const link = source.links.get(pathNamed(name));
  if (link !== undefined) return [{ ...link, children: [] }];
  if (OPERATION.test(name)) source.hasMade = true;
  return [];
}

const pathNamed = (name: string) => pathOfName(trimSlashes(name.replace(/\.mdx?$/, "")));

function placeOf({ byPath }: MenuSource, href: string): { path?: string; href?: string } {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return { href };
  const page = byPath.get(pathNamed(href.replace(/[?#].*$/, "")));
  return page === undefined ? {} : { path: page.path };
}

/** The menu of a `mint.json`: a list of groups, which tabs and anchors take by the addresses of their pages. */
function oldMenu(source: MenuSource, groups: readonly unknown[]): MenuEntry[] {
  const tabs = source.settings.tabs.flatMap((tab) => {
    const { name, url } = asRecord(tab);
    const isInside = typeof url === "string" && !/^[a-z][a-z\d+.-]*:/i.test(url);
    return typeof name === "string" && isInside ? [{ name, folder: `${trimSlashes(url)}/` }] : [];
  });
  const folderIn = (group: unknown) => {
    const names = namesIn(group, 0);
    return tabs.find(({ folder }) => names.length > 0 && names.every((name) => name.startsWith(folder)));
  };
  const entriesOf = (wanted: unknown) =>
    groups.filter((group) => folderIn(group) === wanted).flatMap((group) => entryOf(source, group, 0));
  const rest = entriesOf(undefined);
  if (tabs.length === 0) return rest;
  const primary = { label: source.settings.primaryTab ?? "Documentation", children: rest };
  return [primary, ...tabs.map((tab) => ({ label: tab.name, children: entriesOf(tab) }))].filter(
    ({ children }) => children.length > 0,
  );
}

function namesIn(entry: unknown, depth: number): string[] {
  if (typeof entry === "string") return [trimSlashes(entry)];
  return depth > DEEP_MAX ? [] : asList(asRecord(entry)["pages"]).flatMap((each) => namesIn(each, depth + 1));
}
