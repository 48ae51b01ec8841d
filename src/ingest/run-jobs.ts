import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { OrganizationTurns } from "./organization-turns.ts";
import type { RunOutcome } from "./stores.ts";

/** How many runs of one organization may wait: what another one asks for takes nothing from it. */
const WAITING_MAX = 100;
/** How many ended runs of an organization can still be asked after. */
const ENDED_KEPT = 500;

/** What is to be done with a source, while whoever asked for it goes on. */
export interface RunRequest {
  domain: string;
  siteId: number;
  organizationId: string;
  sourceId: number;
  location: string;
  /** Takes its pages out of the index, and the source off the list, instead of reading it. */
  removes?: boolean;
  /** Takes pages away even where the source lists far fewer than before. */
  force?: boolean;
  /** Ends before the first page where the docs of a generator are recognized. */
  preview?: boolean;
  /** Asks whether pages are at their published addresses. */
  checksAddresses?: boolean;
}

/** What came of it. `removed`: the source is gone. `stopped`: the server stopped first. */
export interface RunEnd {
  outcome: RunOutcome | "removed" | "stopped";
  message?: string | undefined;
  generation?: number | undefined;
  counts?: Record<string, number>;
}

/** A run that was asked for. */
export interface RunJob extends RunRequest {
  id: string;
  state: "waiting" | "running" | "ended";
  requestedAt: number;
  startedAt?: number;
  endedAt?: number;
  end?: RunEnd;
}

interface RunJobsDeps {
  /** Does it, and says what came of it. What it throws is a run that failed. */
  work(job: RunJob, signal: AbortSignal): Promise<RunEnd>;
  clock: Clock;
  ids: Pick<Ids, "ulid">;
  order: OrganizationTurns;
}

/** The runs that were asked for since the server started, and those that are under way. */
interface Jobs extends RunJobsDeps {
  stop: AbortController;
  /** By id, the oldest first. */
  all: Map<string, RunJob>;
  running: Map<RunJob, Promise<void>>;
}

/** Runs that nobody waits for, in a fair order. */
export function createRunJobs(deps: RunJobsDeps) {
  const jobs: Jobs = { ...deps, stop: new AbortController(), all: new Map(), running: new Map() };
  const { stop, all, running } = jobs;
  return {
    /** Takes a run on. Raises `conflict` where that source has one already, and `unavailable` where too many wait. */
    request: (request: RunRequest) => takeOn(jobs, request),

    /** One that was asked for since the server started, and is not long ended. */
    find: (id: string) => all.get(id),

    /** Those of a site that have not ended, the oldest first. */
    underWay: (siteId: number) =>
      [...all.values()].filter((job) => job.siteId === siteId && job.state !== "ended"),

    /** Ends the runs that are under way: the next ones take them up again. */
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      for (const job of inState(jobs, "waiting")) finish(jobs, job, { outcome: "stopped" });
      await Promise.all(running.values());
    },
  };
}

export type RunJobs = ReturnType<typeof createRunJobs>;

function takeOn(jobs: Jobs, request: RunRequest): RunJob {
  const { all, stop, clock, ids } = jobs;
  const isUnderWay = [...all.values()].some(
    ({ sourceId, state }) => sourceId === request.sourceId && state !== "ended",
  );
  if (isUnderWay) throw new AppError("conflict", `${request.location} is being read already.`);
  if (stop.signal.aborted || inState(jobs, "waiting", request.organizationId).length >= WAITING_MAX)
    throw new AppError("unavailable", "Too many runs are waiting. Please try again later.");
  const job: RunJob = { ...request, id: ids.ulid(), state: "waiting", requestedAt: clock() };
  all.set(job.id, job);
  beginNext(jobs);
  return job;
}

/** Begins what may begin beside what goes on. */
function beginNext(jobs: Jobs): void {
  const { stop, order, running, clock } = jobs;
  while (!stop.signal.aborted) {
    const next = order.next(inState(jobs, "waiting"), [...running.keys()]);
    if (next === undefined) return;
    Object.assign(next, { state: "running", startedAt: clock() } satisfies Partial<RunJob>);
    running.set(next, runOne(jobs, next));
  }
}

async function runOne(jobs: Jobs, job: RunJob): Promise<void> {
  const { signal } = jobs.stop;
  try {
    finish(jobs, job, await jobs.work(job, signal));
  } catch (error) {
    if (signal.aborted) finish(jobs, job, { outcome: "stopped" });
    else finish(jobs, job, { outcome: "failed", message: error instanceof AppError ? error.message : FAULT });
  } finally {
    jobs.running.delete(job);
    beginNext(jobs);
  }
}

function finish(jobs: Jobs, job: RunJob, end: RunEnd): void {
  Object.assign(job, { state: "ended", endedAt: jobs.clock(), end } satisfies Partial<RunJob>);
  const ended = inState(jobs, "ended", job.organizationId);
  for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) jobs.all.delete(id);
}

const inState = ({ all }: Jobs, state: RunJob["state"], organizationId?: string) =>
  [...all.values()].filter(
    (job) => job.state === state && (organizationId ?? job.organizationId) === job.organizationId,
  );

const FAULT = "The run failed. The server's log says why.";
