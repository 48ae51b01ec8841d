import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { folderOf, nameOf, resolveLocation } from "../docs-tree.ts";
import type { QuartoPage } from "./pages.ts";
import type { QuartoSettings } from "./settings.ts";

interface Menu {
  settings: QuartoSettings;
  pages: readonly QuartoPage[];
  byLocation: ReadonlyMap<string, QuartoPage>;
}

const DEPTH_MAX = 10;

/** The menu of a project: a book's chapters, or the sidebars of a website below the entries of its bar. */
export function readMenu(settings: QuartoSettings, pages: readonly QuartoPage[]): MenuEntry[] {
  const menu: Menu = { settings, pages, byLocation: new Map(pages.map((page) => [page.location, page])) };
  if (settings.isBook) return bookMenu(menu);
  // nbdev makes its menu of the notebooks, in the order of their names.
  if (
    settings.isNbdev &&
    !("sidebar" in settings.website && "contents" in asRecord(settings.website["sidebar"]))
  )
    return byFiles(pages);
  const sidebars = asSidebars(settings.website["sidebar"]).map(
    (sidebar): Sidebar => ({
      id: asText(sidebar["id"]),
      title: asText(sidebar["title"]),
      entries: entriesOf(menu, sidebar["contents"], 0),
    }),
  );
  const bar = barItems(settings.website["navbar"]);
  if (bar.length === 0 && sidebars.length === 1) return sidebars[0]?.entries ?? [];
  const taken = new Set<Sidebar>();
  const top = bar.flatMap((item): MenuEntry[] => {
    const named = /^sidebar:(.+)$/.exec(asText(asRecord(item)["href"]) ?? asText(item) ?? "")?.[1];
    const [entry] = entriesOf(menu, [item], 0);
    const sidebar = sidebars.find((each) => named !== undefined && each.id === named && !taken.has(each));
    if (sidebar === undefined) return entry === undefined ? [] : [withSidebars(entry, sidebars, taken)];
    taken.add(sidebar);
    const label = entry?.label || asText(asRecord(item)["text"]) || sidebar.title || "";
    return [{ label, children: sidebar.entries }];
  });
  const others = sidebars.filter((each) => !taken.has(each) && each.entries.length > 0);
  if (top.length === 0 && others.length === 1) return others[0]?.entries ?? [];
  return [
    ...top,
    ...others.flatMap(({ title, entries }) =>
      title === undefined ? entries : [{ label: title, children: entries }],
    ),
  ];
}

function byFiles(pages: readonly QuartoPage[]): MenuEntry[] {
  const isHome = ({ path }: QuartoPage) => path === "";
  return [...pages.filter(isHome), ...pages.filter((page) => !isHome(page))].map(({ title, path }) => ({
    label: title ?? path,
    path,
    children: [],
  }));
}

interface Sidebar {
  id: string | undefined;
  title: string | undefined;
  entries: MenuEntry[];
}

/** An entry of the bar, with the sidebar that is shown beside its page below it. */
function withSidebars(entry: MenuEntry, sidebars: readonly Sidebar[], taken: Set<Sidebar>): MenuEntry {
  if (entry.children.length > 0)
    return { ...entry, children: entry.children.map((child) => withSidebars(child, sidebars, taken)) };
  const { path } = entry;
  const sidebar = sidebars.find(
    (each) => path !== undefined && !taken.has(each) && holds(each.entries, path),
  );
  if (sidebar === undefined) return entry;
  taken.add(sidebar);
  return { ...entry, children: sidebar.entries };
}

const asSidebars = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).filter(isRecord).filter((sidebar) => "contents" in sidebar);

const barItems = (value: unknown): readonly unknown[] => {
  const bar = asRecord(value);
  return [...asList(bar["left"]), ...asList(bar["right"])];
};

const holds = (entries: readonly MenuEntry[], path: string): boolean =>
  entries.some((entry) => entry.path === path || holds(entry.children, path));

function bookMenu(menu: Menu): MenuEntry[] {
  const { book } = menu.settings;
  const appendices = entriesOf(menu, book["appendices"], 0);
  return [
    ...entriesOf(menu, book["chapters"], 0),
    ...(appendices.length === 0 ? [] : [{ label: "Appendices", children: appendices }]),
  ];
}

function entriesOf(menu: Menu, contents: unknown, depth: number): MenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  if (contents === "auto" || isRecord(contents)) return autoEntries(menu, asRecord(contents)["auto"] ?? true);
  if (typeof contents === "string") return named(menu, contents);
  return asList(contents).flatMap((item) =>
    isRecord(item) ? entryOf(menu, item, depth) : typeof item === "string" ? named(menu, item) : [],
  );
}

function entryOf(menu: Menu, item: Readonly<Record<string, unknown>>, depth: number): MenuEntry[] {
  if ("auto" in item) return autoEntries(menu, item["auto"]);
  const section = asText(item["section"]) ?? asText(item["part"]);
  const children = entriesOf(menu, item["contents"] ?? item["chapters"] ?? item["menu"], depth + 1);
  const said = asText(item["text"]);
  const href = asText(item["href"]) ?? asText(item["file"]);
  // A section may be called by the page that it begins with.
  const own = section === undefined ? undefined : pageAt(menu, section);
  const [page] = href === undefined ? [own].filter((each) => each !== undefined) : [pageAt(menu, href)];
  const label = said ?? (own === undefined ? section : own.title) ?? page?.title ?? "";
  if (page === undefined && children.length === 0) return [];
  if (label === "" && page === undefined) return children;
  return [
    {
      label: label.replace(/\{\{<[^{}]*>\}\}/g, "").trim(),
      ...(page === undefined ? {} : { path: page.path }),
      children,
    },
  ];
}

/** A page, or all of a folder or pattern. */
function named(menu: Menu, written: string): MenuEntry[] {
  if (written === "auto") return autoEntries(menu, true);
  if (/^-{3,}$/.test(written)) return [];
  const page = pageAt(menu, written);
  if (page !== undefined) return [{ label: page.title ?? nameOf(page.path), path: page.path, children: [] }];
  return /[*/]|^[\w-]+$/.test(written) ? autoEntries(menu, written) : [];
}

function pageAt({ settings, byLocation, pages }: Menu, href: string): QuartoPage | undefined {
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [target = ""] = href.split("#", 1);
  const location = resolveLocation(settings.root, `./${target}`);
  if (location === undefined || target === "") return undefined;
  const found = byLocation.get(location);
  if (found !== undefined || !(target.endsWith("/") || /\.html?$/.test(target))) return found;
  const path = (resolveLocation("", `./${target}`) ?? "")
    .replace(/(^|\/)index\.html$/, "$1")
    .replace(/\/$/, "");
  return pages.find((page) => page.path === path);
}

/** The pages of folders as they lie: by `order`, then by name; a folder is a section. */
function autoEntries(menu: Menu, what: unknown): MenuEntry[] {
  const { settings, pages } = menu;
  const below = (location: string) =>
    settings.root === "" ? location : location.slice(settings.root.length + 1);
  const patterns =
    what === true ? undefined : (Array.isArray(what) ? what : [what]).flatMap((each) => asText(each) ?? []);
  const globs = patterns?.map((pattern) => pattern.replace(/^\//, "").replace(/\/$/, "")) ?? [];
  const chosen = pages.filter((page) => {
    const place = below(page.location);
    if (patterns === undefined) return page.path !== "";
    return globs.some(
      (glob) => place === glob || place.startsWith(`${glob}/`) || new Bun.Glob(glob).match(place),
    );
  });
  const folders = new Set(chosen.map(({ location }) => folderOf(below(location)))).values().toArray();
  const common = patterns === undefined ? "" : commonFolder(folders);
  return folderEntries(
    chosen.map((page) => ({ page, place: below(page.location) })),
    common,
    0,
  );
}

const commonFolder = (folders: readonly string[]): string => {
  let common = folders[0] ?? "";
  while (common !== "" && !folders.every((folder) => folder === common || folder.startsWith(`${common}/`)))
    common = folderOf(common);
  return common;
};

interface PlacedPage {
  page: QuartoPage;
  place: string;
}

function folderEntries(placed: readonly PlacedPage[], folder: string, depth: number): MenuEntry[] {
  if (depth > DEPTH_MAX) return [];
  const start = folder === "" ? 0 : folder.length + 1;
  const groups = Map.groupBy(placed, ({ place }) => {
    const rest = place.slice(start);
    return rest.includes("/") ? rest.slice(0, rest.indexOf("/") + 1) : rest;
  });
  const entries = [...groups].map(
    ([name, group]): { order: number | undefined; name: string; entry: MenuEntry } => {
      const [first] = group;
      if (!name.endsWith("/") && first !== undefined) return leaf(first.page, name);
      const inner = `${folder === "" ? "" : `${folder}/`}${name.slice(0, -1)}`;
      const index = group.find(({ place }) => /^index\.\w+$/.test(place.slice(inner.length + 1)));
      const children = folderEntries(
        group.filter((each) => each !== index),
        inner,
        depth + 1,
      );
      const label = index?.page.title ?? titleOfFolder(name.slice(0, -1));
      const path = index === undefined ? {} : { path: index.page.path };
      return { order: index?.page.order, name, entry: { label, ...path, children } };
    },
  );
  return entries
    .sort(
      (a, b) =>
        (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY) ||
        byName(a.name, b.name),
    )
    .map(({ entry }) => entry);
}

const leaf = (page: QuartoPage, name: string) => ({
  order: page.order,
  name,
  entry: { label: page.title ?? name, path: page.path, children: [] },
});

const byName = (a: string, b: string) => {
  const isIndex = (name: string) => /^index\./.test(name);
  if (isIndex(a) !== isIndex(b)) return isIndex(a) ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
};

const titleOfFolder = (name: string) =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
