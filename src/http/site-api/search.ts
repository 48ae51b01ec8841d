import { z } from "zod";
import type { SearchLog } from "../../analytics/analytics.ts";
import { createHighlighter, type TextRange } from "../../search/highlight.ts";
import { type Hit, listedHits, type Search } from "../../search/search.ts";
import type { Guarded } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { pageFilterSchema, readPageFilter, storableText } from "../request/fields.ts";
import { atOnce } from "./at-once.ts";

const PAGE_SIZE = 10;

const searchSchema = z
  .object({
    query: z.string().max(1000),
    pageSize: z.int().min(1).max(50).nullish(),
    scoreThreshold: z.number().min(0).max(1).nullish(),
    filter: pageFilterSchema.nullish(),
    currentPath: z.string().max(200).nullish(),
    /** The last word may be unfinished. */
    asYouType: z.boolean().nullish(),
    /** For search boxes: pages and sections that have the name that was typed come first. */
    order: z.enum(["navigation"]).meta({ id: "SearchOrder" }).nullish(),
  })
  .meta({ id: "SearchQuery" });

const resultsShape = z.lazy(() =>
  z.array(
    z
      .object({
        content: z.string().max(300),
        path: z.string(),
        metadata: z
          .object({
            title: z.string(),
            href: z.string(),
            score: z.number().min(0).max(1),
            headings: z.array(z.string()),
            version: z.string(),
            language: z.string(),
            /** Where words of the query begin and end in the content. */
            highlights: z.array(z.array(z.int()).length(2)),
            /** The query as it was searched for, where words of it were misspelled. */
            corrected: z.string().optional(),
          })
          .meta({ id: "SearchResultMetadata" }),
      })
      .meta({ id: "SearchResult" }),
  ),
);

/** Finds passages, best first, for a question or for what somebody is still typing. */
export const searchOperation = (
  guard: Guard<Guarded>,
  search: Search,
  log: Pick<SearchLog, "note">,
): Operation =>
  operation({
    id: "searchPassages",
    method: "POST",
    path: "/v1/search/:domain",
    tag: "Search",
    guard,
    isInDiscovery: true,
    summary: "Find passages; with asYouType, for a search box that asks at every keystroke",
    body: searchSchema,
    example: { query: "install on lin", pageSize: 3, asYouType: true },
    replies: gives(200, "Passages, best first.", resultsShape),
    run: atOnce(async ({ site, reader, caller, address, body }) => {
      const { query, pageSize, scoreThreshold, filter, asYouType: isAsked, order } = await body();
      const asYouType = isAsked ?? order === "navigation";
      const { hits, corrected } = await search.find({
        siteId: site.id,
        audience: reader.audience,
        text: query,
        pageSize: pageSize ?? PAGE_SIZE,
        asYouType,
        order: order ?? undefined,
        ...(filter && { filter: readPageFilter(filter) }),
      });
      const highlight = createHighlighter(corrected?.text ?? query, { asYouType });
      const results = listedHits(hits)
        .filter(({ relevance }) => relevance >= (scoreThreshold ?? 0))
        .map((hit) => toResult(hit, highlight(hit.snippet), corrected?.text));
      log.note({
        siteId: site.id,
        asker: `${caller.keyId} ${address}`,
        query: storableText(query),
        results: results.length,
      });
      return results;
    }),
  });

function toResult(hit: Hit, highlights: TextRange[], corrected: string | undefined) {
  const { path, title, href, headings, version, language, relevance, snippet: content } = hit;
  const score = Math.round(relevance * 1000) / 1000;
  const metadata = { title, href, score, headings, version, language, highlights };
  return { content, path, metadata: corrected === undefined ? metadata : { ...metadata, corrected } };
}
