import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/load.ts";
import type { Config } from "../config/settings.ts";
import type { Embedder } from "../embed/embedder.ts";
import { AppError } from "../errors.ts";
import { createSourcePermissions, type SourcePermissions } from "../ingest/allowed-places.ts";
import { createGenerations } from "../ingest/generations.ts";
import { resolvePlace } from "../ingest/place.ts";
import { createRequestedSources } from "../ingest/requested-source.ts";
import { createIngest } from "../ingest/run/run.ts";
import { createSourceRuns } from "../ingest/source-runs.ts";
import { createFolderReader } from "../ingest/sources/folder/folder.ts";
import { createOpenSourceReader } from "../ingest/sources/sources.ts";
import type { Source, SourceSpec } from "../ingest/stores.ts";
import { DECISIONS } from "../ingest/stores.ts";
import { createUploadFiles } from "../ingest/uploads/files.ts";
import { createUploadedSources } from "../ingest/uploads/uploads.ts";
import { createVectors } from "../ingest/vectors.ts";
import { watchFolder } from "../ingest/watch.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Storage } from "../storage/storage.ts";
import { privateHosts, sourceRoots } from "./settings.ts";

interface SourceDeps {
  config: Config;
  storage: Storage;
  embedder: Embedder;
  clock: Clock;
  log: Log;
  environment: Environment;
}

/** What takes docs in: sources, their runs, what these decided, and the states they made. */
export function openSources({ config, storage, embedder, clock, log, environment }: SourceDeps) {
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
    fetchMs: config.fetch_seconds * 1000,
    fetchesAtOnce: config.fetches_at_once,
  });
  const sourcePermissions = createSourcePermissions({
    sourceRoots: sourceRoots(config),
    privateHosts: privateHosts(config),
    listOrganizations: () => storage.people.sites.listOrganizations(),
  });
  return {
    ingest,
    ledger,
    vectors,
    readPlace: resolvePlace,
    decisions: DECISIONS,
    sourcePermissions,
    requestedSources: createRequestedSources({
      permissions: sourcePermissions,
      credentials: config.source_variables,
    }),
    sourceRuns: createSourceRuns({
      sources,
      ingest,
      openSourceReader,
      permissions: sourcePermissions,
      clock,
      removeUpload: uploads.remove,
    }),
    uploads,
    uploadedSources: createUploadedSources({ uploads, sources, ingest, clock }),
    generations: createGenerations({ store: storage.content.generations }),
    watchSource,
    checkWatchable,
    readFolder: (root: string) => createFolderReader({ root, fileBytesMax: config.page_bytes, clock }),
  };
}

/** Says which entries of settings count for nobody: those of organizations that are not there, or that name none. */
export async function warnOfOwnerless(
  { sourcePermissions }: { sourcePermissions: Pick<SourcePermissions, "ownerless"> },
  log: Log,
) {
  for (const { setting, entry } of await sourcePermissions.ownerless())
    log.warn("an entry of a setting belongs to no organization, and counts for nobody", {
      setting,
      entry,
      hint: "Write the organization's name or id before it, such as acme=/srv/acme.",
    });
}

/** Raises `invalid_request` for a place that does not tell when something in it has changed. */
function checkWatchable({ kind, location }: SourceSpec): void {
  if (kind === "folder") return;
  throw new AppError("invalid_request", `Only a folder can be watched; ${location} is read on demand.`, {
    hint: "A schedule does it for other places: docent sources add <domain> <place> --every 1h",
  });
}

/** Calls `run` whenever something in a folder has changed, until the signal is aborted. */
async function watchSource(
  source: Source,
  run: () => Promise<unknown>,
  signal: AbortSignal,
  say: (message: string) => void,
): Promise<void> {
  checkWatchable(source);
  const onError = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  await watchFolder(source.location, async () => void (await run()), { signal, onError, atOnce: true });
}

function readAuthorities(file: string): string[] {
  if (file === "") return [];
  try {
    return [readFileSync(file, "utf8")];
  } catch (cause) {
    throw new AppError("invalid_request", `certificate_authorities: ${file} cannot be read.`, { cause });
  }
}
