import { z } from "zod";
import { ANCHOR_STYLES } from "../markdown/anchors.ts";
import { AUTHORED_FORMATS } from "../markdown/kept-words/kept-words.ts";
import { PAGE_FORMATS } from "../markdown/page-format.ts";
import type { ReadWords } from "../source-reader.ts";
import type { PageToRead } from "./read-here.ts";

const passage = z.object({
  position: z.number(),
  headingPath: z.array(z.string()),
  anchor: z.string(),
  innerHeadings: z.array(
    z.object({
      offset: z.number(),
      textOffset: z.number(),
      anchor: z.string(),
      headingPath: z.array(z.string()),
    }),
  ),
  markdown: z.string(),
  text: z.string(),
  codeLanguages: z.array(z.string()),
  identifiers: z.array(z.string()),
  tokensEstimated: z.number(),
});

const heading = z.object({ text: z.string(), id: z.string() });

/** A page as another process of this program says it. */
export const pageShape: z.ZodType<ReadWords> = z.object({
  title: z.string(),
  description: z.string().exactOptional(),
  // What front matter says is asked for by any name.
  frontMatter: z
    .record(z.string(), z.unknown())
    .transform((said): Record<string, unknown> => Object.assign(Object.create(null), said)),
  markdown: z.string(),
  passages: z.array(passage),
  links: z.array(z.string()),
  anchors: z.array(z.string()),
  headings: z.array(heading),
  hidden: z.boolean(),
  faults: z.array(z.string()),
  lost: z.array(z.object({ words: z.string(), context: z.string(), passage: z.number() })),
});

const words = z.array(z.string()).transform((all) => new Set(all));

/** A page as this process says it to the other. */
export const askedShape = z.object({
  isPlain: z.boolean(),
  source: z.string(),
  fallbackTitle: z.string(),
  format: z.enum(PAGE_FORMATS),
  anchors: z.enum(ANCHOR_STYLES),
  keepsImages: z.boolean(),
  around: z
    .object({
      folder: z.string(),
      shared: z.object({ blocks: words, headings: words, titles: words }).optional(),
      leftOut: words,
    })
    .optional(),
  published: z.object({ headings: z.array(heading), places: z.array(z.string()) }).optional(),
  authored: z
    .object({ text: z.string(), format: z.enum([...AUTHORED_FORMATS, "written", "document"]) })
    .optional(),
});

/** As `askedShape` reads it. */
export const writeAsked = (page: PageToRead, isPlain: boolean): string =>
  JSON.stringify({ ...page, isPlain }, (_, value: unknown) => (value instanceof Set ? [...value] : value));

/** A page's text as its author wrote it, of which no more than the words are wanted. */
export const plainShape = z.object({
  text: z.string(),
  format: z.enum([...PAGE_FORMATS, "adoc"]),
  title: z.string().optional(),
});

export const wordsShape = z.object({ data: z.record(z.string(), z.unknown()), markdown: z.string() });
