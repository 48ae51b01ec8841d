import type { Parts, Surroundings } from "../app.ts";
import type { Log } from "../lib/log.ts";
import { reasonFields } from "../lib/log-reason.ts";
import type { DueRun } from "./schedule.ts";

/** What the schedule runs, and how: in a process of its own where the surroundings can start one. */
export function sourceWork(
  { runSelf, clock }: Pick<Surroundings, "runSelf" | "clock">,
  { sites, sourceRuns, storage }: Pick<Parts, "sites" | "sourceRuns" | "storage">,
) {
  /** A process that was killed, as where memory ran out, could not note when its source is due next. */
  async function postpone(siteId: number, sourceId: number): Promise<void> {
    const { everyMs } = await sourceRuns.get(siteId, sourceId);
    if (everyMs !== undefined) await storage.sources.change(sourceId, { nextRunAt: clock() + everyMs });
  }

  return {
    async due(): Promise<DueRun[]> {
      const domains = new Map((await sites.list()).map(({ id, domain }) => [id, domain]));
      return (await sourceRuns.due()).flatMap(({ id, siteId, location }) => {
        const domain = domains.get(siteId);
        return domain === undefined ? [] : [{ domain, sourceId: id, location }];
      });
    },

    async run({ domain, sourceId }: DueRun, signal: AbortSignal): Promise<void> {
      const site = await sites.get(domain);
      if (!runSelf) {
        await sourceRuns.run(site, await sourceRuns.get(site.id, sourceId), { signal });
        return;
      }
      try {
        await runSelf(["sources", "run", domain, String(sourceId)], signal);
      } catch (error) {
        if (!signal.aborted) await postpone(site.id, sourceId);
        throw error;
      }
    },
  };
}

/**
 * Gives the passages of every site the vectors of the configured embedder, where they have none or another's: after
 * an upgrade, and after a change of the setting. Search uses what is there until then.
 */
export function completeVectors({ sites, vectors }: Parts, log: Log) {
  const stop = new AbortController();
  const { signal } = stop;

  async function work(): Promise<void> {
    for (const { id, domain, generation } of await sites.list()) {
      if (generation === 0 || (await vectors.areCurrent(id, signal))) continue;
      log.info("the vectors of a site are made anew", { site: domain });
      await vectors.complete(id, { signal });
      log.info("a site has its vectors", { site: domain });
    }
  }

  const working = work().catch((error) => {
    if (!signal.aborted)
      log.warn("vectors could not be made: what has none is found by keywords alone", reasonFields(error));
  });
  return {
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
