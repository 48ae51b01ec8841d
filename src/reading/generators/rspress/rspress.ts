import type { DocsSite, GeneratorAdapter, PageEdition } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import { readMenu } from "./menu.ts";
import { readPage } from "./page.ts";
import { type RspressPage, readPages } from "./pages.ts";
import { type RspressSettings, readSettings, rspressRoots } from "./settings.ts";

/** Rspress 1 and 2. */
export const rspress: GeneratorAdapter = {
  name: "Rspress",
  roots: rspressRoots,
  async open(tree, root, { answers, version }) {
    const settings = await readSettings(tree, root, { answers });
    return settings === undefined ? undefined : openSite(tree, settings, version);
  },
};

async function openSite(
  tree: DocsTree,
  settings: RspressSettings,
  wanted: string | undefined,
): Promise<DocsSite | undefined> {
  const { pages: all, leftOut } = await readPages(tree, settings);
  const version = settings.versions.find((each) => each === wanted) ?? settings.version;
  // Each version is a source of its own.
  const pages = all.filter((page) => page.version === version);
  if (pages.length === 0) return undefined;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const surroundings = { tree, settings, byRoute: new Map(all.map((page) => [page.route, page])) };
  const isInSeveral = new Set(pages.map(({ language }) => language)).size > 1;
  const named = settings.versions.length === 0 ? undefined : version;
  const editionOf = ({ language, topic }: RspressPage): PageEdition | undefined =>
    isInSeveral ? { language, topic, version: named } : named === undefined ? undefined : { version: named };
  return {
    generator: "Rspress",
    root: settings.root,
    language: isInSeveral ? settings.language : undefined,
    pages: pages.map((page) => ({ location: page.location, path: page.path, edition: editionOf(page) })),
    leftOut,
    menu: await readMenu(tree, { ...settings }, pages),
    redirects: settings.redirects.flatMap(({ from, to }) => {
      const page = pages.find(({ route }) => route === to);
      return page === undefined ? [] : [{ from, to: page.path }];
    }),
    unknowns: settings.unknowns,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the site`] };
      return readPage(surroundings, page);
    },
  };
}
