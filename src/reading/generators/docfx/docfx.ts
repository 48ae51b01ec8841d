import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { nameOf } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { readMenu } from "./menu.ts";
import { type Reading, readArticle } from "./page.ts";
import { findPages } from "./pages.ts";
import { readSettings } from "./settings.ts";

/** DocFX: articles and the reference of an API, as `docfx.json` collects them. */
export const docfx: GeneratorAdapter = {
  name: "DocFX",
  roots: (tree) => rootsIn(SITE_FILES.docfx, tree.files),
  async open(tree, root, { version }) {
    const settings = await readSettings(tree, root);
    if (settings === undefined) return undefined;
    const pages = await findPages(tree, settings, version);
    const menu = await readMenu(tree, settings, pages);
    const reading: Reading = { tree, settings, pages };
    return {
      generator: "DocFX",
      root,
      pages: pages.pages.map(({ location, path }) => ({ location, path })),
      leftOut: pages.leftOut,
      menu,
      redirects: pages.redirects,
      unknowns: settings.unknowns,
      read: (page) => readPage(reading, page),
    };
  },
};

async function readPage(reading: Reading, { location }: DocsPage): Promise<ReadDocsPage> {
  const page = reading.pages.byLocation.get(location);
  if (page?.api !== undefined)
    return { data: { title: page.title }, markdown: page.api.markdown, faults: [] };
  if (page?.body !== undefined) {
    const read = await readArticle(reading, location, page.body);
    return { data: { title: page.title }, ...read };
  }
  const { data, body } = splitFrontMatter((await reading.tree.text(location)) ?? "");
  const { markdown, faults } = await readArticle(reading, location, body);
  return { data: { ...data, title: page?.title ?? nameOf(location) }, markdown, faults };
}
