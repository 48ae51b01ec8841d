import { asList, asNumber, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readConfig, readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { mergeInto, withLowerKeys } from "./lower-keys.ts";

/** A language of the site. */
export interface HugoLanguage {
  /** As in addresses: "zh-cn". */
  code: string;
  isDefault: boolean;
  /** What its addresses begin with: "" for the default language. */
  prefix: string;
  params: Readonly<Record<string, unknown>>;
  title: string;
}

/** A folder or file of the source, with its place in the site's content. */
export interface ContentMount {
  /** Where it is in the source. */
  source: string;
  /** Where its files stand in the content: "" for all of it. */
  target: string;
  language: HugoLanguage;
}

export type HeadingIdStyle = "github" | "github-ascii" | "blackfriday";

export interface HugoSettings {
  root: string;
  /** The default language is the first. */
  languages: HugoLanguage[];
  mounts: ContentMount[];
  /** Folders of the site's layouts and of its themes that are in the source: the site's own first. */
  layers: string[];
  headingIds: HeadingIdStyle;
  hasHeadingIds: boolean;
  /** What links are looked up as before they are taken as they are written. */
  linksTo: "pages" | "pages from the root" | "files";
  hasDefinitionLists: boolean;
  /** Whether two hyphens, or only three, become one dash, and quotes become typographic. */
  typography: "all" | "long dashes" | "none";
  /** Whether the titles of folders are made plural. */
  hasPluralTitles: boolean;
  permalinks: Readonly<Record<string, unknown>>;
  keepsCase: boolean;
  removesAccents: boolean;
  /** Whether addresses of a section's pages end in `.html`. */
  hasUglyUrls: (section: string) => boolean;
  /**
   * The names in front matter that come before the date and slug in names such as `2024-01-31-name.md`; undefined where
   * those are not read.
   */
  beforeDatedNames: string[] | undefined;
  builds: { drafts: boolean; future: boolean; expired: boolean };
  ignores: (location: string) => boolean;
  /** Front matter for many pages. */
  cascade: unknown;
  unknowns: Unknown[];
}

const FORMATS = ["toml", "yaml", "yml", "json"];
const SINGLE_NAMES = SITE_FILES.hugo.marks.flatMap(spelled).filter((name) => !name.includes("/"));

/** The folders that may be a site's, by the names of its configuration. */
export const hugoRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.hugo, tree.files);

/** Reads what says where pages are and where they are published; undefined where it is no Hugo site. */
export async function readSettings(tree: DocsTree, root: string): Promise<HugoSettings | undefined> {
  const unknowns: Unknown[] = [];
  const config = await readConfiguration(tree, root, unknowns);
  if (config === undefined || !(isHugo(config) || isNamedForHugo(tree, root))) return undefined;
  const layers = layersOf(tree, root, config);
  await takeThemeParams(tree, layers, config);
  const languages = inOwnFolders(tree, root, config, languagesOf(config), unknowns);
  const markup = asRecord(asRecord(config["markup"])["goldmark"]);
  const parser = asRecord(markup["parser"]);
  const dates = asList(asRecord(config["frontmatter"])["date"]);
  return {
    root,
    languages: languages.map(({ language }) => language),
    mounts: mountsOf(config, root, languages, unknowns),
    layers,
    headingIds: styleOf(parser["autoheadingidtype"] ?? parser["autoidtype"]),
    hasHeadingIds: parser["autoheadingid"] !== false,
    linksTo: linksToOf(tree, layers, languages.length, markup),
    hasPluralTitles: config["pluralizelisttitles"] !== false,
    hasDefinitionLists: asRecord(markup["extensions"])["definitionlist"] !== false,
    typography: typographyOf(asRecord(markup["extensions"])["typographer"]),
    permalinks: asRecord(config["permalinks"]),
    keepsCase: config["disablepathtolower"] === true,
    removesAccents: config["removepathaccents"] === true,
    hasUglyUrls: uglyUrlsOf(config["uglyurls"]),
    beforeDatedNames: dates.includes(":filename")
      ? dates.slice(0, dates.indexOf(":filename")).flatMap((name) => asText(name)?.toLowerCase() ?? [])
      : undefined,
    builds: {
      drafts: config["builddrafts"] === true,
      future: config["buildfuture"] === true,
      expired: config["buildexpired"] === true,
    },
    ignores: ignorerOf(asList(config["ignorefiles"]), unknowns),
    cascade: config["cascade"],
    unknowns,
  };
}

/** For all sections alike, or for those that a table names. */
function uglyUrlsOf(said: unknown): HugoSettings["hasUglyUrls"] {
  const named = asRecord(said);
  return (section) => said === true || named[section] === true;
}

function typographyOf(typographer: unknown): HugoSettings["typography"] {
  const { disable, endash } = asRecord(typographer);
  if (typographer === false || disable === true) return "none";
  return endash === "--" ? "long dashes" : "all";
}

const styleOf = (value: unknown): HeadingIdStyle =>
  value === "blackfriday" || value === "github-ascii" ? value : "github";

/** The configuration of a production build, whose names are all in lower case. */
async function readConfiguration(
  tree: DocsTree,
  root: string,
  unknowns: Unknown[],
): Promise<Record<string, unknown> | undefined> {
  const merged: Record<string, unknown> = Object.create(null);
  let count = 0;
  const take = async (location: string, within: string[]) => {
    const read = await readConfig(tree, location);
    if (read === undefined) return;
    count++;
    if (read.fault !== undefined) unknowns.push({ question: read.fault, guess: "the defaults" });
    const value = withLowerKeys(read.value);
    const placed = within.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    mergeInto(merged, placed);
  };
  const single = SINGLE_NAMES.map((name) => joinLocation(root, name)).find((each) => tree.has(each));
  if (single !== undefined) await take(single, []);
  for (const environment of ["_default", "production"]) {
    const folder = joinLocation(root, `config/${environment}`);
    for (const location of tree.below(folder)) {
      const [name = "", language] = stemOf(nameOf(location)).toLowerCase().split(".");
      if (!FORMATS.some((format) => location.endsWith(`.${format}`))) continue;
      const key = name === "menu" ? "menus" : name;
      const inside = name === "hugo" || name === "config" ? [] : [key];
      // `params.fr.toml` holds parameters of a language, and `languages.fr.toml` all that is said of it.
      const ofLanguage = ["params", "menus"].includes(key) ? [key] : [];
      await take(location, language === undefined ? inside : ["languages", language, ...ofLanguage]);
    }
  }
  return count === 0 ? undefined : merged;
}

/** A site in several languages looks links up as pages, unless it or its theme says how links are written. */
function linksToOf(
  tree: DocsTree,
  layers: readonly string[],
  languageCount: number,
  markup: Readonly<Record<string, unknown>>,
): HugoSettings["linksTo"] {
  const folders = ["_markup", "_default/_markup"];
  const hasOwn = layers.some((layer) =>
    folders.some((folder) => tree.has(joinLocation(layer, `layouts/${folder}/render-link.html`))),
  );
  const hooks = asRecord(asRecord(markup["renderhooks"])["link"]);
  const used = asText(hooks["useembedded"]) ?? (hooks["enabledefault"] === true ? "fallback" : "auto");
  if (used === "always") return "pages";
  if (hasOwn) return languageCount > 1 ? "pages from the root" : "files";
  return used === "fallback" || (used === "auto" && languageCount > 1) ? "pages" : "files";
}

/** Themes set parameters that the site may set otherwise. */
async function takeThemeParams(
  tree: DocsTree,
  [, ...themes]: readonly string[],
  config: Record<string, unknown>,
): Promise<void> {
  for (const theme of themes) {
    const said = await readFirstConfig(
      tree,
      SINGLE_NAMES.map((name) => joinLocation(theme, name)),
    );
    const params: Record<string, unknown> = Object.create(null);
    mergeInto(params, asRecord(withLowerKeys(said?.value))["params"]);
    mergeInto(params, config["params"]);
    config["params"] = params;
  }
}

const HUGO_KEYS = [
  "baseurl",
  "languagecode",
  "theme",
  "module",
  "markup",
  "languages",
  "params",
  "contentdir",
  "permalinks",
];

/** Other tools have a `config.toml` too: Zola's says `base_url`. */
const isHugo = (config: Readonly<Record<string, unknown>>) =>
  !("base_url" in config) && HUGO_KEYS.some((key) => key in config);

/** A configuration that says nothing, or can't be read, is Hugo's by its name. */
const isNamedForHugo = (tree: DocsTree, root: string) =>
  FORMATS.some((format) => tree.has(joinLocation(root, `hugo.${format}`)));

interface FoundLanguage {
  language: HugoLanguage;
  contentFolder: string;
}

function languagesOf(config: Readonly<Record<string, unknown>>): FoundLanguage[] {
  const folder = asText(config["contentdir"]) ?? "content";
  const wanted = (asText(config["defaultcontentlanguage"]) ?? "en").toLowerCase();
  const disabled = asList(config["disablelanguages"]).map((each) => String(each).toLowerCase());
  const listed = Object.entries(asRecord(config["languages"]))
    .map(([code, said]) => ({ code, said: asRecord(said) }))
    .filter(({ code, said }) => !disabled.includes(code) && said["disabled"] !== true)
    .sort((a, b) => weightIn(a.said) - weightIn(b.said));
  const all = listed.length === 0 ? [{ code: wanted, said: {} }] : listed;
  const main = all.some(({ code }) => code === wanted) ? wanted : all[0]?.code;
  const found = all.map(({ code, said }: { code: string; said: Readonly<Record<string, unknown>> }) => ({
    language: {
      code,
      isDefault: code === main,
      prefix: code === main && config["defaultcontentlanguageinsubdir"] !== true ? "" : code,
      params: { ...asRecord(config["params"]), ...asRecord(said["params"]) },
      title: asText(said["title"]) ?? asText(config["title"]) ?? "",
    },
    contentFolder: asText(said["contentdir"]) ?? folder,
  }));
  return found.sort((a, b) => Number(b.language.isDefault) - Number(a.language.isDefault));
}

/**
 * Where nothing says which folder is of which language, and folders of the content have the languages' names: what says
 * so is made when the site is built.
 */
function inOwnFolders(
  tree: DocsTree,
  root: string,
  config: Readonly<Record<string, unknown>>,
  languages: FoundLanguage[],
  unknowns: Unknown[],
): FoundLanguage[] {
  const [main] = languages;
  if (main === undefined || languages.length < 2) return languages;
  const folder = main.contentFolder;
  const place = resolveLocation(root, folder);
  const isSaid = asList(asRecord(config["module"])["mounts"]).length > 0;
  if (isSaid || place === undefined || languages.some((each) => each.contentFolder !== folder))
    return languages;
  const ownFolder = ({ language }: FoundLanguage) => joinLocation(folder, language.code);
  const isOf = (each: FoundLanguage) =>
    tree.files.some((file) => file.startsWith(`${joinLocation(root, ownFolder(each))}/_index.`));
  const isOutside = /^_index\.(?:[a-z-]+\.)?(?:md|html)$/;
  const hasHome = tree.below(place).some((file) => folderOf(file) === place && isOutside.test(nameOf(file)));
  if (hasHome || !isOf(main)) return languages;
  unknowns.push({
    question: "Which folder of the content is of which language? The configuration does not say it.",
    guess: `the folders that have their names, such as ${ownFolder(main)}`,
  });
  return languages.map((each) => (isOf(each) ? { ...each, contentFolder: ownFolder(each) } : each));
}

const weightIn = (said: Readonly<Record<string, unknown>>) =>
  asNumber(said["weight"]) ?? Number.POSITIVE_INFINITY;

/** Folders that stand for the content by name, or else each language's own folder. */
function mountsOf(
  config: Readonly<Record<string, unknown>>,
  root: string,
  languages: readonly FoundLanguage[],
  unknowns: Unknown[],
): ContentMount[] {
  const [main] = languages;
  const named = asList(asRecord(config["module"])["mounts"]).flatMap((mount) => {
    const { source, target, lang, sites } = asRecord(mount);
    const [, below] = /^\/?content(?:\/(.*))?$/.exec(asText(target) ?? "") ?? [];
    if (typeof source !== "string" || !/^\/?content(?:\/|$)/.test(asText(target) ?? "")) return [];
    const place = resolveLocation(root, source.replace(/^\//, ""));
    if (place === undefined) {
      unknowns.push({
        question: `What is in ${source}? It is mounted into the content, and outside of this source.`,
        guess: "nothing",
      });
      return [];
    }
    const matrix = asList(asRecord(asRecord(sites)["matrix"])["languages"]);
    const [code] = typeof lang === "string" ? [lang] : matrix.flatMap((each) => asText(each) ?? []);
    const language = languages.find((each) => each.language.code === code?.toLowerCase()) ?? main;
    return language === undefined
      ? []
      : [{ source: place, target: below ?? "", language: language.language }];
  });
  if (named.length > 0) return named;
  const folders = new Map<string, HugoLanguage>();
  for (const { language, contentFolder } of languages) {
    const place = resolveLocation(root, contentFolder);
    if (place !== undefined && !folders.has(place)) folders.set(place, language);
  }
  return [...folders].map(([source, language]) => ({ source, target: "", language }));
}

/** The site's folder, and those of its themes that are in the source. */
function layersOf(tree: DocsTree, root: string, config: Readonly<Record<string, unknown>>): string[] {
  const folder = asText(config["themesdir"]) ?? "themes";
  const themes = [config["theme"]].flat().flatMap((theme) => {
    const place = typeof theme === "string" ? resolveLocation(root, `${folder}/${theme}`) : undefined;
    return place !== undefined && tree.below(place).length > 0 ? [place] : [];
  });
  return [root, ...themes];
}

const PATTERN_CHARACTERS_MAX = 200;
/** Repeated groups can take JavaScript very long, which Go's expressions never do. */
const TOO_COSTLY = /\)[*+{]/;

function ignorerOf(patterns: readonly unknown[], unknowns: Unknown[]): (location: string) => boolean {
  const expressions = patterns.flatMap((pattern) => {
    if (typeof pattern !== "string") return [];
    const expression = expressionOf(pattern);
    if (expression === undefined)
      unknowns.push({
        question: `Which files does ignoreFiles mean by ${pattern.slice(0, 80)}?`,
        guess: "none",
      });
    return expression ?? [];
  });
  return (location) => expressions.some((expression) => expression.test(location));
}

function expressionOf(pattern: string): RegExp | undefined {
  if (pattern.length > PATTERN_CHARACTERS_MAX || TOO_COSTLY.test(pattern)) return undefined;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

/** A value of the site's or a page's parameters by its name, which may lead into others: "ui.version". */
export function paramIn(params: unknown, name: string): unknown {
  return name
    .toLowerCase()
    .split(".")
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), params);
}
