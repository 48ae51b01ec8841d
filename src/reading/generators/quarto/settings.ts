import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { askOfPrograms, readConfig, readFirstConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { matcherOf, spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";

type Values = Readonly<Record<string, unknown>>;

/** A project of Quarto as its configuration says it is. */
export interface QuartoSettings {
  root: string;
  /** All of the configuration, which is the metadata of every page too. */
  values: Values;
  website: Values;
  book: Values;
  isBook: boolean;
  title: string | undefined;
  /** Which files are pages, in Quarto's patterns; undefined where all are. */
  render: string[] | undefined;
  variables: Values;
  /** Whether drafts are published. */
  showsDrafts: boolean;
  /** Whether nbdev copies the notebooks, without the numbers of their names. */
  isNbdev: boolean;
  unknowns: Unknown[];
}

const NAMES = SITE_FILES.quarto.marks.flatMap(spelled);
export const isConfigName = matcherOf(SITE_FILES.quarto.marks);

export async function readSettings(tree: DocsTree, root: string): Promise<QuartoSettings | undefined> {
  const file = await readFirstConfig(
    tree,
    NAMES.map((name) => joinLocation(root, name)),
  );
  if (file === undefined) return undefined;
  const unknowns: Unknown[] = [];
  if (file.fault !== undefined) unknowns.push({ question: file.fault, guess: "the defaults" });
  const values = await withOtherFiles(tree, root, asRecord(file.value));
  const project = asRecord(values["project"]);
  const website = asRecord(values["website"]);
  const book = asRecord(values["book"]);
  const variables = await readConfig(tree, joinLocation(root, "_variables.yml"));
  const programs = [
    ...textsIn(project["pre-render"]),
    ...(isRecord(values["quartodoc"]) ? ["quartodoc, which makes pages of Python code"] : []),
  ];
  unknowns.push(...askOfPrograms(programs));
  const isBook = asText(project["type"]) === "book" || (project["type"] === undefined && "book" in values);
  return {
    root,
    values,
    website: isBook ? { ...website, ...book } : website,
    book,
    isBook,
    title: asText(book["title"]) ?? asText(website["title"]) ?? asText(project["title"]),
    render: "render" in project ? textsIn(project["render"]) : undefined,
    variables: asRecord(variables?.value),
    showsDrafts: /^(?:visible|unlinked)$/.test(asText(website["draft-mode"]) ?? ""),
    isNbdev: isNbdev(tree, root),
    unknowns,
  };
}

const isNbdev = (tree: DocsTree, root: string) =>
  tree.has(joinLocation(root, "nbdev.yml")) ||
  (root !== "" && tree.has(resolveLocation(root, "../settings.ini") ?? ""));

export const textsIn = (value: unknown): string[] =>
  asList(typeof value === "string" ? [value] : value).flatMap((each) => asText(each) ?? []);

const FILES_MAX = 20;

/** The configuration with the files that it names, and the profile that is taken where none is asked for. */
async function withOtherFiles(tree: DocsTree, root: string, values: Values): Promise<Values> {
  const profile = asRecord(values["profile"]);
  const groups = asList(profile["group"]).map((group) =>
    Array.isArray(group) ? textsIn(group)[0] : asText(group),
  );
  const defaults = [
    ...textsIn(profile["default"]),
    ...groups.slice(0, Array.isArray(profile["group"]) ? 1 : 0),
  ];
  const names = [
    ...textsIn(values["metadata-files"]),
    ...defaults.flatMap((name) => (name === undefined ? [] : [`_quarto-${name}.yml`])),
  ];
  let merged = values;
  for (const name of names.slice(0, FILES_MAX)) {
    const location = resolveLocation(root, `./${name}`);
    const file = location === undefined ? undefined : await readConfig(tree, location);
    if (file !== undefined) merged = mergedValues(merged, asRecord(file.value));
  }
  return merged;
}

const DEPTH_MAX = 8;

/** What a nearer file says counts; lists are put together. */
export function mergedValues(above: Values, nearer: Values, depth = 0): Values {
  const merged: Record<string, unknown> = { ...above };
  for (const [name, value] of Object.entries(nearer)) {
    const before = merged[name];
    merged[name] =
      isRecord(before) && isRecord(value) && depth < DEPTH_MAX
        ? mergedValues(before, value, depth + 1)
        : Array.isArray(before) && Array.isArray(value)
          ? [...before, ...value]
          : value;
  }
  return merged;
}
