import { ENDED_KEPT, type RunJob, type RunJobStore } from "./run-job.ts";

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
