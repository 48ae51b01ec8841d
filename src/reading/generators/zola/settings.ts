import { asRecord, asText } from "@docent/kernel/text/json";
import { readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";

/** How addresses or ids are made from words: as slugs, without what a file system forbids, or as they are. */
export type SlugStyle = "on" | "safe" | "off";

export interface ZolaSettings {
  root: string;
  /** The folder of its pages. */
  content: string;
  title: string | undefined;
  /** The path at which the site begins, without slashes around it. */
  base: string;
  /** The main language first. */
  languages: [string, ...string[]];
  paths: SlugStyle;
  anchors: SlugStyle;
  keepsDates: boolean;
  hasDefinitionLists: boolean;
  /** The folders of shortcodes, the site's own before the theme's. */
  shortcodes: string[];
  unknowns: Unknown[];
}

const NAMES = SITE_FILES.zola.marks.flatMap(spelled);

/** The folders that have a configuration with `content` beside it. Hugo's may have the same name. */
export const zolaRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.zola, tree.files);

/** Undefined where the configuration is not Zola's. */
export async function readSettings(tree: DocsTree, root: string): Promise<ZolaSettings | undefined> {
  const config = await readFirstConfig(
    tree,
    NAMES.map((name) => joinLocation(root, name)),
  );
  const value = asRecord(config?.value);
  const isNamed = config !== undefined && nameOf(config.location) === "zola.toml";
  // The one setting that every site has, and that Hugo spells otherwise.
  const url = asText(value["base_url"]);
  if (config === undefined || (url === undefined && !isNamed)) return undefined;
  const slugify = asRecord(value["slugify"]);
  const theme = asText(value["theme"]);
  const main = asText(value["default_language"]) ?? "en";
  const others = Object.keys(asRecord(value["languages"])).filter((code) => code !== main);
  return {
    root,
    content: joinLocation(root, "content"),
    title: asText(value["title"]),
    base: pathOf(url ?? ""),
    languages: [main, ...others],
    paths: styleOf(slugify["paths"]),
    anchors: styleOf(slugify["anchors"]),
    keepsDates: slugify["paths_keep_dates"] === true,
    hasDefinitionLists: asRecord(value["markdown"])["definition_list"] === true,
    shortcodes: [root, ...(theme === undefined ? [] : [joinLocation(root, `themes/${theme}`)])].map(
      (folder) => joinLocation(folder, "templates/shortcodes"),
    ),
    unknowns: config.fault === undefined ? [] : [{ question: config.fault, guess: "the defaults" }],
  };
}

/** The path of an address, which may be that of a host, a path or a mere `/`. */
function pathOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return path.replace(/^\/+|\/+$/g, "");
}

const styleOf = (value: unknown): SlugStyle => (value === "safe" || value === "off" ? value : "on");
