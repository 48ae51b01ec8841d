import type { GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { openJsonExport } from "./json-export.ts";
import { isAttached, openMarkdownExport } from "./markdown-export.ts";

/** What Outline exports as Markdown and as JSON. */
export const outline: GeneratorAdapter = {
  name: "Outline",
  knowsRights: true,
  roots(tree) {
    const json = rootsIn(SITE_FILES.outline, tree.files);
    return json.length > 0 ? json : markdownRoot(tree);
  },
  open: (tree, root) =>
    tree.has(joinLocation(root, "metadata.json"))
      ? openJsonExport(tree, root)
      : openMarkdownExport(tree, root),
};

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
