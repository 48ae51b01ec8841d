import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askOfFolder,
  askOfPrograms,
  ignoreMatcher,
  type PathMatcher,
  readFirstConfig,
} from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { createPythonSources, type PythonSources, usualFolders } from "../python-api/python-api.ts";
import { SITE_FILES } from "../site-files.ts";
import { slugifyOf } from "./heading-names.ts";
import { type TabIds, tabIdsOf } from "./tab-ids.ts";

type Options = Readonly<Record<string, unknown>>;

/** What of a configuration says where pages are, where they are published, and how they are written. */
export interface MkDocsSettings {
  /** The folder of the configuration. */
  root: string;
  isZensical: boolean;
  siteName: string;
  /** The path of the site's address, which links may be written with: "/docs/". */
  base: string;
  docsFolder: string;
  /** Whether `a.md` is published as `a/`, and not as `a.html`. */
  usesFolders: boolean;
  /** Undefined where the menu is made from the folders. */
  nav: unknown;
  isExcluded: PathMatcher;
  isDraft: PathMatcher;
  isOutOfMenu: PathMatcher;
  isMaterial: boolean;
  /** What the theme is asked for: "navigation.indexes". */
  features: ReadonlySet<string>;
  plugins: ReadonlyMap<string, Options>;
  extensions: ReadonlyMap<string, Options>;
  /** How ids are made of the words of headings. */
  slugify: (words: string) => string;
  /** How tabs are told to make ids of their labels; undefined where they only have numbers. */
  tabs: TabIds | undefined;
  /** The programs that pages describe; undefined where they describe none. */
  programs: PythonSources | undefined;
  /** The configuration's own values, for macros. */
  config: Options;
  unknowns: Unknown[];
}

const CONFIG_NAMES = SITE_FILES.mkdocs.marks.flatMap(spelled);
const INHERITS_MAX = 10;

export async function readSettings(tree: DocsTree, root: string): Promise<MkDocsSettings | undefined> {
  const location = CONFIG_NAMES.map((name) => joinLocation(root, name)).find((each) => tree.has(each));
  if (location === undefined) return undefined;
  const unknowns: Unknown[] = [];
  const read = await readWhole(tree, location, unknowns, 0);
  const isZensical = location.endsWith(".toml");
  const config = isZensical ? asRecord(read["project"]) : read;
  const theme = asRecord(config["theme"]);
  const themeName = asText(theme["name"]) ?? asText(config["theme"]) ?? (isZensical ? "material" : "mkdocs");
  const extensions = usesOf(config["markdown_extensions"]);
  const plugins = pluginsIn(config["plugins"]);
  const settings: MkDocsSettings = {
    root,
    slugify: slugifyOf(extensions.get("toc") ?? {}, unknowns),
    tabs: tabIdsOf(
      extensions.get("pymdownx.tabbed") ?? extensions.get("pymdownx.blocks.tab") ?? {},
      unknowns,
    ),
    programs: programsOf(tree, root, plugins.get("mkdocstrings") ?? extensions.get("mkautodoc")),
    isZensical,
    siteName: asText(config["site_name"]) ?? "",
    base: baseOf(config["site_url"]),
    docsFolder: placeIn(root, asText(config["docs_dir"]) ?? "docs"),
    usesFolders: config["use_directory_urls"] !== false,
    nav: Array.isArray(config["nav"]) || isRecord(config["nav"]) ? config["nav"] : undefined,
    isExcluded: ignoreMatcher([...linesOf(config["exclude_docs"]), ...globsOf(plugins.get("exclude"))]),
    isDraft: ignoreMatcher(asText(config["draft_docs"]) ?? ""),
    isOutOfMenu: ignoreMatcher(asText(config["not_in_nav"]) ?? ""),
    isMaterial: themeName === "material",
    features: new Set(asList(theme["features"]).flatMap((each) => asText(each) ?? [])),
    plugins,
    extensions: isZensical && extensions.size === 0 ? ZENSICAL_EXTENSIONS : extensions,
    config,
    unknowns,
  };
  unknowns.push(...unknownsOf(settings));
  return settings;
}

/** A configuration with those that it builds on. */
async function readWhole(
  tree: DocsTree,
  location: string,
  unknowns: Unknown[],
  depth: number,
): Promise<Options> {
  const file = await readFirstConfig(tree, [location]);
  if (file?.fault !== undefined) unknowns.push({ question: file.fault, guess: "the defaults" });
  const own = asRecord(file?.value);
  const parent = asText(own["INHERIT"]);
  const place = parent === undefined ? undefined : resolveLocation(folderOf(location), parent);
  if (parent === undefined || depth >= INHERITS_MAX) return own;
  if (place === undefined || !tree.has(place)) {
    unknowns.push({
      question: `What is in ${parent}? ${location} builds on it, and it is not in this source.`,
      guess: "nothing",
    });
    return own;
  }
  return merged(await readWhole(tree, place, unknowns, depth + 1), own, 0);
}

function merged(below: Options, above: Options, depth: number): Options {
  const made: Record<string, unknown> = Object.assign(Object.create(null), below);
  for (const [name, value] of Object.entries(above)) {
    const inherited = made[name];
    made[name] =
      isRecord(value) && isRecord(inherited) && depth < INHERITS_MAX
        ? merged(inherited, value, depth + 1)
        : value;
  }
  return made;
}

/** Where the programs are that the plugin `mkdocstrings` describes. */
function programsOf(tree: DocsTree, root: string, plugin: Options | undefined): PythonSources | undefined {
  if (plugin === undefined) return undefined;
  const paths = asList(asRecord(asRecord(plugin["handlers"])["python"])["paths"]);
  const folders = paths.flatMap((each) => resolveLocation(root, asText(each) ?? "") ?? []);
  return createPythonSources(tree, [...folders, ...usualFolders(root)]);
}

/** A folder of the source; one outside of it has no files. */
const placeIn = (root: string, written: string) => resolveLocation(root, written) ?? "..";

const linesOf = (patterns: unknown) => (asText(patterns) ?? "").split("\n");

/** What the plugin `exclude` leaves out. */
const globsOf = (options: Options | undefined) =>
  [options?.["glob"]].flat().flatMap((each) => (typeof each === "string" ? [`/${each}`] : []));

function baseOf(siteUrl: unknown): string {
  const path = URL.parse(asText(siteUrl) ?? "")?.pathname ?? "/";
  return path.endsWith("/") ? path : `${path}/`;
}

/** Without a list there are those of the theme. */
const pluginsIn = (value: unknown) => usesOf(value ?? ["search"]);

/** Plugins and extensions: `- name`, `- name: {options}`, or an object of them. */
function usesOf(value: unknown): ReadonlyMap<string, Options> {
  const used = new Map<string, Options>();
  const list = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
  for (const use of list) {
    if (typeof use === "string") used.set(bareName(use), {});
    else
      for (const [name, options] of nestedUses(asRecord(use), ""))
        if (options["enabled"] !== false) used.set(bareName(name), options);
  }
  return used;
}

/** TOML nests the names at their dots: `[project.markdown_extensions.pymdownx.tabbed]`. */
function nestedUses(uses: Options, above: string): [string, Options][] {
  return Object.entries(uses).flatMap(([name, options]): [string, Options][] =>
    ["pymdownx", "zensical", "extensions", "markdown", "blocks"].includes(name) && isRecord(options)
      ? nestedUses(options, `${above}${name}.`)
      : [[`${above}${name}`, asRecord(options)]],
  );
}

/** `markdown.extensions.toc` is `toc`, and `material/blog` is `blog`. */
const bareName = (name: string) =>
  name.replace(/^markdown\.extensions\.|^material\/|^material\.plugins\./, "");

/** What Zensical switches on by itself. */
const ZENSICAL_EXTENSIONS: ReadonlyMap<string, Options> = new Map(
  (
    "abbr admonition attr_list def_list footnotes md_in_html toc pymdownx.arithmatex pymdownx.betterem pymdownx.caret " +
    "pymdownx.details pymdownx.emoji pymdownx.highlight pymdownx.inlinehilite pymdownx.keys pymdownx.magiclink " +
    "pymdownx.mark pymdownx.smartsymbols pymdownx.superfences pymdownx.tabbed pymdownx.tasklist pymdownx.tilde"
  )
    .split(" ")
    .map((name) => [name, {}]),
);

const KNOWN_EXTENSIONS =
  /^(?:pymdownx|markdown|markdown_include|mkautodoc|material|zensical|mkdocs|mkdocstrings|mkdocs_autorefs|mkdocs-click|mdx_\w+)(?:\.|$)/;

/** Whether an extension of Markdown is none that many sites have, but a module of the repository's own. */
const isOwnExtension = (name: string) => name.includes(".") && !KNOWN_EXTENSIONS.test(name);

/** What a run would tell and the files don't. */
function unknownsOf({ config, plugins, extensions, root }: MkDocsSettings): Unknown[] {
  const unknowns: Unknown[] = [];
  const hooks = asList(config["hooks"]).flatMap((each) => asText(each) ?? []);
  if (hooks.length > 0)
    unknowns.push({
      question: `What do hooks change of addresses and the menu? Programs are not run: ${hooks.join(", ")}.`,
      guess: "no",
    });
  const madeBy = ["gen-files", "gen_files", "mkdocs-simple-hooks"].filter((name) => plugins.has(name));
  if (madeBy.length > 0)
    unknowns.push({
      question: `Which pages does ${madeBy.join(", ")} make? They are written by a program, which is not run.`,
      guess: "none",
    });
  unknowns.push(...askOfPrograms([...extensions.keys()].filter(isOwnExtension)));
  const place = asText(config["docs_dir"]);
  if (place !== undefined && resolveLocation(root, place) === undefined)
    unknowns.push(askOfFolder(place, "nowhere"));
  return unknowns;
}
