import type { DocsSite, GeneratorAdapter, WantedDocs } from "../../src/generators/docs-site.ts";
import { createDocsTree } from "../../src/generators/docs-tree.ts";

/** The site that an adapter finds in files, by their locations. */
export async function openFiles(
  adapter: GeneratorAdapter,
  files: Readonly<Record<string, string>>,
  wanted: WantedDocs = {},
): Promise<DocsSite> {
  const tree = createDocsTree(
    Object.entries(files).map(([location, text]) => ({
      location,
      read: async () => new TextEncoder().encode(text),
    })),
  );
  const [root] = adapter.roots(tree);
  const site = root === undefined ? undefined : await adapter.open(tree, root, wanted);
  if (site === undefined) throw new Error(`${adapter.name} does not recognize these files`);
  return site;
}
