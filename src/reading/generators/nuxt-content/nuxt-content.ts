import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { readMenu } from "./menu.ts";
import { readPage } from "./page.ts";
import { readPages } from "./pages.ts";
import {
  CONTENT_CONFIGS,
  NUXT_CONFIGS,
  type NuxtSettings,
  readSettings,
  UNDOCS_CONFIGS,
} from "./settings.ts";

/** Nuxt Content, and what is built on it: Docus and UnDocs. */
export const nuxtContent: GeneratorAdapter = {
  name: "Nuxt Content",
  roots: (tree) => [...new Set(tree.files.flatMap((file) => rootBy(tree, file)))],
  async open(tree, root, options) {
    const settings = await readSettings(tree, root, options);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

const NUMBERED = /\/\d+\.[^/]+(?:\/.*)?\.md$/;

/** Docus and UnDocs can do without a configuration of Nuxt. */
function rootBy(tree: DocsTree, file: string): string[] {
  const name = nameOf(file);
  const folder = folderOf(file);
  if ([...NUXT_CONFIGS, ...CONTENT_CONFIGS].includes(name)) return [folder];
  if (name === "package.json") {
    const pages = tree.below(joinLocation(folder, "content"));
    return pages.some((each) => NUMBERED.test(each)) ? [folder] : [];
  }
  const undocs = UNDOCS_CONFIGS.find((each) => file === each || file.endsWith(`/${each}`));
  return undocs === undefined ? [] : [file.slice(0, Math.max(0, file.length - undocs.length - 1))];
}

async function openSite(tree: DocsTree, settings: NuxtSettings): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readPages(tree, settings);
  if (pages.length === 0) return undefined;
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  return {
    generator: settings.generator,
    root: settings.root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut,
    menu: await readMenu(tree, settings, pages),
    redirects: settings.redirects,
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage({ tree, byPath, byLocation }, page);
    },
  };
}
