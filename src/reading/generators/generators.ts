import { antora } from "./antora/antora.ts";
import { bookdown } from "./bookdown/bookdown.ts";
import { bookstack } from "./bookstack/bookstack.ts";
import { confluence } from "./confluence/confluence.ts";
import { confluenceXml } from "./confluence/xml-export/xml-export.ts";
import { docfx } from "./docfx/docfx.ts";
import type { DocsSite, GeneratorAdapter, OpenOptions, Unknown } from "./docs-site.ts";
import { createDocsTree, type DocsTree } from "./docs-tree.ts";
import { docsify } from "./docsify/docsify.ts";
import { docusaurus } from "./docusaurus/docusaurus.ts";
import { dokuwiki } from "./dokuwiki/dokuwiki.ts";
import { eleventy } from "./eleventy/eleventy.ts";
import { exdoc } from "./exdoc/exdoc.ts";
import { fumadocs } from "./fumadocs/fumadocs.ts";
import { gitWiki } from "./git-wiki/git-wiki.ts";
import { gitbook } from "./gitbook/gitbook.ts";
import { hexo } from "./hexo/hexo.ts";
import { hugo } from "./hugo/hugo.ts";
import { jekyll } from "./jekyll/jekyll.ts";
import { mdbook } from "./mdbook/mdbook.ts";
import { mediawiki } from "./mediawiki/mediawiki.ts";
import { mintlify } from "./mintlify/mintlify.ts";
import { mkdocs } from "./mkdocs/mkdocs.ts";
import { nextra } from "./nextra/nextra.ts";
import { notion } from "./notion/notion.ts";
import { nuxtContent } from "./nuxt-content/nuxt-content.ts";
import { outline } from "./outline/outline.ts";
import { withMarks } from "./page-marks.ts";
import { isBelow, partOf } from "./part-of-site.ts";
import { quarto } from "./quarto/quarto.ts";
import { hostRedirects, withRedirects } from "./redirects/redirects.ts";
import { rspress } from "./rspress/rspress.ts";
import { sphinx } from "./sphinx/sphinx.ts";
import { starlight } from "./starlight/starlight.ts";
import { symfony } from "./symfony/symfony.ts";
import { vitepress } from "./vitepress/vitepress.ts";
import { vuepress } from "./vuepress/vuepress.ts";
import { wikijs } from "./wikijs/wikijs.ts";
import { xwiki } from "./xwiki/xwiki.ts";
import { zola } from "./zola/zola.ts";

export type { MenuEntry } from "../page/menu.ts";
export type { DocsPage, DocsSite, OpenOptions } from "./docs-site.ts";
export { createDocsTree, type DocsTree, folderOf, nameOf, resolveLocation } from "./docs-tree.ts";
export { isBelow } from "./part-of-site.ts";
export { withQuartoIncludes } from "./quarto/quarto.ts";
export { readXml } from "./xml/xml.ts";

/** Where two could be meant, the first is. */
const ADAPTERS: readonly GeneratorAdapter[] = [
  docusaurus,
  mkdocs,
  sphinx,
  symfony,
  mdbook,
  antora,
  gitbook,
  vitepress,
  vuepress,
  rspress,
  starlight,
  mintlify,
  fumadocs,
  nextra,
  nuxtContent,
  hugo,
  zola,
  hexo,
  jekyll,
  quarto,
  bookdown,
  docfx,
  docsify,
  exdoc,
  eleventy,
  confluence,
  confluenceXml,
  notion,
  bookstack,
  outline,
  xwiki,
  mediawiki,
  dokuwiki,
  wikijs,
  gitWiki,
];

/** Whether files have names by which a generator's docs could be recognized. */
export function mayHoldSite(locations: readonly string[], adapters = ADAPTERS): boolean {
  const tree = namesAlone(locations);
  return adapters.some((adapter) => adapter.roots(tree).length > 0);
}

/** Whether files look like those of a wiki in which pages may be for some only. */
export const mayHoldRestricted = (locations: readonly string[]): boolean =>
  mayHoldSite(
    locations,
    ADAPTERS.filter(({ knowsRights }) => knowsRights === true),
  );

/** The generator of which these files would be a site, by their names alone. */
export function looksLike(locations: readonly string[], adapters = ADAPTERS): string | undefined {
  const tree = namesAlone(locations);
  return adapters.find((adapter) => adapter.roots(tree).includes(""))?.name;
}

const namesAlone = (locations: readonly string[]): DocsTree =>
  createDocsTree(locations.map((location) => ({ location, read: async () => new Uint8Array() })));

/** How many folders that look like a site's are opened. */
const ROOTS_MAX = 20;

interface RecognizeOptions extends OpenOptions {
  adapters?: readonly GeneratorAdapter[];
  /** The folder whose pages are wanted, where those are not all: the configuration may lie above it or beside it. */
  within?: string | undefined;
}

interface Place {
  adapter: GeneratorAdapter;
  root: string;
}

/** The docs site that a source holds: the outermost one, of several beside each other the one with most pages. */
export async function recognizeSite(
  tree: DocsTree,
  { adapters = ADAPTERS, within = "", ...options }: RecognizeOptions,
): Promise<DocsSite | undefined> {
  const places = adapters
    .flatMap((adapter) => adapter.roots(tree).map((root) => ({ adapter, root })))
    .sort((a, b) => depthOf(a.root) - depthOf(b.root));
  const [inside, around] = [true, false].map((isInside) =>
    places.filter(({ root }) => isBelow(root, within) === isInside),
  );
  const site = await siteAt(tree, inside ?? [], within, options);
  if (site !== undefined && site.pages.length > 0) return site;
  const outer = await siteAt(tree, around ?? [], within, options);
  const isOuter = outer !== undefined && (outer.pages.length > 0 || outer.holdsRestricted === true);
  return isOuter ? outer : site;
}

async function siteAt(
  tree: DocsTree,
  places: readonly Place[],
  within: string,
  options: OpenOptions,
): Promise<DocsSite | undefined> {
  const sites: { site: DocsSite; count: number }[] = [];
  for (const { adapter, root } of places.slice(0, ROOTS_MAX)) {
    if (sites.some(({ site, count }) => count > 0 && depthOf(site.root) < depthOf(root))) break;
    const site = await opened(adapter, tree, root, options);
    const count = site?.pages.filter(({ location }) => isBelow(location, within)).length ?? 0;
    if (site !== undefined) sites.push({ site, count });
  }
  const [largest, ...others] = sites.toSorted((a, b) => b.count - a.count);
  if (largest === undefined) return undefined;
  const { site } = largest;
  const beside = others.flatMap(({ site: { generator, root }, count }) =>
    count === 0 || isBelow(root, site.root) ? [] : [{ generator, root, pages: count }],
  );
  const ofHost = await hostRedirects(tree, site.root, options);
  const whole = withRedirects({ ...site, redirects: [...site.redirects, ...ofHost], beside });
  return withMarks(partOf(whole, within));
}

/** The site of a root. What is too much or too odd to be read ends in a question, and not the run. */
async function opened(
  adapter: GeneratorAdapter,
  tree: DocsTree,
  root: string,
  options: OpenOptions,
): Promise<DocsSite | undefined> {
  try {
    return await adapter.open(tree, root, options);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    const question = `What does its configuration say? It could not be understood: ${error.message.replace(/\.$/, "")}.`;
    return unreadSite(adapter.name, root, { question, guess: "nothing" });
  }
}

const unreadSite = (generator: string, root: string, unknown: Unknown): DocsSite => ({
  generator,
  root,
  pages: [],
  leftOut: [],
  menu: [],
  redirects: [],
  unknowns: [unknown],
  read: async () => ({ data: {}, markdown: "", faults: [] }),
});

const depthOf = (folder: string) => (folder === "" ? 0 : folder.split("/").length);
