import { asList, asRecord, asText } from "@docent/kernel/text/json";
import { askOfPrograms, readConfig, readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";

/** What a book says of itself. */
export interface BookSettings {
  /** HonKit writes HTML files and runs templates; GitBook's own host does neither. */
  isHonKit: boolean;
  /** The folder of its pages. */
  folder: string;
  readme: string;
  summary: string;
  /** What `book` is in templates, or `space.vars` on GitBook's host. */
  variables: Readonly<Record<string, unknown>>;
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
}

const FILES = SITE_FILES.gitbook.marks.flatMap(spelled);
const BOOK_FILES = FILES.filter((name) => name.startsWith("book."));
const YAML_FILES = FILES.filter((name) => name.startsWith(".gitbook."));

export async function readBookSettings(tree: DocsTree, root: string): Promise<BookSettings | undefined> {
  const place = (name: string) => joinLocation(root, name);
  // A list of chapters is mdBook's, too.
  if (tree.has(place("book.toml"))) return undefined;
  const hosted = await readFirstConfig(tree, YAML_FILES.map(place));
  const own = await readFirstConfig(tree, BOOK_FILES.map(place));
  if (hosted === undefined && own === undefined && !(await isBookByFiles(tree, root))) return undefined;
  const isHonKit = hosted === undefined && (own !== undefined || (await hasHonKit(tree, root)));
  const config = asRecord((hosted ?? own)?.value);
  const structure = asRecord(config["structure"]);
  const fault = (hosted ?? own)?.fault;
  return {
    isHonKit,
    folder: resolveLocation(root, asText(config["root"])?.replace(/^\/+/, "") ?? "") ?? root,
    readme: plain(asText(structure["readme"]) ?? "README.md"),
    summary: plain(asText(structure["summary"]) ?? "SUMMARY.md"),
    variables: isHonKit ? asRecord(config["variables"]) : await readVariables(tree, root),
    redirects: Object.entries(asRecord(config["redirects"])).flatMap(([from, to]) =>
      typeof to === "string" ? [{ from: plain(from), to: plain(to) }] : [],
    ),
    unknowns: [
      ...(fault === undefined ? [] : [{ question: fault, guess: "the defaults" }]),
      ...(isHonKit ? askOfPrograms(pluginsIn(config)) : [HOSTED_ADDRESSES]),
    ],
  };
}

/** Plugins that only change how pages look, and those that are switched off. */
const LOOKS =
  /^-|^(?:@[\w-]+\/)?(?:honkit-plugin-|gitbook-plugin-)?(?:search\w*|lunr|sharing\w*|fontsettings|highlight|livereload|theme-.+|back-to-top.*|copy-code.*|expandable.*|splitter|prism.*|anchors?|ga|github.*|edit-link|favicon.*)(?:@.+)?$/i;

const pluginsIn = (config: Readonly<Record<string, unknown>>) =>
  asList(config["plugins"]).flatMap((each) => {
    const name = asText(each) ?? asText(asRecord(each)["name"]) ?? "";
    return name === "" || LOOKS.test(name) ? [] : [name];
  });

const HOSTED_ADDRESSES: Unknown = {
  question:
    "Are pages published at the addresses of their files? On GitBook's host that can be changed by hand.",
  guess: "yes",
};

const plain = (path: string) => path.trim().replace(/^(?:\.?\/)+/, "");

/** Whether a folder without a configuration holds a book of either kind. */
async function isBookByFiles(tree: DocsTree, root: string): Promise<boolean> {
  const summary = await tree.text(joinLocation(root, "SUMMARY.md"));
  if (summary === undefined) return false;
  if (tree.below(joinLocation(root, ".gitbook")).length > 0) return true;
  return /^\s*# Table of contents\s*$/m.test(summary.slice(0, 500)) || (await hasHonKit(tree, root));
}

/** Whether HonKit, or the program that it comes from, is among what the folder's scripts need. */
async function hasHonKit(tree: DocsTree, root: string): Promise<boolean> {
  const file = await readConfig(tree, joinLocation(root, "package.json"));
  const { dependencies, devDependencies } = asRecord(file?.value);
  const names = { ...asRecord(dependencies), ...asRecord(devDependencies) };
  return ["honkit", "gitbook", "gitbook-cli"].some((name) => Object.hasOwn(names, name));
}

async function readVariables(tree: DocsTree, root: string): Promise<Readonly<Record<string, unknown>>> {
  const file = await readConfig(tree, joinLocation(root, ".gitbook/vars.yaml"));
  return { space: { vars: asRecord(file?.value) } };
}
