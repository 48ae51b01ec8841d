import { z } from "zod";
import { highlight } from "../search/highlight.ts";
import type { Hit, Search } from "../search/search.ts";
import type { Lookup } from "./lookup-routes.ts";
import { filterSchema } from "./v1-schema.ts";

const PAGE_SIZE = 10;
/** What is less relevant has next to nothing of what was asked: a list is never filled up with it. */
const NOISE_RELEVANCE = 0.05;

const label = z.string().max(200);
const searchSchema = z.object({
  query: z.string().max(1000),
  pageSize: z.int().min(1).max(50).nullish(),
  scoreThreshold: z.number().min(0).max(1).nullish(),
  filter: filterSchema.extend({ tag: label.nullish(), groups: z.array(label).max(50).nullish() }).nullish(),
  currentPath: z.string().max(200).nullish(),
});

/** `POST /v1/search/{domain}`: passages, best first, for a search box that asks at every letter. */
export function searchOperation(search: Search): Lookup<z.infer<typeof searchSchema>> {
  return {
    path: "/v1/search/:domain",
    meter: "searches",
    schema: searchSchema,
    async run(site, { query, pageSize, scoreThreshold, filter }) {
      const { hits } = await search.find({
        siteId: site.id,
        text: query,
        pageSize: pageSize ?? PAGE_SIZE,
        asYouType: true,
        ...(filter && {
          filter: { ...filter, tag: filter.tag ?? undefined, groups: filter.groups ?? undefined },
        }),
      });
      const least = Math.max(NOISE_RELEVANCE, scoreThreshold ?? 0);
      return hits.filter(({ relevance }) => relevance >= least).map((hit) => toResult(query, hit));
    },
  };
}

function toResult(query: string, hit: Hit) {
  const { path, title, href, headings, version, language, relevance, snippet: content } = hit;
  const score = Math.round(relevance * 1000) / 1000;
  const highlights = highlight(query, content);
  return { content, path, metadata: { title, href, score, headings, version, language, highlights } };
}
