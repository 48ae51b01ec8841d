import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { knownIn, readConfig } from "../config/config.ts";
import { type DocsTree, joinLocation, stemOf } from "../docs-tree.ts";
import { placeOf, type RspressPage } from "./pages.ts";
import type { RspressSettings } from "./settings.ts";

interface Reading {
  tree: DocsTree;
  settings: RspressSettings;
  byLocation: ReadonlyMap<string, RspressPage>;
  byRoute: ReadonlyMap<string, RspressPage>;
  /** The words of the interface by their names, in the language of the menu. */
  words: Readonly<Record<string, unknown>>;
  /** What links of the menu begin with: the version and the language. */
  prefix: string;
  /** A folder may be listed in itself, and as often as one likes. */
  budget: { entries: number };
}

const DEEP_MAX = 20;
const ENTRIES_MAX = 50_000;

/** The menu of the main version and language: a group for each sidebar, in the order of the bar at the top. */
export async function readMenu(
  tree: DocsTree,
  settings: RspressSettings,
  pages: readonly RspressPage[],
): Promise<MenuEntry[]> {
  const folder = joinLocation(
    joinLocation(settings.content, settings.version),
    settings.languages.includes(settings.language) ? settings.language : "",
  );
  const texts = asRecord((await readConfig(tree, joinLocation(settings.root, "i18n.json")))?.value);
  const words = Object.fromEntries(
    Object.entries(texts).map(([name, said]) => [
      name,
      asRecord(said)[settings.language] ?? asRecord(said)["en"],
    ]),
  );
  const reading: Reading = {
    tree,
    settings,
    byLocation: new Map(pages.map((page) => [page.location, page])),
    byRoute: new Map(pages.map((page) => [page.route, page])),
    words,
    budget: { entries: ENTRIES_MAX },
    prefix: placeOf(`${folder.slice(settings.content === "" ? 0 : settings.content.length + 1)}/`, settings)
      .route,
  };
  const given = settings.menus.get(settings.language) ?? settings.menus.get("");
  if (given !== undefined) return givenMenu(reading, given);
  const hasNav = tree.has(joinLocation(folder, "_nav.json"));
  if (!hasNav || tree.has(joinLocation(folder, "_meta.json"))) return itemsIn(reading, folder, true, 0);
  const nav = asList((await readConfig(tree, joinLocation(folder, "_nav.json")))?.value);
  return sidebarsByNav(reading, folder, nav);
}

/** Each folder has a sidebar, which stands below the entry of the bar that leads into it, and by itself where none does. */
async function sidebarsByNav(
  reading: Reading,
  folder: string,
  nav: readonly unknown[],
): Promise<MenuEntry[]> {
  const start = folder === "" ? 0 : folder.length + 1;
  const names = [
    ...new Set(
      reading.tree
        .below(folder)
        .map((file) => file.slice(start))
        .flatMap((below) => (below.includes("/") ? [below.split("/", 1)[0] ?? ""] : [])),
    ),
  ];
  const left = new Set(names.filter((name) => name !== "public" && name !== "node_modules"));
  const menu: MenuEntry[] = [];
  for (const item of nav.map(asRecord)) {
    const entry = linkEntry(reading, { label: item["text"], link: item["link"] });
    const name =
      entry.path === undefined
        ? ""
        : relative(entry.path, reading.prefix)
            .split("/", 1)[0]
            ?.replace(/\.html$/, "");
    const isFirst = name !== undefined && left.delete(name);
    const children = isFirst ? await itemsIn(reading, joinLocation(folder, name), true, 0) : [];
    const items = asList(item["items"]).map((each) => {
      const { text, link } = asRecord(each);
      return linkEntry(reading, { label: text, link });
    });
    menu.push({ ...entry, children: [...children, ...items] });
  }
  for (const name of left) {
    const children = await itemsIn(reading, joinLocation(folder, name), true, 0);
    if (children.length > 0) menu.push({ label: name, children });
  }
  return menu;
}

const relative = (path: string, prefix: string) =>
  prefix === "" ? path : path === prefix ? "" : path.slice(prefix.length + 1);

/** What a folder's `_meta.json` lists, in the parts that its titles begin, or all that is in it. Its own page is left out, unless it is wanted. */
async function itemsIn(
  reading: Reading,
  folder: string,
  wantsIndex: boolean,
  depth: number,
): Promise<MenuEntry[]> {
  if (depth > DEEP_MAX) return [];
  const { tree } = reading;
  const place = joinLocation(folder, "_meta.json");
  const listed = tree.has(place) ? asList((await readConfig(tree, place))?.value) : allIn(reading, folder);
  const entries: MenuEntry[] = [];
  let part = entries;
  for (const item of listed) {
    const { type, label } = asRecord(item);
    if (type === "section-header") {
      part = [];
      entries.push({ label: wordsOf(reading, label) ?? "", children: part });
      continue;
    }
    if (type === "dir-section-header") part = entries;
    const name =
      asText(item) ?? (asRecord(item)["type"] === "file" ? asText(asRecord(item)["name"]) : undefined);
    if (!wantsIndex && name !== undefined && /^index(?:\.mdx?)?$/.test(name)) continue;
    reading.budget.entries -= 1;
    if (reading.budget.entries < 0) break;
    part.push(...(await itemOf(reading, folder, item, depth)));
  }
  return entries.filter(
    ({ path, href, children }) => path !== undefined || href !== undefined || children.length > 0,
  );
}

/** The page of the folder first, then the others by their names; a page that is called like a folder stands for it. */
function allIn({ tree, byLocation, settings }: Reading, folder: string): unknown[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const files = new Map<string, unknown>();
  const folders = new Set<string>();
  for (const file of tree.below(folder)) {
    const [name = "", ...rest] = file.slice(start).split("/");
    if (rest.length > 0) folders.add(name);
    else if (byLocation.has(file)) files.set(name, name);
  }
  if (folder === settings.content) folders.delete("public");
  for (const name of files.keys()) if (folders.has(stemOf(name))) files.delete(name);
  for (const name of folders) files.set(name, { type: "dir", name });
  const isIndex = (name: string) => stemOf(name) === "index";
  return [...files]
    .toSorted(([a], [b]) => Number(isIndex(b)) - Number(isIndex(a)) || a.localeCompare(b, "en"))
    .map(([, item]) => item);
}

async function itemOf(reading: Reading, folder: string, item: unknown, depth: number): Promise<MenuEntry[]> {
  if (typeof item === "string") return fileEntry(reading, folder, item, undefined);
  const { type, name, label, link, items } = asRecord(item);
  const named = asText(name) ?? "";
  switch (type) {
    case "file":
      return fileEntry(reading, folder, named, label);
    case "dir":
      return dirEntry(reading, folder, named, label, depth);
    case "dir-section-header": {
      const children = await itemsIn(reading, joinLocation(folder, named), true, depth + 1);
      return children.length === 0 ? [] : [{ label: wordsOf(reading, label) ?? named, children }];
    }
    case "custom-link": {
      const below = asList(items).map((each) => linkEntry(reading, asRecord(each)));
      return [{ ...linkEntry(reading, { label, link }), children: below }];
    }
    default:
      return [];
  }
}

function pageAt({ byLocation }: Reading, folder: string, name: string): RspressPage | undefined {
  const place = joinLocation(folder, name);
  return ["", ".mdx", ".md"]
    .map((ending) => byLocation.get(place + ending))
    .find((page) => page !== undefined);
}

function fileEntry(reading: Reading, folder: string, name: string, label: unknown): MenuEntry[] {
  const page = pageAt(reading, folder, name);
  return page === undefined
    ? []
    : [{ label: wordsOf(reading, label) ?? page.title, path: page.path, children: [] }];
}

async function dirEntry(
  reading: Reading,
  folder: string,
  name: string,
  label: unknown,
  depth: number,
): Promise<MenuEntry[]> {
  const inside = joinLocation(folder, name);
  const beside = name === "" ? undefined : pageAt(reading, folder, name);
  const listed = asList((await readConfig(reading.tree, joinLocation(inside, "_meta.json")))?.value);
  const listsIndex = listed.some((item) => typeof item === "string" && stemOf(item) === "index");
  const own = beside ?? (listsIndex ? undefined : pageAt(reading, inside, "index"));
  const children = await itemsIn(reading, inside, own === undefined || own === beside, depth + 1);
  if (own === undefined && children.length === 0) return [];
  const words = wordsOf(reading, label) ?? own?.title ?? name;
  return [{ label: words, ...(own === undefined ? {} : { path: own.path }), children }];
}

/** Words of the interface may be named in the place of a label. */
function wordsOf({ words }: Reading, label: unknown): string | undefined {
  const text = asText(label);
  return text === undefined ? undefined : (asText(words[text]) ?? text);
}

/** A link to a page, to elsewhere, or to nowhere. */
function linkEntry(reading: Reading, { label, link }: Readonly<Record<string, unknown>>): MenuEntry {
  const { byRoute, settings, prefix } = reading;
  const href = asText(link) ?? "";
  const words = wordsOf(reading, label) ?? href;
  if (href === "") return { label: words, children: [] };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return { label: words, href, children: [] };
  const plain = href.replace(/[?#].*$/s, "").replace(/^\/+/, "");
  const page = [plain, joinLocation(prefix, plain)]
    .map((each) => byRoute.get(placeOf(each, settings).route))
    .find((each) => each !== undefined);
  return { label: words, ...(page === undefined ? {} : { path: page.path }), children: [] };
}

/** A menu of the configuration: sidebars by what addresses begin with. */
function givenMenu(reading: Reading, { nav, sidebar }: { nav: unknown; sidebar: unknown }): MenuEntry[] {
  const sidebars = Object.entries(asRecord(knownIn(sidebar)));
  const groups = sidebars.map(([start, items]) => ({
    start: start.replace(/^\/+|\/+$/g, ""),
    entries: asList(knownIn(items)).flatMap((item) => givenItem(reading, item, 0)),
  }));
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return only.entries;
  const left = new Set(groups);
  const bar = asList(Array.isArray(knownIn(nav)) ? knownIn(nav) : asRecord(knownIn(nav))["default"]);
  const menu = bar.map((item): MenuEntry => {
    const { text, link, items } = asRecord(knownIn(item));
    const entry = linkEntry(reading, { label: text, link });
    const found = [...left].find(
      ({ start }) => start !== "" && `${entry.path ?? ""}/`.startsWith(`${start}/`),
    );
    if (found !== undefined) left.delete(found);
    const below = asList(knownIn(items)).flatMap((each) => givenItem(reading, each, 0));
    return { ...entry, children: [...(found?.entries ?? []), ...below] };
  });
  return [...menu, ...[...left].flatMap(({ entries }) => entries)];
}

function givenItem(reading: Reading, item: unknown, depth: number): MenuEntry[] {
  const known = knownIn(item);
  if (typeof known === "string") {
    const entry = linkEntry(reading, { label: known, link: known });
    const page = [...reading.byRoute.values()].find(({ path }) => path === entry.path);
    return page === undefined ? [] : [{ ...entry, label: page.title }];
  }
  reading.budget.entries -= 1;
  if (!isRecord(known) || depth > DEEP_MAX || reading.budget.entries < 0) return [];
  const { text, sectionHeaderText, link, items } = known;
  const label = text ?? sectionHeaderText;
  if (label === undefined) return [];
  const children = asList(knownIn(items)).flatMap((each) => givenItem(reading, each, depth + 1));
  return [{ ...linkEntry(reading, { label, link }), children }];
}
