import { asList, asRecord, asText, isRecord, jsonIn } from "@docent/kernel/text/json";
import { createSlugger, type Slugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { askOfPrograms, isComputed, knownIn, readFirstConfig, unwrapCalls } from "../config/config.ts";
import type { Unknown } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import {
  type LocaleSettings,
  levelsOf,
  usesDefinitionLists,
  type VitePressSettings,
} from "../vitepress/vitepress.ts";
import { createMenuWriter, type MenuWriter } from "./menu.ts";

const NAMES = [
  ...["ts", "mts", "js", "mjs", "cjs", "yml", "yaml", "toml"].map((each) => `config.${each}`),
  ...["ts", "js"].map((each) => `config/index.${each}`),
];

/** The settings of a site, as those of VitePress, which comes from it. */
export async function readSettings(tree: DocsTree, root: string): Promise<VitePressSettings> {
  const folder = joinLocation(root, ".vuepress");
  const written = NAMES.map((name) => joinLocation(folder, name)).filter((each) => tree.has(each));
  // An empty file beside the real one configures nothing.
  const texts = await Promise.all(written.map(async (each) => ((await tree.text(each)) ?? "").trim()));
  const config = await readFirstConfig(tree, [
    ...written.filter((_, index) => texts[index] !== ""),
    ...written,
  ]);
  const unknowns: Unknown[] = [];
  if (config?.fault !== undefined) unknowns.push({ question: config.fault, guess: "the defaults" });
  const value = recordIn(config?.value);
  unknowns.push(...questionsOf(value));
  const addressOf = await createAddresses(tree, root);
  const theme = themeOf(value);
  const locales = asRecord(knownIn(value["locales"]));
  return {
    root,
    contentRoot: root,
    title: asText(knownIn(value["title"])) ?? asText(asRecord(locales["/"])["title"]),
    addressOf,
    excluded: [...asList(knownIn(value["pagePatterns"])), ...asList(knownIn(value["patterns"]))].flatMap(
      (each) => (typeof each === "string" && each.startsWith("!") ? [each.slice(1)] : []),
    ),
    rewrite: (page) => page,
    locales: await readLocales(createMenuWriter(tree, root), locales, theme),
    heroOf,
    ...(await headingsOf(tree, root, value)),
    hasDefinitionLists: await usesDefinitionLists(tree, config?.location),
    unknowns,
  };
}

/** How headings get their ids, which version 1 does in its own way. */
async function headingsOf(
  tree: DocsTree,
  root: string,
  config: Readonly<Record<string, unknown>>,
): Promise<Pick<VitePressSettings, "createSlugger" | "hasIds">> {
  const isFirst = await isVersion1(tree, root, config);
  return {
    createSlugger: isFirst ? createVersion1Slugger : () => createSlugger("vitepress"),
    hasIds: levelsOf(config),
  };
}

function recordIn(value: unknown): Record<string, unknown> {
  const own = unwrapCalls(knownIn(value));
  return isRecord(own) && !isComputed(own) ? own : {};
}

/** What the theme is given: by its function in version 2, beside it in version 1. */
const themeOf = (config: Readonly<Record<string, unknown>>) => ({
  ...recordIn(config["themeConfig"]),
  ...recordIn(config["theme"]),
});

function questionsOf(config: Readonly<Record<string, unknown>>): Unknown[] {
  const programs = ["extendsPage", "extendPageData", "extendsMarkdown"].filter((each) =>
    Object.hasOwn(config, each),
  );
  const pattern = asText(config["permalinkPattern"]) ?? asText(config["permalink"]);
  const question = `Which addresses do pages have? They follow a pattern: ${pattern}`;
  return [
    ...askOfPrograms(programs),
    ...(pattern === undefined ? [] : [{ question, guess: "those of their files" }]),
  ];
}

const INDEX = /(^|\/)(?:readme|index)$/i;

/** Addresses from files, and from what the front matter of some says instead. */
async function createAddresses(tree: DocsTree, root: string): Promise<(file: string) => string> {
  const permalinks = new Map<string, string>();
  for (const location of tree.below(root)) {
    if (!location.endsWith(".md")) continue;
    const text = (await tree.text(location)) ?? "";
    if (!/^permalink:/m.test(text)) continue;
    const permalink = asText(splitFrontMatter(text).data["permalink"]);
    const below = root === "" ? location : location.slice(root.length + 1);
    if (permalink !== undefined && permalink !== "")
      permalinks.set(stemOf(below), permalink.replace(/^\/+|\/+$/g, ""));
  }
  return (file) => {
    const stem = stemOf(file);
    const given = permalinks.get(stem);
    if (given !== undefined) return given;
    if (stem === "index") return "";
    return stem.endsWith("/index") ? stem.slice(0, -"/index".length) : `${stem}.html`;
  };
}

const stemOf = (file: string) => file.replace(/\.md$/, "").replace(INDEX, "$1index");

/** The main language, and those of the other folders. */
async function readLocales(
  menu: MenuWriter,
  listed: Readonly<Record<string, unknown>>,
  theme: Readonly<Record<string, unknown>>,
): Promise<LocaleSettings[]> {
  const themed = asRecord(knownIn(theme["locales"]));
  const folders = new Set(["/", ...Object.keys(listed), ...Object.keys(themed)]);
  const locales: LocaleSettings[] = [];
  for (const each of folders) {
    const folder = each.replace(/^\/+|\/+$/g, "");
    const own = { ...theme, ...recordIn(themed[each]) };
    const language = asText(knownIn(asRecord(knownIn(listed[each]))["lang"]));
    locales.push({
      folder,
      label: asText(knownIn(own["selectLanguageName"])) ?? asText(knownIn(own["label"])),
      language: language ?? (folder === "" ? "en" : folder),
      sidebar: await menu.sidebar(own["sidebar"]),
      nav: await menu.entries(own["navbar"] ?? own["nav"], ""),
      calloutTitles: new Map(
        ["tip", "warning", "danger"].flatMap((kind) => {
          const title = asText(knownIn(own[kind]));
          return title === undefined ? [] : [[kind, title] as const];
        }),
      ),
    });
  }
  return locales;
}

/** A home page says in its front matter what it shows, beside the words in its body. */
function heroOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (data["home"] !== true && data["layout"] !== "Home") return undefined;
  const { heroText, tagline, actions, actionText, actionLink, features } = data;
  const listed = asList(actions).length > 0 ? actions : [{ text: actionText, link: actionLink }];
  return { hero: { name: heroText, tagline, actions: listed }, features };
}

/** Whether a site is one of VuePress 1: its repository says so, or else a theme that is set as only version 1 has it. */
async function isVersion1(
  tree: DocsTree,
  root: string,
  config: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  for (let folder = root; ; folder = folderOf(folder)) {
    const wanted = wantedVersion(await tree.text(joinLocation(folder, "package.json")));
    if (wanted !== undefined) return /^\D{0,3}[01](?:\.|$)/.test(wanted);
    if (folder === "") break;
  }
  const theme = knownIn(config["theme"]);
  const isCalled = isRecord(config["theme"]) && !isComputed(config["theme"]);
  return config["themeConfig"] !== undefined && !isCalled && !isRecord(theme);
}

function wantedVersion(text: string | undefined): string | undefined {
  const json = asRecord(jsonIn(text ?? ""));
  const wanted = { ...asRecord(json["dependencies"]), ...asRecord(json["devDependencies"]) };
  return ["vuepress", "@vuepress/core", "@vuepress/cli"].flatMap((name) => asText(wanted[name]) ?? []).at(0);
}

/** Letters that are written with others, and have no accent to be taken off. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ħ: "h",
  ł: "l",
  ŧ: "t",
  ı: "i",
};
const SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/**
 * The ids of version 1: a repeated one is `a-2` and the next `a-3`, whatever else the page has, and only Latin letters
 * lose their accents.
 */
function createVersion1Slugger(): Slugger {
  const counts = new Map<string, number>();
  return {
    unique(words) {
      const id = words
        .replace(/\p{Script=Latin}\p{Mark}*/gu, plainLetter)
        .replace(SPECIAL, "-")
        .replace(/^-|-$/g, "")
        .replace(/^(?=\d)/, "_")
        .toLowerCase();
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count === 1 ? id : `${id}-${count}`;
    },
    claim: (anchor) => anchor,
  };
}

function plainLetter(letter: string): string {
  const plain = letter.normalize("NFD").replace(/\p{Mark}/gu, "");
  return LETTERS[plain.toLowerCase()] ?? plain;
}
