import type { OwnContent } from "../../content/content.ts";
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
export function createOwnContent(
  database: Database,
  { leases, serverId, newId }: ContentOptions,
): OwnContent {
  return {
    serverId,
    ingest: createIngestStore(database, { leases, newId }),
    generations: createGenerationStore(database, leases),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database),
    segments: createSegmentStore(database, leases, "passages"),
    enrichmentSegments: createSegmentStore(database, leases, "enrichments"),
    uploads: createUploadStore(database),
    runJobs: serverId === undefined ? undefined : createRunJobStore(database, serverId),
  };
}
