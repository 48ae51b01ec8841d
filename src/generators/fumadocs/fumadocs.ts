import type { DocsSite, GeneratorAdapter, PageEdition } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { readMenu } from "./menu.ts";
import { readPage } from "./page.ts";
import { type FumadocsPage, loadPages, redirectsOfUntranslated } from "./pages.ts";
import { type FumadocsSettings, LOADERS, type Loader, readSettings, SOURCE_CONFIGS } from "./settings.ts";

/** Fumadocs, with pages in files, whatever program shows them. */
export const fumadocs: GeneratorAdapter = {
  name: "Fumadocs",
  roots: (tree) => [...new Set(tree.files.flatMap(rootBy))],
  async open(tree, root, options) {
    const settings = await readSettings(tree, root, options);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

function rootBy(file: string): string[] {
  if (SOURCE_CONFIGS.includes(nameOf(file))) return [folderOf(file)];
  if (!/source(?:\/index)?\.\w+$/.test(file)) return [];
  const [place] = LOADERS.filter((each) => file === each || file.endsWith(`/${each}`)).sort(
    (a, b) => b.length - a.length,
  );
  return place === undefined ? [] : [file.slice(0, Math.max(0, file.length - place.length - 1))];
}

async function openSite(tree: DocsTree, settings: FumadocsSettings): Promise<DocsSite | undefined> {
  const loaded = await Promise.all(settings.loaders.map((loader) => loadPages(tree, loader)));
  const pages = loaded.flatMap((each) => each.pages);
  const byPath = new Map(pages.toReversed().map((page) => [page.path, page]));
  if (byPath.size === 0) return undefined;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const menus = await Promise.all(
    loaded.filter(({ loader }) => loader.hasMenu).map((each) => readMenu(tree, each)),
  );
  return {
    generator: "Fumadocs",
    root: settings.root,
    language: settings.loaders.find(({ languages }) => languages !== undefined)?.languages?.main,
    pages: loaded.flatMap(({ loader, pages: own }) =>
      own
        .filter((page) => byPath.get(page.path) === page)
        .map((page) => ({ location: page.location, path: page.path, edition: editionOf(loader, page) })),
    ),
    leftOut: loaded.flatMap(({ leftOut }) => leftOut),
    menu: menus.flat(),
    redirects: [...settings.redirects, ...loaded.flatMap(redirectsOfUntranslated)],
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage({ tree, root: settings.root, byPath, byLocation }, page);
    },
  };
}

const editionOf = ({ base }: Loader, { language, place }: FumadocsPage): PageEdition | undefined =>
  language === undefined ? undefined : { language, topic: joinLocation(base, stemOf(place)) };
