import type { IndexState } from "../../search/search-store.ts";
import { readNumbers } from "./json.ts";

/** What a site's readers search. */
export interface IndexStateRow {
  generation: number;
  segmentsJson: string;
  enrichmentSegmentsJson: string;
  enrichmentCounts: number | null;
  id: number | null;
  identity: string | null;
  dimensions: number | null;
}

/** Undefined where there is no such site. */
export function toIndexState(row: IndexStateRow | undefined): IndexState {
  const { id, identity, dimensions } = row ?? {};
  return {
    generation: row?.generation ?? 0,
    segments: readNumbers(row?.segmentsJson ?? "[]"),
    embedder: id && identity && dimensions ? { id, identity, dimensions } : undefined,
    enrichment: {
      segments: readNumbers(row?.enrichmentSegmentsJson ?? "[]"),
      counts: row?.enrichmentCounts === 1,
    },
  };
}
