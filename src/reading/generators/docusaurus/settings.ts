import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import {
  askedText,
  askOfFolder,
  askOfPrograms,
  type Computed,
  type ConfigFile,
  changingPlugins,
  type Inquiry,
  knownIn,
  readConfig,
  readFirstConfig,
} from "../config/config.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";
import { spelled } from "../name-patterns.ts";
import { SITE_FILES } from "../site-files.ts";
import { type Locale, readLocales } from "./locales.ts";

/** One collection of docs: a site may have several, each with its own folder and address. */
export interface DocsInstance {
  /** "default" for the first. */
  id: string;
  folder: string;
  routeBase: string;
  include: string[];
  exclude: string[];
  takesPrefixesOff: boolean;
  /** The script or JSON that lists the menus; undefined where they are made from the folders. */
  sidebars: ConfigFile | undefined;
  versions: DocsVersion[];
}

/** A version of a collection of docs. */
export interface DocsVersion {
  name: string;
  label: string;
  /** Where its files are. */
  folder: string;
  /** What its addresses begin with below the collection's: "" for the latest. */
  routePath: string;
  /** Of a version that is not the current one. */
  sidebars: ConfigFile | undefined;
}

export interface BlogSettings {
  /** "default" for the first. */
  id: string;
  folder: string;
  routeBase: string;
}

export interface DocusaurusSettings {
  title: string | undefined;
  /** What addresses begin with on the host: "/", or "/project/". */
  base: string;
  /** Whether all addresses end in a slash, or none; undefined where it depends on the page. */
  trailingSlash: boolean | undefined;
  docs: DocsInstance[];
  blogs: BlogSettings[];
  /** The folder of pages that are addressed by their own place: "src/pages". */
  pages: { id: string; folder: string } | undefined;
  /** The main one first. */
  locales: Locale[];
  /** The names in the bar at the top, by the menu that they open. */
  menuLabels: ReadonlyMap<string, string>;
  /** Below the site's address. */
  redirects: { from: string; to: string }[];
  unknowns: Unknown[];
}

const CONFIG_NAMES = SITE_FILES.docusaurus.marks.flatMap(spelled);

const INCLUDED = ["**/*.{md,mdx}"];
const EXCLUDED = ["**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"];

/** What most sites have: it is taken where a configuration cannot be read. */
const USUAL = { presets: [["classic", {}]] };

/** Reads what of a configuration says where pages are and where they are published. */
export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers"> = {},
): Promise<DocusaurusSettings | undefined> {
  const config = await readFirstConfig(
    tree,
    CONFIG_NAMES.map((name) => joinLocation(root, name)),
  );
  if (config === undefined) return undefined;
  const unknowns: Unknown[] =
    config.fault === undefined ? [] : [{ question: config.fault, guess: "the defaults" }];
  const reading: Reading = { tree, root, unknowns, answers };
  const read = config.fault === undefined ? config.value : USUAL;
  const value = asRecord(known(reading, read, "the configuration"));
  const plugins = pluginsOf(reading, value);
  const docs = await Promise.all(
    plugins.filter(({ name }) => name === "docs").map(({ options }) => readInstance(reading, options)),
  );
  unknowns.push(...programsIn(value, plugins));
  const pages = plugins.find(({ name }) => name === "pages");
  const trailingSlash = knownIn(value["trailingSlash"]);
  const base = `/${trimSlashes(asText(knownIn(value["baseUrl"])) ?? "")}/`.replace("//", "/");
  return {
    title: asText(value["title"]),
    base,
    trailingSlash: typeof trailingSlash === "boolean" ? trailingSlash : undefined,
    locales: readLocales({ tree, root, base, unknowns }, value["i18n"]),
    docs,
    blogs: plugins.filter(({ name }) => name === "blog").map(({ options }) => blogOf(reading, options)),
    pages: pages && {
      id: idOf(pages.options),
      folder: placeIn(
        reading,
        textIn(reading, pages.options, { name: "path", of: "pages", usual: "src/pages" }),
      ),
    },
    menuLabels: menuLabelsOf(value),
    redirects: redirectsOf(reading, value),
    unknowns,
  };
}

const MARKDOWN_PLUGINS = [
  "beforeDefaultRemarkPlugins",
  "remarkPlugins",
  "beforeDefaultRehypePlugins",
  "rehypePlugins",
  "recmaPlugins",
];

/** What of a site's own code changes pages and addresses. */
function programsIn(config: Readonly<Record<string, unknown>>, plugins: readonly PluginUse[]): Unknown[] {
  const names = plugins.flatMap(({ options }) =>
    MARKDOWN_PLUGINS.flatMap((list) => changingPlugins(options[list])),
  );
  const markdown = asRecord(knownIn(config["markdown"]));
  for (const hook of ["preprocessor", "parseFrontMatter"])
    if (Object.hasOwn(markdown, hook)) names.push(`markdown.${hook}`);
  const numbering = plugins.some(
    ({ options }) => !["undefined", "boolean"].includes(typeof options["numberPrefixParser"]),
  );
  const question = "Which numbers does numberPrefixParser take off the names of files? It is a program.";
  return [...askOfPrograms([...new Set(names)]), ...(numbering ? [{ question, guess: "as usual" }] : [])];
}

interface Reading extends Inquiry {
  tree: DocsTree;
  root: string;
}

function known({ unknowns }: Reading, value: unknown, what: string): unknown {
  return knownIn(value, ({ source, guess }: Computed) => {
    unknowns.push({
      question: `What is ${what}? The configuration computes it: ${source}`,
      guess: guess === undefined ? "the default" : String(guess),
    });
  });
}

/** An option as text; `of` says which plugin's it is where several have it. */
function textIn(
  reading: Reading,
  options: Readonly<Record<string, unknown>>,
  { name, of, usual }: { name: string; of?: string | undefined; usual: string },
): string {
  return askedText(reading, options[name], { name: of === undefined ? name : `${of}.${name}`, usual });
}

/** A folder of the site; outside of the source there is none. */
function placeIn({ root, unknowns }: Reading, written: string): string {
  const place = resolveLocation(root, written.replace(/^\.\//, ""));
  if (place === undefined) unknowns.push(askOfFolder(written, "nowhere"));
  return place ?? NOWHERE;
}

/** No file of a source is there. */
const NOWHERE = "..";

interface PluginUse {
  name: "docs" | "blog" | "pages";
  options: Readonly<Record<string, unknown>>;
}

/** What is published: the preset's three collections, unless it turns one off, and further ones. */
function pluginsOf(reading: Reading, config: Readonly<Record<string, unknown>>): PluginUse[] {
  const used: PluginUse[] = [];
  for (const [name, options] of namedUses(reading, config["presets"])) {
    if (!/(?:^|preset-)classic$/.test(name)) continue;
    for (const each of ["docs", "blog", "pages"] as const) {
      const own = known(reading, options[each], each);
      if (own !== false) used.push({ name: each, options: asRecord(own) });
    }
  }
  for (const [name, options] of namedUses(reading, config["plugins"])) {
    const each = /(?:^|content-)(docs|blog|pages)$/.exec(name)?.[1];
    if (each === "docs" || each === "blog" || each === "pages") used.push({ name: each, options });
  }
  return used;
}

/** `"name"` or `["name", { options }]`. */
function namedUses(reading: Reading, list: unknown): [string, Readonly<Record<string, unknown>>][] {
  return asList(known(reading, list, "the list of plugins")).flatMap((use) => {
    const [name, options] = Array.isArray(use) ? use : [use, {}];
    const text = asText(pathIn(name));
    return text === undefined
      ? []
      : [[text, asRecord(known(reading, options, text))] as const].map(([a, b]) => [a, b]);
  });
}

/** A path as it is, or in `require.resolve("…")`. */
function pathIn(value: unknown): unknown {
  return isRecord(value) && Array.isArray(value["arguments"]) ? value["arguments"][0] : value;
}

async function readInstance(
  reading: Reading,
  options: Readonly<Record<string, unknown>>,
): Promise<DocsInstance> {
  const { tree } = reading;
  const id = textIn(reading, options, { name: "id", usual: "default" });
  const of = id === "default" ? undefined : id;
  const folder = placeIn(reading, textIn(reading, options, { name: "path", of, usual: "docs" }));
  const sidebarPath = asText(pathIn(known(reading, options["sidebarPath"], "sidebarPath")));
  return {
    id,
    folder,
    routeBase: trimSlashes(textIn(reading, options, { name: "routeBasePath", of, usual: "docs" })),
    include: textsIn(options["include"]) ?? INCLUDED,
    exclude: textsIn(options["exclude"]) ?? EXCLUDED,
    takesPrefixesOff: options["numberPrefixParser"] !== false,
    sidebars: sidebarPath === undefined ? undefined : await readConfig(tree, placeIn(reading, sidebarPath)),
    versions: await readVersions(reading, { id, folder, options }),
  };
}

/** The versions that are published. The latest has no name in its addresses, the one that is worked on is "next". */
async function readVersions(
  reading: Reading,
  { id, folder, options }: { id: string; folder: string; options: Readonly<Record<string, unknown>> },
): Promise<DocsVersion[]> {
  const { tree, root } = reading;
  const prefix = id === "default" ? "" : `${id}_`;
  const list = await readConfig(tree, joinLocation(root, `${prefix}versions.json`));
  const names = options["disableVersioning"] === true ? [] : (textsIn(list?.value) ?? []);
  const withCurrent = options["includeCurrentVersion"] !== false ? ["current", ...names] : names;
  const only = textsIn(options["onlyIncludeVersions"]);
  const shown = only === undefined ? withCurrent : withCurrent.filter((name) => only.includes(name));
  const last = asText(options["lastVersion"]) ?? names[0] ?? "current";
  return Promise.all(
    shown.map(async (name): Promise<DocsVersion> => {
      const said = asRecord(asRecord(options["versions"])[name]);
      const isCurrent = name === "current";
      const usual = name === last ? "" : isCurrent ? "next" : name;
      return {
        name,
        label: asText(said["label"]) ?? (isCurrent && names.length > 0 ? "Next" : name),
        folder: isCurrent ? folder : joinLocation(root, `${prefix}versioned_docs/version-${name}`),
        routePath: trimSlashes(asText(said["path"]) ?? usual),
        sidebars: isCurrent
          ? undefined
          : await readConfig(
              tree,
              joinLocation(root, `${prefix}versioned_sidebars/version-${name}-sidebars.json`),
            ),
      };
    }),
  );
}

const idOf = (options: Readonly<Record<string, unknown>>) => asText(knownIn(options["id"])) ?? "default";

const blogOf = (reading: Reading, options: Readonly<Record<string, unknown>>): BlogSettings => ({
  id: idOf(options),
  folder: placeIn(reading, textIn(reading, options, { name: "path", of: "blog", usual: "blog" })),
  routeBase: trimSlashes(textIn(reading, options, { name: "routeBasePath", of: "blog", usual: "blog" })),
});

/** What the bar at the top calls the menus. */
function menuLabelsOf(config: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const items = asList(asRecord(asRecord(config["themeConfig"])["navbar"])["items"]);
  return new Map(
    items.flatMap((item) => {
      const { sidebarId, label } = asRecord(item);
      return typeof sidebarId === "string" && typeof label === "string" ? [[sidebarId, label] as const] : [];
    }),
  );
}

const REDIRECTS_MAX = 20_000;

/** What the plugin for redirects lists: `{ from: "/old", to: "/new" }`, or several old addresses of one page. */
function redirectsOf(
  reading: Reading,
  config: Readonly<Record<string, unknown>>,
): { from: string; to: string }[] {
  return namedUses(reading, config["plugins"]).flatMap(([name, options]) => {
    if (!/(?:^|plugin-)client-redirects$/.test(name)) return [];
    if (options["createRedirects"] !== undefined)
      reading.unknowns.push({
        question: "Which redirects does createRedirects make? It is a program.",
        guess: "none",
      });
    return asList(known(reading, options["redirects"], "redirects"))
      .slice(0, REDIRECTS_MAX)
      .flatMap((each) => {
        const { from, to } = asRecord(each);
        if (typeof to !== "string") return [];
        const places = typeof from === "string" ? [from] : (textsIn(from) ?? []);
        return places.map((place) => ({ from: place, to }));
      });
  });
}

function textsIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.flatMap((each) => asText(each) ?? []) : undefined;
}

export const trimSlashes = (path: string) => path.replace(/^\/+|\/+$/g, "");
