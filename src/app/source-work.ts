import type { Parts, Surroundings } from "../app.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../lib/log.ts";
import { reasonFields } from "../lib/log-reason.ts";
import type { DueRun } from "./schedule.ts";

const SECOND_MS = 1000;

/** What the schedule runs, and how: in a process of its own where the surroundings can start one. */
export function sourceWork(
  { runSelf, runMs }: Pick<Surroundings, "runSelf"> & { runMs: number },
  { sites, sourceRuns }: Pick<Parts, "sites" | "sourceRuns">,
) {
  async function runOne({ domain, sourceId, force = false }: DueRun, signal: AbortSignal): Promise<void> {
    const site = await sites.get(domain);
    const words = ["sources", "run", domain, String(sourceId), ...(force ? ["--force"] : [])];
    if (runSelf) await runSelf(words, signal);
    else await sourceRuns.run(site, await sourceRuns.get(site.id, sourceId), { force, signal });
  }

  return {
    async due(): Promise<DueRun[]> {
      const domains = new Map((await sites.list()).map(({ id, domain }) => [id, domain]));
      return (await sourceRuns.due()).flatMap(({ id, siteId, location }) => {
        const domain = domains.get(siteId);
        return domain === undefined ? [] : [{ domain, sourceId: id, location }];
      });
    },

    async run(due: DueRun, signal: AbortSignal): Promise<void> {
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
