import { systemClock } from "../../../src/kernel/lib/clock.ts";
import type {
  DocsSite,
  GeneratorAdapter,
  ReadDocsPage,
  WantedDocs,
} from "../../../src/reading/generators/docs-site.ts";
import type { DocsTree } from "../../../src/reading/generators/docs-tree.ts";
import { recognizeSite } from "../../../src/reading/generators/generators.ts";
import { type Contents, expectSameDropped, treeOf } from "./dropped.ts";

export { treeOf } from "./dropped.ts";

export type Files = Readonly<Record<string, string>>;

/** What has to be long to be tested is not opened two more times. */
const LONG_CHARACTERS = 20_000;

/** Whatever a test opens has to be the same when it is dropped into the browser. */
async function sameDropped(files: Contents, open: (tree: DocsTree) => Promise<DocsSite | undefined>) {
  if (Object.values(files).every(({ length }) => length < LONG_CHARACTERS))
    await expectSameDropped(files, open);
}

/** The site that an adapter finds in files. */
export async function openFiles(
  adapter: GeneratorAdapter,
  files: Files,
  wanted: WantedDocs = {},
): Promise<DocsSite> {
  const open = async (tree: DocsTree) => {
    const [root] = adapter.roots(tree);
    return root === undefined ? undefined : adapter.open(tree, root, { clock: systemClock, ...wanted });
  };
  const site = await open(treeOf(files));
  if (site === undefined) throw new Error(`${adapter.name} does not recognize these files`);
  await sameDropped(files, open);
  return site;
}

/** The site that any of the adapters finds in files; undefined where none does. */
export async function recognizeFiles(
  files: Contents,
  wanted: WantedDocs & { within?: string } = {},
): Promise<DocsSite | undefined> {
  const open = (tree: DocsTree) => recognizeSite(tree, { clock: systemClock, ...wanted });
  await sameDropped(files, open);
  return open(treeOf(files));
}

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
