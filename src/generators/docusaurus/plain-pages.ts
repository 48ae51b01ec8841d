import { type DocsTree, stemOf } from "../docs-tree.ts";
import type { PublishedPage } from "./published-page.ts";

/** Pages of Markdown that are addressed by where they stand. Those written as React components hold no text. */
export function readPlainPages(tree: DocsTree, folder: string): PublishedPage[] {
  return tree.below(folder).flatMap((location) => {
    const below = location.slice(folder.length + 1);
    if (!/\.mdx?$/i.test(below) || /(^|\/)_/.test(below)) return [];
    const path = stemOf(below).replace(/(^|\/)index$/i, "");
    return [{ location, path, contentRoot: folder, isFolder: /(^|\/)index\.mdx?$/i.test(below) }];
  });
}
