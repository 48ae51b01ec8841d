import { AppError } from "@docent/kernel/errors";
import { type Clock, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { OrganizationTurns } from "../organization-turns.ts";
import { ENDED_KEPT, type RunEnd, type RunJob, type RunJobStore, type RunRequest } from "./run-job.ts";

export { ENDED_KEPT, RUN_ENDS, type RunEnd, type RunJob, type RunJobStore } from "./run-job.ts";

/** How many runs of one organization may wait: what another one asks for takes nothing from it. */
const WAITING_MAX = 100;
/** How often it is looked at what was asked of other servers, or an end that could not be stored is tried again. */
const LOOK_MS = SECOND_MS;
/** A folder that no server has is tried all the same after so long, so that its run says so. */
const NOBODY_HAS_IT_MS = 2 * MINUTE_MS;

interface RunJobsDeps {
  /** Does it, and says what came of it. What it throws is a run that failed. */
  work(job: RunJob, signal: AbortSignal): Promise<RunEnd>;
  /** Where they are kept for all servers; in memory where not given. */
  store?: RunJobStore | undefined;
  /** Whether this server has what is to be read. */
  isHere(job: RunJob): boolean;
  clock: Clock;
  ids: Pick<Ids, "ulid">;
  order: OrganizationTurns;
  log: Log;
}

/** The runs that were asked for, and those that are under way here. */
interface Jobs extends RunJobsDeps {
  store: RunJobStore;
  stop: AbortController;
  running: Map<RunJob, Promise<void>>;
}

/** Runs that nobody waits for, in a fair order. */
export function createRunJobs({ store = createOwnRunJobs(), ...deps }: RunJobsDeps) {
  const jobs: Jobs = { ...deps, store, stop: new AbortController(), running: new Map() };
  const { stop, running } = jobs;
  const look = createLooking(jobs);
  const timer = store.isShared ? setInterval(look, LOOK_MS) : undefined;
  return {
    /** Takes a run on. Raises `conflict` where that source has one already, and `unavailable` where too many wait. */
    async request(request: RunRequest): Promise<RunJob> {
      const job = await takeOn(jobs, request);
      await look();
      return (await store.find(job.id)) ?? job;
    },

    /** One that was asked for, and is not long ended. */
    find: (id: string) => store.find(id),

    /** Lists the jobs of a site that have not ended, the oldest first. */
    underWay: async (siteId: number) => (await store.underWay()).filter((job) => job.siteId === siteId),

    /** Ends the runs that are under way here: the next ones take them up again. */
    async close(): Promise<void> {
      clearInterval(timer);
      stop.abort(new DOMException("The server stops", "AbortError"));
      if (!store.isShared)
        for (const { id, state } of await store.underWay())
          if (state === "waiting") await store.end(id, { outcome: "stopped" }, jobs.clock());
      await Promise.all(running.values());
    },
  };
}

export type RunJobs = ReturnType<typeof createRunJobs>;

async function takeOn({ store, stop, clock, ids }: Jobs, request: RunRequest): Promise<RunJob> {
  const underWay = await store.underWay();
  const isWaiting = ({ state, organizationId }: RunJob) =>
    state === "waiting" && organizationId === request.organizationId;
  if (underWay.some(({ sourceId }) => sourceId === request.sourceId)) throw isBeingRead(request);
  if (stop.signal.aborted || underWay.filter(isWaiting).length >= WAITING_MAX)
    throw new AppError("unavailable", "Too many runs are waiting. Please try again later.");
  const job: RunJob = { ...request, id: ids.ulid(), state: "waiting", requestedAt: clock() };
  if (!(await store.add(job))) throw isBeingRead(request);
  return job;
}

const isBeingRead = ({ location }: RunRequest) =>
  new AppError("conflict", `${location} is being read already.`);

/** Begins what may begin beside what goes on here: one look at a time, and another one where somebody asked meanwhile. */
function createLooking(jobs: Jobs): () => Promise<void> {
  let looking: Promise<void> | undefined;
  let isWanted = false;

  async function look(): Promise<void> {
    try {
      while (isWanted && !jobs.stop.signal.aborted) {
        isWanted = false;
        if (await beginNext(jobs, want)) isWanted = true;
      }
    } catch (error) {
      jobs.log.warn("runs that were asked for could not be begun", reasonFields(error));
    }
    looking = undefined;
  }

  function want(): Promise<void> {
    isWanted = true;
    looking ??= look();
    return looking;
  }

  return want;
}

/** Begins one, if one may begin. Returns whether to look again. */
async function beginNext(jobs: Jobs, look: () => Promise<void>): Promise<boolean> {
  const { store, order, running, clock } = jobs;
  const next = order.next((await store.underWay()).filter(isForThisServer(jobs)), [...running.keys()]);
  if (next === undefined) return false;
  const startedAt = clock();
  if (!(await store.begin(next.id, startedAt))) return true;
  const job: RunJob = { ...next, state: "running", startedAt };
  const ended = runOne(jobs, job).finally(() => {
    running.delete(job);
    void look();
  });
  running.set(job, ended);
  return true;
}

const isForThisServer =
  ({ isHere, clock, running }: Jobs) =>
  (job: RunJob): boolean => {
    if (job.state !== "waiting" || [...running.keys()].some(({ id }) => id === job.id)) return false;
    return job.removes === true || isHere(job) || clock() - job.requestedAt >= NOBODY_HAS_IT_MS;
  };

async function runOne(jobs: Jobs, job: RunJob): Promise<void> {
  const { store, stop, clock } = jobs;
  const end = await endOf(jobs, job);
  const note = () =>
    end.outcome === "stopped" && store.isShared ? store.giveBack(job.id) : store.end(job.id, end, clock());
  for (;;) {
    try {
      return await note();
    } catch (error) {
      // Where it cannot be noted, the run is as good as its server: another takes it up once that is gone.
      jobs.log.warn("the end of a run could not be noted", { run: job.id, ...reasonFields(error) });
      if (stop.signal.aborted) return;
      await Bun.sleep(LOOK_MS);
    }
  }
}

async function endOf({ work, stop: { signal } }: Jobs, job: RunJob): Promise<RunEnd> {
  try {
    return await work(job, signal);
  } catch (error) {
    if (signal.aborted) return { outcome: "stopped" };
    return { outcome: "failed", message: error instanceof AppError ? error.message : FAULT };
  }
}

const FAULT = "The run failed. The server's log says why.";

/** Keeps them in memory: what was asked of a server that stops is asked of it again. */
export function createOwnRunJobs(): RunJobStore {
  /** By id, the oldest first. */
  const all = new Map<string, RunJob>();
  const underWay = () => [...all.values()].filter(({ state }) => state !== "ended");

  function change(id: string, from: RunJob["state"], to: Partial<RunJob>): boolean {
    const job = all.get(id);
    if (job?.state !== from) return false;
    all.set(id, { ...job, ...to });
    return true;
  }

  function forgetOldest(organizationId: string): void {
    const ended = [...all.values()].filter(
      (job) => job.state === "ended" && job.organizationId === organizationId,
    );
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) all.delete(id);
  }

  return {
    isShared: false,
    async add(job) {
      if (underWay().some(({ sourceId }) => sourceId === job.sourceId)) return false;
      all.set(job.id, job);
      return true;
    },
    find: async (id) => all.get(id),
    underWay: async () => underWay(),
    begin: async (id, startedAt) => change(id, "waiting", { state: "running", startedAt }),
    async giveBack(id) {
      change(id, "running", { state: "waiting" });
    },
    async end(id, end, endedAt) {
      const job = all.get(id);
      if (job === undefined) return;
      change(id, job.state, { state: "ended", endedAt, end });
      forgetOldest(job.organizationId);
    },
  };
}
