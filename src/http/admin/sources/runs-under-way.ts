import { z } from "zod";
import type { RunJob, RunJobs } from "../../../ingest/run-jobs.ts";
import type { SourceRuns } from "../../../ingest/source-runs.ts";
import type { ListedSource } from "../../../ingest/stores.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { gives } from "../../operation/gives.ts";
import { type AdminOperation, operation, reply } from "../operation.ts";
import type { AdminOptions } from "../options.ts";
import { underWayShape } from "../shapes.ts";

/** The runs of a site that go on now, whoever began them. */
export function underWayOperations({
  sourceRuns,
  runJobs,
}: Pick<AdminOptions, "sourceRuns" | "runJobs">): AdminOperation[] {
  return [
    operation({
      method: "GET",
      path: "/sites/:domain/runs",
      summary: "List the runs of a site that are under way",
      description:
        "Those that were asked for, and those of schedules and of the command line. `counts` says how far each is.",
      replies: gives(200, "The runs.", z.array(underWayShape)),
      run: async ({ site }) => reply(await underWay(sourceRuns, runJobs, site().id)),
    }),
  ];
}

/** How far a run that was asked for is: what it has noted by now, or what it noted at its end. */
export async function liveCounts(
  sourceRuns: Pick<SourceRuns, "list">,
  { siteId, sourceId, startedAt, state, end }: RunJob,
): Promise<Record<string, number>> {
  if (state !== "running" || startedAt === undefined) return end?.counts ?? {};
  const source = (await sourceRuns.list(siteId)).find(({ id }) => id === sourceId);
  return source === undefined ? {} : countsSince(source, startedAt);
}

async function underWay(sourceRuns: SourceRuns, runJobs: RunJobs, siteId: number) {
  const sources = await sourceRuns.list(siteId);
  const asked = runJobs.underWay(siteId);
  const others = await Promise.all(
    sources
      .filter(
        ({ id, lastRun }) => lastRun?.outcome === undefined && !asked.some((job) => job.sourceId === id),
      )
      .filter(({ lastRun }) => lastRun !== undefined)
      .map(async (source) => ((await sourceRuns.isIdle(source)) ? [] : [begunElsewhere(source)])),
  );
  return [
    ...asked.map((job) => {
      const source = sources.find(({ id }) => id === job.sourceId);
      const counts = source && job.startedAt !== undefined ? countsSince(source, job.startedAt) : {};
      return begunHere(job, counts);
    }),
    ...others.flat(),
  ];
}

const begunHere = ({ id, sourceId, removes, state, startedAt }: RunJob, counts: Record<string, number>) => ({
  id,
  source: sourceId,
  task: removes ? "remove" : "read",
  state,
  counts,
  startedAt: isoTime(startedAt),
});

const begunElsewhere = ({ id, lastRun }: ListedSource) => ({
  id: null,
  source: id,
  task: "read",
  state: "running",
  counts: lastRun?.counts ?? {},
  startedAt: isoTime(lastRun?.startedAt),
});

/** What the run that began since then has noted; another process begins a moment later. */
function countsSince({ lastRun }: ListedSource, since: number): Record<string, number> {
  return lastRun !== undefined && lastRun.startedAt >= since ? lastRun.counts : {};
}
