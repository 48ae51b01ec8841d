import type { Log } from "../lib/log.ts";
import { reasonFields } from "../lib/log.ts";
import { type KeywordIndex, SegmentDamaged, SHARE_MAX } from "./keyword-index/keyword-index.ts";
import type { KeywordQuery } from "./read-query.ts";
import type { SearchScope } from "./search-store.ts";
import { weighTerms } from "./term-weights.ts";

/** How much of a question's words stands in what a model wrote for passages: from 0 to 1, by the passage's id. */
export type EnrichmentShares = ReadonlyMap<number, number>;

export const NO_ENRICHMENT: EnrichmentShares = new Map();

interface EnrichmentMatch {
  index: KeywordIndex;
  scope: SearchScope;
  /** The segments of what was written. */
  segments: readonly number[];
  limit: number;
  log: Log;
}

/**
 * Searches what models wrote for passages. It is an index of its own: how rare a word is there says nothing of the docs.
 * Where a part of it is damaged, search goes on without it.
 */
export async function matchEnrichment(
  { terms, shares }: Pick<KeywordQuery, "terms" | "shares">,
  { index, scope, segments, limit, log }: EnrichmentMatch,
): Promise<EnrichmentShares> {
  if (segments.length === 0 || terms.length === 0) return NO_ENRICHMENT;
  try {
    const view = await index.open(scope, segments, "enrichments");
    const frequencies = { passages: view.passages, of: await view.frequencies(terms) };
    // A word that nothing has counts too: what has all the others says not the whole question.
    const most =
      SHARE_MAX *
      weighTerms(terms, frequencies, shares)
        .values()
        .reduce((sum, weight) => sum + weight, 0);
    if (most === 0) return NO_ENRICHMENT;
    const found = await view.match({ terms, phrases: [], prefix: undefined, shares }, limit);
    return new Map(found.map(({ passageId, score }) => [passageId, Math.min(1, score / most)]));
  } catch (error) {
    if (!(error instanceof SegmentDamaged)) throw error;
    const hint = "docent index repair <domain>";
    log.warn("what was written for passages cannot be searched", { ...reasonFields(error), hint });
    return NO_ENRICHMENT;
  }
}
