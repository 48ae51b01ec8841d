import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { createSlugger, type Slugger } from "../../markdown/anchors.ts";
import {
  askedText,
  askOfFolder,
  askOfHeadingIds,
  askOfPrograms,
  isComputed,
  knownAs,
  knownIn,
  readConfig,
  readFirstConfig,
  unwrapCalls,
} from "../config/config.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { createRewriting } from "./rewrites.ts";

/** What of a configuration says where pages are, where they are published, and what their menu is. */
export interface VitePressSettings {
  root: string;
  /** The folder of the pages. */
  contentRoot: string;
  title: string | undefined;
  /** The address of a page, from the location below the pages' folder that it is published for. */
  addressOf: (file: string) => string;
  excluded: string[];
  /** Where a page is moved to, from its location below the pages' folder. */
  rewrite: (page: string) => string;
  /** The main language first. */
  locales: LocaleSettings[];
  /** What a page's front matter has its home page show; undefined where it is none. */
  heroOf: (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;
  /** Makes the ids of a page's headings. */
  createSlugger: () => Slugger;
  /** Whether headings of a level have ids. */
  hasIds: (level: number) => boolean;
  hasDefinitionLists: boolean;
  unknowns: Unknown[];
}

/** What is set for the pages of a language. */
export interface LocaleSettings {
  /** The folder of the language's pages: "" for the main language. */
  folder: string;
  label: string | undefined;
  /** As its pages say it in HTML; that of the folder's name where nothing is said. */
  language: string;
  sidebar: unknown;
  nav: unknown;
  /** The titles of callouts that have none of their own, by kind. */
  calloutTitles: ReadonlyMap<string, string>;
}

function addressOf(file: string, cleanUrls: boolean): string {
  const stem = file.replace(/\.md$/, "");
  if (stem === "index") return "";
  return stem.endsWith("/index") ? stem.slice(0, -"/index".length) : `${stem}${cleanUrls ? "" : ".html"}`;
}

const EXTENSIONS = ["js", "ts", "mjs", "mts"];
export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers"> = {},
): Promise<VitePressSettings> {
  const folder = joinLocation(root, ".vitepress");
  const config = await readFirstConfig(
    tree,
    EXTENSIONS.flatMap((each) => [`${folder}/config/index.${each}`, `${folder}/config.${each}`]),
  );
  const unknowns: Unknown[] = [];
  if (config?.fault !== undefined) unknowns.push({ question: config.fault, guess: "the defaults" });
  const value = recordIn(config?.value, unknowns, "the configuration");
  const asked = (name: string, usual: string) =>
    askedText({ unknowns, answers }, value[name], { name, usual });
  const srcDir = asked("srcDir", "");
  const contentRoot = resolveLocation(root, srcDir) ?? root;
  if (resolveLocation(root, srcDir) === undefined) unknowns.push(askOfFolder(srcDir, "beside .vitepress"));
  unknowns.push(...programsIn(value));
  const cleanUrls = asked("cleanUrls", "false") === "true";
  const { rewrite, question } = createRewriting(value["rewrites"]);
  if (question !== undefined) unknowns.push({ question, guess: "pages stand where their files do" });
  return {
    root,
    contentRoot,
    title: asText(knownAs(value["title"], [], "title")),
    addressOf: (file) => addressOf(file, cleanUrls),
    excluded: asList(knownAs(value["srcExclude"], unknowns, "srcExclude")).flatMap(
      (each) => asText(each) ?? [],
    ),
    rewrite,
    locales: await readLocales(tree, contentRoot, value, unknowns),
    heroOf: (data) => (data["layout"] === "home" ? data : undefined),
    createSlugger: () => createSlugger("vitepress"),
    hasIds: levelsOf(value),
    hasDefinitionLists: await usesDefinitionLists(tree, config?.location),
    unknowns,
  };
}

/** The levels of headings that have ids: those from a number on, or those in a list. */
export function levelsOf(config: Readonly<Record<string, unknown>>): (level: number) => boolean {
  const { level: wanted } = asRecord(knownIn(asRecord(knownIn(config["markdown"]))["anchor"]));
  if (typeof wanted === "number") return (level) => level >= wanted;
  return Array.isArray(wanted) ? (level) => wanted.includes(level) : () => true;
}

/** Whether a configuration uses the plugin for definition lists. It does so in a program, which is not run. */
export async function usesDefinitionLists(tree: DocsTree, location: string | undefined): Promise<boolean> {
  const text = location === undefined ? undefined : await tree.text(location);
  return text !== undefined && /["'](?:markdown-it-deflist|@mdit\/plugin-dl)["']/.test(text);
}

/** What of a site's own code changes pages. */
function programsIn(config: Readonly<Record<string, unknown>>): Unknown[] {
  const markdown = asRecord(knownIn(config["markdown"]));
  const programs = [
    ...(Object.hasOwn(markdown, "config") ? ["markdown.config"] : []),
    ...(Object.hasOwn(config, "transformPageData") ? ["transformPageData"] : []),
  ];
  const { slugify } = asRecord(knownIn(markdown["anchor"]));
  return [...askOfPrograms(programs), ...askOfHeadingIds("markdown.anchor.slugify", slugify)];
}

const CONFIGS_DEEP_MAX = 5;

/** A configuration with what it extends below it. */
function recordIn(value: unknown, unknowns: Unknown[], what: string, depth = 0): Record<string, unknown> {
  const own = unwrapCalls(knownAs(value, unknowns, what));
  if (!isRecord(own) || isComputed(own)) return {};
  const base = own["extends"];
  if (base === undefined || depth >= CONFIGS_DEEP_MAX) return own;
  return merged(recordIn(base, [], "what the configuration extends", depth + 1), own);
}

/** One record over another, with those inside of them. */
function merged(
  below: Readonly<Record<string, unknown>>,
  above: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const made = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = made[name];
    if (value === undefined) continue;
    made[name] = isPlainRecord(under) && isPlainRecord(value) ? merged(under, value) : value;
  }
  return made;
}

/** Whether a value is a record that can be merged: neither computed nor a call. */
const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !isComputed(value) && !("call" in value && "arguments" in value);

/** The languages, and what folders of pages have set for themselves. */
async function readLocales(
  tree: DocsTree,
  contentRoot: string,
  config: Readonly<Record<string, unknown>>,
  unknowns: Unknown[],
): Promise<LocaleSettings[]> {
  const common = pick(config);
  const listed = asRecord(knownAs(config["locales"], unknowns, "locales"));
  const names = Object.keys(listed).filter((name) => name !== "root");
  const locales: LocaleSettings[] = [];
  for (const name of ["root", ...names]) {
    const own = recordIn(listed[name], unknowns, `the locale ${name}`);
    if (name !== "root" && /^(?:[a-z]+:|\/\/)/i.test(asText(own["link"]) ?? "")) continue;
    const folder = name === "root" ? "" : name.replace(/^\/+|\/+$/g, "");
    const inFolder = await readFolderConfig(tree, joinLocation(contentRoot, folder), unknowns);
    const settings = merged(merged(common, pick(own)), pick(inFolder));
    const said = asText(knownIn(own["lang"])) ?? (name === "root" ? asText(knownIn(config["lang"])) : folder);
    locales.push(localeOf(folder, settings, { label: asText(own["label"]), language: said ?? "en" }));
  }
  return locales;
}

/** VitePress 2 reads a configuration beside the pages that it is for. */
async function readFolderConfig(
  tree: DocsTree,
  folder: string,
  unknowns: Unknown[],
): Promise<Record<string, unknown>> {
  const location = EXTENSIONS.map((each) => joinLocation(folder, `config.${each}`)).find((each) =>
    tree.has(each),
  );
  const text = location === undefined ? undefined : await tree.text(location);
  if (location === undefined || text === undefined || !/defineAdditionalConfig|themeConfig/.test(text))
    return {};
  const config = await readConfig(tree, location);
  return config === undefined ? {} : recordIn(config.value, unknowns, location);
}

function pick(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { themeConfig: unwrapCalls(knownIn(config["themeConfig"])), markdown: knownIn(config["markdown"]) };
}

function localeOf(
  folder: string,
  config: Readonly<Record<string, unknown>>,
  { label, language }: Pick<LocaleSettings, "label" | "language">,
): LocaleSettings {
  const theme = asRecord(config["themeConfig"]);
  const titles = asRecord(asRecord(config["markdown"])["container"]);
  const named = Object.entries(titles).flatMap(([name, title]) => {
    const kind = /^(\w+)Label$/.exec(name)?.[1];
    return kind !== undefined && typeof title === "string" ? [[kind, title] as const] : [];
  });
  return {
    folder,
    label,
    language,
    sidebar: theme["sidebar"],
    nav: theme["nav"],
    calloutTitles: new Map(named),
  };
}

/** The language that a page is in. */
export function localeOfPath({ locales }: VitePressSettings, path: string): LocaleSettings | undefined {
  return (
    locales.find(({ folder }) => folder !== "" && `${path}/`.startsWith(`${folder}/`)) ??
    locales.find(({ folder }) => folder === "")
  );
}
