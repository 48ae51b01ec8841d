import type { DocsSite, GeneratorAdapter } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { addressOf, type Book, readBook } from "./book.ts";
import { readBookPage } from "./page.ts";
import { mayBeBook, readBookSettings } from "./settings.ts";

const FILES = /^(?:book\.js(?:on)?|\.gitbook\.ya?ml|SUMMARY\.md)$/;

/** GitBook on its own host, and HonKit, which makes sites of the same files: what `SUMMARY.md` lists is published. */
export const gitbook: GeneratorAdapter = {
  name: "GitBook",
  roots: (tree) => [
    ...new Set(
      tree.files
        .filter((file) => FILES.test(nameOf(file)))
        .map(folderOf)
        .filter((folder) => mayBeBook(tree, folder)),
    ),
  ],
  async open(tree, root) {
    const settings = await readBookSettings(tree, root);
    if (settings === undefined) return undefined;
    const book = await readBook(tree, settings);
    return book === undefined || book.pages.size === 0 ? undefined : openSite(tree, root, book);
  },
};

function openSite(tree: DocsTree, root: string, book: Book): DocsSite {
  const { settings, pages, menu, leftOut } = book;
  return {
    generator: settings.isHonKit ? "HonKit" : "GitBook",
    root,
    pages: [...pages.values()].map(({ location, path }) => ({ location, path })),
    leftOut,
    menu,
    redirects: settings.redirects.map(({ from, to }) => ({ from, to: redirectTarget(book, to) })),
    unknowns: settings.unknowns,
    read: ({ location }) => readBookPage(tree, book, location),
  };
}

/** A redirect names a file, or an address. */
function redirectTarget({ settings, pages }: Book, to: string): string {
  if (/^[a-z][a-z+.-]*:/i.test(to)) return to;
  const [file = "", anchor] = to.split("#", 2);
  const path = pages.get(joinLocation(settings.folder, file))?.path ?? addressOf(file, settings);
  return `/${path}${anchor === undefined ? "" : `#${anchor}`}`;
}
