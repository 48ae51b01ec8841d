import type { ListedPage, ServerBounds, ServerListing, ServerMenuEntry } from "../connector.ts";
import { isoTime } from "../said.ts";
import type { BookStackApi } from "./api.ts";
import {
  BOOK,
  type Book,
  CHAPTER,
  type Chapter,
  filtersOf,
  PAGE,
  type Page,
  type Place,
  SHELF,
  SHELVED,
} from "./place.ts";

const BOOKS_MAX = 20_000;
/** Each is asked for by itself. Of more, books are listed without their shelves. */
const SHELVES_MAX = 200;

/** The pages of a wiki or of a part of it, in the order of its books. */
export async function listPages(
  api: BookStackApi,
  { url, place }: { url: string; place: Place },
  { pagesMax }: ServerBounds,
): Promise<ServerListing> {
  const pages: Page[] = [];
  for (const filter of await filtersOf(place, api)) {
    pages.push(...(await api.list("pages", PAGE, { filter, itemsMax: pagesMax })));
    if (pages.length > pagesMax) break;
  }
  const books = await api.list("books", BOOK, { itemsMax: BOOKS_MAX });
  const chapters = await api.list("chapters", CHAPTER, { itemsMax: BOOKS_MAX });
  const slugs = new Map(books.map(({ id, slug }) => [id, slug]));
  const bookUrl = ({ book_id }: Page) => `${url}/books/${encodeSlug(slugs.get(book_id) ?? "")}`;
  const addressOf = (page: Page) => `${bookUrl(page)}/page/${encodeSlug(page.slug)}`;
  const isRead = (page: Page) => !page.draft && !page.template && slugs.has(page.book_id);
  const read = pages.filter(isRead);
  return {
    pages: read.map((page) => listedPage(page, addressOf(page))),
    leftOut: pages
      .filter((page) => !isRead(page))
      .map((page) => ({
        address: page.draft ? `${bookUrl(page)}/draft/${page.id}` : addressOf(page),
        detail: reasonFor(page),
      })),
    menu: await menuOf(api, { books, chapters, pages: read, addressOf, place }),
    redirects: [],
  };
}

const reasonFor = ({ draft, template }: Page) => {
  if (draft) return "is a draft";
  return template ? "is a template for new pages" : "is in a book that whoever signed in may not see";
};

const listedPage = (page: Page, address: string): ListedPage => ({
  id: String(page.id),
  address,
  title: page.name,
  changedAt: timeOf(page.updated_at),
  revision: String(page.revision_count ?? 0),
});

/** Versions before 21.04 write times without their zone, which is UTC. */
const timeOf = (written: string) =>
  isoTime(/^[\d-]+ [\d:]+$/.test(written) ? `${written.replace(" ", "T")}Z` : written);

/** As PHP's urlencode has it, in addresses as browsers write them. */
const encodeSlug = (slug: string) => encodeURIComponent(slug).replaceAll("%20", "+");

interface Contents {
  books: readonly Book[];
  chapters: readonly Chapter[];
  pages: readonly Page[];
  addressOf(page: Page): string;
  place: Place;
}

async function menuOf(api: BookStackApi, contents: Contents): Promise<ServerMenuEntry[]> {
  const { books, place } = contents;
  const pages = Map.groupBy(contents.pages, ({ book_id }) => book_id);
  const chapters = Map.groupBy(contents.chapters, ({ book_id }) => book_id);
  const byId = new Map(
    books
      .filter(({ id }) => pages.has(id))
      .toSorted(byName)
      .map(({ id, name }) => {
        const inside = { pages: pages.get(id) ?? [], chapters: chapters.get(id) ?? [] };
        return [id, { label: name, children: bookMenu(inside, contents.addressOf) }];
      }),
  );
  const isPartOfBook = place.book !== undefined;
  if (isPartOfBook) return [...byId.values()].flatMap(({ children }) => children);
  const shelves =
    place.shelf === undefined ? await api.list("shelves", SHELF, { itemsMax: SHELVES_MAX }) : [];
  if (shelves.length > SHELVES_MAX) return [...byId.values()];
  const menu: ServerMenuEntry[] = [];
  for (const { id, name } of shelves.toSorted(byName)) {
    const shelved = await api.read(`shelves/${id}`, SHELVED);
    const children = shelved.books.flatMap((book) => byId.get(book.id) ?? []);
    // A book may stand on several shelves, and in the menu on the first.
    for (const book of shelved.books) byId.delete(book.id);
    if (children.length > 0) menu.push({ label: name, children });
  }
  return [...menu, ...byId.values()];
}

const collator = new Intl.Collator("en", { numeric: true });
const byName = (a: { name: string }, b: { name: string }) => collator.compare(a.name, b.name);
const byPriority = (a: { priority: number }, b: { priority: number }) => a.priority - b.priority;

/** Chapters and the pages beside them in one order. */
function bookMenu(
  { chapters, pages }: Pick<Contents, "chapters" | "pages">,
  addressOf: Contents["addressOf"],
): ServerMenuEntry[] {
  const own = Map.groupBy(pages.toSorted(byPriority), ({ chapter_id }) => chapter_id ?? 0);
  const known = new Set(chapters.map(({ id }) => id));
  const entryOf = (page: Page) => ({ label: page.name, address: addressOf(page), children: [] });
  const entries: { priority: number; entry: ServerMenuEntry }[] = [
    ...chapters.map(({ id, name, priority }) => {
      const children = (own.get(id) ?? []).map(entryOf);
      return { priority, entry: { label: name, children } };
    }),
    ...[...own]
      .filter(([id]) => !known.has(id))
      .flatMap(([, beside]) => beside)
      .map((page) => ({ priority: page.priority, entry: entryOf(page) })),
  ];
  return entries
    .toSorted(byPriority)
    .map(({ entry }) => entry)
    .filter(({ address, children }) => address !== undefined || children.length > 0);
}
