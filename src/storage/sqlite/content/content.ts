import type { Database } from "bun:sqlite";
import type { OwnContent } from "../../content/content.ts";
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
export function createOwnContent(
  database: Database,
  { lockSource, lockIndex, hasVectors, siteChanges }: ContentOptions,
): OwnContent {
  return {
    serverId: undefined,
    ingest: createIngestStore(database, { lockSource, siteChanges }),
    generations: createGenerationStore(database, { lockSource, siteChanges }),
    passageVectors: createVectorStore(database),
    search: createSearchStore(database, { hasVectors }),
    segments: createSegmentStore(database, lockIndex, "passages"),
    enrichmentSegments: createSegmentStore(database, lockIndex, "enrichments"),
    uploads: undefined,
    runJobs: undefined,
  };
}
