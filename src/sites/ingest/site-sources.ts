import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { offWhileSealed, type Seal } from "@docent/kernel/lib/seal/seal";
import type { SourcePermissions } from "@docent/reading/allowed-places";
import { encodePath } from "@docent/reading/page/page-path";
import { checkSource, readPublishedAddress } from "@docent/reading/place";
import { checkSealed, needsNetwork, whyNotRead } from "@docent/reading/sealed-source";
import type { Source, SourceOptions, SourceSpec } from "@docent/reading/source";
import type { SourceReader } from "@docent/reading/source-reader";
import type { OpenPublishedSite, OpenSourceReader } from "@docent/reading/sources/sources";
import type { Site } from "../site/sites.ts";
import { type AddressCheck, checkAddresses, notChecked } from "./check-addresses.ts";
import type { FindCited } from "./cited-page.ts";
import type { CheckLinks, LinkedPage } from "./link-check.ts";
import {
  type Ingest,
  type IngestReport,
  type IngestRequest,
  type PublishedSite,
  pathsBelow,
} from "./run/run.ts";
import type { OpenSiteFetch } from "./site-fetch.ts";
import {
  EVERY_MS_MAX,
  EVERY_MS_MIN,
  type ListedSource,
  type PublishedStore,
  type SourceStore,
} from "./stores.ts";
import type { UploadFiles } from "./uploads/uploads.ts";

/** What a caller says of one run. */
export type RunOptions = Pick<
  IngestRequest,
  | "force"
  | "preview"
  | "signal"
  | "onProgress"
  | "onRecognized"
  | "onWritten"
  | "onEmbedding"
  | "onIndexing"
  | "onGolden"
> & {
  /** Publishes only where no golden question gets worse. */
  requiresGolden?: boolean;
  /** Publishes although golden questions get worse, whatever the site says. */
  acceptsWorse?: boolean;
  /** Asks whether the pages are at their published addresses. */
  checksAddresses?: boolean;
  /** Whether the site that the source is published as is looked at again; else what is known of it counts. Default: true. */
  asksPublished?: boolean;
};

/** What is said of a source that is added. What is left out stays as it is, of one that is there already. */
interface NewSource {
  everyMs?: number | null;
  /** What it signs in with, and whether an admin key named it. */
  options?: Pick<SourceOptions, "authorizationVariable" | "confined">;
  /** The groups that its pages are for; empty: everyone. */
  groups?: readonly string[] | undefined;
  /** The address at which its pages are published; null: none is known. */
  published?: string | null | undefined;
}

/** The site that a source belongs to, as its readers see it now. */
type SiteState = Pick<Site, "id" | "domain" | "organizationId" | "url" | "generation" | "settings">;

interface SiteSourcesDeps {
  sources: SourceStore;
  ingest: Ingest;
  openSourceReader: OpenSourceReader;
  openSiteFetch: OpenSiteFetch;
  openPublishedSite: OpenPublishedSite;
  published: PublishedStore;
  permissions: Pick<SourcePermissions, "of">;
  checkLinks: CheckLinks;
  findCited: FindCited;
  /** What was uploaded for sources. */
  uploads: Pick<UploadFiles, "fileOf" | "remove">;
  /** Whether there may be other servers, which have other folders. */
  isShared: boolean;
  /** Where a sealed process may connect to: to no source. */
  seal: Seal;
  clock: Clock;
}

/** Whether this machine has the folder or file that a source names; what is fetched, every machine has. */
const isHere = ({ location }: Pick<Source, "location">) => !isAbsolute(location) || existsSync(location);

/** The sources of sites: noting them, reading them again, and removing them. */
export function createSiteSources(deps: SiteSourcesDeps) {
  const { sources, ingest, clock } = deps;
  return {
    get: (siteId: number, sourceId: number) => find(deps, siteId, sourceId),
    list: (siteId: number) => sources.list(siteId),
    due: async () => {
      // What is not read while the process is sealed stays due until it is.
      const due = await sources.due(clock(), isHere);
      return due.filter((source) => whyNotRead(deps.seal, source) === undefined);
    },
    /** Whether reading a source takes more than this machine: its server, or git. */
    needsNetwork,
    /** Why a source is not read at present, whoever asks for it; undefined where it is. */
    whyNotRead: (source: Pick<Source, "kind" | "location">) => whyNotRead(deps.seal, source),
    isHere,
    /** Notes a source. What is not named of one that is there already stays as it is. */
    add: (spec: SourceSpec, change: NewSource = {}) => add(deps, spec, change),
    /** Keeps what its owner says of a generator's configuration: the next run reads it so. */
    answer: (source: ListedSource, answers: Readonly<Record<string, string>>) =>
      answer(deps, source, answers),
    /** Reads a source into the index. The next run of a schedule is then due one interval later, also if this one failed. */
    run: (site: SiteState, source: ListedSource, options: RunOptions) => run(deps, site, source, options),
    /** Says whom a source's pages are for; no group: everyone. The next run marks them so. */
    restrict: (source: ListedSource, groups: readonly string[]) => restrict(deps, source, groups),
    /** Says at which address a source's pages are published; null: none is known. The next run looks there. */
    publish: (source: ListedSource, address: string | null) => publish(deps, source, address),
    postpone: (source: ListedSource) => postpone(deps, source),
    /** Changes how often a source is read; null: on demand alone. */
    schedule: (source: ListedSource, everyMs: number | null) => schedule(deps, source, everyMs),
    /** Whether no run holds a source, in any process. */
    isIdle: (source: Source) => isIdle(deps, source),

    /** Raises at once what a run could not begin for: another one, or a source that cannot be opened. */
    async checkRunnable(site: SiteState, source: ListedSource): Promise<void> {
      // Another server may have it.
      if (isHere(source) || !deps.isShared) await open(deps, site, source);
      await ingest.checkIdle(source);
    },

    checkIdle: (source: ListedSource) => ingest.checkIdle(source),
    /** Notes how its runs ended that were cut off. Raises `conflict` while one goes on. */
    settle: (source: Source) => ingest.settle(source),
    /** Takes a source's pages out of the index, and the source off the list. */
    remove: (site: SiteState, source: ListedSource, signal: AbortSignal) =>
      remove(deps, site, source, signal),
    /**
     * Takes a source off the list that was added for a run which read nothing of it. Returns whether it did: what was read
     * of it stays, for the next run to take up, and so does one that another process reads by now.
     */
    removeUnread: (_: SiteState, source: ListedSource) => removeUnread(deps, source),
  };
}

export type SiteSources = ReturnType<typeof createSiteSources>;

async function find({ sources }: SiteSourcesDeps, siteId: number, sourceId: number): Promise<ListedSource> {
  const found = (await sources.list(siteId)).find(({ id }) => id === sourceId);
  if (found) return found;
  throw new AppError("not_found", `This site has no source ${sourceId}.`, {
    hint: "docent sources list <domain>",
  });
}

/** Opens a source. What its organization may read is asked each time: the setting, or who is there, may have changed. */
async function open(
  { permissions, openSourceReader, uploads }: SiteSourcesDeps,
  { organizationId, url: siteUrl }: SiteState,
  source: ListedSource,
): Promise<SourceReader> {
  const allowed = await permissions.of(organizationId);
  const uploaded = source.kind === "upload" ? await uploads.fileOf(source) : undefined;
  return openSourceReader(source, { ...source.options, siteUrl, allowed, uploaded });
}

async function add(
  deps: SiteSourcesDeps,
  spec: SourceSpec,
  { everyMs, options: signsIn, groups, published }: NewSource,
): Promise<ListedSource> {
  const { sources, clock } = deps;
  if (published != null) checkPublishable(deps, spec, published);
  if (everyMs != null && !isInterval(everyMs)) throw noInterval();
  checkSource(spec, signsIn ?? {});
  checkSealed(deps.seal, spec);
  const { id } = await sources.open(spec, clock());
  const nextRunAt = everyMs === undefined ? undefined : everyMs === null ? null : clock() + everyMs;
  const known = await find(deps, spec.siteId, id);
  const { answers, groups: before, published: address, ...signedIn } = known.options;
  const options = { ...(signsIn ?? signedIn), answers, groups: groups ?? before, published: address };
  await sources.change(id, {
    ...(everyMs === undefined ? {} : { everyMs }),
    options: { ...options, groups: options.groups?.length === 0 ? undefined : options.groups },
    ...(nextRunAt === undefined ? {} : { nextRunAt }),
  });
  return published === undefined ? find(deps, spec.siteId, id) : publish(deps, known, published);
}

const PUBLISHED_OFF = offWhileSealed("Asking for published pages is");

/** Raises what a run could not look at the published site for. */
function checkPublishable(
  { seal }: SiteSourcesDeps,
  { kind, location }: Pick<SourceSpec, "kind" | "location">,
  written: string,
): string {
  if (!OF_FILES.includes(kind))
    throw new AppError("invalid_request", `${location} is read where it is published.`, {
      hint: "The published address is for a folder, a repository, an archive or an upload.",
    });
  const address = readPublishedAddress(written);
  if (seal.isSealed)
    throw new AppError("forbidden", `${PUBLISHED_OFF}.`, {
      hint: "Read the folder that your generator has built, in place of its files: it has the addresses and ids of the site.",
    });
  return address;
}

async function publish(
  deps: SiteSourcesDeps,
  source: ListedSource,
  written: string | null,
): Promise<ListedSource> {
  const { id, siteId } = source;
  const address = written === null ? undefined : checkPublishable(deps, source, written);
  const { options } = await find(deps, siteId, id);
  if (address !== options.published) {
    await deps.sources.change(id, { options: { ...options, published: address } });
    // Of another site, nothing is known.
    const known = await deps.published.list(id);
    await deps.published.remove(
      id,
      known.map(({ path }) => path),
    );
  }
  return find(deps, siteId, id);
}

async function restrict(
  deps: SiteSourcesDeps,
  { id, siteId }: ListedSource,
  groups: readonly string[],
): Promise<ListedSource> {
  const { options } = await find(deps, siteId, id);
  await deps.sources.change(id, {
    options: { ...options, groups: groups.length === 0 ? undefined : groups },
  });
  return find(deps, siteId, id);
}

async function run(
  deps: SiteSourcesDeps,
  site: SiteState,
  source: ListedSource,
  {
    checksAddresses = false,
    asksPublished = true,
    requiresGolden = false,
    acceptsWorse = false,
    ...options
  }: RunOptions,
): Promise<IngestReport> {
  try {
    const reader = await open(deps, site, source);
    const { generation, settings } = site;
    const check = (paths: readonly string[]) =>
      checkPublished(deps, site, source, { paths, signal: options.signal });
    const follow = (next: number, pages: readonly LinkedPage[]) =>
      deps.checkLinks({ ...site, generation: next }, pages, options.signal);
    const request = {
      ...options,
      source,
      reader,
      generation,
      anchors: settings.anchors,
      groups: source.options.groups,
      published: publishedSite(deps, site, source, asksPublished),
      requiresGolden: !acceptsWorse && (requiresGolden || settings.goldenQuestions === "require"),
      ...(OF_FILES.includes(source.kind) && { checkLinks: follow }),
      ...(checksAddresses && { checkAddresses: check }),
    };
    const report = await deps.ingest.run(request);
    await postpone(deps, source);
    return report;
  } catch (error) {
    // One that was told to stop has not had its turn: it stays due.
    if (!options.signal.aborted) await postpone(deps, source);
    throw error;
  }
}

/**
 * Kinds of sources that lie in files: only of these the addresses are not where the pages were read. Of a website, links to what
 * is not read of it lead somewhere.
 */
const OF_FILES: readonly string[] = ["folder", "git", "archive", "upload"];

/** The site that a source is published as, where its owner has named it. */
function publishedSite(
  { seal, permissions, openPublishedSite }: SiteSourcesDeps,
  { organizationId, url: siteUrl }: SiteState,
  { options: { published: address } }: ListedSource,
  isAsked: boolean,
): PublishedSite | undefined {
  if (address === undefined) return undefined;
  return {
    address,
    siteUrl,
    async open(paths) {
      if (!isAsked) return undefined;
      if (seal.isSealed) return { why: PUBLISHED_OFF };
      const allowed = await permissions.of(organizationId);
      const root = pathsBelow(address, siteUrl);
      const besides = paths.map((path) => `${root.replace(/\/$/, "")}/${encodePath(path)}`);
      return openPublishedSite(address, { siteUrl: root, allowed, besides });
    },
  };
}

async function checkPublished(
  { permissions, openSiteFetch, seal, findCited }: SiteSourcesDeps,
  site: SiteState,
  { kind }: ListedSource,
  { paths, signal }: { paths: readonly string[]; signal: AbortSignal },
): Promise<AddressCheck> {
  const { organizationId, url: siteUrl } = site;
  if (!OF_FILES.includes(kind)) return notChecked("the pages were read at their addresses");
  if (siteUrl === undefined) return notChecked("the site has no URL");
  if (seal.isSealed) return notChecked(offWhileSealed("asking for published pages is"));
  const get = openSiteFetch(siteUrl, await permissions.of(organizationId));
  return checkAddresses({ get, siteUrl, paths, cited: (path) => findCited(site, path), signal });
}

/** Makes the next run of a source on a schedule due one interval from now. */
async function postpone({ sources, clock }: SiteSourcesDeps, { id, everyMs }: ListedSource): Promise<void> {
  if (everyMs !== undefined) await sources.change(id, { nextRunAt: clock() + everyMs });
}

async function schedule(
  deps: SiteSourcesDeps,
  { id, siteId, kind, location }: ListedSource,
  everyMs: number | null,
): Promise<ListedSource> {
  const { sources, clock } = deps;
  if (everyMs !== null && kind === "upload")
    throw new AppError("invalid_request", `${location} was uploaded: it changes when it is uploaded again.`);
  if (everyMs !== null && !isInterval(everyMs)) throw noInterval();
  await sources.change(id, { everyMs, nextRunAt: everyMs === null ? null : clock() + everyMs });
  return find(deps, siteId, id);
}

/** An answer that is empty takes back the one that was given. */
async function answer(
  deps: SiteSourcesDeps,
  { id, siteId }: ListedSource,
  given: Readonly<Record<string, string>>,
): Promise<ListedSource> {
  const { options } = await find(deps, siteId, id);
  const all = Object.entries({ ...options.answers, ...given }).filter(([, text]) => text !== "");
  if (all.length > ANSWERS_MAX)
    throw new AppError("invalid_request", `A source has ${ANSWERS_MAX} answers at the most.`);
  await deps.sources.change(id, { options: { ...options, answers: Object.fromEntries(all) } });
  return find(deps, siteId, id);
}

const ANSWERS_MAX = 50;

async function isIdle({ ingest }: SiteSourcesDeps, source: Source): Promise<boolean> {
  try {
    await ingest.checkIdle(source);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return false;
    throw error;
  }
}

async function remove(
  { sources, ingest, uploads, clock }: SiteSourcesDeps,
  { generation }: SiteState,
  source: ListedSource,
  signal: AbortSignal,
): Promise<IngestReport> {
  const reader = { async *list() {} };
  const report = await ingest.run({ source, reader, generation, force: true, signal });
  await sources.remove(source.id, clock());
  await uploads.remove(source);
  return report;
}

async function removeUnread({ sources, ingest, clock }: SiteSourcesDeps, source: Source): Promise<boolean> {
  try {
    return await ingest.whileIdle(source, () => sources.removeUnread(source.id, clock()));
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return false;
    throw error;
  }
}

const isInterval = (everyMs: number) => everyMs >= EVERY_MS_MIN && everyMs <= EVERY_MS_MAX;

function noInterval(): AppError {
  return new AppError(
    "invalid_request",
    "A source is read again after a minute at the least, and a year at the most.",
  );
}
