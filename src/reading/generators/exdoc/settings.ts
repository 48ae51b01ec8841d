import { isComputed } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { readElixir, Tuple } from "./elixir.ts";

/** A page, or a link of the menu, as the configuration lists it. */
export interface Extra {
  /** Its file, written from the root. */
  input: string;
  title: string | undefined;
  /** The name of its page. */
  fileName: string | undefined;
  /** Where it leads, where it is a link of the menu alone. */
  url: string | undefined;
}

export interface ExDocSettings {
  root: string;
  extras: Extra[];
  /** The groups of the menu in order: an extra is in the first of which a pattern or a name fits its file. */
  groups: { label: string; patterns: (RegExp | string)[] }[];
  /** The page that the site opens with, without its extension. */
  main: string | undefined;
  redirects: { from: string; to: string }[];
  /** Whether all modules have pages, as far as that is known. */
  hasAllModules: boolean;
  unknowns: Unknown[];
}

const NAME = "mix.exs";

export const exdocRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.exdoc, tree.files);

/** Undefined where the project has no docs of its own. */
export async function readSettings(tree: DocsTree, root: string): Promise<ExDocSettings | undefined> {
  const text = await tree.text(joinLocation(root, NAME));
  if (text === undefined || !/\bdocs:/.test(text)) return undefined;
  const project = recordOf(readElixir(text, wildcardsIn(tree, root)).call("project"));
  const docs = recordOf(project.get("docs"));
  if (docs.size === 0) return undefined;
  const unknowns: Unknown[] = [];
  const known = (name: string) => {
    const value = docs.get(name);
    if (!isComputed(value)) return value;
    unknowns.push(askOf(name, value.source));
    return value.guess;
  };
  return {
    root,
    extras: listOf(known("extras"), "extras", unknowns).flatMap((each) => extraOf(each, unknowns)),
    groups: listOf(known("groups_for_extras"), "groups_for_extras", unknowns).flatMap((each) =>
      groupOf(each, unknowns),
    ),
    main: textOf(known("main")),
    redirects: listOf(known("redirects"), "redirects", unknowns).flatMap(redirectOf),
    hasAllModules: !docs.has("filter_modules"),
    unknowns,
  };
}

const askOf = (name: string, source: string): Unknown => ({
  question: `What is ${name}? ${NAME} computes it: ${source}`,
  guess: "what of it is written as data",
});

/** The entries of a list without those that only a run would tell, which are asked about. */
function listOf(value: unknown, name: string, unknowns: Unknown[]): unknown[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((each) => {
    if (isComputed(each)) unknowns.push(askOf(name, each.source));
    return !isComputed(each);
  });
}

function recordOf(value: unknown): ReadonlyMap<string, unknown> {
  const list: unknown = isComputed(value) ? value.guess : value;
  const record = new Map<string, unknown>();
  for (const each of Array.isArray(list) ? list : []) {
    const [key, inside] = each instanceof Tuple ? each.values : [];
    if (typeof key === "string" && !record.has(key)) record.set(key, inside);
  }
  return record;
}

function extraOf(entry: unknown, unknowns: Unknown[]): Extra[] {
  if (typeof entry === "string")
    return [{ input: entry, title: undefined, fileName: undefined, url: undefined }];
  const [input, given] = entry instanceof Tuple ? entry.values : [];
  if (typeof input !== "string") return [];
  // `{"README.md", title: "x"}` has its options as entries of the tuple itself.
  const options = recordOf(entry instanceof Tuple && given instanceof Tuple ? entry.values.slice(1) : given);
  const text = (name: string) => {
    const value = options.get(name);
    if (isComputed(value)) unknowns.push(askOf(`${name} of ${input}`, value.source));
    return textOf(value);
  };
  return [{ input, title: text("title"), fileName: text("filename"), url: text("url") }];
}

function groupOf(entry: unknown, unknowns: Unknown[]): ExDocSettings["groups"] {
  const [label, given] = entry instanceof Tuple ? entry.values : [];
  if (typeof label !== "string") return [];
  const listed = Array.isArray(given) ? given : [given];
  const known = listOf(listed, `the group ${label}`, unknowns);
  const guessed = isComputed(given) && Array.isArray(given.guess) ? given.guess : [];
  const patterns = [...known, ...guessed].flatMap((each) =>
    typeof each === "string" || each instanceof RegExp ? [each] : [],
  );
  return [{ label, patterns }];
}

function redirectOf(entry: unknown): ExDocSettings["redirects"] {
  const [from, to] = entry instanceof Tuple ? entry.values : [];
  return typeof from === "string" && typeof to === "string" ? [{ from, to }] : [];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** The files that a pattern means, written from the root as the pattern is. */
const wildcardsIn = (tree: DocsTree, root: string) => (pattern: string) => {
  const glob = new Bun.Glob(pattern.replace(/^\.\//, ""));
  const start = root === "" ? 0 : root.length + 1;
  return tree
    .below(root)
    .map((file) => file.slice(start))
    .filter((file) => !/(?:^|\/)\./.test(file) && glob.match(file));
};
