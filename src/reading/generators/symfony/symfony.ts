import { asRecord, jsonIn } from "@docent/kernel/text/json";
import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { BUNDLE_FOLDERS, rootsIn, SITE_FILES } from "../site-files.ts";
import { autodocSettings, excluder, movesIn, openSite, type SphinxSettings } from "../sphinx/sphinx.ts";

/** Symfony's builder of reStructuredText: its own docs, and those of its bundles, which it publishes beside them. */
export const symfony: GeneratorAdapter = {
  name: "Symfony",
  roots: rootsOf,
  async open(tree, root) {
    if (!(await isBuilt(tree, root))) return undefined;
    return openSite(tree, await settingsOf(tree, root), undefined, "Symfony");
  },
};

const BUILD = "_build/build.php";
function rootsOf(tree: DocsTree): string[] {
  const bundles = rootsIn(SITE_FILES.symfonyBundle, tree.files);
  const inBundles = bundles.flatMap((folder) => BUNDLE_FOLDERS.map((each) => joinLocation(folder, each)));
  return holdsPages(tree, [...new Set([...rootsIn(SITE_FILES.symfony, tree.files), ...inBundles])]);
}

const holdsPages = (tree: DocsTree, folders: readonly string[]) =>
  folders.filter(
    (folder) => tree.has(joinLocation(folder, "index.rst")) && !tree.has(joinLocation(folder, "conf.py")),
  );

/** Whether the builder makes the pages of a folder: its own docs have a program for it, and a bundle says that it is one. */
async function isBuilt(tree: DocsTree, root: string): Promise<boolean> {
  const build = (await tree.text(joinLocation(root, BUILD))) ?? "";
  if (build.includes("SymfonyDocsBuilder")) return true;
  for (let folder = root; folder !== ""; ) {
    folder = folderOf(folder);
    const text = await tree.text(joinLocation(folder, "composer.json"));
    if (text !== undefined) return asRecord(jsonIn(text))["type"] === "symfony-bundle";
  }
  return false;
}

async function settingsOf(tree: DocsTree, root: string): Promise<SphinxSettings> {
  const nothing = { config: {}, extensions: new Set<string>() };
  return {
    root,
    rootPage: "index",
    suffixes: new Map([[".rst", "rst"]]),
    isExcluded: excluder(["_build", "_includes", ".github"]),
    usesFolders: false,
    htmlSuffix: ".html",
    keepsIndex: true,
    headingIds: "words",
    nameIn: phpName,
    extensions: nothing.extensions,
    prolog: "",
    epilog: "",
    defaultRole: undefined,
    words: new Map(),
    extlinks: new Map(),
    autoLabels: "none",
    mystAnchorLevels: 0,
    mystExtensions: new Set(),
    takesSaidTitles: false,
    usesSmartQuotes: false,
    autodoc: autodocSettings(tree, root, nothing),
    redirects: redirectsIn((await tree.text(joinLocation(root, "_build/redirection_map"))) ?? ""),
    generatesSummaries: false,
    templateFolders: [],
    unknowns: [],
  };
}

/** Old names of pages with the new ones, a pair a line. */
const redirectsIn = (text: string): DocsSite["redirects"] =>
  movesIn(text).flatMap(([from, to]) =>
    to.startsWith("/") ? [{ from: `${from.replace(/^\//, "")}.html`, to: addressOf(to) }] : [],
  );

function addressOf(name: string): string {
  const [, page = name, anchor = ""] = /^([^#]*)(#.*)?$/.exec(name) ?? [];
  return (page === "/index" ? "/" : `${page}.html`) + anchor;
}

/** A name of PHP without its namespace, and a call. */
function phpName(role: string, written: string): string | undefined {
  const kind = /^(?:php)?(class|method|function|namespace)$/.exec(role)?.[1];
  if (kind === undefined) return undefined;
  const name = written.replaceAll("\\\\", "\\");
  if (role === "phpmethod") return `${name}()`;
  const last = (kind === "method" ? name.split("::").at(-1) : name.split("\\").at(-1)) ?? name;
  return kind === "method" || kind === "function" ? `${last}()` : last;
}
