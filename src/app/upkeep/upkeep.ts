import type { Parts } from "../../app.ts";
import type { Log } from "../../lib/log.ts";
import { reasonFields } from "../../lib/log.ts";
import type { Site } from "../../sites/sites.ts";

const GAPS_MS = 30_000;
/** A day is what is promised; more often, and nothing is kept for nearly a day too long. */
const RETENTION_MS = 3600 * 1000;

/** What is done for every site in between, so that nobody waits for it. */
export function startUpkeep(
  { sites, gaps, retention }: Pick<Parts, "sites" | "gaps" | "retention">,
  log: Log,
) {
  const { list } = sites;

  async function removeOlder({ id, domain, settings }: Site, signal: AbortSignal): Promise<void> {
    const { turns } = await retention.removeOlder(id, settings.retentionDays, signal);
    if (turns > 0) log.info("what a site keeps no longer was deleted", { site: domain, turns });
  }

  const all = [
    repeat({
      list,
      work: removeOlder,
      everyMs: RETENTION_MS,
      onFailure: (error) => log.warn("what a site keeps no longer could not be deleted", reasonFields(error)),
    }),
    repeat({
      list,
      work: gaps.catchUp,
      everyMs: GAPS_MS,
      onFailure: (error) => log.warn("questions could not be put into gaps", reasonFields(error)),
    }),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

interface Repeated {
  list(): Promise<Site[]>;
  work(site: Site, signal: AbortSignal): Promise<unknown>;
  everyMs: number;
  onFailure(error: unknown): void;
}

/** Works on every site at once and then again and again, one after the other. */
function repeat({ list, work, everyMs, onFailure }: Repeated) {
  const stop = new AbortController();
  const { signal } = stop;
  let working: Promise<void> | undefined;

  async function workOnAll(): Promise<void> {
    for (const site of await list()) {
      signal.throwIfAborted();
      await work(site, signal);
    }
  }

  const look = () => {
    working ??= workOnAll()
      .catch((error) => {
        if (!signal.aborted) onFailure(error);
      })
      .finally(() => {
        working = undefined;
      });
  };
  const timer = setInterval(look, everyMs);
  look();

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}

/** Takes away what a server left that was killed: halves of uploads, and uploads of sources that are gone. */
export async function tidyUploads(
  { uploads, sourceRuns }: Pick<Parts, "uploads" | "sourceRuns">,
  log: Log,
): Promise<void> {
  try {
    uploads.removeHalves();
    await uploads.sweep(async (siteId, sourceId) =>
      (await sourceRuns.list(siteId)).some(({ id }) => id === sourceId),
    );
  } catch (error) {
    log.warn("what is left of uploads could not be removed", reasonFields(error));
  }
}
