import { decodePercent } from "@docent/kernel/text/decode-percent";
import { asList, asText } from "@docent/kernel/text/json";
import {
  CELLS_SHOWN,
  type CellDefaults,
  pandocToMarkdown,
  pandocWords,
} from "../../markdown/pandoc/pandoc.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import { readBibliography } from "../quarto/quarto.ts";
import { rewriteLinks, splitHref } from "../writing/writing.ts";
import { type Book, type BookPage, menuOf, readBook } from "./book.ts";
import { type BookdownSettings, bookdownRoots, readSettings } from "./settings.ts";

/** bookdown: files of R Markdown that are one book, and that is cut into pages by its headings. */
export const bookdown: GeneratorAdapter = {
  name: "bookdown",
  roots: bookdownRoots,
  async open(tree, root) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

interface Site {
  settings: BookdownSettings;
  book: Book;
  byPath: ReadonlyMap<string, BookPage>;
  sources: ReadonlyMap<string, string>;
  /** What the first page sets for the chunks of all others. */
  defaults: CellDefaults;
}

async function openSite(tree: DocsTree, settings: BookdownSettings): Promise<DocsSite> {
  const book = await readBook(tree, settings);
  const { bibliography } = settings.front;
  const files = (typeof bibliography === "string" ? [bibliography] : asList(bibliography)).flatMap(
    (file) => asText(file) ?? [],
  );
  const [first] = book.pages;
  const site: Site = {
    settings,
    book,
    byPath: new Map(book.pages.map((page) => [page.path, page])),
    sources: await readBibliography(tree, settings.root, files),
    defaults: first === undefined ? CELLS_SHOWN : pandocToMarkdown(textOf(book, first)).defaults,
  };
  const begun = new Set(book.pages.map(({ location }) => location));
  const parts = settings.files
    .filter((location) => !begun.has(location))
    .map((location) => ({ location, detail: "goes on with a page that another file begins" }));
  return {
    generator: "bookdown",
    root: settings.root,
    pages: book.pages.map(({ location, path }) => ({ location, path })),
    leftOut: [...settings.leftOut, ...parts],
    menu: menuOf(book.pages),
    redirects: [],
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = site.byPath.get(path);
      if (page === undefined)
        return { data: {}, markdown: "", faults: [`${location} is no page of the book`] };
      return readPage(site, page);
    },
  };
}

const textOf = ({ lines }: Book, { start, end }: BookPage) => lines.slice(start, end).join("\n");

function readPage(site: Site, page: BookPage): ReadDocsPage {
  const { book, settings, sources } = site;
  const { front } = settings;
  const ids = page.ids.values();
  const isHome = page === book.pages[0];
  const { markdown } = pandocToMarkdown(textOf(book, page), {
    data: isHome ? front : {},
    defaults: isHome ? CELLS_SHOWN : site.defaults,
    // Ids are distinct in the whole book.
    nameHeading: () => ids.next().value ?? "",
    project: {
      metadata: front,
      referenceOf: (label) => book.places.get(label),
      citationOf: (key) => sources.get(key),
    },
  });
  const description = isHome ? asText(front["description"]) : undefined;
  return {
    data: {
      ...(page.title === undefined ? {} : { title: pandocWords(page.title) }),
      ...(description === undefined ? {} : { description }),
    },
    markdown: rewriteLinks(markdown, (href) => publishedHref(site, page, href)),
    faults: book.faults.get(page.location) ?? [],
  };
}

/** A place anywhere in the book is led to by its id alone. */
function publishedHref({ book, byPath }: Site, page: BookPage, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") {
    const place = book.places.get(decodePercent(rest.slice(1)));
    return place === undefined || place.path === page.path ? undefined : place.href;
  }
  const file = target.replace(/^\.\//, "").replace(/^index\.html$/, "");
  return byPath.has(file) ? `/${file}${rest}` : undefined;
}
