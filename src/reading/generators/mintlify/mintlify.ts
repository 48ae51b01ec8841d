import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { showFilled } from "./filled-words.ts";
import { createHeadingIds } from "./heading-ids.ts";
import { readMarkup } from "./markup.ts";
import { readMenu } from "./menu.ts";
import { type ApiFiles, operationOf, writeOperation } from "./operations.ts";
import { type PublishedPage, pathOfName, readPages } from "./pages.ts";
import { type MintlifySettings, readSettings, trimSlashes } from "./settings.ts";
import { withSnippets } from "./snippets.ts";

/** Mintlify, by its `docs.json`, or by the `mint.json` that came before it. */
export const mintlify: GeneratorAdapter = {
  name: "Mintlify",
  roots: (tree) => rootsIn(SITE_FILES.mintlify, tree.files),
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(withVariables(tree, settings), settings);
  },
};

/** The files of a site with the words in place of their names in pages: `{{name}}`. */
function withVariables(tree: DocsTree, { variables }: MintlifySettings): DocsTree {
  if (variables.size === 0) return tree;
  return {
    ...tree,
    async text(location) {
      const text = await tree.text(location);
      return text === undefined || !/\.mdx?$/i.test(location)
        ? text
        : text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
    },
  };
}

async function openSite(tree: DocsTree, settings: MintlifySettings): Promise<DocsSite> {
  const { root } = settings;
  const api: ApiFiles = { tree, root, read: new Map() };
  const { pages, links, leftOut } = await readPages(tree, settings, api);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const surroundings = { tree, settings, byPath, api };
  const { mainLanguage, editionOf } = readEditions(settings);
  return {
    generator: "Mintlify",
    root,
    language: mainLanguage,
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf({ path }) })),
    leftOut,
    menu: readMenu(settings, { byPath, links }),
    redirects: settings.redirects,
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage(surroundings, page);
    },
  };
}

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  settings: MintlifySettings;
  byPath: ReadonlyMap<string, PublishedPage>;
  api: ApiFiles;
}

async function readPage(surroundings: Surroundings, page: PublishedPage): Promise<ReadDocsPage> {
  const { tree, settings } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(page.location)) ?? "");
  const whole = await withSnippets({ tree, root: settings.root }, page.location, body);
  const { markdown, faults } = readMarkup(whole.body, data);
  const linked = rewriteLinks(showFilled(markdown), (href) => publishedHref(surroundings, page, href));
  const later = createHeadingIds();
  const named = writeHeadingIds(linked, ({ source: words, given }) => given ?? later.ofTitle(words));
  const made = await readOperation(surroundings, data);
  return {
    data: { ...data, title: page.title, ...made.data },
    markdown: made.text === "" ? named : `${made.text}\n\n${named}`,
    faults: [...(fault === undefined ? [] : [fault]), ...whole.faults, ...faults, ...made.faults],
  };
}

/** What a page shows of the operation of an API that its front matter names. */
async function readOperation(
  { api }: Surroundings,
  data: Readonly<Record<string, unknown>>,
): Promise<{ text: string; data: Record<string, unknown>; faults: string[] }> {
  const written = asText(data["openapi"]);
  if (written === undefined) return { text: writtenEndpoint(data["api"]), data: {}, faults: [] };
  const operation = await operationOf(api, written);
  if (operation === undefined) {
    const endpoint = written.replace(/^\S+\.(?:json|ya?ml)\s+/, "");
    const faults = [`the operation ${written}, which it shows, is in no OpenAPI file of this source`];
    return { text: writtenEndpoint(endpoint), data: {}, faults };
  }
  const { description } = operation;
  const isSaid = description === undefined || data["description"] !== undefined;
  return { text: writeOperation(operation), data: isSaid ? {} : { description }, faults: [] };
}

/** `POST /users`, as it stands at the top of an operation's page. */
function writtenEndpoint(value: unknown): string {
  const text = asText(value)?.trim() ?? "";
  return /^[a-z]+\s+\S+$/i.test(text) ? `\`${text}\`` : "";
}

/** Where a link of a page leads: Mintlify takes the extension of files off, and an index for its folder. */
function publishedHref({ byPath }: Surroundings, page: PublishedPage, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const from = /^\.\.?\//.test(target) ? folderOf(page.name) : folderOf(page.path);
  const place = target.startsWith("/") ? resolveLocation("", target) : resolveLocation(from, target);
  if (place === undefined) return undefined;
  const path = pathOfName(place.replace(/\.mdx?$/i, ""));
  if (byPath.has(path)) return `/${path}${rest}`;
  return target.startsWith("/") ? undefined : `/${place}${rest}`;
}

/** The versions and languages whose menus name a page. */
interface NamedIn {
  languages: Set<string>;
  versions: Set<string>;
}

/** What of a navigation says which version and language pages are of. */
interface Editions {
  /** The first that is named, or the one that says that it is. */
  mainLanguage: string | undefined;
  languages: Set<string>;
  byPath: Map<string, NamedIn>;
}

const DEEP_MAX = 30;

/**
 * Tells the version and language of a page: those of the only menu that names it. Where several languages have it, it is in
 * the one whose folder it is in, or else in the main one: menus name pages that are not translated.
 */
function readEditions({ navigation }: Pick<MintlifySettings, "navigation">): {
  mainLanguage: string | undefined;
  editionOf(page: Pick<PublishedPage, "path">): PageEdition | undefined;
} {
  const editions: Editions = { mainLanguage: undefined, languages: new Set(), byPath: new Map() };
  collect(editions, navigation, {}, 0);
  const { mainLanguage, languages, byPath } = editions;
  return {
    mainLanguage,
    editionOf({ path }) {
      const { languages: named = new Set<string>(), versions } = byPath.get(path) ?? {};
      const inFolder = path.split("/").find((name) => languages.has(name));
      const language = onlyOf(named) ?? inFolder ?? mainLanguage;
      const version = onlyOf(versions);
      if (version === undefined && language === undefined) return undefined;
      return { version, language, topic: withoutFolder(path, language) };
    },
  };
}

const onlyOf = (names: ReadonlySet<string> | undefined): string | undefined =>
  names?.size === 1 ? names.values().next().value : undefined;

/** Translations stand in a folder of their language. */
function withoutFolder(path: string, language: string | undefined): string {
  const names = path.split("/");
  const at = language === undefined ? -1 : names.indexOf(language);
  return at < 0 ? path : names.toSpliced(at, 1).join("/");
}

function collect(editions: Editions, node: unknown, above: PageEdition, depth: number): void {
  if (depth > DEEP_MAX) return;
  if (typeof node === "string") note(editions, node, above);
  else if (Array.isArray(node)) for (const each of node) collect(editions, each, above, depth + 1);
  else if (isRecord(node)) collectIn(editions, node, above, depth);
}

function collectIn(
  editions: Editions,
  node: Readonly<Record<string, unknown>>,
  above: PageEdition,
  depth: number,
): void {
  const said = { version: asText(node["version"]), language: asText(node["language"]) };
  const own = { ...above, ...definedIn(said) };
  for (const [name, value] of Object.entries(node)) {
    if (name === "languages") noteLanguages(editions, value);
    if (name === "root" || typeof value === "object") collect(editions, value, own, depth + 1);
  }
}

/** Without what is not said. */
const definedIn = ({ version, language }: PageEdition): PageEdition => ({
  ...(version === undefined ? {} : { version }),
  ...(language === undefined ? {} : { language }),
});

function noteLanguages(editions: Editions, list: unknown): void {
  const named = asList(list).map((each) => asRecord(each));
  for (const { language } of named) if (typeof language === "string") editions.languages.add(language);
  const main = named.find((each) => each["default"] === true) ?? named[0];
  editions.mainLanguage ??= asText(main?.["language"]);
}

function note({ byPath }: Editions, name: string, { version, language }: PageEdition): void {
  const path = pathOfName(trimSlashes(name.replace(/\.mdx?$/, "")));
  const known = byPath.get(path) ?? { languages: new Set(), versions: new Set() };
  byPath.set(path, known);
  if (language !== undefined) known.languages.add(language);
  if (version !== undefined) known.versions.add(version);
}
