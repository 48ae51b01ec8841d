import type { DocsSite, GeneratorAdapter, PageEdition } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import { readMenu } from "./menu.ts";
import { readPage } from "./page.ts";
import { readPages } from "./pages.ts";
import { localeOfPath, readSettings, rootOfConfig, type VitePressSettings } from "./settings.ts";

export { type LocaleSettings, levelsOf, usesDefinitionLists, type VitePressSettings } from "./settings.ts";

/** VitePress 1 and 2. */
export const vitepress: GeneratorAdapter = {
  name: "VitePress",
  roots: (tree) => [...new Set(tree.files.flatMap((file) => rootOfConfig(file) ?? []))],
  async open(tree, root, { answers }) {
    return openSite("VitePress", tree, await readSettings(tree, root, { answers }));
  },
};

/** The site of settings as VitePress has them, and VuePress, which it comes from. */
export async function openSite(
  generator: string,
  tree: DocsTree,
  settings: VitePressSettings,
): Promise<DocsSite> {
  const { pages, leftOut } = await readPages(tree, settings);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const surroundings = { tree, settings, byPath };
  return {
    generator,
    root: settings.root,
    language: settings.locales[0]?.language,
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf(settings, path) })),
    leftOut,
    menu: readMenu(settings, byPath),
    redirects: [],
    unknowns: settings.unknowns,
    read: ({ location, path }) =>
      readPage(surroundings, byPath.get(path) ?? { location, path, file: location }),
  };
}

function editionOf(settings: VitePressSettings, path: string): PageEdition | undefined {
  if (settings.locales.length < 2) return undefined;
  const { folder = "", language } = localeOfPath(settings, path) ?? {};
  return { language, topic: folder === "" ? path : path.slice(folder.length + 1) };
}
