import { antora } from "./antora/antora.ts";
import { docfx } from "./docfx/docfx.ts";
import type { DocsSite, GeneratorAdapter, OpenOptions, Unknown } from "./docs-site.ts";
import { createDocsTree, type DocsTree } from "./docs-tree.ts";
import { docsify } from "./docsify/docsify.ts";
import { docusaurus } from "./docusaurus/docusaurus.ts";
import { gitbook } from "./gitbook/gitbook.ts";
import { hugo } from "./hugo/hugo.ts";
import { jekyll } from "./jekyll/jekyll.ts";
import { mdbook } from "./mdbook/mdbook.ts";
import { mintlify } from "./mintlify/mintlify.ts";
import { mkdocs } from "./mkdocs/mkdocs.ts";
import { nextra } from "./nextra/nextra.ts";
import { withRedirects } from "./redirects.ts";
import { sphinx } from "./sphinx/sphinx.ts";
import { starlight } from "./starlight/starlight.ts";
import { vitepress } from "./vitepress/vitepress.ts";

export type { DocsPage, DocsSite, MenuEntry, OpenOptions, ReadDocsPage, Unknown } from "./docs-site.ts";
export { createDocsTree, type DocsFile, type DocsTree, folderOf, resolveLocation } from "./docs-tree.ts";

/** Where two could be meant, the first is. */
export const ADAPTERS: readonly GeneratorAdapter[] = [
  docusaurus,
  mkdocs,
  sphinx,
  mdbook,
  antora,
  gitbook,
  vitepress,
  starlight,
  mintlify,
  nextra,
  hugo,
  jekyll,
  docfx,
  docsify,
];

/** Whether files have names by which a generator's docs could be recognized. */
export function mayHoldSite(locations: readonly string[], adapters = ADAPTERS): boolean {
  const tree = createDocsTree(
    locations.map((location) => ({ location, read: async () => new Uint8Array() })),
  );
  return adapters.some((adapter) => adapter.roots(tree).length > 0);
}

/** How many folders that look like a site's are opened. */
const ROOTS_MAX = 20;

/** The docs site that a source holds: the outermost one, of several beside each other the one with most pages. */
export async function recognizeSite(
  tree: DocsTree,
  { adapters = ADAPTERS, ...options }: OpenOptions & { adapters?: readonly GeneratorAdapter[] },
): Promise<DocsSite | undefined> {
  const places = adapters
    .flatMap((adapter) => adapter.roots(tree).map((root) => ({ adapter, root, depth: depthOf(root) })))
    .sort((a, b) => a.depth - b.depth)
    .slice(0, ROOTS_MAX);
  const sites: DocsSite[] = [];
  for (const { adapter, root, depth } of places) {
    if (sites.some((site) => site.pages.length > 0 && depthOf(site.root) < depth)) break;
    const site = await opened(adapter, tree, root, options);
    if (site !== undefined) sites.push(site);
  }
  const largest = sites.toSorted((a, b) => b.pages.length - a.pages.length)[0];
  return largest && withRedirects(largest);
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
