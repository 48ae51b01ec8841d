import { withoutComments } from "@docent/kernel/text/code-spans";
import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { plainInline } from "../../markdown/plain-text.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { splitHref } from "../writing/writing.ts";
import type { DocfxPages } from "./pages.ts";
import type { DocfxSettings } from "./settings.ts";

interface MenuSource {
  tree: DocsTree;
  settings: DocfxSettings;
  pages: DocfxPages;
  /** The menus that others hold. */
  taken: Set<string>;
  faults: Set<string>;
  left: number;
}

const TARGETS = ["href", "topicHref", "homepage", "uid", "topicUid", "tocHref"];
const ENTRIES_MAX = 50_000;
const DEEP_MAX = 30;

/** The outermost menu, with those that it names in it; others are groups of their own. */
export async function readMenu(
  tree: DocsTree,
  settings: DocfxSettings,
  pages: DocfxPages,
): Promise<MenuEntry[]> {
  const source: MenuSource = {
    tree,
    settings,
    pages,
    taken: new Set(),
    faults: new Set(),
    left: ENTRIES_MAX,
  };
  const menu: MenuEntry[] = [];
  const [first] = pages.menus;
  if (first === undefined) return menu;
  const isOnTop = folderOf(first) === settings.root || pages.menus.length === 1;
  if (isOnTop) menu.push(...(await menuIn(source, first, [])));
  for (const location of pages.menus) {
    if (source.taken.has(location)) continue;
    const children = await menuIn(source, location, []);
    const known = new Set(pathsIn(menu));
    if (pathsIn(children).some((path) => !known.has(path)))
      menu.push({ label: nameOf(folderOf(location)) || "Contents", children });
  }
  if (source.faults.size > 0)
    settings.unknowns.push({
      question: `What do these menus hold: ${[...source.faults].slice(0, 5).join(", ")}? They cannot be read.`,
      guess: "nothing",
    });
  return menu;
}

const pathsIn = (menu: readonly MenuEntry[]): string[] =>
  menu.flatMap(({ path, children }) => [...(path === undefined ? [] : [path]), ...pathsIn(children)]);

async function menuIn(source: MenuSource, location: string, above: readonly string[]): Promise<MenuEntry[]> {
  source.taken.add(location);
  if (above.includes(location) || above.length > DEEP_MAX) return [];
  const text = (await source.tree.text(location)) ?? "";
  const items = /\.md$/i.test(location) ? itemsInMarkdown(text) : itemsInYaml(source, location, text);
  return entriesOf(source, items, location, [...above, location]);
}

function itemsInYaml(source: MenuSource, location: string, text: string): unknown {
  try {
    const value: unknown = Bun.YAML.parse(text.replace(/^\uFEFF/, ""));
    return Array.isArray(value) ? value : asRecord(value)["items"];
  } catch {
    source.faults.add(location);
    return [];
  }
}

interface MarkdownItem {
  name: string;
  href: string | undefined;
  items: MarkdownItem[];
}

/** In Markdown a menu is written as headings: `## [Setup](setup.md)`. */
function itemsInMarkdown(text: string): MarkdownItem[] {
  const top: MarkdownItem[] = [];
  const open: { level: number; item: MarkdownItem }[] = [];
  for (const [, marks = "", words = ""] of withoutComments(text).matchAll(
    /^(#{1,6})\s+(.|.+?(?<![\s#]))[\s#]*$/gm,
  )) {
    const [, label, href] = /^\[(.*)\]\(\s*<?([^\s)>]*)>?(?:\s+"[^"]*")?\s*\)$/.exec(words) ?? [];
    const item: MarkdownItem = { name: plainInline(label ?? words), href, items: [] };
    while ((open.at(-1)?.level ?? 0) >= marks.length) open.pop();
    (open.at(-1)?.item.items ?? top).push(item);
    open.push({ level: marks.length, item });
  }
  return top;
}

async function entriesOf(
  source: MenuSource,
  items: unknown,
  location: string,
  above: readonly string[],
): Promise<MenuEntry[]> {
  const entries: MenuEntry[] = [];
  for (const item of asList(items)) {
    if (source.left-- <= 0) break;
    const entry = await entryOf(source, asRecord(item), location, above);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

async function entryOf(
  source: MenuSource,
  item: Readonly<Record<string, unknown>>,
  location: string,
  above: readonly string[],
): Promise<MenuEntry | undefined> {
  if (above.length > DEEP_MAX) return undefined;
  const own = await entriesOf(source, item["items"], location, [...above, location]);
  const named = [item["tocHref"], item["href"]].map(asText);
  const inside = named.map((href) => menuAt(source, location, href)).find((each) => each !== undefined);
  const taken = inside === undefined ? [] : await menuIn(source, inside, above);
  const place = placeOf(source, item, location);
  const children = [...own, ...taken];
  const label = asText(item["name"]) ?? place?.label ?? "";
  // A page that is not here has no entry; words alone are a title of what follows them.
  const isMissing =
    place === undefined && children.length === 0 && TARGETS.some((name) => item[name] !== undefined);
  if (label === "" || isMissing) return undefined;
  const { path, href } = place ?? {};
  return {
    label,
    ...(path === undefined ? {} : { path }),
    ...(href === undefined ? {} : { href }),
    children,
  };
}

/** The menu that an entry names: a file, or a folder with one. */
function menuAt(
  { tree, settings }: MenuSource,
  location: string,
  href: string | undefined,
): string | undefined {
  if (href === undefined || /^(?:[a-z]+:|\/)/i.test(href)) return undefined;
  const place = placeFrom(settings, location, splitHref(href).target);
  if (place === undefined) return undefined;
  if (/(?:^|\/)toc\.(?:yml|md)$/i.test(place)) return tree.has(place) ? place : undefined;
  if (!href.endsWith("/")) return undefined;
  return ["toc.yml", "toc.md"].map((name) => joinLocation(place, name)).find((each) => tree.has(each));
}

/** Where a file is that another one names; `~/` is the folder of the configuration. */
export function placeFrom(
  { root, fileOf }: DocfxSettings,
  location: string,
  written: string,
): string | undefined {
  const path = written.replaceAll("\\", "/");
  const place = path.startsWith("~/")
    ? resolveLocation(root, path.slice(2))
    : resolveLocation(folderOf(location), path);
  return place === undefined ? undefined : fileOf(place);
}

function placeOf(
  { settings, pages }: MenuSource,
  item: Readonly<Record<string, unknown>>,
  location: string,
): { path?: string; href?: string; label: string | undefined } | undefined {
  const uid = asText(item["topicUid"]) ?? asText(item["uid"]) ?? asText(item["homepageUid"]);
  const known = uid === undefined ? undefined : pages.byUid.get(uid);
  if (known !== undefined) return { path: known.page.path, label: known.name };
  const href = asText(item["topicHref"]) ?? asText(item["homepage"]) ?? asText(item["href"]);
  if (href === undefined) return undefined;
  if (/^https?:/i.test(href)) return { href, label: undefined };
  const place = placeFrom(settings, location, splitHref(href).target);
  const page = place === undefined ? undefined : pages.byLocation.get(place);
  return page === undefined ? undefined : { path: page.path, label: page.title };
}
