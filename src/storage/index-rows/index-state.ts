import { isReadable } from "@docent/finding/search/keyword-index/keyword-index";
import type { IndexState } from "@docent/finding/search/search-store";
import { readNumbers, readStrings } from "../rows/json.ts";

/** What a site's readers search. */
export interface IndexStateRow {
  generation: number;
  segmentsJson: string;
  /** The revisions of the segments, each once. */
  revisionsJson: string;
  enrichmentSegmentsJson: string;
  enrichmentRevisionsJson: string;
  enrichmentCounts: number | null;
  id: number | null;
  identity: string | null;
  dimensions: number | null;
}

/** Undefined where there is no such site. */
export function toIndexState(row: IndexStateRow | undefined): IndexState {
  const { id, identity, dimensions } = row ?? {};
  const areReadable = (revisionsJson: string | undefined) =>
    readStrings(revisionsJson ?? "[]").every(isReadable);
  return {
    generation: row?.generation ?? 0,
    segments: readNumbers(row?.segmentsJson ?? "[]"),
    isReadable: areReadable(row?.revisionsJson),
    embedder: id && identity && dimensions ? { id, identity, dimensions } : undefined,
    enrichment: {
      // Search does without it until it is made anew.
      segments: areReadable(row?.enrichmentRevisionsJson)
        ? readNumbers(row?.enrichmentSegmentsJson ?? "[]")
        : [],
      counts: row?.enrichmentCounts === 1,
    },
  };
}
