import { AppError } from "@docent/kernel/errors";
import { isoTime } from "@docent/kernel/lib/iso-time";
import { aboutSource } from "@docent/people/audit/audit";
import type { RunJob, RunJobs, SiteSources } from "@docent/sites/ingest/ingest";
import { runJson } from "@docent/sites/ingest/json";
import type { ListedSource } from "@docent/sites/ingest/stores";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { gives, type Operation, reply } from "../../operation.ts";
import type { AdminOptions } from "../admin.ts";
import { type AdminGuards, adminOperation } from "../guard.ts";
import { jobShape, runShape, underWayShape } from "../shapes.ts";

const SOURCE = "/v1/admin/sites/:domain/sources/:number";
/** As many runs as are kept of a source. */
const RUNS_SHOWN = 50;

const runSchema = z
  .strictObject({
    force: z.boolean().default(false),
    /** Ends before the first page where the docs of a generator are recognized; anything else is read. */
    preview: z.boolean().default(false),
    /** Asks the host of the site's URL for a sample of the pages; of a preview, for those that it shows. */
    checkAddresses: z.boolean().default(false),
    /** Publishes although golden questions get worse, where the site would not. */
    acceptWorse: z.boolean().default(false),
  })
  .meta({ id: "RunRequest" });
const removalSchema = z.strictObject({ confirm: z.int() }).meta({ id: "SourceRemoval" });

type RunOptions = Pick<AdminOptions, "siteSources" | "runJobs" | "ledger" | "basePath">;

/** Runs of sources. A run may take long: the reply to a request for one says where to look for it. */
export function runOperations(options: RunOptions, guards: AdminGuards): Operation[] {
  return [
    listRuns(options, guards),
    startRun(options, guards),
    getRun(options, guards),
    removeSource(options, guards),
  ];
}

const listRuns = ({ siteSources, ledger }: RunOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "listRuns",
    method: "GET",
    path: `${SOURCE}/runs`,
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "List the runs of a source",
    replies: gives(200, "The runs, newest first.", z.array(runShape)),
    async run({ site, number }) {
      const { id } = await siteSources.get(site().id, number("number"));
      return reply((await ledger.runs(id, RUNS_SHOWN)).map(runJson));
    },
  });

function startRun(options: RunOptions, guards: AdminGuards): Operation {
  const { siteSources } = options;
  return adminOperation({
    id: "startRun",
    method: "POST",
    path: `${SOURCE}/runs`,
    tag: "Admin: sources",
    guard: guards.writes,
    records: ["source.run-requested"],
    summary: "Read a source now",
    replies: gives(202, "The run that was asked for; `location` says where to look for it.", jobShape),
    body: runSchema,
    async run({ site, record, number, body }) {
      const source = await siteSources.get(site().id, number("number"));
      const { force, preview, checkAddresses: checksAddresses, acceptWorse: acceptsWorse } = await body();
      await siteSources.checkRunnable(site(), source);
      const accepted = await accept(options, site(), source, {
        force,
        preview,
        checksAddresses,
        acceptsWorse,
      });
      // A preview changes nothing.
      if (!preview) await record({ kind: "source.run-requested", ...aboutSource(source) });
      return accepted;
    },
  });
}

const getRun = ({ siteSources, runJobs }: RunOptions, guards: AdminGuards): Operation =>
  adminOperation({
    id: "getRun",
    method: "GET",
    path: `${SOURCE}/runs/:run`,
    tag: "Admin: sources",
    guard: guards.reads,
    summary: "Show a run that was asked for",
    replies: gives(200, "The run as it stands.", jobShape),
    // The source is not looked at: the run may have removed it.
    async run({ site, number, param }) {
      const job = await runJobs.find(param("run"));
      if (job?.siteId !== site().id || job.sourceId !== number("number"))
        throw new AppError("not_found", "Not found");
      return reply(jobJson(job, await liveCounts(siteSources, job)));
    },
  });

function removeSource(options: RunOptions, guards: AdminGuards): Operation {
  const { siteSources } = options;
  return adminOperation({
    id: "removeSource",
    method: "DELETE",
    path: SOURCE,
    tag: "Admin: sources",
    guard: guards.writes,
    records: ["source.removal-requested"],
    summary: "Remove a source and its pages",
    description: "`confirm` is the number of the source.",
    replies: gives(202, "The run that removes it.", jobShape),
    body: removalSchema,
    async run({ site, record, number, body }) {
      const source = await siteSources.get(site().id, number("number"));
      if ((await body()).confirm !== source.id) {
        throw new AppError(
          "invalid_request",
          `confirm: This takes the pages of ${source.location} out of ${site().domain}. If you mean it, send its number.`,
        );
      }
      await siteSources.checkIdle(source);
      const accepted = await accept(options, site(), source, { removes: true });
      await record({ kind: "source.removal-requested", ...aboutSource(source) });
      return accepted;
    },
  });
}

/** Asks for a run, and tells where to look for it. */
async function accept(
  { runJobs, basePath }: RunOptions,
  { domain, id: siteId, organizationId }: Site,
  { id: sourceId, location: place }: ListedSource,
  how: Pick<RunJob, "force" | "removes" | "preview" | "checksAddresses" | "acceptsWorse">,
): Promise<Response> {
  const job = await runJobs.request({ ...how, domain, siteId, organizationId, sourceId, location: place });
  const location = `${basePath}/v1/admin/sites/${domain}/sources/${sourceId}/runs/${job.id}`;
  return reply(jobJson(job, {}), { status: 202, location });
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

/** The runs of a site that go on now, whoever began them. */
export function underWayOperations(
  { siteSources, runJobs }: Pick<AdminOptions, "siteSources" | "runJobs">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listRunsUnderWay",
      method: "GET",
      path: "/v1/admin/sites/:domain/runs",
      tag: "Admin: sources",
      guard: guards.reads,
      summary: "List the runs of a site that are under way",
      description:
        "Those that were asked for, and those of schedules and of the command line. `counts` says how far each is.",
      replies: gives(200, "The runs.", z.array(underWayShape)),
      run: async ({ site }) => reply(await underWay(siteSources, runJobs, site().id)),
    }),
  ];
}

/** The counts of a run that was asked for: those noted by now, or at its end. */
async function liveCounts(
  siteSources: Pick<SiteSources, "list">,
  { siteId, sourceId, startedAt, state, end }: RunJob,
): Promise<Record<string, number>> {
  if (state !== "running" || startedAt === undefined) return end?.counts ?? {};
  const source = (await siteSources.list(siteId)).find(({ id }) => id === sourceId);
  return source === undefined ? {} : countsSince(source, startedAt);
}

async function underWay(siteSources: SiteSources, runJobs: RunJobs, siteId: number) {
  const sources = await siteSources.list(siteId);
  const asked = await runJobs.underWay(siteId);
  const others = await Promise.all(
    sources
      .filter(
        ({ id, lastRun }) => lastRun?.outcome === undefined && !asked.some((job) => job.sourceId === id),
      )
      .filter(({ lastRun }) => lastRun !== undefined)
      .map(async (source) => ((await siteSources.isIdle(source)) ? [] : [begunElsewhere(source)])),
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

/** The counts of a source's last run, if it began since then: a run in another process begins a moment later. */
function countsSince({ lastRun }: ListedSource, since: number): Record<string, number> {
  return lastRun !== undefined && lastRun.startedAt >= since ? lastRun.counts : {};
}
