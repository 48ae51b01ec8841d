import { z } from "zod";

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
