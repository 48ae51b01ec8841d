import { AppError } from "@docent/kernel/errors";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { z } from "zod";
import type { BookStackApi } from "./api.ts";

/** Shelves, books, chapters and pages, as lists name them. */
const NAMED = { id: z.number(), name: z.string(), slug: z.string() };

export const SHELF = z.object(NAMED);
export const BOOK = z.object(NAMED);
export const CHAPTER = z.object({ ...NAMED, book_id: z.number(), priority: z.number().default(0) });
export const PAGE = z.object({
  ...NAMED,
  book_id: z.number(),
  /** 0 or nothing outside of chapters. */
  chapter_id: z.number().nullish(),
  priority: z.number().default(0),
  draft: z.coerce.boolean().default(false),
  template: z.coerce.boolean().default(false),
  revision_count: z.number().optional(),
  updated_at: z.string().default(""),
});

export const SHELVED = z.object({ books: z.array(z.object({ id: z.number() })) });

export type Book = z.infer<typeof BOOK>;
export type Chapter = z.infer<typeof CHAPTER>;
export type Page = z.infer<typeof PAGE>;

/** What an address names: the wiki, and the part of it. */
export interface Place {
  /** Where the wiki is, without a slash at its end. */
  base: string;
  shelf?: string;
  book?: string;
  chapter?: string;
}

/** What the first part of an address below the wiki's own may be. */
const OWN = /\/(?:shelves|books|api|search|pages|link|tags|user|my-account|settings|login)(?:\/|$)/;

export function placeIn(address: URL): Place {
  const own = OWN.exec(address.pathname);
  const base = address.origin + address.pathname.slice(0, own?.index).replace(/\/+$/, "");
  const [kind, name, what, inner] = own === null ? [] : address.pathname.slice(own.index + 1).split("/");
  if (kind === "shelves" && name) return { base, shelf: decodePercent(name) };
  if (kind !== "books" || !name) return { base };
  const book = decodePercent(name);
  return { base, book, ...(what === "chapter" && inner ? { chapter: decodePercent(inner) } : {}) };
}

/** What the pages of a place have in common, by the names of the API's filters: pages that meet one of these are there. */
export async function filtersOf(
  { shelf, book, chapter }: Place,
  api: BookStackApi,
): Promise<Readonly<Record<string, string>>[]> {
  const one = { itemsMax: 1 };
  if (shelf !== undefined) {
    const found = (await api.list("shelves", SHELF, { filter: { slug: shelf }, ...one })).find(
      isCalled(shelf),
    );
    if (found === undefined) throw missing("shelf", shelf);
    const { books } = await api.read(`shelves/${found.id}`, SHELVED);
    return books.map(({ id }) => ({ book_id: String(id) }));
  }
  if (book === undefined) return [{}];
  const foundBook = (await api.list("books", BOOK, { filter: { slug: book }, ...one })).find(isCalled(book));
  if (foundBook === undefined) throw missing("book", book);
  const book_id = String(foundBook.id);
  if (chapter === undefined) return [{ book_id }];
  const found = await api.list("chapters", CHAPTER, { filter: { slug: chapter, book_id }, ...one });
  const foundChapter = found.find(isCalled(chapter));
  if (foundChapter === undefined) throw missing("chapter", chapter);
  return [{ book_id, chapter_id: String(foundChapter.id) }];
}

/** A filter that a version does not know is passed over. */
const isCalled =
  (name: string) =>
  ({ slug }: { slug: string }) =>
    slug === name;

const missing = (what: string, name: string) =>
  new AppError("not_found", `The wiki has no ${what} “${name}”, or not for whoever signed in.`, {
    hint: "Look at the address in a browser, and at what the token's user may view.",
  });
