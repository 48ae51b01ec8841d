import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Site } from "../sites/sites.ts";
import type { SourcePermissions } from "./allowed-places.ts";
import { checkSource } from "./place.ts";
import type { Ingest, IngestReport, IngestRequest } from "./run/run.ts";
import type { OpenSourceReader } from "./sources/sources.ts";
import type { ListedSource, Source, SourceChange, SourceSpec, SourceStore } from "./stores.ts";

export const EVERY_MS_MIN = 60_000;
export const EVERY_MS_MAX = 365 * 24 * 3600 * 1000;

/** How one run is done. */
export type RunOptions = Pick<IngestRequest, "force" | "signal" | "onProgress" | "onEmbedding">;

/** The site that a source belongs to, as its readers see it now. */
type SiteState = Pick<Site, "id" | "organizationId" | "url" | "generation" | "settings">;

interface SourceRunsDeps {
  sources: SourceStore;
  ingest: Ingest;
  openSourceReader: OpenSourceReader;
  permissions: Pick<SourcePermissions, "of">;
  /** Removes what was uploaded for a source. */
  removeUpload: (source: Source) => Promise<void>;
  clock: Clock;
}

/** Sources that are noted, and run again. */
export function createSourceRuns(deps: SourceRunsDeps) {
  const { sources, ingest, removeUpload, clock } = deps;

  async function get(siteId: number, sourceId: number): Promise<ListedSource> {
    const found = (await sources.list(siteId)).find(({ id }) => id === sourceId);
    if (found) return found;
    throw new AppError("not_found", `This site has no source ${sourceId}.`, {
      hint: "docent sources list <domain>",
    });
  }

  /** What the site's organization may read is asked each time: the setting, or who is there, may have changed. */
  async function open({ organizationId, url: siteUrl }: SiteState, source: ListedSource) {
    const allowed = await deps.permissions.of(organizationId);
    return deps.openSourceReader(source, { ...source.options, siteUrl, allowed });
  }

  /** The next run of a source on a schedule is due one interval from now. */
  async function postpone({ id, everyMs }: ListedSource): Promise<void> {
    if (everyMs !== undefined) await sources.change(id, { nextRunAt: clock() + everyMs });
  }

  return {
    get,
    list: (siteId: number) => sources.list(siteId),
    due: () => sources.due(clock()),

    /** Notes a source. What is not named of one that is there already stays as it is. */
    async add(spec: SourceSpec, change: Omit<SourceChange, "nextRunAt"> = {}): Promise<ListedSource> {
      const { everyMs } = change;
      if (everyMs != null && !isInterval(everyMs)) throw noInterval();
      checkSource(spec, change.options ?? {});
      const { id } = await sources.open(spec, clock());
      const nextRunAt = everyMs === undefined ? undefined : everyMs === null ? null : clock() + everyMs;
      await sources.change(id, { ...change, ...(nextRunAt === undefined ? {} : { nextRunAt }) });
      return get(spec.siteId, id);
    },

    /** Reads a source into the index. The next run of a schedule is then due one interval later, also if this one failed. */
    async run(site: SiteState, source: ListedSource, options: RunOptions): Promise<IngestReport> {
      try {
        const reader = await open(site, source);
        const { generation, settings } = site;
        const report = await ingest.run({
          ...options,
          source,
          reader,
          generation,
          anchors: settings.anchors,
        });
        await postpone(source);
        return report;
      } catch (error) {
        // One that was told to stop has not had its turn: it stays due.
        if (!options.signal.aborted) await postpone(source);
        throw error;
      }
    },

    postpone,

    /** Changes how often a source is read; null: on demand alone. */
    async schedule(
      { id, siteId, kind, location }: ListedSource,
      everyMs: number | null,
    ): Promise<ListedSource> {
      if (everyMs !== null && kind === "upload")
        throw new AppError(
          "invalid_request",
          `${location} was uploaded: it changes when it is uploaded again.`,
        );
      if (everyMs !== null && !isInterval(everyMs)) throw noInterval();
      await sources.change(id, { everyMs, nextRunAt: everyMs === null ? null : clock() + everyMs });
      return get(siteId, id);
    },

    /** Whether no run holds a source, in any process. */
    async isIdle(source: Source): Promise<boolean> {
      try {
        await ingest.checkIdle(source);
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === "conflict") return false;
        throw error;
      }
    },

    /** Raises at once what a run could not begin for: another one, or a source that cannot be opened. */
    async checkRunnable(site: SiteState, source: ListedSource): Promise<void> {
      await open(site, source);
      await ingest.checkIdle(source);
    },

    checkIdle: (source: ListedSource) => ingest.checkIdle(source),

    /** Takes a source's pages out of the index, and the source off the list. */
    async remove(site: SiteState, source: ListedSource, signal: AbortSignal): Promise<IngestReport> {
      const reader = { async *list() {} };
      const report = await ingest.run({ source, reader, generation: site.generation, force: true, signal });
      await sources.remove(source.id, clock());
      await removeUpload(source);
      return report;
    },
  };
}

export type SourceRuns = ReturnType<typeof createSourceRuns>;

const isInterval = (everyMs: number) => everyMs >= EVERY_MS_MIN && everyMs <= EVERY_MS_MAX;

function noInterval(): AppError {
  return new AppError(
    "invalid_request",
    "A source is read again after a minute at the least, and a year at the most.",
  );
}
