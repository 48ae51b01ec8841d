import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { createSourcePermissions, type SourcePermissions } from "../ingest/allowed-places.ts";
import { createGenerations, type Generations } from "../ingest/generations.ts";
import { createRequestedSources, type RequestedSources } from "../ingest/requested-source.ts";
import { createIngest, type Ingest } from "../ingest/run/run.ts";
import type { SourceReader } from "../ingest/source-reader.ts";
import { createSourceRuns, type SourceRuns } from "../ingest/source-runs.ts";
import { createFolderReader } from "../ingest/sources/folder/folder.ts";
import { createOpenSourceReader } from "../ingest/sources/sources.ts";
import type { LedgerStore } from "../ingest/stores.ts";
import { createUploadFiles, type UploadFiles } from "../ingest/uploads/files.ts";
import { createUploadedSources, type UploadedSources } from "../ingest/uploads/uploads.ts";
import { createVectors, type Vectors } from "../ingest/vectors.ts";
import { SECOND_MS } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Content } from "./content.ts";
import type { Ground } from "./parts.ts";
import { privateHosts, sourceRoots } from "./settings.ts";

export interface Sources {
  /** Reads what a source lists into a site. */
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

/** What takes docs in: sources, their runs, what these decided, and the states they made. */
export function openSources(
  { config, storage, clock, log, environment }: Ground,
  { embedder }: Content,
): Sources {
  const { sources, ledger, ingest: store } = storage.content;
  const pagesMax = config.pages_per_source;
  const vectors = createVectors({ store: storage.content.passageVectors, embedder });
  const uploadsFolder = join(config.data, "uploads");
  const uploads = createUploadFiles({
    folder: uploadsFolder,
    bytesMax: config.upload_bytes,
    siteBytesMax: config.site_uploads_bytes,
  });
  const ingest = createIngest({ store, sources, ledger, vectors, clock, log, pagesMax });
  const openSourceReader = createOpenSourceReader({
    clock,
    environment,
    pagesMax,
    credentials: config.source_variables,
    cacheFolder: join(config.data, "cache"),
    uploadsFolder,
    pageBytesMax: config.page_bytes,
    certificateAuthorities: readAuthorities(config.certificate_authorities),
    fetchMs: config.fetch_seconds * SECOND_MS,
    fetchesAtOnce: config.fetches_at_once,
  });
  const permissions = createSourcePermissions({
    sourceRoots: sourceRoots(config),
    privateHosts: privateHosts(config),
    listOrganizations: () => storage.people.sites.listOrganizations(),
  });
  return {
    ingest,
    ledger,
    vectors,
    permissions,
    requested: createRequestedSources({ permissions, credentials: config.source_variables }),
    runs: createSourceRuns({
      sources,
      ingest,
      openSourceReader,
      permissions,
      clock,
      removeUpload: uploads.remove,
    }),
    uploads,
    uploadedSources: createUploadedSources({ uploads, sources, ingest, clock }),
    generations: createGenerations({ store: storage.content.generations }),
    readFolder: (root) => createFolderReader({ root, fileBytesMax: config.page_bytes, clock }),
  };
}

/** Says which entries of settings count for nobody: those of organizations that are not there, or that name none. */
export async function warnOfOwnerless({ permissions }: Sources, log: Log): Promise<void> {
  for (const { setting, entry } of await permissions.ownerless())
    log.warn("an entry of a setting belongs to no organization, and counts for nobody", {
      setting,
      entry,
      hint: "Write the organization's name or id before it, such as acme=/srv/acme.",
    });
}

function readAuthorities(file: string): string[] {
  if (file === "") return [];
  try {
    return [readFileSync(file, "utf8")];
  } catch (cause) {
    throw new AppError("invalid_request", `certificate_authorities: ${file} cannot be read.`, { cause });
  }
}
