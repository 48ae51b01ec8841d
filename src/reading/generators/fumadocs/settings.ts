import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askedText,
  type ConfigFile,
  callOf,
  isComputed,
  knownIn,
  readConfig,
  readFirstConfig,
  unwrapCalls,
} from "../config/config.ts";
import type { DocsSite, OpenOptions, Unknown } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { sourceRedirects } from "../redirects/redirects.ts";
import { SITE_FILES } from "../site-files.ts";

const SOURCE_CONFIGS = SITE_FILES.fumadocs.marks.flatMap(spelled);
/** Where programs that use Fumadocs have what makes addresses of files. */
const LOADERS = SITE_FILES.fumadocsLoader.marks.flatMap(spelled);
const LOADER_CALLS = ["loader", "dynamicLoader"];
const USUAL_FOLDER = "content/docs";
const USUAL_ADDRESS = "/docs";

/** The languages of a site. */
export interface Languages {
  main: string;
  all: readonly string[];
  /** Whether a language is a folder, and not a part of names: `fr/page.mdx`, and not `page.fr.mdx`. */
  areFolders: boolean;
  /** Which languages have addresses without themselves. */
  hidden: "never" | "default-locale" | "always";
  /** The language that a page is shown in where it is not translated; undefined where it is missing then. */
  instead: string | undefined;
}

/** Pages of some folders, as they are published below one address. */
export interface Loader {
  folders: readonly string[];
  /** Without slashes around it. */
  base: string;
  languages: Languages | undefined;
  /** The front matter that may say a page's address. */
  slugName: string | undefined;
  /** Blogs and the like have no files that order them. */
  hasMenu: boolean;
}

export interface FumadocsSettings {
  root: string;
  loaders: Loader[];
  redirects: DocsSite["redirects"];
  unknowns: Unknown[];
}

interface Reading {
  tree: DocsTree;
  root: string;
  sourceConfig: ConfigFile | undefined;
  /** The file that has the loaders, and its text. */
  file: ConfigFile;
  text: string;
  unknowns: Unknown[];
  answers: OpenOptions["answers"];
}

/** Reads where a site has its pages; undefined where Fumadocs is not used. */
export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<OpenOptions, "answers">,
): Promise<FumadocsSettings | undefined> {
  const at = (name: string) => joinLocation(root, name);
  const location = LOADERS.map(at).find((each) => tree.has(each)) ?? (await findLoader(tree, root));
  const sourceConfig = await readFirstConfig(tree, SOURCE_CONFIGS.map(at));
  const text = location === undefined ? "" : ((await tree.text(location)) ?? "");
  const said = sourceConfig === undefined ? "" : ((await tree.text(sourceConfig.location)) ?? "");
  if (!/fumadocs/.test(text + said)) return undefined;
  const unknowns: Unknown[] = [];
  const file = (location === undefined ? undefined : await readConfig(tree, location)) ?? NO_FILE;
  for (const { fault } of [file, ...(sourceConfig === undefined ? [] : [sourceConfig])])
    if (fault !== undefined) unknowns.push({ question: fault, guess: "the usual settings" });
  const reading: Reading = { tree, root, sourceConfig, file, text, unknowns, answers };
  const found: Loader[] = [];
  for (const value of Object.values(file.named)) found.push(...loaderOf(reading, value));
  const loaders = found.length > 0 ? found : loaderOf(reading, { call: "loader", arguments: [{}] });
  return { root, loaders, redirects: await redirectsOf(tree, root), unknowns };
}

const SOURCE_FILE = /(?:^|\/)[^/]*source[^/]*\.m?[jt]sx?$/i;
const FILES_MAX = 50;

/** A file elsewhere that is called source and has a loader. */
async function findLoader(tree: DocsTree, root: string): Promise<string | undefined> {
  for (const location of tree
    .below(root)
    .filter((file) => SOURCE_FILE.test(file))
    .slice(0, FILES_MAX)) {
    const text = (await tree.text(location)) ?? "";
    if (/["']fumadocs-core\/source["']/.test(text) && /\bloader\(/i.test(text)) return location;
  }
  return undefined;
}

const NO_FILE: ConfigFile = { location: "lib/source.ts", value: undefined, named: {} };

function loaderOf(reading: Reading, value: unknown): Loader[] {
  const call = callOf(knownIn(value), LOADER_CALLS);
  if (call === undefined) return [];
  const [first, second] = call.arguments;
  const options = asRecord(knownIn(second === undefined ? first : second));
  const source = second === undefined ? options["source"] : first;
  const { folders, hasMenu } = foldersOf(reading, source);
  if (folders.length === 0) return [];
  const { unknowns, answers, file } = reading;
  const base = askedText(
    { unknowns, answers },
    "baseUrl" in options ? options["baseUrl"] : { call: "it", arguments: [] },
    { name: "baseUrl", usual: USUAL_ADDRESS, from: file.location },
  );
  if (options["url"] !== undefined)
    unknowns.push({
      question: `Which addresses does \`url\` in ${file.location} make?`,
      guess: "the usual ones",
    });
  const slugs = callOf(options["slugs"], ["slugsFromData"]);
  if (options["slugs"] !== undefined && slugs === undefined)
    unknowns.push({
      question: `Which addresses does \`slugs\` in ${file.location} make?`,
      guess: "the usual ones",
    });
  return [
    {
      folders,
      base: base.replace(/^\/+|\/+$/g, ""),
      languages: options["i18n"] === undefined ? undefined : languagesOf(reading, options["i18n"], folders),
      slugName: slugs === undefined ? undefined : (asText(slugs.arguments[0]) ?? "slug"),
      hasMenu,
    },
  ];
}

/** The folders of the collection that a loader is given, which may be one of several. */
function foldersOf(reading: Reading, source: unknown): Pick<Loader, "folders" | "hasMenu"> {
  const { tree, root, unknowns } = reading;
  if (isRecord(source) && !isComputed(source) && !("call" in source)) {
    const parts = Object.entries(source).map(([name, part]) => ({ name, ...foldersOf(reading, part) }));
    const known = parts.filter(({ folders }) => folders.length > 0);
    const made = parts.filter(({ folders }) => folders.length === 0).map(({ name }) => name);
    if (known.length > 0) {
      if (made.length > 0)
        unknowns.push({
          question: `Which pages are made by ${made.join(", ")}? Programs are not run.`,
          guess: "none",
        });
      return { folders: known.flatMap(({ folders }) => folders), hasMenu: true };
    }
  }
  const name = collectionName(source);
  const collection = name === undefined ? undefined : collectionNamed(reading, name);
  const isUnknown =
    collection === undefined && name !== undefined && /static|source$/i.test(callName(source));
  if (isUnknown && !/fumadocssource|mdxsource|dynamicsource/i.test(callName(source)))
    return { folders: [], hasMenu: true };
  const dirs = collection?.folders ?? [USUAL_FOLDER];
  const folders = dirs.flatMap((dir) => resolveLocation(root, dir) ?? []);
  const held = folders.filter((folder) => tree.below(folder).some((file) => /\.mdx?$/.test(file)));
  return { folders: held, hasMenu: collection?.hasMenu ?? true };
}

const callName = (source: unknown) =>
  isRecord(source) && typeof source["call"] === "string" ? source["call"] : "";

/** `docs.toFumadocsSource()`, or `createMDXSource(docs, meta)`. */
function collectionName(source: unknown): string | undefined {
  const call = callName(source);
  if (call.includes(".")) return call.split(".", 1)[0];
  const [first] = isRecord(source) ? asList(source["arguments"]) : [];
  return isComputed(first) ? first.source : isComputed(source) ? source.source : undefined;
}

function collectionNamed(
  { sourceConfig, text }: Reading,
  name: string,
): { folders: string[]; hasMenu: boolean } | undefined {
  const call = callOf(knownIn(sourceConfig?.named[name]), ["defineDocs", "defineCollections"]);
  if (call !== undefined) {
    const dir = knownIn(asRecord(unwrapCalls(call))["dir"]);
    const folders = [dir].flat().flatMap((each) => asText(each) ?? []);
    return { folders: folders.length > 0 ? folders : [USUAL_FOLDER], hasMenu: call.call === "defineDocs" };
  }
  if (!/^[\w$]{1,100}$/.test(name)) return undefined;
  const [, kind, dir] =
    new RegExp(
      `\\b${name.replaceAll("$", "\\$")}\\s*=\\s*(defineDocs|defineCollections|localMd)\\(${DIR}`,
    ).exec(text) ?? [];
  return kind === undefined
    ? undefined
    : { folders: [dir ?? USUAL_FOLDER], hasMenu: kind !== "defineCollections" };
}

/** The folder among the first settings of a collection that is defined where it is used. */
const DIR = String.raw`(?:\s*\{(?:[^{}]{0,300}?)\bdir\s*:\s*["']([^"']+)["'])?`;

function languagesOf(
  { tree, unknowns, file }: Reading,
  value: unknown,
  folders: readonly string[],
): Languages {
  const said = asRecord(unwrapCalls(knownIn(value)));
  const main = asText(knownIn(said["defaultLanguage"]));
  const named = asList(knownIn(said["languages"])).flatMap((each) => asText(knownIn(each)) ?? []);
  const areFolders = knownIn(said["parser"]) === "dir";
  const isKnown = main !== undefined && named.length > 0;
  const usual = main ?? USUAL_LANGUAGE;
  const all = isKnown ? named : [usual, ...languagesInNames(tree, folders, areFolders)];
  if (!isKnown)
    unknowns.push({
      question: `Which languages does the site have? ${file.location} computes it.`,
      guess: `those in the names of files: ${all.join(", ")}`,
    });
  const instead =
    said["fallbackLanguage"] === null ? undefined : (asText(knownIn(said["fallbackLanguage"])) ?? usual);
  const hidden = asText(knownIn(said["hideLocale"]));
  return {
    main: usual,
    all,
    areFolders,
    hidden: hidden === "always" || hidden === "default-locale" ? hidden : "never",
    instead,
  };
}

const USUAL_LANGUAGE = "en";
const LANGUAGE = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/;

/** The languages that pages or folders are named for: of `api.fr.mdx`, beside `api.mdx`, French. */
function languagesInNames(tree: DocsTree, folders: readonly string[], areFolders: boolean): string[] {
  const found = new Set<string>();
  for (const folder of folders)
    for (const location of tree.below(folder)) {
      const below = location.slice(folder.length + 1);
      const [, stem, suffix, ending] = /^(.+)\.([\w-]+)(\.mdx?)$/.exec(location) ?? [];
      const language = areFolders ? /^([^/]+)\//.exec(below)?.[1] : suffix;
      const isOne = language !== undefined && LANGUAGE.test(language);
      if (isOne && (areFolders || tree.has(`${stem}${ending}`))) found.add(language);
    }
  return [...found];
}

/** What the function `redirects` of Next.js returns, as far as its configuration says it. */
async function redirectsOf(tree: DocsTree, root: string): Promise<DocsSite["redirects"]> {
  const names = tree.files.filter((file) => /(?:^|\/)next\.config\.[cm]?[jt]s$/.test(file));
  const location = names.find((file) => file === joinLocation(root, nameOf(file)));
  const config = location === undefined ? undefined : await readConfig(tree, location);
  const { redirects } = asRecord(unwrapCalls(config?.value));
  return Array.isArray(redirects) ? sourceRedirects(redirects) : [];
}
