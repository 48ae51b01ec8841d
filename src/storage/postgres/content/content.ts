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
import type { Database } from "../database/database.ts";
import type { Leases } from "../leases.ts";
import { createGenerationStore } from "./generations.ts";
import { createIngestStore } from "./ingest.ts";
import { createVectorStore } from "./passage-vectors.ts";
import { createRunJobStore } from "./run-jobs.ts";
import { createSearchStore } from "./search.ts";
import { createSegmentStore } from "./segments.ts";
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
    sources: createSourceStore(sql, serverId),
    ingest: createIngestStore(database, { leases, newId }),
    ledger: createLedgerStore(sql),
    generations: createGenerationStore(database, leases),
    pages: createPageStore(sql),
    images: createImageStore(sql),
    inventory: createPageInventory(sql),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database),
    segments: createSegmentStore(database, leases, "passages"),
    enrichmentSegments: createSegmentStore(database, leases, "enrichments"),
    calibrations: createCalibrationStore(sql),
    enrichments: createEnrichmentStore(sql),
    curated: createCuratedStore(sql),
    uploads: createUploadStore(database),
    runJobs: serverId === undefined ? undefined : createRunJobStore(database, serverId),
  };
}
