import { z } from "zod";
import { RENDERING_KINDS, type WrittenPage } from "../connectors/connectors.ts";

/** A page as its server shows it, as this process says it to the other. */
export const renderedShape = z.object({
  kind: z.enum(RENDERING_KINDS),
  html: z.string(),
  titleHtml: z.string().optional(),
  address: z.string(),
  hasWordyIds: z.boolean().optional(),
  /** The titles of pages can be looked up as well. */
  hasTitles: z.boolean(),
});

export const writtenShape: z.ZodType<WrittenPage> = z.object({
  title: z.string().optional(),
  markdown: z.string(),
  faults: z.array(z.string()),
});

/** What the other process asks: what is known of pages by their addresses, and in that order the replies. */
export const LISTED_CALL = "listed";
export const lookupsShape = z.array(
  z.tuple([z.enum(["pageAt", "titleAt"]), z.string(), z.string().nullable()]),
);
export type Lookup = z.infer<typeof lookupsShape>[number];
export const listedShape = z.array(z.string().nullable());
