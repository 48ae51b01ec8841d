import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { createGuardedFetch, type GuardedFetch } from "../../lib/guarded-fetch/guarded-fetch.ts";
import type { AllowedPlaces } from "../allowed-places.ts";
import { checkBelow, isBelow } from "../allowed-places.ts";
import { splitGitLocation } from "../git-location.ts";
import { isRemote, localPathOf } from "../place.ts";
import { checkCredential } from "../requested-source.ts";
import type { SourceReader } from "../source-reader.ts";
import type { Source, SourceOptions } from "../stores.ts";
import { uploadFile } from "../uploads/files.ts";
import { createArchiveReader } from "./archive/archive.ts";
import { createFolderReader } from "./folder/folder.ts";
import type { Environment, GitCredential } from "./git/environment.ts";
import { createGitReader } from "./git/git.ts";
import { readRemoteFile } from "./http-fault.ts";
import { createLlmsTxtReader } from "./llms-txt/llms-txt.ts";
import { type IsInside, readFileWithin } from "./open-file.ts";
import { createOpenApiReader } from "./openapi/openapi.ts";
import { createWebsiteReader } from "./website/website.ts";

export interface SourceReaderOptions {
  /** Where git keeps what it fetched. */
  cacheFolder: string;
  /** Where the archives are that owners sent. */
  uploadsFolder: string;
  pageBytesMax: number;
  pagesMax: number;
  /** PEM certificates that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
  fetchMs: number;
  fetchesAtOnce: number;
  environment: Environment;
  /** `VARIABLE@host`: what a source that an admin key named may send where. */
  credentials: readonly string[];
  clock: Clock;
}

/** `siteUrl` is where readers find the site, `allowed` what its organization's sources may be. */
export type OpenSourceReader = (
  source: Source,
  options: SourceOptions & { siteUrl: string | undefined; allowed: AllowedPlaces },
) => SourceReader;

/** Opens what a source's location means. */
export function createOpenSourceReader(options: SourceReaderOptions): OpenSourceReader {
  const { pageBytesMax, pagesMax, environment, clock } = options;
  const fileBytesMax = pageBytesMax;

  return (source, { authorizationVariable, confined, siteUrl, allowed }) => {
    const { kind, location } = source;
    const path = confined ? localPathOf(source) : undefined;
    // Looked at again each time, and when it is opened: a link may be put in its place, or the setting changed.
    if (path !== undefined) checkBelow(path, allowed.folders);
    const isInside = path === undefined ? undefined : (place: string) => isBelow(place, allowed.folders);
    if (confined && authorizationVariable !== undefined)
      checkCredential(options.credentials, source, authorizationVariable);
    const secret = readSecret(environment, authorizationVariable);
    const crawl = { clock, siteUrl, pageBytesMax, pagesMax, concurrency: options.fetchesAtOnce };
    // Of an llms.txt on this machine, whoever writes it says which hosts are asked: none of them is given a secret.
    const fetchAt = (address: string) => fetchFor(address, isRemote(location) ? secret : undefined, allowed);
    switch (kind) {
      case "folder":
        return createFolderReader({ root: location, fileBytesMax, isInside, clock });
      case "archive":
        return createArchiveReader({ file: location, fileBytesMax, isInside });
      case "upload":
        return openUpload(source);
      case "git":
        return openGit(source, secret, allowed, isInside);
      case "website":
        return createWebsiteReader({ start: location, get: fetchAt(location), ...crawl });
      case "llms-txt":
        return createLlmsTxtReader({
          location,
          fetchAt,
          ...crawl,
          ...(isRemote(location) ? {} : { readFile: (file) => readFileWithin(file, pageBytesMax, isInside) }),
        });
      case "openapi":
        return createOpenApiReader({
          location,
          found: "openapi",
          read: (signal) =>
            isRemote(location)
              ? readRemoteFile(fetchAt(location), location, { signal, bytesMax: pageBytesMax })
              : readFileWithin(location, pageBytesMax, isInside),
        });
      case "demo":
        throw new AppError(
          "invalid_request",
          "The demo's pages are inside the program: docent serve --demo.",
        );
    }
  };

  function fetchFor(
    location: string,
    secret: string | undefined,
    { privateHosts }: AllowedPlaces,
  ): GuardedFetch {
    const { certificateAuthorities, fetchMs } = options;
    const url = URL.parse(location);
    const headers = secret === undefined ? undefined : { authorization: authorizationOf(secret) };
    return createGuardedFetch({
      privateHosts,
      certificateAuthorities,
      bytesMax: Math.max(pageBytesMax, SITEMAP_BYTES_MAX),
      hosts: url ? [url.host] : [],
      totalMs: fetchMs,
      ...(headers && url ? { credentials: { origin: url.origin, headers } } : {}),
    });
  }

  function openUpload(source: Source): SourceReader {
    const { location: name } = source;
    const file = uploadFile(options.uploadsFolder, source);
    if (existsSync(file)) return createArchiveReader({ file, name, fileBytesMax });
    // No backup holds it, and the one of a source that was removed is gone.
    throw new AppError("conflict", `${name} is not on this server any more. Upload it again.`);
  }

  function openGit(
    { id, location }: Source,
    secret: string | undefined,
    { privateHosts }: AllowedPlaces,
    isInside: IsInside | undefined,
  ): SourceReader {
    const { repository, branch, subfolder } = splitGitLocation(location);
    const { certificateAuthorities } = options;
    return createGitReader({
      location: repository,
      branch,
      subfolder,
      fileBytesMax,
      environment,
      allowsLocal: true,
      privateHosts,
      certificateAuthorities,
      isInside,
      cacheFolder: join(options.cacheFolder, `source-${id}`),
      credential: secret === undefined ? undefined : gitCredential(secret),
    });
  }
}

const SITEMAP_BYTES_MAX = 50_000_000;

function readSecret(environment: Environment, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  // Files end in a line break, and so do variables that were filled from one.
  const secret = environment[variable]?.trim();
  if (secret && !/\p{Cc}/u.test(secret)) return secret;
  if (secret)
    throw new AppError("invalid_request", `What the environment variable ${variable} holds is not one line.`);
  throw new AppError("invalid_request", `The environment variable ${variable} is not set.`, {
    hint: "It holds what this source signs in with: set it for this command, and for the server.",
  });
}

/** A bare token is a bearer's. What no header can hold would be in the fault that came of it. */
function authorizationOf(secret: string): string {
  if (/^[\x20-\x7e]*$/.test(secret)) return secret.includes(" ") ? secret : `Bearer ${secret}`;
  throw new AppError(
    "invalid_request",
    "What the source signs in with has letters that no header can hold.",
    {
      hint: "Look at what the environment variable holds that the source names: letters, digits and signs of ASCII.",
    },
  );
}

/** `name:password`, or a token alone, for which hosts of git take any name. */
function gitCredential(secret: string): GitCredential {
  const [username = "", password] = secret.split(/:(.*)/s);
  return password === undefined ? { username: "git", secret } : { username, secret: password };
}
