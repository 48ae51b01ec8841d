import type { Sql } from "../sql/sql.ts";
import type { Storage } from "../storage.ts";
import { createCalibrationStore } from "./calibrations.ts";
import { createCuratedStore } from "./curated.ts";
import { createEnrichmentStore } from "./enrichments.ts";
import { createGenerationStore } from "./generations.ts";
import { createImageStore } from "./images.ts";
import { createIngestStore, type Running } from "./ingest.ts";
import { createPageInventory } from "./inventory.ts";
import { createLedgerStore } from "./ledger.ts";
import { createPageStore } from "./pages.ts";
import { createVectorStore } from "./passage-vectors.ts";
import { createPublishedStore } from "./published.ts";
import { createSearchStore } from "./search.ts";
import { createSegmentStore, type LockIndex } from "./segments.ts";
import { createSourceStore } from "./sources.ts";

export { LINK, wantedJson } from "./enrichments.ts";
export { createSegmentStore } from "./segments.ts";

/** What each engine does in a way of its own, and what it has alone. */
export interface OwnContent extends Pick<Storage["content"], "uploads" | "runJobs"> {
  /** The server that reads sources when they are due, where several may. */
  serverId: string | undefined;
  running: Running;
  lockIndex: LockIndex;
  /** Whether sqlite-vec is there to measure with. */
  hasVectors: boolean;
}

/** What the docs say: where it comes from, how it came, and how it is found. */
export const createContentStores = (
  sql: Sql,
  { serverId, running, lockIndex, hasVectors, uploads, runJobs }: OwnContent,
): Storage["content"] => ({
  sources: createSourceStore(sql, serverId),
  ingest: createIngestStore(sql, running),
  generations: createGenerationStore(sql, running),
  passageVectors: createVectorStore(sql),
  search: createSearchStore(sql, { hasVectors }),
  segments: createSegmentStore(sql, lockIndex, "passages"),
  enrichmentSegments: createSegmentStore(sql, lockIndex, "enrichments"),
  ledger: createLedgerStore(sql),
  published: createPublishedStore(sql),
  pages: createPageStore(sql),
  images: createImageStore(sql),
  inventory: createPageInventory(sql),
  calibrations: createCalibrationStore(sql),
  enrichments: createEnrichmentStore(sql),
  curated: createCuratedStore(sql),
  uploads,
  runJobs,
});
