import { isRecord } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import type { ContentPage } from "./content.ts";
import { type HugoLanguage, type HugoSettings, paramIn } from "./settings.ts";

/** What reading one page takes from the whole site. */
export interface HugoSite {
  tree: DocsTree;
  settings: HugoSettings;
  /** The published address of each page. */
  paths: ReadonlyMap<ContentPage, string>;
  byLocation: ReadonlyMap<string, ContentPage>;
  /** By language and place in the content. */
  byPlace: ReadonlyMap<string, ContentPage>;
  /** By language and last name; null where several have it. */
  byName: ReadonlyMap<string, ContentPage | null>;
  /** The words that templates take by a key, of one language. */
  strings(language: HugoLanguage): Promise<ReadonlyMap<string, string>>;
}

export function createSite(
  tree: DocsTree,
  settings: HugoSettings,
  paths: ReadonlyMap<ContentPage, string>,
): HugoSite {
  const byPlace = new Map<string, ContentPage>();
  const byName = new Map<string, ContentPage | null>();
  for (const page of paths.keys()) {
    byPlace.set(`${page.language.code}:${page.logicalPath}`, page);
    const name = `${page.language.code}:${nameOf(page.logicalPath)}`;
    byName.set(name, byName.has(name) ? null : page);
  }
  const strings = new Map<string, Promise<ReadonlyMap<string, string>>>();
  return {
    tree,
    settings,
    paths,
    byLocation: new Map([...paths.keys()].map((page) => [page.location, page])),
    byPlace,
    byName,
    strings(language) {
      const known = strings.get(language.code) ?? readStrings(tree, settings, language);
      strings.set(language.code, known);
      return known;
    },
  };
}

/** The page that a link means: beside the page, or from the content's root. */
export function pageAt({ byPlace }: HugoSite, from: ContentPage, written: string): ContentPage | undefined {
  const { code } = from.language;
  const plain = placeIn(written);
  const folders = written.startsWith("/") ? [""] : [...placesAround(from), ""];
  for (const folder of folders) {
    const place = resolveLocation(folder, plain.replace(/^\/+/, ""));
    const found = place === undefined ? undefined : byPlace.get(`${code}:${place.toLowerCase()}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The page that `ref "x"` means, which may name it by its last name alone. */
export function pageNamed(site: HugoSite, from: ContentPage, written: string): ContentPage | undefined {
  const found = pageAt(site, from, written);
  const plain = placeIn(written);
  if (found !== undefined || plain.includes("/")) return found;
  return site.byName.get(`${from.language.code}:${plain}`) ?? undefined;
}

/** Names of files and of pages are the same place. */
const placeIn = (written: string) =>
  written
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/\/+$/, "")
    .replace(/\.(?:md|markdown|html)$/, "")
    .replace(/(^|\/)_?index(?:\.[a-z-]{2,8})?$/, "$1")
    .replace(/(.)\/$/, "$1");

/** Links of a folder's own page may be meant from the folder, or from where it stands. */
const placesAround = ({ folder, name, kind }: ContentPage) =>
  name === "index" && kind === "page" ? [folder, folderOf(folder)] : [folder];

/** A value of a page's or else the site's parameters. */
export function paramOf(page: ContentPage, name: string): string | undefined {
  const value = paramIn(page.data, name) ?? paramIn(page.language.params, name);
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

const STRINGS_MAX = 20_000;

async function readStrings(
  tree: DocsTree,
  { layers }: HugoSettings,
  { code }: HugoLanguage,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const layer of layers) {
    const folders = ["i18n", `i18n/${code}`, "data/i18n", `data/i18n/${code}`];
    for (const location of folders.flatMap((folder) => filesOf(tree, joinLocation(layer, folder)))) {
      const isOwn = nameOf(location).toLowerCase().startsWith(`${code}.`) || location.includes(`/${code}/`);
      if (!isOwn) continue;
      const { value } = (await readConfig(tree, location)) ?? {};
      for (const { key, text } of stringsIn(value)) {
        // The site's own come before its themes'.
        if (!found.has(key) && found.size < STRINGS_MAX) found.set(key, text);
      }
    }
  }
  return found;
}

const filesOf = (tree: DocsTree, folder: string) =>
  tree.below(folder).filter((each) => folderOf(each) === folder && /\.(?:toml|ya?ml|json)$/.test(each));

/** `key: text`, `key: { other: text }`, or a list of `{ id, translation }`. */
function stringsIn(value: unknown): { key: string; text: string }[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => {
      if (!isRecord(each) || typeof each["id"] !== "string") return [];
      const text = textIn(each["translation"]);
      return text === undefined ? [] : [{ key: each["id"], text }];
    });
  }
  return Object.entries(isRecord(value) ? value : {}).flatMap(([key, inner]) => {
    const text = textIn(inner);
    return text === undefined ? [] : [{ key, text }];
  });
}

function textIn(value: unknown): string | undefined {
  const text = isRecord(value) ? (value["other"] ?? value["one"]) : value;
  return typeof text === "string" ? text.trim() : undefined;
}
