import type { Embedder } from "../embed/embedder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import {
  createSourcePermissions,
  type SourcePermissions,
  type SourcePermissionsDeps,
} from "./allowed-places.ts";
import { createGenerations, type Generations } from "./generations.ts";
import { createRequestedSources, type RequestedSources } from "./requested-source.ts";
import { createIngest, type Ingest, type IngestReport } from "./run/run.ts";
import type { SourceReader } from "./source-reader.ts";
import { createSourceRuns, type RunOptions, type SourceRuns } from "./source-runs.ts";
import { createFolderReader, createOpenSourceReader, type SourceReaderOptions } from "./sources/sources.ts";
import type { GenerationStore, IngestStore, LedgerStore, SourceStore, VectorStore } from "./stores.ts";
import {
  createUploadedSources,
  createUploadFiles,
  type UploadedSources,
  type UploadFiles,
} from "./uploads/uploads.ts";
import { createVectors, type Vectors } from "./vectors.ts";

export { readOwned } from "./allowed-places.ts";
export { createFairOrder, doInFairOrder, type FairOrder, type SiteWork } from "./fair-order.ts";
export { resolvePlace } from "./place.ts";
export { createRunJobs, type RunEnd, type RunJob, type RunJobs } from "./run-jobs.ts";
export { createEmbeddedReader } from "./sources/sources.ts";
export { watchFolder } from "./watch.ts";
export type {
  Generations,
  IngestReport,
  RequestedSources,
  RunOptions,
  SourceRuns,
  UploadedSources,
  UploadFiles,
  Vectors,
};

interface SourcesOptions extends SourceReaderOptions, SourcePermissionsDeps {
  stores: {
    sources: SourceStore;
    ledger: LedgerStore;
    ingest: IngestStore;
    generations: GenerationStore;
    passageVectors: VectorStore;
  };
  embedder: Embedder;
  uploadBytesMax: number;
  siteUploadsBytesMax: number;
  clock: Clock;
  log: Log;
}

/** What takes docs in: sources, their runs, what these decided, and the states they made. */
export interface Sources {
  /** Reads what a source lists into a site: fetch, parse, split, skip what is unchanged, embed, stage, one switch. */
  ingest: Ingest;
  /** What runs decided of each page, and why. */
  ledger: LedgerStore;
  /** The vectors of passages. */
  vectors: Vectors;
  /** Which places sources may name, by organization. */
  permissions: SourcePermissions;
  /** What an admin key may name as a source. */
  requested: RequestedSources;
  /** Sources, and reading them again. */
  runs: SourceRuns;
  /** Archives that were sent. */
  uploads: UploadFiles;
  uploadedSources: UploadedSources;
  /** The states of a site's index that can be returned to. */
  generations: Generations;
  /** Reads a folder that is no source. */
  readFolder(root: string): SourceReader;
}

export function createSources(options: SourcesOptions): Sources {
  const { stores, embedder, clock, log, pagesMax, pageBytesMax, uploadsFolder } = options;
  const { sources, ledger } = stores;
  const vectors = createVectors({ store: stores.passageVectors, embedder });
  const uploads = createUploadFiles({
    folder: uploadsFolder,
    bytesMax: options.uploadBytesMax,
    siteBytesMax: options.siteUploadsBytesMax,
  });
  const ingest = createIngest({ store: stores.ingest, sources, ledger, vectors, clock, log, pagesMax });
  const permissions = createSourcePermissions(options);
  return {
    ingest,
    ledger,
    vectors,
    permissions,
    requested: createRequestedSources({ permissions, credentials: options.credentials }),
    runs: createSourceRuns({
      sources,
      ingest,
      openSourceReader: createOpenSourceReader(options),
      permissions,
      clock,
      removeUpload: uploads.remove,
    }),
    uploads,
    uploadedSources: createUploadedSources({ uploads, sources, ingest, clock }),
    generations: createGenerations({ store: stores.generations }),
    readFolder: (root) => createFolderReader({ root, fileBytesMax: pageBytesMax, clock }),
  };
}
