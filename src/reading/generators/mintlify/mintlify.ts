import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { readEditions } from "./editions.ts";
import { showFilled } from "./filled-words.ts";
import { createHeadingIds } from "./heading-ids.ts";
import { readMarkup } from "./markup.ts";
import { readMenu } from "./menu.ts";
import { type ApiFiles, operationOf, writeOperation } from "./operations.ts";
import { type PublishedPage, pathOfName, readPages } from "./pages.ts";
import { CONFIG_NAMES, type MintlifySettings, readSettings } from "./settings.ts";
import { withSnippets } from "./snippets.ts";

/** Mintlify, by its `docs.json`, or by the `mint.json` that came before it. */
export const mintlify: GeneratorAdapter = {
  name: "Mintlify",
  roots: (tree) => [
    ...new Set(tree.files.filter((file) => CONFIG_NAMES.includes(nameOf(file))).map(folderOf)),
  ],
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
