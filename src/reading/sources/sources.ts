import { join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { createGuardedFetch, type GuardedFetch } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import type { Seal } from "@docent/kernel/lib/seal/seal";
import { type AllowedPlaces, checkBelow, isBelow } from "../allowed-places.ts";
import {
  apiHostsOf,
  type ConnectorKind,
  fileHostsOf,
  isConnectorKind,
  type PageWriter,
} from "../connectors/connectors.ts";
import type { DocumentReading } from "../document-process/documents.ts";
import { splitGitLocation } from "../git-location.ts";
import type { AsciidocReader } from "../markdown/asciidoc/asciidoc.ts";
import { isRemote, localPathOf } from "../place.ts";
import { checkCredential } from "../requested-source.ts";
import { checkSealed } from "../sealed-source.ts";
import type { Source, SourceOptions } from "../source.ts";
import type { SourceReader } from "../source-reader.ts";
import { createArchiveReader } from "./archive/archive.ts";
import { authorizationOf } from "./authorization.ts";
import { createConnectedReader } from "./connected/connected.ts";
import type { ReadApart } from "./files/files.ts";
import { createFolderReader } from "./folder/folder.ts";
import { createGitReader, type GitCredential, type GitEnvironment } from "./git/git.ts";
import { readRemoteFile } from "./http-fault.ts";
import { createLlmsTxtReader } from "./llms-txt/llms-txt.ts";
import { type IsInside, readFileWithin } from "./open-file.ts";
import { createOpenApiReader } from "./openapi/openapi.ts";
import { createWebsiteReader } from "./website/website.ts";

export { checkArchive } from "./archive/archive.ts";
export { createFolderReader };

const SITEMAP_BYTES_MAX = 50_000_000;

/** What the server gives to all that reads sources. */
export interface SourceReaderOptions {
  /** Where a sealed process may connect to: to no source. */
  seal: Seal;
  /** Where git keeps what it fetched. */
  cacheFolder: string;
  pageBytesMax: number;
  documents: DocumentReading;
  asciidoc: AsciidocReader;
  apart?: ReadApart | undefined;
  write?: PageWriter | undefined;
  pagesMax: number;
  /** PEM certificates that are trusted besides the usual ones. */
  certificateAuthorities: readonly string[];
  fetchMs: number;
  fetchesAtOnce: number;
  environment: GitEnvironment;
  /** `VARIABLE@host`: what a source that an admin key named may send where. */
  credentials: readonly string[];
  clock: Clock;
}

/** What a source is read with besides: who reads it, and for whom. */
interface ReadingOptions extends SourceOptions {
  /** Where readers find the site. */
  siteUrl: string | undefined;
  /** Where sources of its organization may be. */
  allowed: AllowedPlaces;
  /** The archive that was sent for it. */
  uploaded?: string | undefined;
}

export type OpenSourceReader = (source: Source, options: ReadingOptions) => Promise<SourceReader>;

/** Opens what reads the kind of place that a source is. */
export function createOpenSourceReader(options: SourceReaderOptions): OpenSourceReader {
  return async (source, reading) => openReader({ ...options, ...reading, source });
}

interface Opening extends SourceReaderOptions, ReadingOptions {
  source: Source;
}

/** Opens what reads a site as it is published: its pages of HTML, at their addresses. */
export type OpenPublishedSite = (
  address: string,
  options: Pick<ReadingOptions, "siteUrl" | "allowed"> & {
    /** Where pages may be, asked for where no sitemap says it. */
    besides: readonly string[];
  },
) => Promise<SourceReader>;

/** Less than of a website that is a source: all that is wanted is where pages are, and what their headings are called. */
const PUBLISHED_SITEMAPS_MAX = 100;
const PUBLISHED_SITEMAPS_BYTES_MAX = 2 * SITEMAP_BYTES_MAX;

/** It is fetched as a website is that is a source, within the same hosts, and without any credential. */
export function createOpenPublishedSite(options: SourceReaderOptions): OpenPublishedSite {
  const { clock, pageBytesMax, documents, pagesMax, fetchesAtOnce: concurrency } = options;
  return async (address, { siteUrl, allowed, besides }) =>
    createWebsiteReader({
      start: address,
      get: fetchFor({ ...options, allowed }, address, undefined),
      siteUrl,
      clock,
      pageBytesMax,
      documents,
      pagesMax,
      concurrency,
      wantsHtml: true,
      besides,
      sitemapsMax: PUBLISHED_SITEMAPS_MAX,
      sitemapsBytesMax: PUBLISHED_SITEMAPS_BYTES_MAX,
    });
}

function openReader(opening: Opening): SourceReader {
  checkSealed(opening.seal, opening.source);
  const { clock, siteUrl, pageBytesMax, documents, asciidoc, apart, pagesMax } = opening;
  const { fetchesAtOnce: concurrency } = opening;
  const { kind, location } = opening.source;
  const version = opening.source.version || undefined;
  const isInside = insideOf(opening);
  const secret = secretOf(opening);
  const { answers } = opening;
  const bounds = { fileBytesMax: pageBytesMax, documents, asciidoc, apart };
  const ofTree = { ...bounds, version, siteUrl, answers, isInside };
  const crawl = { clock, siteUrl, pageBytesMax, documents, pagesMax, concurrency };
  // Of an llms.txt on this machine, whoever writes it says which hosts are asked: none of them is given a secret.
  const fetchAt = (address: string) => fetchFor(opening, address, isRemote(location) ? secret : undefined);
  const readFile = (file: string) => readFileWithin(file, pageBytesMax, isInside);
  if (isConnectorKind(kind)) return openConnected(opening, kind, secret);
  switch (kind) {
    case "folder":
      return createFolderReader({ root: location, ...ofTree, clock });
    case "archive":
      return createArchiveReader({ file: location, ...ofTree, clock });
    case "upload":
      return openUpload(opening);
    case "git":
      return openGit(opening, secret, isInside);
    case "website":
      return createWebsiteReader({ start: location, get: fetchAt(location), ...crawl });
    case "llms-txt":
      return createLlmsTxtReader({
        location,
        fetchAt,
        ...crawl,
        ...(isRemote(location) ? {} : { readFile }),
      });
    case "openapi":
      return createOpenApiReader({
        location,
        found: "openapi",
        read: (signal) =>
          isRemote(location)
            ? readRemoteFile(fetchAt(location), location, { signal, bytesMax: pageBytesMax })
            : readFile(location),
      });
    case "demo":
      throw new AppError("invalid_request", "The demo's pages are inside the program: docent serve --demo.");
  }
}

/** Whether a place may be read, of a source that has to be below its organization's folders. */
function insideOf({ source, confined, allowed: { folders } }: Opening): IsInside | undefined {
  const path = confined ? localPathOf(source) : undefined;
  if (path === undefined) return undefined;
  // Looked at again each time, and when it is opened: a link may be put in its place, or the setting changed.
  checkBelow(path, folders);
  return (place) => isBelow(place, folders);
}

function fetchFor(
  opening: Pick<Opening, keyof SourceReaderOptions | "allowed">,
  location: string,
  secret: string | undefined,
  besides: readonly string[] = [],
): GuardedFetch {
  const { certificateAuthorities, fetchMs, pageBytesMax, documents, allowed } = opening;
  const url = URL.parse(location);
  const headers = secret === undefined ? undefined : { authorization: authorizationOf(secret) };
  return createGuardedFetch({
    seal: opening.seal,
    privateHosts: allowed.privateHosts,
    certificateAuthorities,
    bytesMax: Math.max(pageBytesMax, documents.bytesMax, SITEMAP_BYTES_MAX),
    hosts: url ? [url.host, ...besides] : [],
    totalMs: fetchMs,
    ...(headers && url ? { credentials: { origin: url.origin, headers } } : {}),
  });
}

function openConnected(opening: Opening, kind: ConnectorKind, secret: string | undefined): SourceReader {
  const { source, siteUrl, pageBytesMax, pagesMax, fetchesAtOnce: concurrency, clock } = opening;
  const { location } = source;
  return createConnectedReader({
    kind,
    location,
    // How a kind of server is signed in to is its connector's to say.
    get: fetchFor(opening, location, undefined, [...apiHostsOf(kind, location), ...fileHostsOf(location)]),
    secret,
    siteUrl,
    pageBytesMax,
    pagesMax,
    concurrency,
    write: opening.write,
    clock,
  });
}

function openUpload({
  source,
  uploaded: file,
  siteUrl,
  pageBytesMax,
  documents,
  asciidoc,
  apart,
  answers,
  clock,
}: Opening): SourceReader {
  const { location: name } = source;
  const version = source.version || undefined;
  if (file !== undefined)
    return createArchiveReader({
      file,
      name,
      fileBytesMax: pageBytesMax,
      documents,
      asciidoc,
      apart,
      version,
      siteUrl,
      answers,
      clock,
    });
  // No backup holds it, and the one of a source that was removed is gone.
  throw new AppError("conflict", `${name} is not on this server any more. Upload it again.`);
}

function openGit(opening: Opening, secret: string | undefined, isInside: IsInside | undefined): SourceReader {
  const { source, allowed, environment, certificateAuthorities, cacheFolder, pageBytesMax, clock } = opening;
  const { repository, branch, subfolder } = splitGitLocation(source.location);
  return createGitReader({
    location: repository,
    branch,
    subfolder,
    fileBytesMax: pageBytesMax,
    documents: opening.documents,
    asciidoc: opening.asciidoc,
    apart: opening.apart,
    version: source.version || undefined,
    siteUrl: opening.siteUrl,
    answers: opening.answers,
    environment,
    allowsLocal: true,
    privateHosts: allowed.privateHosts,
    certificateAuthorities,
    isInside,
    cacheFolder: join(cacheFolder, `source-${source.id}`),
    clock,
    credential: secret === undefined ? undefined : gitCredential(secret),
  });
}

/** What a source signs in with, where its variable may be sent there. */
function secretOf({ source, confined, authorizationVariable, credentials, environment }: Opening) {
  const variable = authorizationVariable;
  if (variable === undefined) return undefined;
  if (confined) checkCredential(credentials, source, variable);
  // Files end in a line break, and so do variables that were filled from one.
  const secret = environment[variable]?.trim();
  if (secret && !/\p{Cc}/u.test(secret)) return secret;
  if (secret)
    throw new AppError("invalid_request", `What the environment variable ${variable} holds is not one line.`);
  throw new AppError("invalid_request", `The environment variable ${variable} is not set.`, {
    hint: "It holds what this source signs in with: set it for this command, and for the server.",
  });
}

/** `name:password`, or a token alone, for which hosts of git take any name. */
function gitCredential(secret: string): GitCredential {
  const [username = "", password] = secret.split(/:(.*)/s);
  return password === undefined ? { username: "git", secret } : { username, secret: password };
}
