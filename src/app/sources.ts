import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { createSources, type Sources } from "../ingest/ingest.ts";
import { SECOND_MS } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Content } from "./content.ts";
import type { Ground } from "./parts.ts";
import { privateHosts, sourceRoots } from "./settings.ts";

/** Opens what takes docs in, as the settings say. */
export function openSources(
  { config, storage, clock, log, environment }: Ground,
  { embedder }: Content,
): Sources {
  return createSources({
    stores: storage.content,
    embedder,
    clock,
    log,
    environment,
    pagesMax: config.pages_per_source,
    pageBytesMax: config.page_bytes,
    cacheFolder: join(config.data, "cache"),
    uploadsFolder: join(config.data, "uploads"),
    uploadBytesMax: config.upload_bytes,
    siteUploadsBytesMax: config.site_uploads_bytes,
    credentials: config.source_variables,
    certificateAuthorities: readAuthorities(config.certificate_authorities),
    fetchMs: config.fetch_seconds * SECOND_MS,
    fetchesAtOnce: config.fetches_at_once,
    sourceRoots: sourceRoots(config),
    privateHosts: privateHosts(config),
    listOrganizations: () => storage.people.sites.listOrganizations(),
  });
}

/**
 * Warns of settings whose entries apply to nobody: those that name no organization, or one that does not
 * exist.
 */
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
