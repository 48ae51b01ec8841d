import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { askOfPrograms, readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";

export interface HexoSettings {
  root: string;
  /** The folder of its pages. */
  source: string;
  /** The path at which the site begins, without slashes around it. */
  base: string;
  title: string | undefined;
  /** The addresses of posts: `:year/:month/:day/:title/`. */
  permalink: string;
  /** How the files of posts are named. */
  postName: string;
  /** Whether `a/index.html` and `a.html` are called so. */
  showsHtml: boolean;
  hasPostFolders: boolean;
  showsDrafts: boolean;
  /** What is copied, and what is left out and taken in against the rules for names. */
  skipRender: string[];
  exclude: string[];
  include: string[];
  /** The folder of code that pages take in. */
  codeFolder: string;
  headingCase: "kept" | "lower" | "upper";
  /** The main language first. */
  languages: string[];
  unknowns: Unknown[];
}

const NAMES = SITE_FILES.hexo.marks.flatMap(spelled);

/** The folders that have a configuration and a package beside it. Jekyll's has the same name. */
export const hexoRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.hexo, tree.files);

export async function readSettings(tree: DocsTree, root: string): Promise<HexoSettings | undefined> {
  if (!(await isHexo(tree, root))) return undefined;
  const config = await readFirstConfig(
    tree,
    NAMES.map((name) => joinLocation(root, name)),
  );
  const unknowns: Unknown[] = [];
  if (config?.fault !== undefined) unknowns.push({ question: config.fault, guess: "the defaults" });
  const value = asRecord(config?.value);
  const text = (name: string, usual: string) => asText(value[name]) ?? usual;
  const source = resolveLocation(root, text("source_dir", "source")) ?? joinLocation(root, "source");
  const urls = asRecord(value["pretty_urls"]);
  const scripts = tree.below(joinLocation(root, "scripts")).filter((file) => /\.[cm]?js$/.test(file));
  unknowns.push(...askOfPrograms(scripts.length === 0 ? [] : ["the files in scripts"]));
  return {
    root,
    source,
    base: text("root", "/").replace(/^\/+|\/+$/g, ""),
    title: asText(value["title"]),
    permalink: text("permalink", ":year/:month/:day/:title/"),
    postName: text("new_post_name", ":title.md"),
    showsHtml: urls["trailing_html"] !== false,
    hasPostFolders: value["post_asset_folder"] === true,
    showsDrafts: value["render_drafts"] === true,
    skipRender: textsIn(value["skip_render"]),
    exclude: textsIn(value["exclude"]),
    include: textsIn(value["include"]),
    codeFolder: joinLocation(source, text("code_dir", "downloads/code").replace(/^\/+|\/+$/g, "")),
    headingCase: caseOf(asRecord(value["marked"])["modifyAnchors"]),
    languages: languagesOf(tree, root, value),
    unknowns,
  };
}

async function isHexo(tree: DocsTree, root: string): Promise<boolean> {
  const json = asRecord(jsonIn((await tree.text(joinLocation(root, "package.json"))) ?? ""));
  const wanted = { ...asRecord(json["dependencies"]), ...asRecord(json["devDependencies"]) };
  return Object.hasOwn(wanted, "hexo") || Object.hasOwn(json, "hexo");
}

const textsIn = (value: unknown) =>
  asList(typeof value === "string" ? [value] : value).flatMap((each) => asText(each) ?? []);

function caseOf(value: unknown): HexoSettings["headingCase"] {
  if (value === 1) return "lower";
  return value === 2 ? "upper" : "kept";
}

/** Languages that the configuration lists, and those that the theme says its words in. */
function languagesOf(tree: DocsTree, root: string, config: Readonly<Record<string, unknown>>): string[] {
  const folder = joinLocation(root, `themes/${asText(config["theme"]) ?? "landscape"}/languages`);
  const ofTheme = tree.below(folder).map((file) => stemOf(nameOf(file)));
  return [...new Set([...textsIn(config["language"]), ...ofTheme])].filter((each) => each !== "default");
}
