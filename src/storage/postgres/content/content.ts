import type { Sql } from "../../sql/sql.ts";
import type { Storage } from "../../storage.ts";
import type { Database } from "../database/database.ts";
import type { Leases } from "../leases.ts";
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
import { createRunJobStore } from "./run-jobs.ts";
import { createSearchStore } from "./search.ts";
import { createSegmentStore } from "./segments.ts";
import { createSourceStore } from "./sources.ts";
import { createUploadStore } from "./uploads.ts";

interface ContentOptions {
  leases: Leases;
  /** The server that reads sources when they are due, if one does. */
  serverId: string | undefined;
  /** Makes a name that nobody else has. */
  newId(): string;
}

/** What the docs say: where it comes from, how it came, and how it is found. */
export function createContentStores(
  database: Database,
  sql: Sql,
  { leases, serverId, newId }: ContentOptions,
): Storage["content"] {
  return {
    sources: createSourceStore(database, serverId),
    ingest: createIngestStore(database, { leases, newId }),
    ledger: createLedgerStore(database),
    generations: createGenerationStore(database, leases),
    pages: createPageStore(database),
    images: createImageStore(database),
    inventory: createPageInventory(database),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database),
    segments: createSegmentStore(database, leases, "passages"),
    enrichmentSegments: createSegmentStore(database, leases, "enrichments"),
    calibrations: createCalibrationStore(database),
    enrichments: createEnrichmentStore(database),
    curated: createCuratedStore(database),
    uploads: createUploadStore(database),
    runJobs: serverId === undefined ? undefined : createRunJobStore(database, serverId),
  };
}
