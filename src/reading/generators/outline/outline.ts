import type { GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { openJsonExport } from "./json-export.ts";
import { isAttached, openMarkdownExport } from "./markdown-export.ts";

/** What Outline exports as Markdown and as JSON. */
export const outline: GeneratorAdapter = {
  name: "Outline",
  knowsRights: true,
  roots(tree) {
    const json = tree.files
      .filter((file) => nameOf(file) === "metadata.json")
      .map(folderOf)
      .filter((folder) => isJsonExport(tree, folder));
    return json.length > 0 ? json : markdownRoot(tree);
  },
  open: (tree, root) =>
    tree.has(joinLocation(root, "metadata.json"))
      ? openJsonExport(tree, root)
      : openMarkdownExport(tree, root),
};

/** Many programs write a `metadata.json`: here, only collections and what is attached to them lie beside it. */
function isJsonExport(tree: DocsTree, folder: string): boolean {
  const own = tree.below(folder).filter((file) => !isAttached(file));
  return own.length > 1 && own.every((file) => folderOf(file) === folder && file.endsWith(".json"));
}

/** Files of Markdown by themselves are anybody's: Outline's are known by where they have what is attached to them. */
function markdownRoot(tree: DocsTree): string[] {
  const attached = tree.files.filter(isAttached);
  const pages = tree.files.filter((file) => file.endsWith(".md") && !isAttached(file));
  const hasOthers = tree.files.some((file) => /\.(?:mdx|rst|adoc|toml|ya?ml)$/.test(file));
  if (attached.length === 0 || pages.length === 0 || hasOthers) return [];
  const [first = "", ...others] = pages.map(folderOf);
  let root = first;
  while (root !== "" && !others.every((each) => each === root || each.startsWith(`${root}/`)))
    root = folderOf(root);
  return [root];
}
