import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { type NameHeading, rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { type Book, type Chapter, readBook } from "./book.ts";
import { expandChapter } from "./includes.ts";
import { readMarkup } from "./markup.ts";

/** mdBook: what its `SUMMARY.md` lists is published. */
export const mdbook: GeneratorAdapter = {
  name: "mdBook",
  roots: (tree) => rootsIn(SITE_FILES.mdbook, tree.files),
  async open(tree, root) {
    const book = await readBook(tree, root);
    return book === undefined ? undefined : openSite(tree, root, book);
  },
};

function openSite(tree: DocsTree, root: string, book: Book): DocsSite {
  const byLocation = new Map(book.chapters.map((chapter) => [chapter.location, chapter]));
  return {
    generator: "mdBook",
    root,
    pages: book.chapters.map(({ location, path }) => ({ location, path })),
    leftOut: book.leftOut,
    menu: book.menu,
    redirects: book.redirects,
    unknowns: book.unknowns,
    read: (page) => readChapter({ tree, book, byLocation }, page),
  };
}

interface Site {
  tree: DocsTree;
  book: Book;
  byLocation: ReadonlyMap<string, Chapter>;
}

async function readChapter(site: Site, { location }: DocsPage): Promise<ReadDocsPage> {
  const { tree, book, byLocation } = site;
  const chapter = byLocation.get(location);
  const read = await expandChapter(tree, location, (await tree.text(location)) ?? "");
  const text = book.hasDefinitionLists ? unwrapDefinitionLists(read.markdown) : read.markdown;
  const markdown = readMarkup(text, book);
  const linked =
    chapter === undefined ? markdown : rewriteLinks(markdown, (href) => publishedHref(site, chapter, href));
  const title = read.title ?? chapter?.label;
  return {
    data: title === undefined ? {} : { title },
    markdown: writeHeadingIds(linked, createHeadingNames()),
    faults: read.faults,
  };
}

/** A link to a file leads to its page; any other is an address beside the page's own. */
function publishedHref({ book, byLocation, tree }: Site, chapter: Chapter, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target.startsWith("/")) return undefined;
  const place = resolveLocation(folderOf(chapter.location), target);
  if (place === undefined) return undefined;
  const found = byLocation.get(place);
  if (found !== undefined) return `/${found.path}${rest}`;
  const folder = book.sourceFolder === "" ? "" : `${book.sourceFolder}/`;
  if (!place.startsWith(folder)) return undefined;
  const below = place.slice(folder.length);
  if (tree.has(place) && !below.endsWith(".md")) return `/${below}${rest}`;
  return `/${below.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1")}${rest}`;
}

/** Ids of headings: a repeated one gets the first number that is free, one that its author gave is as it is. */
function createHeadingNames(): NameHeading {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return ({ words, given }) => {
    if (given !== undefined) return given;
    const id = slug(words);
    let count = counts.get(id) ?? 0;
    let free = count === 0 ? id : `${id}-${count}`;
    while (used.has(free)) {
      count += 1;
      free = `${id}-${count}`;
    }
    counts.set(id, count);
    used.add(free);
    return free;
  };
}

const slug = (words: string) =>
  words
    .replace(/[^\p{Alphabetic}\p{N}_\s-]/gu, "")
    .replace(/\s/g, "-")
    .toLowerCase();
