import { AppError } from "../../errors.ts";
import type { RunEnd, RunJob } from "../../ingest/ingest.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Log, reasonFields } from "../../lib/log.ts";
import type { Parts } from "../parts.ts";
import { type RunSurroundings, sourceWork } from "./source-work.ts";

interface RunWorkDeps extends RunSurroundings {
  clock: Clock;
  log: Log;
}

/** Does what the admin API was asked to do, and reports its end as the ledger has it. */
export function requestedRuns(deps: RunWorkDeps, parts: Pick<Parts, "people" | "sources">) {
  const { sites } = parts.people;
  const { ofSites } = parts.sources;
  const { runSelf, clock, log } = deps;
  const scheduled = sourceWork(deps, parts);

  /** What the ledger says of the run that began after `since`. */
  async function noted({ siteId, sourceId }: RunJob, since: number): Promise<RunEnd | undefined> {
    const source = (await ofSites.list(siteId)).find(({ id }) => id === sourceId);
    const { startedAt = 0, outcome, message, generation, counts } = source?.lastRun ?? {};
    if (outcome === undefined || startedAt < since) return undefined;
    return { outcome, message, generation, ...(counts ? { counts } : {}) };
  }

  async function remove({ domain, siteId, sourceId }: RunJob, signal: AbortSignal): Promise<RunEnd> {
    if (runSelf) await runSelf(["sources", "remove", domain, String(sourceId), "--yes"], signal);
    else await ofSites.remove(await sites.get(domain), await ofSites.get(siteId, sourceId), signal);
    return { outcome: "removed", generation: (await sites.get(domain)).generation };
  }

  async function read(job: RunJob, signal: AbortSignal): Promise<RunEnd> {
    const since = clock();
    try {
      await scheduled.run(job, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A separate process ends with an error even where the ledger has an outcome.
      const end = await noted(job, since);
      if (end !== undefined) return end;
      throw error;
    }
    return (await noted(job, since)) ?? { outcome: "unchanged" };
  }

  return async (job: RunJob, signal: AbortSignal): Promise<RunEnd> => {
    const about = { site: job.domain, source: job.location, run: job.id };
    try {
      const end = await (job.removes ? remove(job, signal) : read(job, signal));
      log.info("a run that was asked for has ended", { ...about, outcome: end.outcome });
      return end;
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn("a run that was asked for failed", { ...about, ...reasonFields(error) });
      // What another process printed is for the operator only.
      throw runSelf ? new AppError("unavailable", FAILED, { cause: error }) : error;
    }
  };
}

const FAILED = "The run ended before it could note why. The server's log says more.";
