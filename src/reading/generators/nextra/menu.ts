import { asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { knownIn, readFirstConfig } from "../config/config.ts";
import { type DocsTree, joinLocation, nameOf } from "../docs-tree.ts";
import type { PublishedPage } from "./pages.ts";
import { titleFromName } from "./pages.ts";
import type { NextraSettings } from "./settings.ts";

interface MenuSource {
  tree: DocsTree;
  settings: NextraSettings;
  byFolder: ReadonlyMap<string, PublishedPage[]>;
  /** The folders right below a folder. */
  foldersIn: ReadonlyMap<string, ReadonlySet<string>>;
  paths: ReadonlySet<string>;
  /** What `_meta.global` says of all folders. */
  whole: Readonly<Record<string, unknown>> | undefined;
}

/** What a `_meta` file says of an entry. */
interface Said {
  title: string | undefined;
  type: string | undefined;
  href: string | undefined;
  isHidden: boolean;
  showsChildren: boolean;
}

const DEEP_MAX = 30;
const EXTENSIONS = ["js", "jsx", "ts", "tsx"];

/** The menu as the folders make it, in the order and with the labels of their `_meta` files. */
export async function readMenu(
  tree: DocsTree,
  settings: NextraSettings,
  pages: readonly PublishedPage[],
): Promise<MenuEntry[]> {
  const foldersIn = new Map<string, Set<string>>();
  for (const { folder } of pages)
    for (let inner = folder; inner !== ""; inner = parentOf(inner))
      foldersIn.set(parentOf(inner), (foldersIn.get(parentOf(inner)) ?? new Set()).add(inner));
  const { appFolder } = settings;
  const globals =
    appFolder === undefined
      ? undefined
      : await readFirstConfig(
          tree,
          EXTENSIONS.map((extension) => joinLocation(appFolder, `_meta.global.${extension}`)),
        );
  const byFolder = Map.groupBy(pages, ({ folder }) => folder);
  const paths = new Set(pages.map(({ path }) => path));
  const whole = globals === undefined ? undefined : asRecord(knownIn(globals.value));
  return entriesIn({ tree, settings, byFolder, foldersIn, paths, whole }, "", whole, 0);
}

const parentOf = (folder: string) => folder.slice(0, Math.max(0, folder.lastIndexOf("/")));

async function entriesIn(
  source: MenuSource,
  folder: string,
  given: Readonly<Record<string, unknown>> | undefined,
  depth: number,
): Promise<MenuEntry[]> {
  if (depth > DEEP_MAX) return [];
  const meta = given ?? (await metaOf(source, folder));
  const entries = new Map<string, MenuEntry[]>();
  for (const page of source.byFolder.get(folder) ?? []) {
    if (page.isFolderPage && folder !== "") continue;
    const said = saidOf(meta, page.name);
    const entry = { label: said.title ?? page.menuLabel, path: page.path, children: [] };
    entries.set(page.name, said.isHidden ? [] : [entry]);
  }
  for (const inner of source.foldersIn.get(folder) ?? []) {
    const name = nameOf(inner);
    const below = source.whole === undefined ? undefined : asRecord(asRecord(knownIn(meta[name]))["items"]);
    const own = entries.get(name)?.[0];
    const said = saidOf(meta, name);
    const children = await entriesIn(source, inner, below, depth + 1);
    const page = source.byFolder.get(inner)?.find(({ isFolderPage }) => isFolderPage);
    const path = page?.path ?? own?.path;
    const label = said.title ?? page?.menuLabel ?? own?.label ?? titleFromName(name);
    const language = languageOf(source, inner);
    const entry = {
      label,
      ...(language === undefined ? {} : { language }),
      ...(path === undefined ? {} : { path }),
      children,
    };
    entries.set(name, said.isHidden ? [] : said.showsChildren ? children : [entry]);
  }
  return arranged(source, meta, entries);
}

/** The language whose folder this is. */
const languageOf = ({ settings: { contentBase, languages } }: MenuSource, folder: string) =>
  languages.length < 2 ? undefined : languages.find((each) => joinLocation(contentBase, each) === folder);

/** The entries that a `_meta` file names, in its order, and then the others by name; an index comes first. */
function arranged(
  { paths }: MenuSource,
  meta: Readonly<Record<string, unknown>>,
  entries: ReadonlyMap<string, MenuEntry[]>,
): MenuEntry[] {
  const keys = Object.keys(meta).filter((key) => key !== "*");
  const place = (name: string) => (name === "index" && !keys.includes(name) ? -1 : keys.indexOf(name));
  const listed = [...entries.keys()].filter((name) => place(name) >= 0);
  const first = entries.has("index") && !keys.includes("index") ? ["index"] : [];
  const rest = [...entries.keys()]
    .filter((name) => !listed.includes(name) && !first.includes(name))
    .sort((a, b) => (a < b ? -1 : 1));
  const menu: MenuEntry[] = [];
  let part = menu;
  for (const name of [...first, ...keys, ...rest]) {
    const said = saidOf(meta, name);
    if (said.type === "separator" && !entries.has(name)) {
      if (said.title === undefined) continue;
      const entry: MenuEntry = { label: said.title, children: [] };
      menu.push(entry);
      part = entry.children;
    } else if (entries.has(name)) part.push(...(entries.get(name) ?? []));
    else if (said.href !== undefined && !said.isHidden)
      part.push({ label: said.title ?? titleFromName(name), ...placeOf(paths, said.href), children: [] });
  }
  return menu.filter(
    ({ path, href, children }) => path !== undefined || href !== undefined || children.length > 0,
  );
}

/** Addresses of the site itself are named with a slash. */
function placeOf(paths: ReadonlySet<string>, href: string): { path?: string; href?: string } {
  if (!/^\/(?!\/)/.test(href)) return { href };
  const path = href.replace(/[?#].*$/, "").replace(/^\/+|\/+$/g, "");
  return paths.has(path) ? { path } : {};
}

async function metaOf(
  { tree, settings }: MenuSource,
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { contentFolder, contentBase, appFolder } = settings;
  const below = `${folder}/`.startsWith(contentBase === "" ? "" : `${contentBase}/`)
    ? folder.slice(contentBase === "" ? 0 : contentBase.length + 1)
    : undefined;
  const folders = [
    ...(contentFolder === undefined || below === undefined ? [] : [joinLocation(contentFolder, below)]),
    ...(appFolder === undefined ? [] : [joinLocation(appFolder, folder)]),
  ];
  const file = await readFirstConfig(
    tree,
    folders.flatMap((each) => EXTENSIONS.map((extension) => joinLocation(each, `_meta.${extension}`))),
  );
  if (file?.fault !== undefined)
    settings.unknowns.push({ question: file.fault, guess: "the names of files" });
  const value = asRecord(
    knownIn(file?.value, ({ source }) => {
      const question = `What is in the menu of /${folder}? ${file?.location} computes it: ${source}`;
      settings.unknowns.push({ question, guess: "the names of files" });
    }),
  );
  if (!("call" in value)) return value;
  const question = `What is in the menu of /${folder}? ${file?.location} computes it: ${String(value["call"])}(…)`;
  settings.unknowns.push({ question, guess: "the names of files" });
  return {};
}

function saidOf(meta: Readonly<Record<string, unknown>>, name: string): Said {
  const usual = asRecord(knownIn(meta["*"]));
  const value = knownIn(meta[name]);
  const own = isRecord(value) ? value : {};
  const display = asText(own["display"]) ?? asText(usual["display"]);
  const title = asText(value) ?? asText(knownIn(own["title"]));
  return {
    title: title === "" ? undefined : title,
    type: asText(own["type"]),
    href: asText(own["href"]),
    isHidden: display === "hidden",
    showsChildren: display === "children",
  };
}
