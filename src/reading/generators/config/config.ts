import { isRecord, jsonIn } from "@docent/kernel/text/json";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import {
  createScriptBudget,
  readScript,
  type ScriptBudget,
  type ScriptFunction,
  type ScriptValues,
} from "./script.ts";
import { isComputed, knownIn } from "./values.ts";

export { askOfFolder, askOfHeadingIds, askOfPatterns, askOfPrograms, changingPlugins } from "./programs.ts";
export { readPythonModule } from "./python.ts";
export { readScript } from "./script.ts";
export { type Computed, callOf, computed, isComputed, knownIn, unwrapCalls } from "./values.ts";

/** A configuration file as data. */
export interface ConfigFile {
  location: string;
  /** Its value; of a script, what it exports by default. Parts that only a run would tell are `Computed`. */
  value: unknown;
  /** What a script exports by name. */
  named: Readonly<Record<string, unknown>>;
  /** A script's functions, by their names. */
  functions?: ReadonlyMap<string, ScriptFunction>;
  /** Why it could not be read, for its author. */
  fault?: string;
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;
/** A script that takes values from others, which take theirs from others still. */
const IMPORTS_DEEP_MAX = 8;

/** What reading a script has read of others: many may import the same, and those the same again. */
interface ScriptImports {
  tree: DocsTree;
  /** What they hold; undefined while they are being read, because a script may import itself. */
  read: Map<string, ConfigFile | undefined>;
  budget: ScriptBudget;
}

const createImports = (tree: DocsTree): ScriptImports => ({
  tree,
  read: new Map(),
  budget: createScriptBudget(),
});

/** Reads a configuration file by its extension. Nothing in it is run. Undefined where there is no such file. */
export async function readConfig(tree: DocsTree, location: string): Promise<ConfigFile | undefined> {
  return readAt(createImports(tree), location, 0);
}

/** The first of several files that is there. */
export async function readFirstConfig(
  tree: DocsTree,
  locations: readonly string[],
): Promise<ConfigFile | undefined> {
  const location = locations.find((each) => tree.has(each));
  return location === undefined ? undefined : readConfig(tree, location);
}

/** What a script that is no file of its own exports. */
export type ReadScript = (text: string) => Promise<ScriptValues>;

/** Reads the scripts of a page in a folder. All of them together may be as much work as one configuration. */
export function createScriptReader(tree: DocsTree, folder: string): ReadScript {
  const imports = createImports(tree);
  return (text) =>
    readScript(text, (specifier) => readImported(imports, folder, specifier, 0), imports.budget);
}

async function readAt(
  imports: ScriptImports,
  location: string,
  depth: number,
): Promise<ConfigFile | undefined> {
  const text = await imports.tree.text(location);
  if (text === undefined) return undefined;
  if (!SCRIPT.test(location)) return { location, named: {}, ...parsed(text, location) };
  const load = (specifier: string) => readImported(imports, folderOf(location), specifier, depth);
  const { value, named, functions, fault } = await readScript(text, load, imports.budget);
  return {
    location,
    value,
    named,
    ...(functions === undefined ? {} : { functions }),
    ...(fault === undefined ? {} : { fault: faultOf(location, fault) }),
  };
}

/** Reads what a script in a folder imports, once. */
async function readImported(
  imports: ScriptImports,
  folder: string,
  specifier: string,
  depth: number,
): Promise<ConfigFile | undefined> {
  const { tree, read } = imports;
  const target = depth < IMPORTS_DEEP_MAX ? findScript(tree, folder, specifier) : undefined;
  if (target === undefined || read.has(target)) return target === undefined ? undefined : read.get(target);
  read.set(target, undefined);
  const file = await readAt(imports, target, depth + 1);
  read.set(target, file);
  return file;
}

const ENDINGS = ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs", "json"].map((ending) => `.${ending}`);
const PLACES = ["", ...ENDINGS, "/index.ts", "/index.js"];

/** The file that a script means by a relative name, or by one from the folder of its program; it may lack its extension. */
function findScript(tree: DocsTree, folder: string, specifier: string): string | undefined {
  const [, name] = /^[@~]\/(.+)$/.exec(specifier) ?? [];
  const plain =
    name !== undefined
      ? foldersAround(folder).map((each) => joinLocation(each, name))
      : specifier.startsWith(".")
        ? [resolveLocation(folder, specifier)]
        : [];
  return plain
    .flatMap((each) =>
      each === undefined ? [] : [each, ...PLACES.map((place) => withoutEnding(each) + place)],
    )
    .find((each) => tree.has(each));
}

const withoutEnding = (location: string) => location.replace(/\.js$/, "");

/** A folder and those around it, the nearest first. */
function foldersAround(folder: string): string[] {
  const names = folder.split("/").filter((name) => name !== "");
  return [...names.map((_, index) => names.slice(0, names.length - index).join("/")), ""];
}

function parsed(text: string, location: string): { value: unknown; fault?: string } {
  try {
    return { value: parseData(text, nameOf(location)) };
  } catch (error) {
    return {
      value: undefined,
      fault: faultOf(location, error instanceof Error ? error.message : String(error)),
    };
  }
}

const faultOf = (location: string, why: string) =>
  `${location} cannot be read: ${why.replace(/(?<![.\s])[.\s]+$/, "")}.`;

/** YAML's tags for Python become their names: nothing of them can be had, but these say what is meant. */
const PYTHON_NAME = /!!python\/(?:name|module):([\w.]+)(?:[ \t]+(?:''|""))?/g;
/** What an object is made with follows its tag. */
const PYTHON_OBJECT = /!!python\/object[\w/]*:[\w.]+/g;

function parseData(text: string, name: string): unknown {
  if (/\.ya?ml$/i.test(name))
    return Bun.YAML.parse(text.replace(PYTHON_NAME, '"python:$1"').replace(PYTHON_OBJECT, ""));
  if (/\.toml$/i.test(name)) return Bun.TOML.parse(text);
  const plain = jsonIn(text);
  // JSON with comments and commas at the end of lists, as many tools allow it.
  return plain === undefined ? Bun.JSONC.parse(text) : plain;
}

/** What is asked of a site's owner while its configuration is read, and what they have answered before. */
export interface Inquiry extends Pick<WantedDocs, "answers"> {
  unknowns: Unknown[];
}

/**
 * A text or a yes and no of a configuration. Where that computes it, the owner's answer is taken, or a guess while there
 * is none.
 */
export function askedText(
  { unknowns, answers = {} }: Inquiry,
  value: unknown,
  { name, usual, from = "The configuration" }: { name: string; usual: string; from?: string },
): string {
  const source = sourceOf(value);
  if (source === undefined) return textOf(value) ?? usual;
  const guess = (isComputed(value) ? textOf(value.guess) : undefined) ?? usual;
  const question = `What is ${name}? ${from} computes it: ${source}`;
  return askedOf({ unknowns, answers }, { name, question, guess });
}

/** The owner's answer to a question that is always open; the guess while there is none. */
export function askedOf({ unknowns, answers = {} }: Inquiry, asked: Unknown & { name: string }): string {
  const { name, guess } = asked;
  if (Object.hasOwn(answers, name)) return answers[name] ?? guess;
  if (!unknowns.some((each) => each.name === name)) unknowns.push(asked);
  return guess;
}

/** The code of what only a run would tell. */
function sourceOf(value: unknown): string | undefined {
  if (isComputed(value)) return value.source;
  return isRecord(value) && typeof value["call"] === "string" ? `${value["call"]}(…)` : undefined;
}

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;

/** Says of a path whether it matches. */
export type PathMatcher = (path: string) => boolean;

const PATTERNS_MAX = 2_000;

/** Patterns as in a `.gitignore`, one a line: the last one that matches a path decides, `!` takes it back in. */
export function ignoreMatcher(patterns: string | readonly string[]): PathMatcher {
  const lines = typeof patterns === "string" ? patterns.split("\n") : patterns;
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, PATTERNS_MAX)
    .map(ruleOf);
  return (path) => rules.findLast(({ globs }) => globs.some((glob) => glob.match(path)))?.isOut ?? false;
}

function ruleOf(line: string): { globs: Bun.Glob[]; isOut: boolean } {
  const isOut = !line.startsWith("!");
  const written = line.replace(/^!/, "").replace(/^\\(?=[#!])/, "");
  const bare = written.replace(/^\/+|\/+$/g, "");
  // A slash within a pattern or before it ties it to the top folder.
  const isTied = written.startsWith("/") || bare.includes("/");
  const pattern = isTied ? bare : `**/${bare}`;
  const inside = new Bun.Glob(`${pattern}/**`);
  return { globs: written.endsWith("/") ? [inside] : [new Bun.Glob(pattern), inside], isOut };
}

/** A value of a configuration; where that computes it, its guess, and what it is becomes a question. */
export function knownAs(value: unknown, unknowns: Unknown[], what: string): unknown {
  return knownIn(value, ({ source, guess }) => {
    unknowns.push({
      question: `What is ${what}? The configuration computes it: ${source}`,
      guess: guess === undefined ? "the default" : String(guess),
    });
  });
}
