import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf } from "../docs-tree.ts";
import { placeTree } from "../wiki-pages/wiki-pages.ts";
import { createDocumentPath } from "./attachments.ts";
import { readPage } from "./page.ts";
import { readSpace } from "./space.ts";

export { withoutMacros } from "./macros.ts";
export { codeAsText } from "./page.ts";
export { idOfShort } from "./short-id.ts";

/** The HTML export of a space of Confluence, of its Cloud and of its Data Center. */
export const confluence: GeneratorAdapter = {
  name: "Confluence",
  roots: (tree) => {
    const folders = new Set(tree.files.filter((file) => PAGE_NAME.test(nameOf(file))).map(folderOf));
    return [...folders].filter((folder) => tree.has(folder === "" ? "index.html" : `${folder}/index.html`));
  },
  open: openSpace,
};

/** `Title-of-it_12345.html`, or only the number where a title has signs that no file's name may have. */
const PAGE_NAME = /^(?:.*_)?\d{4,20}\.html$/;

const UNSAID = {
  question:
    "Which of its pages are restricted to some people? An HTML export does not say so, and holds all that the person " +
    "who made it may read.",
  guess: "every reader of the site may read all of them",
};

async function openSpace(tree: DocsTree, root: string): Promise<DocsSite | undefined> {
  const space = await readSpace(tree, root);
  if (space === undefined) return undefined;
  const { paths, menu } = placeTree(space.nodes, space.home);
  const nodes = space.nodes.flatMap((node) => {
    const path = paths.get(node.id);
    return path === undefined || !node.isPage ? [] : [{ ...node, path }];
  });
  const byLocation = new Map(nodes.map((node) => [node.location, node]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const documentPath = createDocumentPath(root, new Set(byId.keys()));
  return {
    generator: "Confluence",
    root,
    pages: nodes.map(({ location, path }) => ({ location, path })),
    leftOut: space.leftOut,
    menu,
    redirects: [],
    unknowns: [UNSAID],
    documentPath,
    async read({ location }) {
      const page = byLocation.get(location);
      if (page === undefined) throw new Error(`${location} is no page of this space`);
      return readPage({ tree, root, key: space.key, nodes, byId, byLocation, documentPath }, page);
    },
  };
}
