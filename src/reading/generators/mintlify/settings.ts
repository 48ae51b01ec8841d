import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { sourceRedirects } from "../redirects/redirects.ts";
import { SITE_FILES } from "../site-files.ts";

const CONFIG_NAMES = SITE_FILES.mintlify.marks.flatMap(spelled);

export interface MintlifySettings {
  root: string;
  /** The menu as it is written, with what it takes from other files. */
  navigation: unknown;
  /** Of the older `mint.json`, whose tabs stand beside its menu. */
  tabs: readonly unknown[];
  primaryTab: string | undefined;
  /** Words that pages name as `{{name}}`. */
  variables: ReadonlyMap<string, string>;
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
}

const REFERENCES_MAX = 500;
const DEEP_MAX = 60;

/** Reads what of a configuration says where pages are; undefined where the file is something else's. */
export async function readSettings(tree: DocsTree, root: string): Promise<MintlifySettings | undefined> {
  const location = CONFIG_NAMES.map((name) => joinLocation(root, name)).find((each) => tree.has(each));
  const config = location === undefined ? undefined : await readConfig(tree, location);
  if (location === undefined || config === undefined) return undefined;
  const unknowns: Unknown[] = [];
  if (config.fault !== undefined) {
    if (!/mintlify/.test((await tree.text(location)) ?? "")) return undefined;
    unknowns.push({ question: config.fault, guess: "every page below it, without a menu" });
  }
  const resolving = { tree, root, unknowns, left: REFERENCES_MAX };
  const value = asRecord(await withReferences(resolving, config.value, location, [location], 0));
  if (config.fault === undefined && !isMintlify(value)) return undefined;
  return {
    root,
    navigation: value["navigation"],
    tabs: asList(value["tabs"]),
    primaryTab: asText(asRecord(value["primaryTab"])["name"]),
    variables: variablesOf(value["variables"]),
    redirects: sourceRedirects(value["redirects"]),
    unknowns,
  };
}

/** Other programs have a `docs.json` too. */
function isMintlify(value: Readonly<Record<string, unknown>>): boolean {
  const { $schema: schema, navigation, theme, colors } = value;
  if (typeof schema === "string" && schema.includes("mintlify")) return true;
  return isRecord(colors) && typeof value["name"] === "string"
    ? Array.isArray(navigation) || (isRecord(navigation) && typeof theme === "string")
    : false;
}

interface Resolving {
  tree: DocsTree;
  root: string;
  unknowns: Unknown[];
  left: number;
}

/** A configuration with the files that it names as `{"$ref": "./menu.json"}` in their places. */
async function withReferences(
  resolving: Resolving,
  value: unknown,
  from: string,
  above: readonly string[],
  depth: number,
): Promise<unknown> {
  if (depth > DEEP_MAX) return undefined;
  const next = (inner: unknown) => withReferences(resolving, inner, from, above, depth + 1);
  if (Array.isArray(value)) return inOrder(value, next);
  if (!isRecord(value)) return value;
  const reference = asText(value["$ref"]);
  const names = Object.keys(value).filter((name) => name !== "$ref");
  const values = await inOrder(names, (name) => next(value[name]));
  const own = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  if (reference === undefined) return own;
  const taken = await referenced(resolving, reference, from, above, depth);
  return isRecord(taken) ? { ...taken, ...own } : taken;
}

async function inOrder<T>(items: readonly T[], each: (item: T) => Promise<unknown>): Promise<unknown[]> {
  const made: unknown[] = [];
  for (const item of items) made.push(await each(item));
  return made;
}

async function referenced(
  resolving: Resolving,
  reference: string,
  from: string,
  above: readonly string[],
  depth: number,
): Promise<unknown> {
  const { tree, unknowns } = resolving;
  const location = resolveLocation(folderOf(from), reference);
  const fail = (why: string) => {
    unknowns.push({ question: `What is in ${reference}, which ${from} names? It ${why}.`, guess: "nothing" });
    return undefined;
  };
  if (location === undefined || !tree.has(location)) return fail("is not in this source");
  if (above.includes(location)) return fail("names itself");
  if (resolving.left-- <= 0) return fail("is one of too many");
  const file = await readConfig(tree, location);
  if (file === undefined || file.fault !== undefined) return fail("cannot be read");
  return withReferences(resolving, file.value, location, [...above, location], depth + 1);
}

function variablesOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asRecord(value)).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, text] as const] : [],
    ),
  );
}

export const trimSlashes = (path: string) => path.replace(/^\/+|\/+$/g, "");

export const belowRoot = (root: string, location: string) =>
  root === "" ? location : location.slice(root.length + 1);
