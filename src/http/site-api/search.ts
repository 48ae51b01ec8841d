import { z } from "zod";
import type { SearchLog } from "../../analytics/search-log.ts";
import { highlight } from "../../search/highlight.ts";
import { NOISE_RELEVANCE } from "../../search/rank-passages.ts";
import type { Hit, Search } from "../../search/search.ts";
import { pageFilterSchema, readPageFilter, storableText } from "../request/fields.ts";
import type { Lookup } from "./site-api.ts";

const PAGE_SIZE = 10;

/** The body of the search operation. */
export const searchSchema = z
  .object({
    query: z.string().max(1000),
    pageSize: z.int().min(1).max(50).nullish(),
    scoreThreshold: z.number().min(0).max(1).nullish(),
    filter: pageFilterSchema.nullish(),
    currentPath: z.string().max(200).nullish(),
  })
  .meta({ id: "SearchQuery" });

/** `POST /v1/search/{domain}`: passages, best first, for a search box that asks at every letter. */
export function searchOperation(
  search: Search,
  log: Pick<SearchLog, "note">,
): Lookup<z.infer<typeof searchSchema>> {
  return {
    path: "/v1/search/:domain",
    meter: "searches",
    schema: searchSchema,
    async run(site, { query, pageSize, scoreThreshold, filter }, { keyId, address }) {
      const { hits } = await search.find({
        siteId: site.id,
        text: query,
        pageSize: pageSize ?? PAGE_SIZE,
        asYouType: true,
        ...(filter && { filter: readPageFilter(filter) }),
      });
      const least = Math.max(NOISE_RELEVANCE, scoreThreshold ?? 0);
      const results = hits.filter(({ relevance }) => relevance >= least).map((hit) => toResult(query, hit));
      log.note({
        siteId: site.id,
        asker: `${keyId} ${address}`,
        query: storableText(query),
        results: results.length,
      });
      return results;
    },
  };
}

function toResult(query: string, hit: Hit) {
  const { path, title, href, headings, version, language, relevance, snippet: content } = hit;
  const score = Math.round(relevance * 1000) / 1000;
  const highlights = highlight(query, content);
  return { content, path, metadata: { title, href, score, headings, version, language, highlights } };
}
