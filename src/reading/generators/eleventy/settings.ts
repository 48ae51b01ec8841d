import { asList, asRecord, asText, isRecord, jsonIn } from "@docent/kernel/text/json";
import { parse } from "acorn";
import { askOfFolder, askOfPrograms, isComputed, knownIn, readConfig, readScript } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import { matcherOf } from "../name-patterns.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { type HeadingIds, headingIdsIn } from "./heading-ids.ts";

export interface EleventySettings {
  root: string;
  /** The folder of its pages. */
  input: string;
  includes: string;
  layouts: string;
  /** The folder of data for all pages. */
  dataFolder: string;
  output: string;
  /** The path at which the site begins, without slashes around it. */
  base: string;
  /** The extensions of files that pages are made of. */
  formats: string[];
  /** What is written out before Markdown and HTML are read; false for nothing. */
  markdownEngine: boolean;
  htmlEngine: boolean;
  /** Whether Markdown has Nunjucks in it, and not Liquid. */
  isNunjucks: boolean;
  /** What is said for all pages by the configuration. */
  globalData: Readonly<Record<string, unknown>>;
  /** How files of data are called for a page or a folder: `docs.json`, `docs.11tydata.json`. */
  dataSuffixes: string[];
  /** The name of a folder's file of data, where that is not the folder's. */
  dataName: string | undefined;
  ignored: string[];
  /** Whether drafts are left out, as a program that the documentation of Eleventy shows does it. */
  hidesDrafts: boolean;
  /** Filters and shortcodes of the site's own, by name. */
  ownFilters: ReadonlySet<string>;
  headingIds: HeadingIds;
  hasAttributes: boolean;
  /** The language of pages that stand in no folder of one; undefined where there are no languages. */
  defaultLanguage: string | undefined;
  unknowns: Unknown[];
}

const isConfig = matcherOf(SITE_FILES.eleventy.marks);

export const eleventyRoots = (tree: DocsTree): string[] => rootsIn(SITE_FILES.eleventy, tree.files);

const SCRIPTS_MAX = 40;
const FORMATS = ["liquid", "md", "njk", "html"];

export async function readSettings(tree: DocsTree, root: string): Promise<EleventySettings | undefined> {
  const location = tree.files.find((file) => folderOf(file) === root && isConfig(file));
  const config = location === undefined ? undefined : await readConfig(tree, location);
  if (config === undefined || location === undefined) return undefined;
  const unknowns: Unknown[] =
    config.fault === undefined ? [] : [{ question: config.fault, guess: "the defaults" }];
  const texts = await scriptsOf(tree, location);
  const calls = (await Promise.all(texts.map(callsIn))).flat();
  const said = { ...recordIn(config.value), ...recordIn(config.named["config"]) };
  const asked = (value: unknown, name: string) =>
    knownIn(value, ({ source }) =>
      unknowns.push({
        question: `What is ${name}? The configuration computes it: ${source}`,
        guess: "the default",
      }),
    );
  const folders = await foldersOf(tree, root, said, calls, unknowns, asked);
  const set = (method: string) => calls.findLast((call) => call.method === method)?.given;
  const text = texts.join("\n");
  unknowns.push(...askOfPrograms(programsIn(calls)));
  return {
    root,
    ...folders,
    base: (asText(asked(said["pathPrefix"], "pathPrefix")) ?? "").replace(/^\/+|\/+$/g, ""),
    formats:
      textsIn(set("setTemplateFormats")?.[0] ?? asked(said["templateFormats"], "templateFormats")) ?? FORMATS,
    markdownEngine: said["markdownTemplateEngine"] !== false,
    htmlEngine: said["htmlTemplateEngine"] !== false,
    isNunjucks: said["markdownTemplateEngine"] === "njk",
    globalData: globalDataIn(calls),
    dataSuffixes: textsIn(set("setDataFileSuffixes")?.[0]) ?? [".11tydata", ""],
    dataName: asText(set("setDataFileBaseName")?.[0]),
    ignored: await ignoredIn(tree, root, folders.input, calls),
    hidesDrafts: /\bdraft\b/.test(text) && /addPreprocessor|eleventyComputed|permalink/.test(text),
    ownFilters: new Set(
      calls.flatMap(({ method, given }) => (/Filter$/.test(method) ? (asText(given[0]) ?? []) : [])),
    ),
    headingIds: headingIdsIn(text, await isOld(tree, root), unknowns),
    hasAttributes: /markdown-it-attrs/.test(text),
    defaultLanguage: languageIn(calls),
    unknowns,
  };
}

type Folders = Pick<EleventySettings, "input" | "includes" | "layouts" | "dataFolder" | "output">;

async function foldersOf(
  tree: DocsTree,
  root: string,
  said: Readonly<Record<string, unknown>>,
  calls: readonly Call[],
  unknowns: Unknown[],
  asked: (value: unknown, name: string) => unknown,
): Promise<Folders> {
  const dir = asRecord(asked(said["dir"], "dir"));
  const set = (method: string) => asText(calls.findLast((call) => call.method === method)?.given[0]);
  const commanded = await commandOf(tree, root);
  const of = (name: string, method: string) =>
    commanded[name] ?? set(method) ?? asText(asked(dir[name], `dir.${name}`));
  const written = of("input", "setInputDirectory") ?? ".";
  const input = resolveLocation(root, `./${written}`);
  if (input === undefined) unknowns.push(askOfFolder(written, "beside the configuration"));
  const within = (name: string, method: string, usual: string) =>
    resolveLocation(input ?? root, `./${of(name, method) ?? usual}`) ?? joinLocation(input ?? root, usual);
  const includes = within("includes", "setIncludesDirectory", "_includes");
  const layouts = of("layouts", "setLayoutsDirectory");
  return {
    input: input ?? root,
    includes,
    layouts: layouts === undefined ? includes : (resolveLocation(input ?? root, `./${layouts}`) ?? includes),
    dataFolder: within("data", "setDataDirectory", "_data"),
    output:
      resolveLocation(root, `./${of("output", "setOutputDirectory") ?? "_site"}`) ??
      joinLocation(root, "_site"),
  };
}

/** Whether a package wants Eleventy 2 or older. */
async function isOld(tree: DocsTree, root: string): Promise<boolean> {
  const json = asRecord(jsonIn((await tree.text(joinLocation(root, "package.json"))) ?? ""));
  const wanted = { ...asRecord(json["devDependencies"]), ...asRecord(json["dependencies"]) };
  return /^[\^~]?[0-2]\./.test(asText(wanted["@11ty/eleventy"]) ?? "");
}

/** What the command of a package's scripts says above all: `eleventy --input=docs`. */
async function commandOf(tree: DocsTree, root: string): Promise<Readonly<Record<string, string>>> {
  const scripts = asRecord(
    asRecord(jsonIn((await tree.text(joinLocation(root, "package.json"))) ?? ""))["scripts"],
  );
  const said: Record<string, string> = Object.create(null);
  for (const command of Object.values(scripts)) {
    const [, options] = /\beleventy\b([^&|;]{0,500})/.exec(asText(command) ?? "") ?? [];
    for (const [, name = "", value = ""] of (options ?? "").matchAll(
      /--(input|output|pathprefix)[= ]["']?([^\s"']+)/g,
    ))
      said[name] ??= value;
  }
  return said;
}

/** The configuration, and the scripts of the source that it takes parts from. */
async function scriptsOf(tree: DocsTree, location: string): Promise<string[]> {
  const texts = new Map<string, string>();
  const wanted = [location];
  for (let at = 0; at < wanted.length && texts.size < SCRIPTS_MAX; at++) {
    const file = wanted[at] ?? "";
    const text = texts.has(file) ? undefined : await tree.text(file);
    if (text === undefined) continue;
    texts.set(file, text);
    for (const [, specifier = ""] of text.matchAll(
      /(?:\bfrom\s*|\brequire\(\s*|\bimport\s*(?:\(\s*)?)["'](\.[^"'\n]{1,200})["']/g,
    )) {
      const plain = resolveLocation(folderOf(file), specifier) ?? "";
      const found = [plain, `${plain}.js`, `${plain}.cjs`, `${plain}/index.js`].find((each) =>
        tree.has(each),
      );
      if (found !== undefined) wanted.push(found);
    }
  }
  return [...texts.values()];
}

/** A call of a method, with what it is given as far as that is known. */
interface Call {
  method: string;
  /** The name that the first thing given has. */
  name: string;
  given: readonly unknown[];
}

const METHOD =
  /^(?:set(?:Input|Includes|Layouts|Data|Output)Directory|setTemplateFormats|setDataFile(?:Suffixes|BaseName)|addGlobalData|addPlugin|add\w*Filter|addPreprocessor|addUrlTransform|addTransform|addExtension|add|addTemplate)$/;

interface Node {
  type: string;
  start: number;
  end: number;
}

const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  isRecord(value) && typeof value["type"] === "string" && typeof value["start"] === "number";

const NODES_MAX = 200_000;

/** What a configuration calls, in order. It is read, and not run: what it does only sometimes counts too. */
async function callsIn(text: string): Promise<Call[]> {
  let source = "";
  const found: { method: string; nodes: Node[] }[] = [];
  try {
    source = new Bun.Transpiler({ loader: "tsx", target: "bun", deadCodeElimination: false }).transformSync(
      text,
    );
    const open: unknown[] = [
      parse(source, { ecmaVersion: "latest", sourceType: "module", allowReturnOutsideFunction: true }),
    ];
    for (let count = 0; open.length > 0 && count < NODES_MAX; count++) {
      const node = open.pop();
      if (Array.isArray(node)) open.push(...node.toReversed());
      else if (isNode(node)) {
        const call = methodIn(node);
        if (call !== undefined) found.push(call);
        open.push(
          ...Object.values(node)
            .filter((each) => typeof each === "object")
            .toReversed(),
        );
      }
    }
  } catch {
    return [];
  }
  return Promise.all(
    found.map(async ({ method, nodes }) => {
      const written = nodes.map(({ start, end }) => source.slice(start, end));
      const { value } = await readScript(`export default [${written.join(", ")}]`, async () => undefined);
      const [name = ""] = written;
      return { method, name: name.slice(0, 60), given: asList(value) };
    }),
  );
}

function methodIn(node: Record<string, unknown>): { method: string; nodes: Node[] } | undefined {
  const callee = node["type"] === "CallExpression" ? asRecord(node["callee"]) : {};
  const method = asText(asRecord(callee["property"])["name"]) ?? "";
  if (callee["type"] !== "MemberExpression" || !METHOD.test(method)) return undefined;
  const of = asRecord(callee["object"]);
  // Of all that has a method to add something, only what is ignored counts.
  if (method === "add" && asText(asRecord(of["property"])["name"]) !== "ignores") return undefined;
  return { method, nodes: asList(node["arguments"]).filter(isNode) };
}

function globalDataIn(calls: readonly Call[]): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (const { method, given } of calls) {
    const name = method === "addGlobalData" ? asText(given[0]) : undefined;
    if (name !== undefined) data[name] = given[1];
  }
  return data;
}

/** What of a site's own code changes pages or their addresses. */
const programsIn = (calls: readonly Call[]): string[] =>
  calls.flatMap(({ method, name }) => {
    if (method === "addUrlTransform" || method === "addTemplate") return [method];
    if (method === "addTransform") return [`the transform ${name}`];
    return method === "addPreprocessor" && !/draft/i.test(name) ? [`the preprocessor ${name}`] : [];
  });

function languageIn(calls: readonly Call[]): string | undefined {
  const plugin = calls.find(({ method, name }) => method === "addPlugin" && /i18n/i.test(name));
  return asText(asRecord(plugin?.given[1])["defaultLanguage"]);
}

/** Patterns of files that no pages are made of, written from the root. */
async function ignoredIn(
  tree: DocsTree,
  root: string,
  input: string,
  calls: readonly Call[],
): Promise<string[]> {
  const patterns = calls.flatMap(({ method, given }) => (method === "add" ? (asText(given[0]) ?? []) : []));
  for (const folder of new Set([root, input])) {
    const text = (await tree.text(joinLocation(folder, ".eleventyignore"))) ?? "";
    const lines = text.split("\n").map((line) => line.trim());
    const below = folder.slice(root === "" ? 0 : root.length + 1);
    for (const line of lines)
      if (line !== "" && !/^[#!]/.test(line)) patterns.push(joinLocation(below, line.replace(/^\.?\//, "")));
  }
  return patterns.map((pattern) => pattern.replace(/^\.\//, "").replace(/\/$/, ""));
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  const known = knownIn(value);
  return isRecord(known) && !isComputed(known) ? known : {};
}

const textsIn = (value: unknown): string[] | undefined => {
  const known = knownIn(value);
  if (typeof known === "string") return known.split(",").map((each) => each.trim());
  return Array.isArray(known) ? known.flatMap((each) => asText(each) ?? []) : undefined;
};
