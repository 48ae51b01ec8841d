import { z } from "zod";
import type { inventoryEntryJson, inventoryPageJson } from "../../pages/inventory.ts";
import type { explanationJson } from "../../search/explain.ts";
import { PAGE_STANDINGS, STANDINGS } from "../../search/explain.ts";
import { ledgerEntryFields, moment } from "./shapes.ts";

// What the index of a site holds, and why something in it is found or not.

const pageFields = z.object({
  path: z.string(),
  title: z.string(),
  version: z.string(),
  language: z.string(),
  source: z.int(),
  location: z.string(),
  hidden: z.boolean(),
  passages: z.int(),
  updatedAt: moment.nullable(),
}) satisfies z.ZodType<ReturnType<typeof inventoryEntryJson>>;
export const pageEntryShape = pageFields.meta({ id: "ListedPage" });
export const pageListShape = z
  .object({
    pages: z.array(pageEntryShape),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .meta({ id: "PageList" });
const indexedPageFields = pageFields.extend({
  description: z.string().nullable(),
  tags: z.array(z.string()),
  groups: z.array(z.string()),
  content: z.array(
    z
      .object({
        headings: z.array(z.string()),
        anchor: z.string(),
        markdown: z.string(),
        tokens: z.int(),
        hasVector: z.boolean(),
      })
      .meta({ id: "IndexedPassage" }),
  ),
}) satisfies z.ZodType<ReturnType<typeof inventoryPageJson>>;
export const indexedPageShape = indexedPageFields.meta({ id: "IndexedPage" });

const ranked = z.object({ rank: z.int() }).meta({ id: "Rank" }).nullable();
const placed = z.object({ rank: z.int().nullable(), score: z.number() }).meta({ id: "Placing" }).nullable();
const explainedPassageShape = z
  .object({
    path: z.string(),
    version: z.string(),
    language: z.string(),
    title: z.string(),
    headings: z.array(z.string()),
    anchor: z.string(),
    snippet: z.string(),
    has: z.array(z.string()),
    lacks: z.array(z.string()),
    keyword: ranked,
    nearest: placed,
    fused: ranked,
    relevance: z.number(),
    standing: z.enum(STANDINGS).meta({ id: "Standing" }),
    rank: z.int().nullable(),
  })
  .meta({ id: "ExplainedPassage" });
const explainedPageShape = pageFields
  .extend({
    standing: z.enum(PAGE_STANDINGS).meta({ id: "PageStanding" }),
    ranked: z.array(explainedPassageShape),
  })
  .meta({ id: "ExplainedPage" });
const searchFields = z.object({
  generation: z.int(),
  terms: z.array(z.object({ word: z.string(), term: z.string() }).meta({ id: "ExplainedTerm" })),
  phrases: z.array(z.string()),
  names: z.array(z.string()),
  hasVectors: z.boolean(),
  typicalSimilarity: z.number().nullable(),
  proposed: z.int(),
  passages: z.array(explainedPassageShape),
}) satisfies z.ZodType<ReturnType<typeof explanationJson>>;
export const explanationShape = searchFields
  .extend({
    /** A question whose best passage is less relevant than this is not answered from the docs. */
    gate: z.object({ relevanceMin: z.number(), best: z.number(), passes: z.boolean() }).meta({ id: "Gate" }),
    pageSize: z.int(),
    /** What is known of the page that was asked after; null where none was. */
    page: z
      .object({
        path: z.string(),
        pages: z.array(explainedPageShape),
        ledger: z.array(ledgerEntryFields.extend({ source: z.int() }).meta({ id: "SourceLedgerEntry" })),
      })
      .meta({ id: "ExplainedPath" })
      .nullable(),
  })
  .meta({ id: "Explanation" });
