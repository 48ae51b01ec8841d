import { systemClock } from "../../../src/kernel/lib/clock.ts";
import type {
  DocsSite,
  GeneratorAdapter,
  ReadDocsPage,
  WantedDocs,
} from "../../../src/reading/generators/docs-site.ts";
import { createDocsTree, type DocsTree } from "../../../src/reading/generators/docs-tree.ts";
import { recognizeSite } from "../../../src/reading/generators/generators.ts";

export type Files = Readonly<Record<string, string>>;

/** A source of files, by their locations. */
export const treeOf = (files: Files): DocsTree =>
  createDocsTree(
    Object.entries(files).map(([location, text]) => ({
      location,
      read: async () => new TextEncoder().encode(text),
    })),
  );

/** The site that an adapter finds in files. */
export async function openFiles(
  adapter: GeneratorAdapter,
  files: Files,
  wanted: WantedDocs = {},
): Promise<DocsSite> {
  const tree = treeOf(files);
  const [root] = adapter.roots(tree);
  const options = { clock: systemClock, ...wanted };
  const site = root === undefined ? undefined : await adapter.open(tree, root, options);
  if (site === undefined) throw new Error(`${adapter.name} does not recognize these files`);
  return site;
}

/** The site that any of the adapters finds in files; undefined where none does. */
export const recognizeFiles = (files: Files) => recognizeSite(treeOf(files), { clock: systemClock });

/** As `recognizeFiles`, of files in which there is a site. */
export async function siteOf(files: Files): Promise<DocsSite> {
  const site = await recognizeFiles(files);
  if (site === undefined) throw new Error("nothing was recognized");
  return site;
}

/** The page that a site makes of a file. */
export async function readPageOf(site: DocsSite, location: string): Promise<ReadDocsPage> {
  const page = site.pages.find((each) => each.location === location);
  if (page === undefined) throw new Error(`${location} is no page`);
  return site.read(page);
}
