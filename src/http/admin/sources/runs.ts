import { z } from "zod";
import { AppError } from "../../../errors.ts";
import { runJson } from "../../../ingest/json.ts";
import type { RunJob } from "../../../ingest/run-jobs.ts";
import type { ListedSource } from "../../../ingest/stores.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Site } from "../../../sites/sites.ts";
import { gives } from "../../operation/gives.ts";
import { type AdminOperation, operation, reply } from "../operation.ts";
import type { AdminOptions } from "../options.ts";
import { jobShape, runShape } from "../shapes.ts";
import { liveCounts } from "./runs-under-way.ts";

const SOURCE = "/sites/:domain/sources/:number";
/** As many as are kept of a source. */
const RUNS_SHOWN = 50;

const runSchema = z.strictObject({ force: z.boolean().default(false) }).meta({ id: "RunRequest" });
const removalSchema = z.strictObject({ confirm: z.int() }).meta({ id: "SourceRemoval" });

/** Runs of sources. They take as long as they take: who asks for one is told where to look. */
export function runOperations(
  options: Pick<AdminOptions, "sourceRuns" | "runJobs" | "ledger" | "basePath">,
): AdminOperation[] {
  const { sourceRuns, runJobs, ledger, basePath } = options;

  function accept(site: Site, source: ListedSource, how: Pick<RunJob, "force" | "removes">): Response {
    const { domain, id: siteId, organizationId } = site;
    const { id: sourceId, location: place } = source;
    const job = runJobs.request({ ...how, domain, siteId, organizationId, sourceId, location: place });
    const location = `${basePath}/v1/admin/sites/${domain}/sources/${source.id}/runs/${job.id}`;
    return reply(jobJson(job, {}), { status: 202, location });
  }

  return [
    operation({
      method: "GET",
      path: `${SOURCE}/runs`,
      summary: "List the runs of a source",
      replies: gives(200, "The runs, newest first.", z.array(runShape)),
      async run({ site, number }) {
        const { id } = await sourceRuns.get(site().id, number("number"));
        return reply((await ledger.runs(id, RUNS_SHOWN)).map(runJson));
      },
    }),
    operation({
      method: "POST",
      path: `${SOURCE}/runs`,
      writes: true,
      summary: "Read a source now",
      replies: gives(202, "The run that was asked for; `location` says where to look for it.", jobShape),
      body: runSchema,
      async run({ site, number, body }) {
        const source = await sourceRuns.get(site().id, number("number"));
        const { force } = await body();
        await sourceRuns.checkRunnable(site(), source);
        return accept(site(), source, { force });
      },
    }),
    operation({
      method: "GET",
      path: `${SOURCE}/runs/:run`,
      summary: "Show a run that was asked for",
      replies: gives(200, "The run as it stands.", jobShape),
      // Without a look at the source: the run may have removed it.
      async run({ site, number, param }) {
        const job = runJobs.find(param("run"));
        if (job?.siteId !== site().id || job.sourceId !== number("number"))
          throw new AppError("not_found", "Not found");
        return reply(jobJson(job, await liveCounts(sourceRuns, job)));
      },
    }),
    operation({
      method: "DELETE",
      path: SOURCE,
      writes: true,
      summary: "Remove a source and its pages",
      description: "`confirm` is the number of the source.",
      replies: gives(202, "The run that removes it.", jobShape),
      body: removalSchema,
      async run({ site, number, body }) {
        const source = await sourceRuns.get(site().id, number("number"));
        if ((await body()).confirm !== source.id) {
          throw new AppError(
            "invalid_request",
            `confirm: This takes the pages of ${source.location} out of ${site().domain}. If you mean it, send its number.`,
          );
        }
        await sourceRuns.checkIdle(source);
        return accept(site(), source, { removes: true });
      },
    }),
  ];
}

function jobJson(
  { id, sourceId, removes, state, requestedAt, startedAt, endedAt, end }: RunJob,
  counts: Record<string, number>,
) {
  return {
    id,
    source: sourceId,
    task: removes ? "remove" : "read",
    state,
    requestedAt: isoTime(requestedAt),
    startedAt: isoTime(startedAt),
    finishedAt: isoTime(endedAt),
    outcome: end?.outcome ?? null,
    message: end?.message ?? null,
    generation: end?.generation ?? null,
    counts,
  };
}
