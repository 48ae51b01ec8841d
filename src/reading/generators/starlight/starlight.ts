import type { DocsSite, GeneratorAdapter, PageEdition } from "../docs-site.ts";
import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { readMenus } from "./menu.ts";
import { readPage } from "./page.ts";
import { folderOfLocale, readPages, type StarlightPage, untranslated } from "./pages.ts";
import { readSettings, type StarlightSettings } from "./settings.ts";

/** Starlight, the docs theme of Astro. */
export const starlight: GeneratorAdapter = {
  name: "Starlight",
  roots: (tree) => [...configRoots(tree), ...contentRoots(tree)],
  async open(tree, root, { answers }) {
    const settings = await readSettings(tree, root, { answers });
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

const configRoots = (tree: DocsTree) => rootsIn(SITE_FILES.starlight, tree.files);

/** A source may hold the pages alone, without the configuration. */
function contentRoots(tree: DocsTree): string[] {
  const found = new Set<string>();
  for (const file of tree.files) {
    const match = /^(?:(.*?)\/)?src\/content\/docs\/.*\.mdx?$/.exec(file);
    if (match !== null) found.add(match[1] ?? "");
  }
  const configured = new Set(configRoots(tree));
  return [...found].filter((root) => !configured.has(root));
}

async function openSite(tree: DocsTree, settings: StarlightSettings): Promise<DocsSite> {
  const { pages, leftOut } = await readPages(tree, settings);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  return {
    generator: "Starlight",
    root: settings.root,
    language: settings.locales[0]?.language,
    pages: pages.map(({ location, path, id }) => ({ location, path, edition: editionOf(settings, id) })),
    leftOut,
    menu: readMenus(settings, pages),
    redirects: [...settings.redirects, ...redirectsOfUntranslated(settings, byPath)],
    unknowns: settings.unknowns,
    read: (page) => readPage({ tree, settings, byPath, byLocation }, page),
  };
}

function editionOf(settings: StarlightSettings, id: string): PageEdition {
  const folder = folderOfLocale(settings, id);
  const language = settings.locales.find((each) => each.folder === folder)?.language;
  return { language, topic: folder === "" ? id : id.slice(folder.length + 1) };
}

const REDIRECTS_MAX = 50_000;

/** The addresses of other languages at which pages of the main one are shown. */
function redirectsOfUntranslated(
  settings: StarlightSettings,
  byPath: ReadonlyMap<string, StarlightPage>,
): { from: string; to: string }[] {
  const [main, ...others] = settings.locales;
  const found: { from: string; to: string }[] = [];
  if (main === undefined) return found;
  for (const { folder } of others)
    for (const path of byPath.keys()) {
      const isMain =
        main.folder === ""
          ? !others.some((each) => `${path}/`.startsWith(`${each.folder}/`))
          : `${path}/`.startsWith(`${main.folder}/`);
      const from = joinLocation(folder, main.folder === "" ? path : path.slice(main.folder.length + 1));
      if (isMain && found.length < REDIRECTS_MAX && untranslated(settings, byPath, from) === path)
        found.push({ from, to: path });
    }
  return found;
}
