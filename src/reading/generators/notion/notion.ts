import type { DocsSite, GeneratorAdapter, LeftOut } from "../docs-site.ts";
import { type DocsTree, nameOf } from "../docs-tree.ts";
import { isBelow } from "../part-of-site.ts";
import { placeTree } from "../wiki-pages/wiki-pages.ts";
import { readDatabase } from "./database.ts";
import { readExport } from "./export.ts";
import { readHtmlPage } from "./html-page.ts";
import { readMarkdownPage } from "./markdown-page.ts";
import { isExportedName, isPageName, isZipPart } from "./names.ts";

/** What Notion exports as "Markdown & CSV" and as "HTML". */
export const notion: GeneratorAdapter = {
  name: "Notion",
  roots(tree) {
    const exported = tree.files.filter(isExportedName);
    const pages = tree.files.filter((file) => /\.(?:md|html)$/i.test(file) && nameOf(file) !== "index.html");
    const own = exported.filter((file) => isPageName(nameOf(file)));
    // A page of Notion's among others does not make them an export.
    const isExport = own.length > 0 && own.length * 2 > pages.length;
    const hasParts = pages.length === 0 && tree.files.some((file) => isZipPart(nameOf(file)));
    return isExport || hasParts ? [commonFolder(isExport ? exported : tree.files)] : [];
  },
  open: openExport,
};

const UNSAID = {
  question: "Whom are these pages for? An export of Notion does not say with whom a page is shared.",
  guess: "every reader of the site may read all of them",
};

/** The folder that all of the files are in. */
function commonFolder(files: readonly string[]): string {
  const [first = "", ...others] = files.map((file) => file.split("/").slice(0, -1));
  const shared = [...first];
  for (const folders of others) while (shared.some((name, index) => folders[index] !== name)) shared.pop();
  return shared.join("/");
}

async function openExport(tree: DocsTree, root: string): Promise<DocsSite | undefined> {
  const { nodes, leftOut, ownerOf } = await readExport(tree, root);
  const parts = tree.below(root).filter((file) => isZipPart(nameOf(file)));
  const unpacked: LeftOut[] = parts.map((location) => ({
    location,
    detail: "is a part of the export, packed again: unpack it, and name the folder that all parts are in",
  }));
  if (nodes.length === 0 && unpacked.length === 0) return undefined;
  const { paths, menu } = placeTree(nodes);
  const pages = nodes.map((node) => ({ ...node, path: paths.get(node.id) ?? node.id }));
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const byId = new Map(pages.map((page) => [page.id, page]));
  const files = new Map(pages.flatMap(({ location, files }) => files.map((file) => [file, location])));
  // What is attached to a page lies in the page's folder.
  const documentPath = (location: string) => {
    const owner = isExportedName(location) || !isBelow(location, root) ? undefined : ownerOf(location);
    const path = paths.get(owner?.id ?? "");
    return path === undefined ? undefined : `${path}/${nameOf(location)}`;
  };
  const surroundings = { tree, pages, byLocation, byId, files, documentPath };
  return {
    generator: "Notion",
    root,
    pages: pages.map(({ location, path }) => ({ location, path })),
    leftOut: [...leftOut, ...unpacked],
    menu,
    redirects: [],
    unknowns: [UNSAID],
    documentPath,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no page of this export`);
      if (page.kind === "database") return readDatabase(surroundings, page);
      return page.kind === "html" ? readHtmlPage(surroundings, page) : readMarkdownPage(surroundings, page);
    },
  };
}
