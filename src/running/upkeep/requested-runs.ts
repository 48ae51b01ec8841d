import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import { sleep } from "@docent/kernel/lib/sleep";
import type { RunEnd, RunJob } from "@docent/sites/ingest/ingest";
import type { RunRecord } from "@docent/sites/ingest/stores";
import type { Parts } from "../app/parts.ts";
import { type RunSurroundings, sourceWork } from "./source-work.ts";

const LOOK_MS = SECOND_MS;

interface RunWorkDeps extends RunSurroundings {
  log: Log;
}

/** Does what the admin API was asked to do, and reports its end as the ledger has it. */
export function requestedRuns(deps: RunWorkDeps, parts: Pick<Parts, "people" | "sources">) {
  const { sites } = parts.people;
  const { ofSites, ledger } = parts.sources;
  const { runSelf, log } = deps;
  const { noted, notedAfter } = tellEnds(parts.sources, log);
  const scheduled = sourceWork(deps, parts);

  async function remove({ domain, siteId, sourceId }: RunJob, signal: AbortSignal): Promise<RunEnd> {
    if (runSelf) await runSelf(["sources", "remove", domain, String(sourceId), "--yes"], signal);
    else await ofSites.remove(await sites.get(domain), await ofSites.get(siteId, sourceId), signal);
    const { generation } = await onceThere(() => sites.get(domain), signal);
    return { outcome: "removed", generation };
  }

  async function read(job: RunJob, signal: AbortSignal): Promise<RunEnd> {
    const after = job.afterRun ?? (await onceThere(() => ledger.lastEnded(job.sourceId), signal));
    // The process of a server that is gone may still be at it.
    if (job.afterRun !== undefined) await untilIdle(job, signal);
    try {
      await scheduled.run(job, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A separate process ends with an error even where the ledger has an outcome. Where the database is away, nobody
      // can be told before it is back.
      const end = await onceThere(() => notedAfter(error, job, after), signal);
      if (end !== undefined) return end;
      throw error;
    }
    return (await onceThere(() => noted(job, after), signal)) ?? { outcome: "unchanged" };
  }

  async function untilIdle({ siteId, sourceId }: RunJob, signal: AbortSignal): Promise<void> {
    const isIdle = async () => ofSites.isIdle(await ofSites.get(siteId, sourceId));
    while (!(await onceThere(isIdle, signal))) await sleep(LOOK_MS, signal);
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

/** How the runs ended that did one piece of work. */
function tellEnds({ ofSites, ledger }: Parts["sources"], log: Log) {
  /** What the ledger says of the runs that came after one: all of them together, whichever process did each. */
  const noted = async ({ sourceId }: RunJob, after: number): Promise<RunEnd | undefined> =>
    wholeEnd(await ledger.runsAfter(sourceId, after));

  return {
    noted,
    /** The same after a process ended with an error, which may have kept it from noting its end. */
    async notedAfter(error: unknown, job: RunJob, after: number): Promise<RunEnd | undefined> {
      const end = await noted(job, after);
      if (end !== undefined) return end;
      try {
        await ofSites.settle(await ofSites.get(job.siteId, job.sourceId));
      } catch (obstacle) {
        if (!(obstacle instanceof AppError && obstacle.code === "conflict")) throw obstacle;
      }
      const settled = await noted(job, after);
      if (settled !== undefined)
        log.warn("a run was cut off before its end, and is noted so", {
          source: job.location,
          run: job.id,
          ...reasonFields(error),
        });
      return settled;
    },
  };
}

/** Reads something again until the database answers. */
async function onceThere<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
      await sleep(LOOK_MS, signal);
    }
  }
}

/** Of what several runs did in pages, all counts. What was not changed is as the last one found it. */
const SUMMED = ["added", "changed", "removed", "passages"];

/**
 * What several runs came to that did one piece of work: how the last one ended, with what all of them changed for readers.
 * Undefined where there was none, or the last one goes on.
 */
export function wholeEnd(runs: readonly RunRecord[]): RunEnd | undefined {
  const last = runs.at(-1);
  if (last?.outcome === undefined) return undefined;
  const published = runs.filter(({ generation }) => generation !== undefined);
  const shown = published.at(-1);
  const { outcome, message, counts } = last;
  if (shown === undefined) return { outcome, message, generation: undefined, counts };
  const summed = SUMMED.map((name) => [
    name,
    published.reduce((sum, run) => sum + (run.counts[name] ?? 0), 0),
  ]);
  return {
    outcome: outcome === "unchanged" ? (shown.outcome ?? "published") : outcome,
    message: message ?? (outcome === "unchanged" ? shown.message : undefined),
    generation: shown.generation,
    counts: { ...counts, ...(published.length === 1 && shown === last ? {} : Object.fromEntries(summed)) },
  };
}
