import { AppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { FairOrder } from "./fair-order.ts";
import type { RunOutcome } from "./stores.ts";

/** Of one organization: what another one asks for takes nothing from it. */
const WAITING_MAX = 100;
/** How many of an organization that have ended can still be asked after. */
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
  order: FairOrder;
}

/** Runs that nobody waits for, in turns. */
export function createRunJobs({ work, clock, ids, order }: RunJobsDeps) {
  const stop = new AbortController();
  /** By id, the oldest first. */
  const jobs = new Map<string, RunJob>();
  const running = new Map<RunJob, Promise<void>>();

  const of = (organizationId: string, state: RunJob["state"]) =>
    inState(state).filter((job) => job.organizationId === organizationId);
  const inState = (state: RunJob["state"]) => [...jobs.values()].filter((job) => job.state === state);

  function finish(job: RunJob, end: RunEnd): void {
    Object.assign(job, { state: "ended", endedAt: clock(), end } satisfies Partial<RunJob>);
    const ended = of(job.organizationId, "ended");
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) jobs.delete(id);
  }

  async function runOne(job: RunJob): Promise<void> {
    try {
      finish(job, await work(job, stop.signal));
    } catch (error) {
      if (stop.signal.aborted) finish(job, { outcome: "stopped" });
      else finish(job, { outcome: "failed", message: error instanceof AppError ? error.message : FAULT });
    } finally {
      running.delete(job);
      fill();
    }
  }

  function fill(): void {
    while (!stop.signal.aborted) {
      const next = order.next(inState("waiting"), [...running.keys()]);
      if (next === undefined) return;
      Object.assign(next, { state: "running", startedAt: clock() } satisfies Partial<RunJob>);
      running.set(next, runOne(next));
    }
  }

  return {
    /** Takes a run on. Raises `conflict` where that source has one already, and `unavailable` where too many wait. */
    request(request: RunRequest): RunJob {
      const isUnderWay = [...jobs.values()].some(
        ({ sourceId, state }) => sourceId === request.sourceId && state !== "ended",
      );
      if (isUnderWay) throw new AppError("conflict", `${request.location} is being read already.`);
      if (stop.signal.aborted || of(request.organizationId, "waiting").length >= WAITING_MAX)
        throw new AppError("unavailable", "Too many runs are waiting. Please try again later.");
      const job: RunJob = { ...request, id: ids.ulid(), state: "waiting", requestedAt: clock() };
      jobs.set(job.id, job);
      fill();
      return job;
    },

    /** One that was asked for since the server started, and is not long ended. */
    find: (id: string) => jobs.get(id),

    /** Those of a site that have not ended, the oldest first. */
    underWay: (siteId: number) =>
      [...jobs.values()].filter((job) => job.siteId === siteId && job.state !== "ended"),

    /** Ends the runs that are under way: the next ones take them up again. */
    async close(): Promise<void> {
      stop.abort(new DOMException("The server stops", "AbortError"));
      for (const job of inState("waiting")) finish(job, { outcome: "stopped" });
      await Promise.all(running.values());
    },
  };
}

export type RunJobs = ReturnType<typeof createRunJobs>;

const FAULT = "The run failed. The server's log says why.";
