import { type Finder, finderOf, matcherOf, type Pattern, spelled } from "./name-patterns.ts";
import { sliceBelow } from "./ordered.ts";

/**
 * The names of files by which docs are recognized and configured. The adapters find them by this list, and so does the
 * browser, which sends them of a folder that is dropped: it loads this file, so that no adapter is imported here.
 */

/** The files by which one generator's docs are known. */
export interface SiteFiles {
  /** Those that tell that there may be such docs. */
  marks: readonly Pattern[];
  /** Those that are read as well where there are such docs, beside pages, and what pages and configurations name. */
  reads: readonly Pattern[];
  /** Where in a location the name of a mark begins; undefined where it is none. */
  findMark: Finder;
  /** Whether what is below the root of a mark makes it one: other programs have files of its name. */
  isAmong?: (below: readonly string[]) => boolean;
}

const SCRIPT = "{ts,mts,cts,js,mjs,cjs}";
const DATA = "{json,yml,yaml,toml}";

const siteFiles = (
  marks: readonly Pattern[],
  reads: readonly Pattern[] = [],
  isAmong?: SiteFiles["isAmong"],
): SiteFiles => ({ marks, reads, findMark: finderOf(marks), ...(isAmong === undefined ? {} : { isAmong }) });

const NUMBERED = /^content\/(?:.*\/)?\d+\.[^/]+(?:\/.*)?\.md$/;
/** Where a bundle for Symfony has its docs. */
export const BUNDLE_FOLDERS = [
  "doc",
  "docs",
  "Resources/doc",
  "src/Resources/doc",
  "src/Bundle/Resources/doc",
];

/** Where Outline has what is attached: by the numbers of the person and of the file. */
export const ATTACHED_IN_OUTLINE =
  /(?:^|\/)(?:uploads|public|attachments)\/[0-9a-f-]{36}\/([0-9a-f-]{36})\/([^/]+)$/;

const FUMADOCS_READS = [
  "meta.{json,yml,yaml}",
  "meta.*.{json,yml,yaml}",
  "{lib,app,src}/{i18n,shared}.{ts,tsx,mts,js,mjs}",
  `next.config.${SCRIPT}`,
  "package.json",
];

const NEXTRA_FILES = ["{_meta,_meta.global}.{js,jsx,ts,tsx,json}", "mdx-components.{js,jsx,ts,tsx}"];

const NUXT_READS = [".navigation.{yml,yaml,json}", "_dir.{yml,yaml}", "package.json"];

/** What UnDocs can be configured in. */
const UNDOCS = ["yaml", "yml", "json", "jsonc", "json5", "toml", "ts", "js", "mjs", "mts", "cjs"];

export const SITE_FILES = {
  docusaurus: siteFiles(
    [`docusaurus.config.${SCRIPT}`],
    [
      `sidebars*.${SCRIPT}`,
      "sidebars*.{json,yml,yaml}",
      "{versions,*_versions}.json",
      "{versioned_sidebars,*_versioned_sidebars}/*.json",
      "_category_.{json,yml,yaml}",
      "i18n/**.json",
    ],
  ),
  mkdocs: siteFiles(["zensical.toml", "mkdocs.{yml,yaml}"], [".pages", ".nav.yml", "mkdocs.*.{yml,yaml}"]),
  sphinx: siteFiles(["conf.py"], [".readthedocs.{yaml,yml}", "tox.ini", "noxfile.py", "pyproject.toml"]),
  jupyterBook: siteFiles(["_toc.{yml,yaml}"], ["_config.yml"]),
  myst: siteFiles(["myst.{yml,yaml}"]),
  symfony: siteFiles(["_build/build.php", ".doctor-rst.yaml"], ["_build/redirection_map"]),
  symfonyBundle: siteFiles(["composer.json"], [], (below) =>
    BUNDLE_FOLDERS.some((folder) => below.includes(`${folder}/index.rst`)),
  ),
  mdbook: siteFiles(["{book.toml,SUMMARY.md}"]),
  antora: siteFiles(["antora.yml"], ["{site,*playbook*}.{yml,yaml}"]),
  gitbook: siteFiles(
    ["book.{json,js}", ".gitbook.{yaml,yml}", "SUMMARY.md"],
    [".gitbook/vars.yaml", "package.json"],
  ),
  vitepress: siteFiles(
    [".vitepress/{config/index,config,theme/index}.{js,ts,mjs,mts}"],
    [`.vitepress/config/**.${SCRIPT}`, "*.paths.{js,ts,mjs,mts}"],
  ),
  vuepress: siteFiles(
    [`.vuepress/{config,config/index}.${SCRIPT}`, ".vuepress/config.{yml,yaml,toml}"],
    [`.vuepress/**.${SCRIPT}`, "package.json"],
  ),
  rspress: siteFiles([`rspress.config.${SCRIPT}`], ["{_meta,_nav,i18n,tsconfig,package}.json"]),
  starlight: siteFiles(
    ["astro.config.{mjs,js,ts,mts,cjs,cts}"],
    [`{content.config,content/config}.${SCRIPT}`, `content/i18n/*.${DATA}`, "package.json"],
  ),
  mintlify: siteFiles(["{docs,mint}.json"], [".mintignore"]),
  fumadocs: siteFiles(["source.config.{ts,tsx,mts,js,mjs}"], FUMADOCS_READS),
  fumadocsLoader: siteFiles(
    ["lib/source", "lib/source/index", "app/source", "app/lib/source", "source", "utils/source"].map(
      (place) => `{${place},src/${place}}.{ts,tsx,mts,js,mjs}`,
    ),
    FUMADOCS_READS,
    (below) => below.some((file) => /\.mdx?$/i.test(file)),
  ),
  /** By what only Nextra has below a configuration of Next.js: files for a menu, or its components. */
  nextra: siteFiles(["next.config.{js,mjs,cjs,ts,mts}"], [...NEXTRA_FILES, "package.json"], (below) =>
    below.some(matcherOf(NEXTRA_FILES)),
  ),
  nuxtContent: siteFiles(["{nuxt,content}.config.{ts,js,mjs,mts,cjs}"], NUXT_READS),
  undocs: siteFiles(
    UNDOCS.map((extension) => `{.config/docs,docs.config}.${extension}`),
    NUXT_READS,
  ),
  /** Docus can do without a configuration: it orders pages by numbers. */
  docus: siteFiles(["package.json"], NUXT_READS, (below) => below.some((file) => NUMBERED.test(file))),
  hugo: siteFiles(
    [`{hugo,config}.{toml,yaml,yml,json}`, "config/_default/*.{toml,yaml,yml,json}"],
    [
      "config/production/*.{toml,yaml,yml,json}",
      "{i18n,data}/**.{toml,yaml,yml,json}",
      "layouts/**.{html,md,txt}",
      "go.mod",
    ],
    (below) =>
      below.some((file) => /^(?:content|layouts|archetypes|themes|static)\/|^content\.[^/]*\//.test(file)),
  ),
  zola: siteFiles(["{zola,config}.toml"], ["templates/shortcodes/**.{html,md}"], (below) =>
    below.some((file) => /^content\/.*\.md$/.test(file)),
  ),
  jekyll: siteFiles(
    ["_config.{yml,yaml,toml}"],
    ["Gemfile", "_data/**.{yml,yaml,json}", "{_includes,_layouts}/**.{html,md,liquid}", "_plugins/*.rb"],
  ),
  hexo: siteFiles(
    ["_config.{yml,yaml}"],
    ["package.json", "source/_data/*.{yml,yaml,json}", "themes/*/languages/*.{yml,yaml,json,js}"],
    (below) => below.includes("package.json"),
  ),
  quarto: siteFiles(
    ["_quarto.{yml,yaml}"],
    ["_quarto-*.{yml,yaml}", "{_variables,_metadata,nbdev,sidebar}.yml", "settings.ini"],
  ),
  bookdown: siteFiles(["_bookdown.yml", "_output.yml"]),
  docfx: siteFiles(["docfx.json"], ["toc.yml"]),
  exdoc: siteFiles(["mix.exs"], ["*.{livemd,cheatmd}", "LICENSE"]),
  eleventy: siteFiles(
    [".eleventy.{js,cjs}", "eleventy.config.{js,mjs,cjs,ts,mts}"],
    [
      ".eleventyignore",
      "*.11tydata.{json,js,cjs,mjs}",
      "@/@.json",
      "{_data,data}/*.{json,yml,yaml,js,cjs,mjs}",
      "*.{njk,liquid}",
      "package.json",
    ],
  ),
  confluenceXml: siteFiles(
    ["entities.xml"],
    ["exportDescriptor.properties", "attachments/*/*/*"],
    (below) =>
      below.includes("exportDescriptor.properties") ||
      below.every((file) => !/\.(?:md|mdx|rst|adoc|html?)$/i.test(file)),
  ),
  bookstack: siteFiles(["data.json"], ["files/*"], (below) =>
    below.every((file) => file === "data.json" || file.startsWith("files/")),
  ),
  outline: siteFiles(["metadata.json"], ["*.json", "uploads/**"], (below) => {
    const own = below.filter((file) => !ATTACHED_IN_OUTLINE.test(file));
    return own.length > 1 && own.every((file) => !file.includes("/") && file.endsWith(".json"));
  }),
  /** By what it keeps beside its pages. */
  dokuwiki: siteFiles(["pages/**.txt"], ["meta/start.meta"], (below) =>
    below.some((file) => /^(?:meta|media|attic|media_meta|media_attic|index)\//.test(file)),
  ),
  /** The whole of it, with the rights of its readers. */
  dokuwikiFolder: siteFiles(["data/pages/**.txt"], ["conf/{acl.auth,local}.php", "doku.php"], (below) =>
    below.some((file) => /^conf\/(?:acl\.auth|local)\.php$/.test(file)),
  ),
  xwiki: siteFiles(["WebHome.xml", "WebHome.*.xml"], ["package.xml"]),
  xwikiPackage: siteFiles(["*.xar"]),
} satisfies Readonly<Record<string, SiteFiles>>;

/** What counts for the docs of any generator: whom they are for, what was asked of them, and where they were before. */
const FOR_ALL: readonly Pattern[] = [
  "_access.{yml,yaml}",
  ".docent/questions.jsonl",
  "_redirects",
  "netlify.toml",
  "vercel.json",
];

/** How files begin that are known by what they say alone: playbooks, dumps of wikis, and pages that are data. */
export const BEGINNINGS: readonly { name: RegExp; says: RegExp }[] = [
  { name: /\.ya?ml$/i, says: /^content:[ \t]*(?:\{[ \t]*|\r?\n(?:(?:[ \t#-].*)?\r?\n)*?[ \t]+)sources:/m },
  { name: /source[^/]*\.m?[jt]sx?$/i, says: /["']fumadocs-core\/source["']/ },
  { name: /(?:^|\/)config\.m?[jt]s$/, says: /\b(?:defineAdditionalConfig|themeConfig)\b/ },
  { name: /\.xml$/i, says: /<(?:mediawiki|xwikidoc)[\s>]/ },
  { name: /\.yml$/i, says: /^\uFEFF?#+\s*YamlMime:/ },
];

/** A file that holds many pages, or what is attached to one, and may be as large as a document. */
export const HOLDS_MANY_PAGES =
  /\.(?:xml|xar|dbk|docbook|sgml)$|(?:^|\/)data\.json$|(?:^|\/)attachments\/\d+\/\d+\/\d+$/i;

const isBelow = (location: string, folder: string) => folder === "" || location.startsWith(`${folder}/`);

/** The folders whose files look like a generator's, each once. The locations are ordered; `marked` has all marks of them. */
export function rootsIn(
  { findMark, isAmong }: SiteFiles,
  ordered: readonly string[],
  marked: readonly string[] = ordered,
): string[] {
  const roots = marked.flatMap((location) => {
    const at = findMark(location);
    return at === undefined ? [] : [location.slice(0, Math.max(0, at - 1))];
  });
  return [...new Set(roots)].filter(
    (root) => isAmong === undefined || isAmong(locationsBelow(ordered, root)),
  );
}

/** The files below a folder, as they are said from there. */
const locationsBelow = (ordered: readonly string[], folder: string) =>
  folder === ""
    ? ordered
    : sliceBelow(ordered, `${folder}/`).map((location) => location.slice(folder.length + 1));

/** Says which of a source's files its docs are recognized and configured by, beside the pages. */
export function configurationIn(locations: readonly string[]): (location: string) => boolean {
  const ordered = locations.toSorted();
  const all = Object.values<SiteFiles>(SITE_FILES);
  const marked = ordered.filter(matcherOf(all.flatMap(({ marks }) => marks)));
  const anywhere = [...FOR_ALL];
  const within: { roots: readonly string[]; isOne: (location: string) => boolean }[] = [];
  for (const files of all) {
    const roots = rootsIn(files, ordered, marked);
    const patterns = [...files.marks, ...files.reads];
    if (roots.length === 0) continue;
    if (files.isAmong === undefined) anywhere.push(...patterns);
    else within.push({ roots, isOne: matcherOf(patterns) });
  }
  const isAnywhere = matcherOf(anywhere);
  return (location) =>
    isAnywhere(location) ||
    within.some(({ roots, isOne }) => isOne(location) && roots.some((root) => isBelow(location, root)));
}

/** The names that begin with a dot, and that are docs' own all the same. */
const DOT_NAMES: ReadonlySet<string> = new Set(
  [
    ...FOR_ALL,
    ...Object.values<SiteFiles>(SITE_FILES).flatMap(({ marks, reads }) => [...marks, ...reads]),
  ].flatMap((pattern) =>
    spelled(pattern).flatMap((place) => place.split("/").filter((name) => name.startsWith("."))),
  ),
);

/** Whether a file or folder is one of docs although its name begins with a dot. */
export const isConfigurationName = (name: string) => DOT_NAMES.has(name);

/** Whether a file or folder is not for readers by its name alone, and not worth a word. */
export const isPrivateName = (name: string) =>
  name.startsWith(".") || name === "node_modules" || name === "__MACOSX";
