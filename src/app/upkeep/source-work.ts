import type { Parts, Surroundings } from "../../app.ts";
import { AppError } from "../../errors.ts";
import { doInFairOrder, type FairOrder, type SiteWork } from "../../ingest/fair-order.ts";
import type { Log } from "../../lib/log.ts";
import { reasonFields } from "../../lib/log.ts";
import type { DueRun } from "./schedule.ts";

const SECOND_MS = 1000;

type ScheduledRun = Pick<DueRun, "domain" | "sourceId" | "force">;

/** What the schedule runs, and how: in a process of its own where the surroundings can start one. */
export function sourceWork(
  { runSelf, runMs }: Pick<Surroundings, "runSelf"> & { runMs: number },
  { sites, sourceRuns }: Pick<Parts, "sites" | "sourceRuns">,
) {
  async function runOne(
    { domain, sourceId, force = false }: ScheduledRun,
    signal: AbortSignal,
  ): Promise<void> {
    const site = await sites.get(domain);
    const words = ["sources", "run", domain, String(sourceId), ...(force ? ["--force"] : [])];
    if (runSelf) await runSelf(words, signal);
    else await sourceRuns.run(site, await sourceRuns.get(site.id, sourceId), { force, signal });
  }

  return {
    async due(): Promise<DueRun[]> {
      const all = new Map((await sites.list()).map((site) => [site.id, site]));
      return (await sourceRuns.due()).flatMap(({ id: sourceId, siteId, location }) => {
        const site = all.get(siteId);
        if (site === undefined) return [];
        const { domain, organizationId } = site;
        return [{ domain, siteId, organizationId, sourceId, location }];
      });
    },

    async run(due: ScheduledRun, signal: AbortSignal): Promise<void> {
      const timeout = AbortSignal.timeout(runMs);
      try {
        await runOne(due, AbortSignal.any([signal, timeout]));
      } catch (cause) {
        if (signal.aborted) throw cause;
        // One that was ended, and a process that was killed, as where memory ran out, could not note it themselves.
        const { id } = await sites.get(due.domain);
        await sourceRuns.postpone(await sourceRuns.get(id, due.sourceId));
        throw timeout.aborted ? tookTooLong(runMs, cause) : cause;
      }
    },
  };
}

function tookTooLong(runMs: number, cause: unknown): AppError {
  return new AppError("unavailable", `The run was ended after ${runMs / SECOND_MS} seconds.`, {
    hint: "The next one goes on from where it was. If it never comes to its end, raise the setting run_seconds.",
    cause,
  });
}

/**
 * Gives the passages of every site the vectors of the configured embedder, where they have none or another's: after
 * an upgrade, and after a change of the setting, those of several organizations side by side. Search uses what is there
 * until then.
 */
export function completeVectors(
  { sites, vectors }: Pick<Parts, "sites" | "vectors">,
  order: FairOrder,
  log: Log,
) {
  const stop = new AbortController();
  const { signal } = stop;
  let hasComplained = false;

  async function complete({ siteId, domain }: SiteWork & { domain: string }): Promise<void> {
    signal.throwIfAborted();
    if (await vectors.areCurrent(siteId, signal)) return;
    log.info("the vectors of a site are made anew", { site: domain });
    await vectors.complete(siteId, { signal });
    log.info("a site has its vectors", { site: domain });
  }

  async function work(): Promise<void> {
    const waiting = (await sites.list())
      .filter(({ generation }) => generation > 0)
      .map(({ id: siteId, organizationId, domain }) => ({ siteId, organizationId, domain }));
    await doInFairOrder(waiting, order, (each) =>
      complete(each).catch((error) => complain(error, { site: each.domain })),
    );
  }

  /** Once: where it is the model that is away, it is so for every site. */
  function complain(error: unknown, about: { site?: string }): void {
    if (signal.aborted || hasComplained) return;
    hasComplained = true;
    const fields = { ...about, ...reasonFields(error) };
    log.warn("vectors could not be made: what has none is found by keywords alone", fields);
  }

  const working = work().catch((error) => complain(error, {}));
  return {
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      await working;
    },
  };
}
