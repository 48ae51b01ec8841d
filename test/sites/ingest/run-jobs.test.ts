import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { createOrganizationTurns } from "../../../src/sites/ingest/organization-turns.ts";
import {
  createOwnRunJobs,
  createRunJobs,
  type RunEnd,
  type RunJob,
  type RunJobStore,
} from "../../../src/sites/ingest/run-jobs/run-jobs.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { quietLog } from "../../helpers/test-log.ts";

/** Work that ends when the test says so. */
function opened() {
  const { clock } = fakeClock();
  const begun: RunJob[] = [];
  const ends = new Map<string, PromiseWithResolvers<RunEnd>>();
  const jobs = createRunJobs({
    clock,
    ids: testIds(clock),
    order: createOrganizationTurns(2),
    isHere: () => true,
    log: quietLog(),
    work(job, signal) {
      const end = Promise.withResolvers<RunEnd>();
      begun.push(job);
      ends.set(job.id, end);
      signal.addEventListener("abort", () => end.reject(signal.reason));
      return end.promise;
    },
  });
  const request = (siteId: number, sourceId: number, organizationId = "acme") =>
    jobs.request({
      domain: `site-${siteId}`,
      siteId,
      organizationId,
      sourceId,
      location: `/source-${sourceId}`,
    });
  const now = (job: RunJob) => jobs.find(job.id);
  return { jobs, request, now, begun: () => begun.map(({ sourceId }) => sourceId), ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("runs that nobody waits for", () => {
  test("two sites are read side by side, sources of one site one after the other", async () => {
    const { request, begun, ends } = opened();
    const first = await request(1, 1);
    for (const [siteId, sourceId] of [
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const)
      await request(siteId, sourceId);
    expect(begun()).toEqual([1, 3]);
    ends.get(first.id)?.resolve({ outcome: "published" });
    await settled();
    expect(begun()).toEqual([1, 3, 2]);
  });

  test("a source has one run at a time, and another one when it has ended", async () => {
    const { request, now, ends } = opened();
    const job = await request(1, 1);
    expect((await appErrorOf(() => request(1, 1))).code).toBe("conflict");
    ends.get(job.id)?.resolve({ outcome: "unchanged" });
    await settled();
    expect(await now(job)).toMatchObject({ state: "ended", end: { outcome: "unchanged" } });
    expect((await request(1, 1)).state).toBe("running");
  });

  test("one that fails says why, where that may be said", async () => {
    const { request, now, ends } = opened();
    const [foreseen, fault] = [await request(1, 1), await request(2, 2)];
    ends.get(foreseen.id)?.reject(new AppError("invalid_request", "There are no pages."));
    ends.get(fault.id)?.reject(new Error("secret"));
    await settled();
    expect((await now(foreseen))?.end).toEqual({ outcome: "failed", message: "There are no pages." });
    expect((await now(fault))?.end).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(await now(fault))).not.toContain("secret");
  });

  test("an organization's never wait for those of another one, however many that one asked for", async () => {
    const { request, begun, ends } = opened();
    const all: RunJob[] = [];
    for (const siteId of [1, 2, 3, 4]) all.push(await request(siteId, siteId, "slow"));
    expect(begun()).toEqual([1, 2]);
    await request(5, 5, "quick");
    expect(begun()).toEqual([1, 2, 5]);
    await request(6, 6, "late");
    expect(begun()).toEqual([1, 2, 5]);
    // The place goes to the one that has had none, not to the one that asked first.
    ends.get(all[0]?.id ?? "")?.resolve({ outcome: "published" });
    ends.get(all[1]?.id ?? "")?.resolve({ outcome: "published" });
    await settled();
    expect(begun().slice(3)).toEqual([6]);
  });

  test("only so many of an organization wait, and take no place from another one's", async () => {
    const { request } = opened();
    for (let sourceId = 1; sourceId <= 101; sourceId++) await request(1, sourceId);
    expect((await appErrorOf(() => request(1, 102))).code).toBe("unavailable");
    expect((await request(2, 103, "other")).state).toBe("running");
    expect((await request(2, 104, "other")).state).toBe("waiting");
  });

  test("those that ended long ago are forgotten", async () => {
    const { jobs, request, ends } = opened();
    const first = await request(1, 1);
    ends.get(first.id)?.resolve({ outcome: "unchanged" });
    await settled();
    expect((await jobs.find(first.id))?.state).toBe("ended");
    const another = await request(2, 2, "other");
    ends.get(another.id)?.resolve({ outcome: "unchanged" });
    await settled();
    for (let count = 0; count < 500; count++) {
      ends.get((await request(1, 1)).id)?.resolve({ outcome: "unchanged" });
      await settled();
    }
    expect(await jobs.find(first.id)).toBeUndefined();
    expect((await jobs.find(another.id))?.state).toBe("ended");
  });

  test("a stop ends what runs and what waits, and nothing begins after it", async () => {
    const { jobs, request, now, begun } = opened();
    const all = [await request(1, 1), await request(1, 2)];
    await jobs.close();
    const ended = await Promise.all(all.map(now));
    expect(ended.map((job) => [job?.state, job?.end?.outcome])).toEqual([
      ["ended", "stopped"],
      ["ended", "stopped"],
    ]);
    expect(begun()).toEqual([1]);
    expect((await appErrorOf(() => request(1, 1))).code).toBe("unavailable");
  });
});

describe("runs that servers share", () => {
  /** Two servers with the same jobs; which of them has a source, the test says. */
  function servers(
    has: (server: string, location: string) => boolean,
    work: (server: string) => Promise<RunEnd>,
  ) {
    const store: RunJobStore = { ...createOwnRunJobs(), isShared: true };
    const { clock, advance } = fakeClock();
    const ids = testIds(clock);
    const done: string[] = [];
    const open = (server: string) =>
      createRunJobs({
        store,
        clock,
        ids,
        order: createOrganizationTurns(2),
        isHere: ({ location }) => has(server, location),
        log: quietLog(),
        async work({ location }, signal) {
          const stopped = new Promise<never>((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason)),
          );
          const end = await Promise.race([work(server), stopped]);
          done.push(`${location} on ${server}`);
          return end;
        },
      });
    return { one: open("one"), other: open("other"), advance, done };
  }
  const asked = (sourceId: number, location: string) =>
    ({ domain: "docs", siteId: sourceId, organizationId: "acme", sourceId, location }) as const;
  const untilEnded = async (jobs: ReturnType<typeof servers>["one"], { id }: RunJob) => {
    for (;;) {
      const job = await jobs.find(id);
      if (job?.state === "ended") return job;
      await Bun.sleep(5);
    }
  };

  test("a folder is read by the server that has it, whichever was asked, and both say how it stands", async () => {
    const { one, other, done } = servers(
      (server, location) => location === `/on-${server}`,
      async () => ({ outcome: "published" }),
    );
    const job = await one.request(asked(1, "/on-other"));
    expect((await untilEnded(one, job)).end).toEqual({ outcome: "published" });
    expect([done, (await other.find(job.id))?.state]).toEqual([["/on-other on other"], "ended"]);
    await Promise.all([one.close(), other.close()]);
  });

  test("one that no server has is tried in the end", async () => {
    const { one, other, advance, done } = servers(
      () => false,
      async () => ({ outcome: "failed", message: "It is not there." }),
    );
    const job = await one.request(asked(1, "/nowhere"));
    expect(job.state).toBe("waiting");
    advance(121_000);
    expect((await untilEnded(other, job)).end?.message).toBe("It is not there.");
    expect(done).toHaveLength(1);
    await Promise.all([one.close(), other.close()]);
  });

  test("one that a stopping server has begun is taken up by another", async () => {
    const { one, other, done } = servers(
      (server, location) => location === "/first" || server === "other",
      (server) =>
        server === "one" ? new Promise<never>(() => {}) : Promise.resolve({ outcome: "published" }),
    );
    const job = await one.request(asked(1, "/first"));
    await one.close();
    expect((await untilEnded(other, job)).end?.outcome).toBe("published");
    expect(done).toEqual(["/first on other"]);
    await other.close();
  });
});
