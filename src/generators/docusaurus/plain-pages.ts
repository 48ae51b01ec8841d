import { type DocsTree, stemOf } from "../docs-tree.ts";
import { contentRootsOf, type LocalizedFolder, localizedFiles } from "./locales.ts";
import { type ShownPage, shownIn } from "./published-page.ts";

/** Pages of Markdown that are addressed by where they stand. Those written as React components hold no text. */
export function readPlainPages(tree: DocsTree, content: LocalizedFolder): ShownPage[] {
  const contentRoots = contentRootsOf(content);
  return localizedFiles(tree, content).flatMap(({ location, below, isOwn }) => {
    if (!/\.mdx?$/i.test(below) || /(^|\/)_/.test(below)) return [];
    const address = stemOf(below).replace(/(^|\/)index$/i, "");
    const isFolder = /(^|\/)index\.mdx?$/i.test(below);
    return [{ location, below, contentRoots, isFolder, ...shownIn(content.locale, address, isOwn) }];
  });
}
