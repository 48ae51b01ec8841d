import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { knownIn, readConfig } from "../config/config.ts";
import type { LeftOut, Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";

/** A language that a site is published in. */
export interface Locale {
  label: string;
  /** As its pages say it in HTML. */
  language: string;
  /** What its addresses begin with below the site's: "" for the main language. */
  prefix: string;
  /** The folder of its translations; undefined where it has none. */
  folder: string | undefined;
}

/** A folder of pages, in a language. */
export interface LocalizedFolder {
  locale: Locale;
  /** Where the pages of the main language are. */
  folder: string;
  /** Where their translations are. */
  translated: string | undefined;
}

/** A file of a folder as a language shows it. */
export interface LocalizedFile {
  location: string;
  /** Below its folder, by which a page and its translations belong together. */
  below: string;
  /** Whether the language has it: else the main language's is shown. */
  isOwn: boolean;
}

interface I18nPlace {
  tree: DocsTree;
  root: string;
  /** What the site's addresses begin with on its host. */
  base: string;
  unknowns: Unknown[];
}

const LOCALES_MAX = 200;

/**
 * The languages that a configuration names and that have translations, the main one first. What is published on another
 * host is none of the site's.
 */
export function readLocales(place: I18nPlace, i18n: unknown): Locale[] {
  const { tree, root, unknowns } = place;
  const said = asRecord(knownIn(i18n));
  const main = asText(knownIn(said["defaultLocale"])) ?? "en";
  const folder = resolveLocation(root, asText(knownIn(said["path"])) ?? "i18n");
  const listed = asList(knownIn(said["locales"])).flatMap((each) => asText(knownIn(each)) ?? []);
  const isKnown = listed.length > 0 || said["locales"] === undefined;
  const names = isKnown ? listed : translatedIn(tree, folder);
  if (!isKnown)
    unknowns.push({
      question: "Which languages is the site published in? The configuration computes them.",
      guess: [...new Set([main, ...names])].join(", "),
    });
  const configs = asRecord(knownIn(said["localeConfigs"]));
  return [...new Set([main, ...names])].slice(0, LOCALES_MAX).flatMap((name) => {
    const config = asRecord(knownIn(configs[name]));
    const isMain = name === main;
    const locale = localeOf(place, { name, isMain, folder, config });
    return isMain || (locale.folder !== undefined && config["url"] === undefined) ? [locale] : [];
  });
}

function localeOf(
  { tree, base }: I18nPlace,
  {
    name,
    isMain,
    folder,
    config,
  }: {
    name: string;
    isMain: boolean;
    folder: string | undefined;
    config: Readonly<Record<string, unknown>>;
  },
): Locale {
  const language = asText(knownIn(config["htmlLang"])) ?? name;
  const ownBase = asText(knownIn(config["baseUrl"]));
  const prefix = ownBase === undefined ? (isMain ? "" : name) : below(ownBase, base);
  const own = folder && joinLocation(folder, asText(knownIn(config["path"])) ?? name);
  const isTranslated = own !== undefined && config["translate"] !== false && tree.below(own).length > 0;
  return {
    label: asText(knownIn(config["label"])) ?? nameOfLanguage(language),
    language,
    prefix,
    folder: isTranslated ? own : undefined,
  };
}

const below = (address: string, base: string) =>
  (`${address}/`.startsWith(base) ? address.slice(base.length) : address).replace(/^\/+|\/+$/g, "");

/** The languages that have a folder of translations. */
function translatedIn(tree: DocsTree, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const names = tree.below(folder).flatMap((file) => {
    const [name = "", inside = ""] = file.slice(folder.length + 1).split("/");
    return inside.startsWith("docusaurus-") ? [name] : [];
  });
  return [...new Set(names)];
}

/** In the language itself, as readers of it choose it. */
function nameOfLanguage(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: "language", fallback: "code" }).of(language);
    return name === undefined ? language : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return language;
  }
}

/** The folder of a plugin's translations. */
export const folderOfPlugin = (
  { folder }: Locale,
  plugin: "docs" | "blog" | "pages",
  id: string,
): string | undefined =>
  folder && joinLocation(folder, `docusaurus-plugin-content-${plugin}${id === "default" ? "" : `-${id}`}`);

/** The files of a folder in a language. A translation of a page that is not there is not published. */
export function localizedFiles(
  tree: DocsTree,
  { locale, folder, translated }: LocalizedFolder,
): LocalizedFile[] {
  return tree.below(folder).map((location) => {
    const below = folder === "" ? location : location.slice(folder.length + 1);
    const translation = translated === undefined ? undefined : joinLocation(translated, below);
    return translation !== undefined && tree.has(translation)
      ? { location: translation, below, isOwn: true }
      : { location, below, isOwn: locale.prefix === "" };
  });
}

/** The folders in which a page's links to files are looked up, its own first. */
export const contentRootsOf = ({ folder, translated }: LocalizedFolder): string[] =>
  translated === undefined ? [folder] : [translated, folder];

/** Words of a site in a language, by their names: "sidebar.docs.category.Guides". */
export type Translations = ReadonlyMap<string, string>;

const TRANSLATIONS_MAX = 20_000;

export async function readTranslations(tree: DocsTree, location: string | undefined): Promise<Translations> {
  const file = location === undefined ? undefined : await readConfig(tree, location);
  return new Map(
    Object.entries(asRecord(file?.value))
      .slice(0, TRANSLATIONS_MAX)
      .flatMap(([name, said]) => {
        const message = asText(asRecord(said)["message"]);
        return message === undefined ? [] : [[name, message] as const];
      }),
  );
}

/** Translations of pages that the main language does not have: they are not published. */
export function strayTranslations(tree: DocsTree, { folder, translated }: LocalizedFolder): LeftOut[] {
  if (translated === undefined) return [];
  return tree.below(translated).flatMap((location) => {
    const original = joinLocation(folder, location.slice(translated.length + 1));
    if (!/\.mdx?$/i.test(location) || tree.has(original)) return [];
    return [{ location, detail: `translates ${original}, which is not there` }];
  });
}
