import type { Database } from "bun:sqlite";
import { createCalibrationStore } from "../../content/calibrations.ts";
import { createCuratedStore } from "../../content/curated.ts";
import { createEnrichmentStore } from "../../content/enrichments.ts";
import { createImageStore } from "../../content/images.ts";
import { createPageInventory } from "../../content/inventory.ts";
import { createLedgerStore } from "../../content/ledger.ts";
import { createPageStore } from "../../content/pages.ts";
import { createSourceStore } from "../../content/sources.ts";
import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { OwnChanges } from "../changes.ts";
import type { TakeLock } from "../files/files.ts";
import { createGenerationStore } from "./generations.ts";
import { createIngestStore } from "./ingest.ts";
import { createVectorStore } from "./passage-vectors.ts";
import { createSearchStore } from "./search.ts";
import { createSegmentStore } from "./segments.ts";

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
    sources: createSourceStore(sql),
    ingest: createIngestStore(database, { lockSource, siteChanges }),
    ledger: createLedgerStore(sql),
    generations: createGenerationStore(database, { lockSource, siteChanges }),
    pages: createPageStore(sql),
    images: createImageStore(sql),
    inventory: createPageInventory(sql),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database, { hasVectors }),
    segments: createSegmentStore(database, lockIndex, "passages"),
    enrichmentSegments: createSegmentStore(database, lockIndex, "enrichments"),
    calibrations: createCalibrationStore(sql),
    enrichments: createEnrichmentStore(sql),
    curated: createCuratedStore(sql),
    uploads: undefined,
    runJobs: undefined,
  };
}
