import {
  createPandocNames,
  type PandocProject,
  pandocFacts,
  pandocLines,
  pandocToMarkdown,
  pandocWords,
  type Reference,
  splitPandoc,
  wordsOf,
} from "../../markdown/pandoc/pandoc.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref } from "../writing/writing.ts";
import { readBibliography } from "./bibliography.ts";
import { withQuartoIncludes } from "./includes.ts";
import { readMenu } from "./menu.ts";
import { pageText, type QuartoPage, readPages } from "./pages.ts";
import { isConfigName, type QuartoSettings, readSettings, textsIn } from "./settings.ts";

export { readBibliography } from "./bibliography.ts";
export { withQuartoIncludes } from "./includes.ts";

/** Quarto: websites, books, and folders of documents. */
export const quarto: GeneratorAdapter = {
  name: "Quarto",
  roots: (tree) => tree.files.filter(isConfigName).map(folderOf),
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

interface Site {
  tree: DocsTree;
  settings: QuartoSettings;
  byLocation: ReadonlyMap<string, QuartoPage>;
  byPath: ReadonlyMap<string, QuartoPage>;
  sources: ReadonlyMap<string, string>;
  /** The places of a book, by their labels. */
  places: ReadonlyMap<string, Reference & { location: string }>;
}

async function openSite(tree: DocsTree, settings: QuartoSettings): Promise<DocsSite> {
  const { pages, leftOut } = await readPages(tree, settings);
  const site: Site = {
    tree,
    settings,
    byLocation: new Map(pages.map((page) => [page.location, page])),
    byPath: new Map(pages.map((page) => [page.path, page])),
    sources: await readBibliography(tree, settings.root, textsIn(settings.values["bibliography"])),
    places: settings.isBook ? await placesIn(tree, settings, pages) : new Map(),
  };
  return {
    generator: settings.isNbdev ? "nbdev" : "Quarto",
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: readMenu(settings, pages),
    redirects: pages.flatMap(({ path, aliases }) => aliases.map((from) => ({ from, to: `/${path}` }))),
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = site.byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(site, page);
    },
  };
}

/** What pages of a book refer to on others. */
async function placesIn(
  tree: DocsTree,
  settings: QuartoSettings,
  pages: readonly QuartoPage[],
): Promise<Site["places"]> {
  const places = new Map<string, Reference & { location: string }>();
  for (const { location, path } of pages) {
    const { text } = await withQuartoIncludes(tree, {
      location,
      text: await pageText(tree, location, settings),
      root: settings.root,
    });
    const { headings, labels } = pandocFacts(pandocLines(splitPandoc(text).body), createPandocNames());
    for (const [index, heading] of headings.entries()) {
      // Links to a chapter lead to its page.
      const anchor = index === 0 && heading.level === 1 ? "" : `#${heading.id}`;
      if (!places.has(heading.id))
        places.set(heading.id, { location, href: `/${path}${anchor}`, words: wordsOf(heading) });
    }
    for (const label of labels)
      if (!places.has(label)) places.set(label, { location, href: `/${path}#${label}` });
  }
  return places;
}

async function readPage(site: Site, page: QuartoPage): Promise<ReadDocsPage> {
  const { tree, settings } = site;
  const { location } = page;
  const written = await withQuartoIncludes(tree, {
    location,
    text: await pageText(tree, location, settings),
    root: settings.root,
  });
  const { data, body, fault } = splitPandoc(written.text);
  const sources = new Map([
    ...site.sources,
    ...(await readBibliography(tree, folderOf(location), textsIn(data["bibliography"]))),
  ]);
  const project: PandocProject = {
    variables: settings.variables,
    metadata: { ...settings.values, ...page.folderValues },
    referenceOf: (label) => (label.includes("-") ? site.places.get(label) : undefined),
    citationOf: (key) => sources.get(key),
  };
  const { markdown } = pandocToMarkdown(body, { data, project });
  const { description } = data;
  return {
    data: {
      ...data,
      ...(page.title === undefined ? {} : { title: page.title }),
      ...(typeof description === "string" ? { description: pandocWords(description, project) } : {}),
    },
    markdown: rewriteLinks(markdown, (href) => publishedHref(site, page, href)),
    faults: [...(fault === undefined ? [] : [fault]), ...written.faults],
  };
}

/** A link to a file leads to its page; any other is an address beside the page's own. */
function publishedHref(
  { settings, byLocation, byPath }: Site,
  page: QuartoPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target.startsWith("//")) return undefined;
  const isRooted = target.startsWith("/");
  const from = isRooted ? settings.root : folderOf(page.location);
  const place = resolveLocation(from, isRooted ? `.${target}` : `./${target}`);
  if (place === undefined) return undefined;
  const found = byLocation.get(place);
  if (found !== undefined) return `/${encodeURI(found.path)}${rest}`;
  const folder = settings.root === "" ? "" : `${settings.root}/`;
  if (!`${place}/`.startsWith(folder)) return undefined;
  const below = place
    .slice(folder.length)
    .replace(/(^|\/)index\.html$/, "$1")
    .replace(/\/$/, "");
  return byPath.has(below) || /\.html$/.test(below) ? `/${encodeURI(below)}${rest}` : undefined;
}
