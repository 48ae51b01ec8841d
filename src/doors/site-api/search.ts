import { createHighlighter, type TextRange } from "@docent/finding/search/highlight";
import { type Hit, listedHits, type Search } from "@docent/finding/search/search";
import type { SearchLog } from "@docent/measuring/analytics";
import { z } from "zod";
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
    /** A `snippet` unless given where `asYouType` or `order` is set, else the `section`. */
    content: z.enum(["section", "snippet"]).meta({ id: "SearchContent" }).nullish(),
  })
  .meta({ id: "SearchQuery" });

const resultsShape = z.lazy(() =>
  z.array(
    z
      .object({
        /** A section as Markdown, without its own heading, or a snippet of plain text. */
        content: z.string(),
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
    description:
      "`content` is the whole section as Markdown; around the passage that was found, where it is long. A `snippet` is plain " +
      "text of at most 300 characters: it is given where the body says so, or where `asYouType` or `order` is set.",
    body: searchSchema,
    example: { query: "install on lin", pageSize: 3, asYouType: true },
    replies: gives(200, "Passages, best first.", resultsShape),
    run: atOnce(async ({ site, reader, caller, address, body }) => {
      const { query, pageSize, scoreThreshold, filter, order, ...asked } = await body();
      const asYouType = asked.asYouType ?? order === "navigation";
      const shown = asked.content ?? (asYouType || order ? "snippet" : "section");
      const { hits, corrected } = await search.find({
        siteId: site.id,
        audience: reader.audience,
        text: query,
        pageSize: pageSize ?? PAGE_SIZE,
        asYouType,
        order: order ?? undefined,
        sections: shown === "section" ? "whole" : undefined,
        ...(filter && { filter: readPageFilter(filter) }),
      });
      const highlight = createHighlighter(corrected?.text ?? query, { asYouType });
      const results = listedHits(hits)
        .filter(({ relevance }) => relevance >= (scoreThreshold ?? 0))
        .map((hit) => {
          const content = shown === "section" ? hit.markdown : hit.snippet;
          return toResult(hit, { content, highlights: highlight(content), corrected: corrected?.text });
        });
      log.note({
        siteId: site.id,
        asker: `${caller.keyId} ${address}`,
        query: storableText(query),
        results: results.length,
      });
      return results;
    }),
  });

interface Shown {
  content: string;
  highlights: TextRange[];
  corrected: string | undefined;
}

function toResult(
  { path, title, href, headings, version, language, relevance }: Hit,
  { content, highlights, corrected }: Shown,
) {
  const score = Math.round(relevance * 1000) / 1000;
  const metadata = { title, href, score, headings, version, language, highlights };
  return { content, path, metadata: corrected === undefined ? metadata : { ...metadata, corrected } };
}
