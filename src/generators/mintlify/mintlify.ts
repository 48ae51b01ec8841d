import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf } from "../docs-tree.ts";
import { readEditions } from "./editions.ts";
import { readMenu } from "./menu.ts";
import type { ApiFiles } from "./operations.ts";
import { readPage } from "./page.ts";
import { readPages } from "./pages.ts";
import { CONFIG_NAMES, type MintlifySettings, readSettings } from "./settings.ts";

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
