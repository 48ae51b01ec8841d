import { asList, asNumber, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askedOf,
  askedText,
  askOfHeadingIds,
  askOfPrograms,
  type Inquiry,
  knownIn,
  readPythonModule,
} from "../config/config.ts";
import type { DocsSite, Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { type AutodocSettings, autodocSettings } from "./autodoc.ts";
import type { HeadingIds } from "./page-facts.ts";
import { readRedirects } from "./redirects.ts";

export interface SphinxSettings {
  root: string;
  /** The page at the top: "index". */
  rootPage: string;
  /** Extensions of page files, in the order in which they are looked for, with what they are written in. */
  suffixes: ReadonlyMap<string, "rst" | "myst" | "notebook">;
  isExcluded: (path: string) => boolean;
  /** Whether `a` is published as `a/`, and not as `a.html`. */
  usesFolders: boolean;
  htmlSuffix: string;
  /** Whether the index of a folder below the root is published as `a/index.html`, and only so. */
  keepsIndex?: boolean;
  /** How headings get their ids: as docutils gives them, where nothing is said. */
  headingIds?: HeadingIds;
  /** What a builder's own role shows of a program's name, which has no place in the docs; undefined for other roles. */
  nameIn?: (role: string, written: string) => string | undefined;
  extensions: ReadonlySet<string>;
  /** What stands above and below each page of reStructuredText. */
  prolog: string;
  epilog: string;
  defaultRole: string | undefined;
  /** `|version|` and the like, and the substitutions of MyST. */
  words: ReadonlyMap<string, string>;
  /** Roles for links: an address with `%s`, and the words with it. */
  extlinks: ReadonlyMap<string, { address: string; words: string | undefined }>;
  autoLabels: "none" | "plain" | "by page";
  /** To which level headings of MyST have a second, GitHub-like id. */
  mystAnchorLevels: number;
  mystExtensions: ReadonlySet<string>;
  /** Whether a title in the front matter is the page's. */
  takesSaidTitles: boolean;
  usesSmartQuotes: boolean;
  autodoc: AutodocSettings;
  redirects: DocsSite["redirects"];
  /** Whether `autosummary` writes pages. */
  generatesSummaries: boolean;
  /** Folders of templates, below the root. */
  templateFolders: string[];
  unknowns: Unknown[];
}

export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers"> = {},
): Promise<SphinxSettings | undefined> {
  const location = joinLocation(root, "conf.py");
  const text = await tree.text(location);
  if (text === undefined) return undefined;
  const config = readPythonModule(text);
  // Other tools have a `conf.py` too.
  if (!/\b(?:sphinx|html_theme|exclude_patterns|master_doc|root_doc|source_suffix|myst_\w+)\b/i.test(text))
    return undefined;
  const unknowns: Unknown[] = [];
  const known = (name: string, guess: string): unknown =>
    knownIn(config[name], ({ source }) =>
      unknowns.push({ question: `What is ${name}? ${location} computes it: ${source.trim()}`, guess }),
    );
  const extensions = new Set(asList(known("extensions", "none")).flatMap((each) => asText(each) ?? []));
  const version = asText(known("version", "nothing")) ?? "";
  const words = wordsIn(config, version);
  const inquiry = { unknowns, answers };
  const usesFolders = askForFolders(await builderOf(tree, root), inquiry);
  unknowns.push(
    ...askOfMadePages(extensions),
    ...askOfHeadingIds("myst_heading_slug_func", config["myst_heading_slug_func"]),
  );
  if (/\.connect\(\s{0,20}["'](?:source-read|include-read|doctree-read|doctree-resolved)["']/.test(text))
    unknowns.push(...askOfPrograms([`the functions that ${location} connects`]));
  return {
    root,
    rootPage: asText(config["root_doc"]) ?? asText(config["master_doc"]) ?? "index",
    suffixes: suffixesOf(known("source_suffix", ".rst"), extensions),
    isExcluded: excluder([
      ...asList(known("exclude_patterns", "none")),
      // Templates and what is copied as it is are never looked through for pages.
      ...["templates_path", "html_static_path", "html_extra_path"].flatMap((name) => asList(config[name])),
    ]),
    usesFolders,
    htmlSuffix: askedText(inquiry, config["html_file_suffix"], { name: "html_file_suffix", usual: ".html" }),
    extensions,
    prolog: asText(known("rst_prolog", "nothing")) ?? "",
    epilog: asText(known("rst_epilog", "nothing")) ?? "",
    defaultRole: asText(config["default_role"]),
    words,
    extlinks: extlinksIn(config),
    autoLabels: autoLabelsOf(config, extensions),
    mystAnchorLevels: asNumber(config["myst_heading_anchors"]) ?? 0,
    mystExtensions: new Set(asList(config["myst_enable_extensions"]).flatMap((each) => asText(each) ?? [])),
    takesSaidTitles: false,
    usesSmartQuotes: config["smartquotes"] !== false,
    generatesSummaries: config["autosummary_generate"] !== false,
    templateFolders: asList(config["templates_path"]).flatMap((each) => asText(each) ?? []),
    autodoc: autodocSettings(tree, root, { config, extensions }),
    redirects: await readRedirects({ tree, root, usesFolders }, config),
    unknowns,
  };
}

function autoLabelsOf(
  config: Readonly<Record<string, unknown>>,
  extensions: ReadonlySet<string>,
): SphinxSettings["autoLabels"] {
  if (!extensions.has("sphinx.ext.autosectionlabel")) return "none";
  return config["autosectionlabel_prefix_document"] === true ? "by page" : "plain";
}

/** What pages may write for words of the configuration. */
function wordsIn(config: Readonly<Record<string, unknown>>, version: string): Map<string, string> {
  const words = new Map([
    ["version", version],
    ["release", asText(config["release"]) ?? version],
    ["project", asText(config["project"]) ?? ""],
  ]);
  for (const [name, value] of Object.entries(asRecord(config["myst_substitutions"])))
    if (typeof value === "string" || typeof value === "number") words.set(name, String(value));
  return words;
}

function extlinksIn(config: Readonly<Record<string, unknown>>): SphinxSettings["extlinks"] {
  const links = Object.entries(asRecord(config["extlinks"])).flatMap(([name, value]) => {
    const [address, shown] = asList(value);
    return typeof address === "string" ? [[name, { address, words: asText(shown) }] as const] : [];
  });
  return new Map(links);
}

/** Whether each page is a folder: only the command line that runs Sphinx says so. */
function askForFolders(builder: { usesFolders: boolean; isSaid: boolean }, inquiry: Inquiry): boolean {
  if (builder.isSaid) return builder.usesFolders;
  const question =
    "Which builder makes the site: html (pages end in .html) or dirhtml (each is a folder)? Sphinx is told on its command line.";
  const guess = builder.usesFolders ? "dirhtml" : "html";
  return askedOf(inquiry, { name: "builder", question, guess }) === "dirhtml";
}

function askOfMadePages(extensions: ReadonlySet<string>): Unknown[] {
  const made = [...extensions].filter((name) => /autoapi|autodoc2|apidoc|gallery|breathe|exhale/.test(name));
  const question = `Which pages does ${made.join(", ")} make? They are made from programs, which are not run.`;
  return made.length === 0 ? [] : [{ question, guess: "none" }];
}

const MYST = ["myst_parser", "myst_nb", "recommonmark", "m2r", "m2r2", "sphinx_mdinclude"];

function suffixesOf(value: unknown, extensions: ReadonlySet<string>): SphinxSettings["suffixes"] {
  const suffixes = new Map<string, "rst" | "myst" | "notebook">();
  const readsMarkdown = MYST.some((name) => extensions.has(name));
  const given: [string, string][] =
    typeof value === "string"
      ? [[value, ""]]
      : isRecord(value)
        ? Object.entries(value).map(([suffix, kind]) => [suffix, asText(kind) ?? ""])
        : asList(value).flatMap((each): [string, string][] => (typeof each === "string" ? [[each, ""]] : []));
  for (const [suffix, kind] of given.length === 0 ? [[".rst", ""] as const] : given) {
    if (/notebook|myst-nb/.test(kind) && suffix === ".ipynb") suffixes.set(suffix, "notebook");
    else suffixes.set(suffix, /markdown|myst/.test(kind) || suffix === ".md" ? "myst" : "rst");
  }
  // The extension adds its own where nobody else did.
  if (readsMarkdown && !suffixes.has(".md")) suffixes.set(".md", "myst");
  if (extensions.has("nbsphinx") || extensions.has("myst_nb")) suffixes.set(".ipynb", "notebook");
  return suffixes;
}

/** Sphinx's patterns: `*` stays in a folder, `**` does not, and a folder's name leaves out what is in it. */
export function excluder(patterns: readonly unknown[]): (path: string) => boolean {
  const globs = patterns.slice(0, 2_000).flatMap((pattern) => {
    const written = asText(pattern)?.replace(/^\.\/(?=.)|\/$/g, "");
    return written && written !== "." ? [new Bun.Glob(written), new Bun.Glob(`${written}/**`)] : [];
  });
  return (path) => globs.some((glob) => glob.match(path));
}

/** What files that start builds say of the builder. */
async function builderOf(tree: DocsTree, root: string): Promise<{ usesFolders: boolean; isSaid: boolean }> {
  const folders = [root, root.replace(/\/?[^/]*$/, ""), ""];
  for (const folder of folders)
    for (const name of [".readthedocs.yaml", ".readthedocs.yml"]) {
      const builder = /^\s*builder:\s*["']?(\w+)/m.exec(
        (await tree.text(joinLocation(folder, name))) ?? "",
      )?.[1];
      if (builder !== undefined) return { usesFolders: builder === "dirhtml", isSaid: true };
    }
  for (const folder of folders)
    for (const name of ["tox.ini", "noxfile.py", "pyproject.toml"]) {
      const text = (await tree.text(joinLocation(folder, name))) ?? "";
      if (/sphinx-build[^\n]*dirhtml|-b["', ]+dirhtml/.test(text))
        return { usesFolders: true, isSaid: false };
    }
  return { usesFolders: false, isSaid: false };
}
