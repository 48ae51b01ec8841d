import { z } from "zod";
import type { AsciidocLists, AsciidocPage, ListEntry } from "../markdown/asciidoc/asciidoc.ts";

const text = z.string();
const textOrNone = text.nullable().transform((said) => said ?? undefined);

/** What is asked: a page, a menu's lists, or no more than a page's words. */
export const askedShape = z.object({
  what: z.enum(["page", "lists", "words"]),
  source: text,
  location: text,
  attributes: z.record(text, z.union([text, z.literal(false), z.null()])),
  /** Who knows where references lead can say it of these, too. */
  links: z.array(z.enum(["page", "missing", "image"])),
});
export type Asked = z.infer<typeof askedShape>;

/** What the process that reads asks meanwhile, by name: what is given, and what is said. */
export const CALLS = {
  include: {
    given: z.object({ target: text, from: text, isWhole: z.boolean() }),
    said: z.union([text, z.object({ location: text, text: text })]),
  },
  page: {
    given: z.object({ target: text, anchor: textOrNone, text: textOrNone }),
    said: z.object({ href: text, text: text }).nullable(),
  },
  missing: {
    given: z.object({ anchor: text, text: textOrNone }),
    said: z.object({ href: text, text: text }).nullable(),
  },
  image: { given: z.object({ target: text }), said: text.nullable() },
} as const;

export const asciidocShape: z.ZodType<AsciidocPage> = z.object({
  data: z.record(text, z.unknown()),
  markdown: text,
  attributes: z.array(z.tuple([text, text])).transform((entries) => new Map(entries)),
  faults: z.array(text),
});

const entry: z.ZodType<ListEntry> = z.lazy(() =>
  z
    .object({ label: text, href: text.optional(), isTitled: z.boolean(), children: z.array(entry) })
    .transform(({ href, ...others }) => ({ ...others, href })),
);
export const listsShape: z.ZodType<AsciidocLists> = z.object({
  lists: z.array(entry),
  faults: z.array(text),
});
