import { readCertificateAuthorities } from "@docent/kernel/lib/certificate-authorities";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import {
  createSourcePermissions,
  type PlaceSettings,
  type SourcePermissions,
  type SourcePermissionsDeps,
} from "@docent/reading/allowed-places";
import { createRequestedSources, type RequestedSources } from "@docent/reading/requested-source";
import type { SourceReader } from "@docent/reading/source-reader";
import type { SourceReaderOptions } from "@docent/reading/sources/sources";
import type { NavigationStore } from "../pages/navigation/navigation.ts";
import type { PageStore } from "../pages/pages.ts";
import { createFindCited } from "./cited-page.ts";
import { createGenerations, type Generations } from "./generations.ts";
import { createLinkCheck } from "./link-check.ts";
import type { Reading, ReadingOptions } from "./reading.ts";
import type { Ingest, IngestProgress, IngestReport } from "./run/run.ts";
import { createOpenSiteFetch } from "./site-fetch.ts";
import { createSiteSources, type RunOptions, type SiteSources } from "./site-sources.ts";
import type {
  GenerationStore,
  IngestStore,
  LedgerStore,
  PassageIndexer,
  PublishedStore,
  SiteCalibrator,
  SourceStore,
  SwitchWatch,
  UploadStore,
  VectorStore,
} from "./stores.ts";
import {
  createUploadedSources,
  createUploadFiles,
  type UploadedSources,
  type UploadFiles,
} from "./uploads/uploads.ts";
import { createVectors, type Vectors } from "./vectors.ts";

export { editAddress } from "@docent/reading/git-location";
export { resolvePlace } from "@docent/reading/place";
export { createEmbeddedReader } from "./embedded-reader.ts";
export { createFidelity, type Fidelity, type FidelityReport } from "./fidelity/fidelity.ts";
export {
  createOrganizationTurns,
  doInTurns,
  type OrganizationTurns,
  type SiteWork,
} from "./organization-turns.ts";

import type { RunJobStore } from "./run-jobs/run-jobs.ts";

export { createRunJobs, type RunEnd, type RunJob, type RunJobs } from "./run-jobs/run-jobs.ts";
export { watchFolder } from "./watch.ts";
export type {
  Generations,
  IngestProgress,
  IngestReport,
  RequestedSources,
  RunOptions,
  SiteCalibrator,
  SiteSources,
  UploadedSources,
  UploadFiles,
  Vectors,
};

/** The settings it reads, under their own names. */
interface IngestSettings extends PlaceSettings {
  /** The data directory: what was fetched and what was sent is kept in folders of it. */
  data: string;
  page_seconds: number;
  pages_per_source: number;
  image_bytes_per_source: number;
  /** Of a page. */
  page_bytes: number;
  /** Of a document: a PDF, a file of Office. */
  document_bytes: number;
  /** Of a document that is kept as it is. */
  original_bytes: number;
  /** For one document. */
  document_seconds: number;
  /** Of the process that reads documents. */
  document_memory_bytes: number;
  /** Of an upload. */
  upload_bytes: number;
  /** Of all uploads of a site together. */
  site_uploads_bytes: number;
  /** `VARIABLE@host`: what a source that an admin key named may send where. */
  source_variables: readonly string[];
  /** A file of certificates (PEM) that are trusted besides the usual ones; empty: none. */
  certificate_authorities: string;
  /** For one page. */
  fetch_seconds: number;
  fetches_at_once: number;
}

export interface SourcesOptions extends SourcePermissionsDeps, Pick<SourceReaderOptions, "environment"> {
  settings: IngestSettings;
  stores: {
    sources: SourceStore;
    ledger: LedgerStore;
    published: PublishedStore;
    ingest: IngestStore;
    pages: NavigationStore & Pick<PageStore, "findPages">;
    generations: GenerationStore;
    passageVectors: VectorStore;
    uploads: UploadStore | undefined;
    runJobs: RunJobStore | undefined;
  };
  embedder: Embedder;
  index: PassageIndexer;
  calibrator: SiteCalibrator;
  watch: SwitchWatch;
  /**
   * The command that starts a process which reads documents and pages for this one; without it they are read here, where nothing
   * bounds what one costs that was made to harm.
   */
  documentReader?: readonly string[] | undefined;
  seal: Seal;
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
  ofSites: SiteSources;
  /** Archives that were sent. */
  uploads: UploadFiles;
  uploadedSources: UploadedSources;
  /** The states of a site's index that can be returned to. */
  generations: Generations;
  /** Reads a folder that is no source. */
  readFolder(root: string): SourceReader;
}

/** Raises `invalid_request` for a setting that names what cannot be read, or could mean nothing. */
export function createSources(options: SourcesOptions): Sources {
  const { settings, stores, embedder, seal, clock } = options;
  const { sources, ledger } = stores;
  const vectors = createVectors({ store: stores.passageVectors, embedder });
  const certificateAuthorities = readCertificateAuthorities(settings);
  const reading = laterReading({ ...options, vectors, certificateAuthorities });
  const uploads = createUploadFiles({
    directory: settings.data,
    store: stores.uploads,
    bytesMax: settings.upload_bytes,
    siteBytesMax: settings.site_uploads_bytes,
  });
  const permissions = createSourcePermissions(options);
  const { ingest } = reading;
  return {
    ingest,
    ledger,
    vectors,
    permissions,
    requested: createRequestedSources({ permissions, credentials: settings.source_variables }),
    ofSites: createSiteSources({
      sources,
      ingest,
      openSourceReader: reading.openSourceReader,
      openPublishedSite: reading.openPublishedSite,
      published: stores.published,
      openSiteFetch: createOpenSiteFetch({ seal, certificateAuthorities }),
      checkLinks: createLinkCheck(stores.pages),
      findCited: createFindCited(stores.pages),
      permissions,
      seal,
      clock,
      uploads,
      isShared: stores.runJobs !== undefined,
    }),
    uploads,
    uploadedSources: createUploadedSources({ uploads, sources, ingest, clock }),
    generations: createGenerations({ store: stores.generations }),
    readFolder: reading.readFolder,
  };
}

/** Every generator and format comes with what reads: a server starts without, and has it from its first run on. */
function laterReading(options: ReadingOptions): Reading {
  let opened: Promise<Reading> | undefined;
  const open = () => {
    opened ??= import("./reading.ts").then(({ openReading }) => openReading(options));
    return opened;
  };
  return {
    ingest: {
      run: async (request) => (await open()).ingest.run(request),
      checkIdle: async (source) => (await open()).ingest.checkIdle(source),
      settle: async (source) => (await open()).ingest.settle(source),
      whileIdle: async (source, work) => (await open()).ingest.whileIdle(source, work),
    },
    openSourceReader: async (source, how) => (await open()).openSourceReader(source, how),
    openPublishedSite: async (address, how) => (await open()).openPublishedSite(address, how),
    readFolder: (root) => ({
      async *list(context) {
        yield* (await open()).readFolder(root).list(context);
      },
    }),
  };
}
