import { isReadable } from "@docent/finding/search/keyword-index/keyword-index";
import type { IndexState } from "@docent/finding/search/search-store";
import { readStrings } from "../rows/json.ts";
import type { SegmentKind } from "./indexable.ts";

/** What a site's readers search. */
export interface IndexStateRow {
  generation: number;
  /** The kind, id and revision of each finished segment, by their ids. */
  segmentsJson: string;
  enrichmentCounts: number | null;
  id: number | null;
  identity: string | null;
  dimensions: number | null;
}

/** Undefined where there is no such site. */
export function toIndexState(row: IndexStateRow | undefined): IndexState {
  const { id, identity, dimensions } = row ?? {};
  const written = readStrings(row?.segmentsJson ?? "[]").map((each) => each.split(" "));
  const own = segmentsOf(written, "passages");
  const enrichment = segmentsOf(written, "enrichments");
  return {
    generation: row?.generation ?? 0,
    segments: own.ids,
    isReadable: own.areReadable,
    embedder: id && identity && dimensions ? { id, identity, dimensions } : undefined,
    enrichment: {
      // Search does without it until it is made anew.
      segments: enrichment.areReadable ? enrichment.ids : [],
      counts: row?.enrichmentCounts === 1,
    },
  };
}

function segmentsOf(written: readonly string[][], kind: SegmentKind) {
  const own = written.filter(([ofKind]) => ofKind === kind);
  return {
    ids: own.map(([, id]) => Number(id)),
    areReadable: own.every(([, , revision = ""]) => isReadable(revision)),
  };
}
