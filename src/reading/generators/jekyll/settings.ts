import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { askOfFolder, askOfHeadingIds, askOfPrograms, readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";

/** Pages that stand in a folder of their own, `_docs`. */
export interface JekyllCollection {
  name: string;
  /** Where it is in the source. */
  folder: string;
  permalink: string | undefined;
}

/** Front matter for the pages of a folder. */
interface JekyllDefaults {
  path: string;
  type: string;
  values: Readonly<Record<string, unknown>>;
}

export interface JekyllSettings {
  root: string;
  /** The folder of its pages. */
  source: string;
  /** All of the configuration, which pages name as `site.x`. */
  site: Readonly<Record<string, unknown>>;
  base: string;
  permalink: string;
  /** What the collection of posts says. */
  postPermalink: string | undefined;
  /** By which the days of posts are told. */
  timeZone: string | undefined;
  collections: JekyllCollection[];
  defaults: JekyllDefaults[];
  exclude: string[];
  include: string[];
  showsDrafts: boolean;
  showsUnpublished: boolean;
  showsFuture: boolean;
  headingIds: "GFM" | "kramdown" | "none";
  isKramdown: boolean;
  /** Whether files without front matter are pages, and README stands for its folder, as on GitHub Pages. */
  isOnGitHub: boolean;
  unknowns: Unknown[];
}

const NAMES = SITE_FILES.jekyll.marks.flatMap(spelled);
const EXCLUDED = [
  ".sass-cache",
  ".jekyll-cache",
  "gemfiles",
  "Gemfile",
  "Gemfile.lock",
  "node_modules",
  "vendor/bundle/",
  "vendor/cache/",
  "vendor/gems/",
  "vendor/ruby/",
];

/** A site has one of these beside its configuration: GitHub shows a repository's README with a configuration alone. */
const BESIDE = [
  "index.md",
  "index.html",
  "index.markdown",
  "Gemfile",
  "_layouts",
  "_includes",
  "_posts",
  "_data",
];

/** The folders with a configuration. Jupyter Book has one of the same name, beside a `_toc.yml`. */
export function jekyllRoots(tree: DocsTree): string[] {
  const isSite = (root: string) =>
    !tree.has(joinLocation(root, "_toc.yml")) &&
    BESIDE.some(
      (name) => tree.has(joinLocation(root, name)) || tree.below(joinLocation(root, name)).length > 0,
    );
  return rootsIn(SITE_FILES.jekyll, tree.files).filter(isSite);
}

export async function readSettings(tree: DocsTree, root: string): Promise<JekyllSettings | undefined> {
  const config = await readFirstConfig(
    tree,
    NAMES.map((name) => joinLocation(root, name)),
  );
  if (config === undefined) return undefined;
  const unknowns: Unknown[] =
    config.fault === undefined ? [] : [{ question: config.fault, guess: "the defaults" }];
  const site = asRecord(config.value);
  const written = asText(site["source"]) ?? "";
  const source = resolveLocation(root, written) ?? root;
  if (resolveLocation(root, written) === undefined)
    unknowns.push(askOfFolder(written, "beside the configuration"));
  const kramdown = asRecord(site["kramdown"]);
  const programs = tree.below(joinLocation(source, "_plugins")).filter((file) => file.endsWith(".rb"));
  unknowns.push(...askOfPrograms(programs));
  const processor = asText(site["markdown"]) ?? "kramdown";
  if (!/^kramdown$|^CommonMark/i.test(processor)) unknowns.push(...askOfHeadingIds(processor, processor));
  const isOnGitHub = await isGitHubPages(tree, root, site);
  return {
    root,
    source,
    site,
    base: trimmed(asText(site["baseurl"]) ?? ""),
    permalink: asText(site["permalink"]) ?? "date",
    postPermalink: asText(asRecord(asRecord(site["collections"])["posts"])["permalink"]),
    timeZone: timeZoneIn(asText(site["timezone"])),
    collections: collectionsOf(site, source),
    defaults: defaultsOf(site),
    exclude: [...EXCLUDED, ...textsIn(site["exclude"])],
    include: [".htaccess", ...textsIn(site["include"])],
    showsDrafts: site["show_drafts"] === true,
    showsUnpublished: site["unpublished"] === true,
    showsFuture: site["future"] === true,
    headingIds:
      kramdown["auto_ids"] === false ? "none" : kramdown["input"] === "kramdown" ? "kramdown" : "GFM",
    isKramdown: /^kramdown$/i.test(processor),
    isOnGitHub,
    unknowns,
  };
}

/** A time zone that is known here. */
function timeZoneIn(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Without a list of packages, or with GitHub's, GitHub builds the site, with plugins that it adds. */
async function isGitHubPages(
  tree: DocsTree,
  root: string,
  site: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const gems = await tree.text(joinLocation(root, "Gemfile"));
  const plugins = [...textsIn(site["plugins"]), ...textsIn(site["gems"])];
  if (plugins.includes("jekyll-optional-front-matter") || plugins.includes("jekyll-readme-index"))
    return true;
  return gems === undefined ? true : /^\s*gem\s+["']github-pages["']/m.test(gems);
}

function collectionsOf(site: Readonly<Record<string, unknown>>, source: string): JekyllCollection[] {
  const { collections } = site;
  const folder = resolveLocation(source, asText(site["collections_dir"]) ?? "") ?? source;
  const listed = Array.isArray(collections)
    ? textsIn(collections).map((name) => ({ name, said: {} }))
    : Object.entries(asRecord(collections)).map(([name, said]) => ({ name, said: asRecord(said) }));
  return listed
    .filter(({ name, said }) => name !== "posts" && asRecord(said)["output"] === true)
    .map(({ name, said }) => ({
      name,
      folder: joinLocation(folder, `_${name}`),
      permalink: asText(asRecord(said)["permalink"]),
    }));
}

const defaultsOf = (site: Readonly<Record<string, unknown>>): JekyllDefaults[] =>
  asList(site["defaults"])
    .filter(isRecord)
    .map(({ scope, values }) => ({
      path: trimmed(asText(asRecord(scope)["path"]) ?? ""),
      type: asText(asRecord(scope)["type"]) ?? "",
      values: asRecord(values),
    }));

export const textsIn = (value: unknown): string[] =>
  (typeof value === "string" ? [value] : asList(value)).flatMap((each) => asText(each) ?? []);

export const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, "");
