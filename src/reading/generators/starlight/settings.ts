import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askedText,
  askOfPrograms,
  type ConfigFile,
  callOf,
  changingPlugins,
  isComputed,
  knownAs,
  knownIn,
  readFirstConfig,
  unwrapCalls,
} from "../config/config.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";

/** What of a configuration says where pages are, where they are published, and what their menu is. */
export interface StarlightSettings {
  root: string;
  /** The folder of the sources: "src". */
  sourceRoot: string;
  /** The folder of the pages. */
  contentRoot: string;
  /** What the site's own links begin with, without slashes around it. */
  base: string;
  /** Whether addresses end in `.html`. */
  hasExtensions: boolean;
  /** Undefined where the folders make the menu. */
  sidebar: readonly unknown[] | undefined;
  /** The main language first. */
  locales: StarlightLocale[];
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
}

export interface StarlightLocale {
  /** The folder of its pages: "" for that at the root. */
  folder: string;
  label: string;
  /** By which a menu's labels are translated. */
  language: string;
}

const CONFIG_NAMES = SITE_FILES.starlight.marks.flatMap(spelled);

export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers"> = {},
): Promise<StarlightSettings | undefined> {
  const config = await readFirstConfig(
    tree,
    CONFIG_NAMES.map((name) => joinLocation(root, name)),
  );
  const text = config === undefined ? "" : ((await tree.text(config.location)) ?? "");
  if (config !== undefined && !text.includes("starlight")) return undefined;
  const unknowns: Unknown[] = [];
  if (config?.fault !== undefined) unknowns.push({ question: config.fault, guess: "the defaults" });
  const known = (value: unknown, what: string) => knownAs(value, unknowns, what);
  const astro = asRecord(unwrapCalls(known(config?.value, "the configuration")));
  const options = optionsOf(astro, text);
  const asked = (name: string, usual: string) =>
    askedText({ unknowns, answers }, astro[name], { name, usual });
  if (config === undefined)
    unknowns.push({
      question: `Which menu and languages does the site have? Its configuration is not in this source`,
      guess: "the order of the folders",
    });
  const sourceRoot = resolveLocation(root, asked("srcDir", "src")) ?? joinLocation(root, "src");
  const build = asRecord(known(astro["build"], "build"));
  await askForIds(tree, sourceRoot, unknowns);
  const { remarkPlugins, rehypePlugins } = asRecord(knownIn(astro["markdown"]));
  unknowns.push(...askOfPrograms([...changingPlugins(remarkPlugins), ...changingPlugins(rehypePlugins)]));
  const redirects = asRecord(known(astro["redirects"], "redirects"));
  return {
    root,
    sourceRoot,
    contentRoot: joinLocation(sourceRoot, "content/docs"),
    base: asked("base", "").replace(/^\/+|\/+$/g, ""),
    hasExtensions: build["format"] === "file",
    sidebar: sidebarOf(options, config, unknowns),
    locales:
      config === undefined
        ? localesOfFolders(tree, joinLocation(sourceRoot, "content/docs"))
        : localesOf(options, unknowns),
    redirects: redirectsOf(redirects),
    unknowns,
  };
}

/** What the integration of Starlight is given. */
function optionsOf(
  astro: Readonly<Record<string, unknown>>,
  text: string,
): Readonly<Record<string, unknown>> {
  const name = /import\s+(\w+)\s+from\s+["']@astrojs\/starlight["']/.exec(text)?.[1] ?? "starlight";
  const calls = asList(knownIn(astro["integrations"])).flatMap((each) => callOf(knownIn(each), [name]) ?? []);
  return asRecord(knownIn(calls[0]?.arguments[0]));
}

/** The menu: Starlight's own, or those of a plugin that puts one below each topic. */
function sidebarOf(
  options: Readonly<Record<string, unknown>>,
  config: ConfigFile | undefined,
  unknowns: Unknown[],
): readonly unknown[] | undefined {
  const topics = asList(knownIn(options["plugins"])).flatMap(
    (each) => callOf(knownIn(each), ["starlightSidebarTopics"])?.arguments[0] ?? [],
  );
  if (topics.length > 0) return topics;
  const sidebar = knownIn(options["sidebar"]);
  if (Array.isArray(sidebar)) return sidebar;
  if (options["sidebar"] !== undefined) {
    const code = isComputed(options["sidebar"]) ? options["sidebar"].source : "code";
    unknowns.push({
      question: `Which pages are in the menu? ${config?.location ?? ""} computes it: ${code}`,
      guess: "the order of the folders",
    });
  }
  return undefined;
}

function localesOf(options: Readonly<Record<string, unknown>>, unknowns: Unknown[]): StarlightLocale[] {
  const listed = asRecord(knownAs(options["locales"], unknowns, "locales"));
  const main = asText(knownIn(options["defaultLocale"])) ?? "root";
  const locales = Object.entries(listed).map(([name, value]) => {
    const { label, lang } = asRecord(knownIn(value));
    const folder = name === "root" ? "" : name;
    return {
      folder,
      label: asText(label) ?? name,
      language: asText(lang) ?? (name === "root" ? "en" : name),
      name,
    };
  });
  if (locales.length === 0) return [{ folder: "", label: "", language: "en" }];
  const isMain = ({ name }: { name: string }) => name === main;
  return [...locales.filter(isMain), ...locales.filter((each) => !isMain(each))].map(
    ({ folder, label, language }) => ({ folder, label, language }),
  );
}

/** Languages as the folders at the top are named, where several are named so and English is one of them. */
function localesOfFolders(tree: DocsTree, contentRoot: string): StarlightLocale[] {
  const below = tree.below(contentRoot).map((location) => location.slice(contentRoot.length + 1));
  const names = new Set(below.flatMap((place) => /^([a-z]{2}(?:-[a-z]{2,4})?)\//.exec(place)?.[1] ?? []));
  const none = [{ folder: "", label: "", language: "en" }];
  if (!names.has("en") || names.size < 2) return none;
  const others = [...names].filter((name) => name !== "en");
  return ["en", ...others].map((name) => ({
    folder: name,
    label: new Intl.DisplayNames([name], { type: "language", fallback: "code" }).of(name) ?? name,
    language: name,
  }));
}

const REDIRECTS_MAX = 20_000;

function redirectsOf(redirects: Readonly<Record<string, unknown>>): { from: string; to: string }[] {
  return Object.entries(redirects)
    .slice(0, REDIRECTS_MAX)
    .flatMap(([from, target]) => {
      const known = knownIn(target);
      const to = asText(isRecord(known) ? known["destination"] : known);
      if (to === undefined || /^[a-z]+:/i.test(to)) return [];
      return [{ from: from.replace(/^\/+|\/+$/g, ""), to: to.replace(/^\/+|\/+(?=$|[?#])/g, "") }];
    });
}

/** A script may give pages other addresses than those of their files. */
async function askForIds(tree: DocsTree, sourceRoot: string, unknowns: Unknown[]): Promise<void> {
  const places = ["content.config", "content/config"].flatMap((name) =>
    ["ts", "js", "mjs", "mts"].map((extension) => joinLocation(sourceRoot, `${name}.${extension}`)),
  );
  const location = places.find((each) => tree.has(each));
  const text = location === undefined ? undefined : await tree.text(location);
  if (location === undefined || text === undefined || !/\bgenerateId\b/.test(text)) return;
  unknowns.push({
    question: `Which addresses do pages have? ${location} computes them: generateId`,
    guess: "those of their files",
  });
}
