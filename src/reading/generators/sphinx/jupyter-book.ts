import { asList, asNumber, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { MenuEntry } from "../../page/menu.ts";
import { readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";
import { autodocSettings } from "./autodoc.ts";
import type { Toctree } from "./page-facts.ts";
import { readRedirects } from "./redirects.ts";
import { excluder, type SphinxSettings } from "./settings.ts";

/** A book of Jupyter Book 1, which Sphinx builds: its settings, and what its table of contents says. */
export interface Book {
  generator: string;
  settings: SphinxSettings;
  /** By the name of the page below which they stand. */
  toctrees: ReadonlyMap<string, readonly Toctree[]>;
  /** Whether the first page is in the menu. */
  hasHome: boolean;
  /** Whether files without a place in the table of contents are left out. */
  isOnlyListed: boolean;
  /** The addresses of its pages by name, where these are no files' names; others are left out. */
  paths?: ReadonlyMap<string, string>;
  /** The menu, where no lists below pages make it. */
  menu?(titleOf: (name: string) => string | undefined): MenuEntry[];
}

const BOOK_NAMES = SITE_FILES.jupyterBook.marks.flatMap(spelled);

/** What Jupyter Book switches on where a book says nothing. */
const MYST_EXTENSIONS = ["colon_fence", "dollarmath", "linkify", "substitution", "tasklist"];
const UNREAD = ["_build", "**/.ipynb_checkpoints"];

export async function readBook(tree: DocsTree, root: string): Promise<Book | undefined> {
  const toc = await readFirstConfig(
    tree,
    BOOK_NAMES.map((name) => joinLocation(root, name)),
  );
  const read = await readFirstConfig(tree, [joinLocation(root, "_config.yml")]);
  const unknowns: Unknown[] = [];
  for (const file of [toc, read])
    if (file?.fault !== undefined) unknowns.push({ question: file.fault, guess: "the defaults" });
  const list = asRecord(Array.isArray(toc?.value) ? firstOf(toc.value) : toc?.value);
  const rootPage = withoutExtension(asText(list["root"]) ?? asText(list["file"]) ?? "");
  if (rootPage === "") return undefined;
  const toctrees = new Map<string, Toctree[]>();
  addTrees(rootPage, list, toctrees, 0);
  const config = asRecord(read?.value);
  return {
    generator: "Jupyter Book",
    settings: await bookSettings(tree, config, { root, rootPage, unknowns }),
    toctrees,
    hasHome: asRecord(config["html"])["home_page_in_navbar"] !== false,
    isOnlyListed: config["only_build_toc_files"] === true,
  };
}

type Values = Readonly<Record<string, unknown>>;

export async function bookSettings(
  tree: DocsTree,
  config: Values,
  { root, rootPage, unknowns }: Pick<SphinxSettings, "root" | "rootPage" | "unknowns">,
): Promise<SphinxSettings> {
  const sphinx = asRecord(asRecord(config["sphinx"])["config"]);
  const parse = asRecord(config["parse"]);
  const enabled = asList(
    parse["myst_enable_extensions"] ?? sphinx["myst_enable_extensions"] ?? MYST_EXTENSIONS,
  );
  const extra = asList(asRecord(config["sphinx"])["extra_extensions"]);
  const substitutions = asRecord(parse["myst_substitutions"] ?? sphinx["myst_substitutions"]);
  const extensions = new Set(["myst_nb", ...extra.flatMap((each) => asText(each) ?? [])]);
  return {
    root,
    rootPage,
    suffixes: new Map([
      [".md", "myst"],
      [".ipynb", "notebook"],
      [".rst", "rst"],
    ]),
    isExcluded: excluder([
      ...asList(config["exclude_patterns"]),
      ...asList(sphinx["exclude_patterns"]),
      ...UNREAD,
    ]),
    usesFolders: false,
    htmlSuffix: ".html",
    extensions,
    prolog: asText(sphinx["rst_prolog"]) ?? "",
    epilog: asText(sphinx["rst_epilog"]) ?? "",
    defaultRole: asText(sphinx["default_role"]),
    words: new Map(
      Object.entries(substitutions).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [],
      ),
    ),
    extlinks: new Map(),
    autoLabels: "none",
    mystAnchorLevels: asNumber(parse["myst_heading_anchors"] ?? sphinx["myst_heading_anchors"]) ?? 0,
    mystExtensions: new Set(enabled.flatMap((each) => asText(each) ?? [])),
    takesSaidTitles: false,
    usesSmartQuotes: sphinx["smartquotes"] !== false,
    redirects: await readRedirects({ tree, root, usesFolders: false }, sphinx),
    generatesSummaries: true,
    templateFolders: [],
    autodoc: autodocSettings(tree, root, { config: sphinx, extensions }),
    unknowns,
  };
}

/** Before version 0.11 a table of contents was a list, whose first file is at the top. */
const firstOf = ([first, ...others]: readonly unknown[]): Values =>
  isRecord(first) && !isRecord(first["chapters"])
    ? { ...first, chapters: [...asList(first["sections"]), ...others], sections: undefined }
    : {};

const DEEP_MAX = 20;

/** What stands below a page: entries in one list, or in parts with captions. */
function addTrees(name: string, said: Values, toctrees: Map<string, Toctree[]>, depth: number): void {
  if (depth > DEEP_MAX) return;
  const parts = asList(said["parts"] ?? said["subtrees"]).map(asRecord);
  const trees = parts.length > 0 ? parts : [said];
  const made = trees.flatMap((tree): Toctree[] => {
    const entries = asList(tree["chapters"] ?? tree["sections"] ?? tree["entries"]).map(asRecord);
    if (entries.length === 0) return [];
    const caption = tree === said ? undefined : asText(tree["caption"]);
    return treesOf(entries, caption, toctrees, depth);
  });
  if (made.length > 0 && !toctrees.has(name)) toctrees.set(name, made);
}

function treesOf(
  entries: readonly Values[],
  caption: string | undefined,
  toctrees: Map<string, Toctree[]>,
  depth: number,
): Toctree[] {
  const isGlob = entries.some((entry) => entry["glob"] !== undefined);
  const written = entries.flatMap((entry): string[] => {
    const file = asText(entry["file"]);
    const target =
      file === undefined ? (asText(entry["url"]) ?? asText(entry["glob"])) : `/${withoutExtension(file)}`;
    if (target === undefined) return [];
    if (file !== undefined) addTrees(withoutExtension(file), entry, toctrees, depth + 1);
    const title = asText(entry["title"]);
    const place = file === undefined && entry["url"] === undefined ? `/${target}` : target;
    return [title === undefined ? place : `${title} <${place}>`];
  });
  return [{ caption, entries: written, isGlob, isReversed: false, isNumbered: false }];
}

const withoutExtension = (file: string) => file.replace(/^\.?\//, "").replace(/\.(?:md|ipynb|rst|txt)$/, "");
