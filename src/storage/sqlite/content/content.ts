import type { Database } from "bun:sqlite";
import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { OwnChanges } from "../changes.ts";
import type { TakeLock } from "../files/files.ts";
import { createCalibrationStore } from "./calibrations.ts";
import { createCuratedStore } from "./curated.ts";
import { createEnrichmentStore } from "./enrichments.ts";
import { createGenerationStore } from "./generations.ts";
import { createImageStore } from "./images.ts";
import { createIngestStore } from "./ingest.ts";
import { createPageInventory } from "./inventory.ts";
import { createLedgerStore } from "./ledger.ts";
import { createPageStore } from "./pages.ts";
import { createVectorStore } from "./passage-vectors.ts";
import { createSearchStore } from "./search.ts";
import { createSegmentStore } from "./segments.ts";
import { createSourceStore } from "./sources.ts";

interface ContentOptions {
  lockSource: TakeLock;
  lockIndex: TakeLock;
  /** Whether sqlite-vec is there to measure with. */
  hasVectors: boolean;
  /** Told when a site shows another generation. */
  siteChanges: OwnChanges;
}

/** What the docs say: where it comes from, how it came, and how it is found. */
export function createContentStores(
  database: Database,
  sql: Sql,
  { lockSource, lockIndex, hasVectors, siteChanges }: ContentOptions,
): Storage["content"] {
  return {
    sources: createSourceStore(database),
    ingest: createIngestStore(database, { lockSource, siteChanges }),
    ledger: createLedgerStore(database),
    generations: createGenerationStore(database, { lockSource, siteChanges }),
    pages: createPageStore(database),
    images: createImageStore(database),
    inventory: createPageInventory(database),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database, { hasVectors }),
    segments: createSegmentStore(database, lockIndex, "passages"),
    enrichmentSegments: createSegmentStore(database, lockIndex, "enrichments"),
    calibrations: createCalibrationStore(database),
    enrichments: createEnrichmentStore(database),
    curated: createCuratedStore(database),
    uploads: undefined,
    runJobs: undefined,
  };
}
