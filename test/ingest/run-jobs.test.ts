import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { createRunJobs, type RunEnd, type RunJob } from "../../src/ingest/run-jobs.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { testIds } from "../helpers/test-ids.ts";

/** Work that ends when the test says so. */
function opened() {
  const { clock } = fakeClock();
  const begun: RunJob[] = [];
  const ends = new Map<string, PromiseWithResolvers<RunEnd>>();
  const jobs = createRunJobs({
    ...{ clock, ids: testIds(clock) },
    work(job, signal) {
      const end = Promise.withResolvers<RunEnd>();
      begun.push(job);
      ends.set(job.id, end);
      signal.addEventListener("abort", () => end.reject(signal.reason));
      return end.promise;
    },
  });
  const request = (siteId: number, sourceId: number) =>
    jobs.request({ domain: `site-${siteId}`, siteId, sourceId, location: `/source-${sourceId}` });
  return { jobs, request, begun: () => begun.map(({ sourceId }) => sourceId), ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("runs that nobody waits for", () => {
  test("two sites are read side by side, sources of one site one after the other", async () => {
    const { request, begun, ends } = opened();
    const [first] = [request(1, 1), request(1, 2), request(2, 3), request(3, 4)];
    expect(begun()).toEqual([1, 3]);
    ends.get(first?.id ?? "")?.resolve({ outcome: "published" });
    await settled();
    expect(begun()).toEqual([1, 3, 2]);
  });

  test("a source has one run at a time, and another one when it has ended", async () => {
    const { request, ends } = opened();
    const job = request(1, 1);
    expect((await appErrorOf(() => request(1, 1))).code).toBe("conflict");
    ends.get(job.id)?.resolve({ outcome: "unchanged" });
    await settled();
    expect(job).toMatchObject({ state: "ended", end: { outcome: "unchanged" } });
    expect(request(1, 1).state).toBe("running");
  });

  test("one that fails says why, where that may be said", async () => {
    const { request, ends } = opened();
    const [foreseen, fault] = [request(1, 1), request(2, 2)];
    ends.get(foreseen.id)?.reject(new AppError("invalid_request", "There are no pages."));
    ends.get(fault.id)?.reject(new Error("secret"));
    await settled();
    expect(foreseen.end).toEqual({ outcome: "failed", message: "There are no pages." });
    expect(fault.end).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(fault)).not.toContain("secret");
  });

  test("only so many wait", async () => {
    const { request } = opened();
    for (let sourceId = 1; sourceId <= 101; sourceId++) request(1, sourceId);
    expect((await appErrorOf(() => request(1, 102))).code).toBe("unavailable");
  });

  test("those that ended long ago are forgotten", async () => {
    const { jobs, request, ends } = opened();
    const first = request(1, 1);
    ends.get(first.id)?.resolve({ outcome: "unchanged" });
    await settled();
    expect(jobs.find(first.id)?.state).toBe("ended");
    for (let count = 0; count < 500; count++) {
      ends.get(request(1, 1).id)?.resolve({ outcome: "unchanged" });
      await settled();
    }
    expect(jobs.find(first.id)).toBeUndefined();
  });

  test("a stop ends what runs and what waits, and nothing begins after it", async () => {
    const { jobs, request, begun } = opened();
    const all = [request(1, 1), request(1, 2)];
    await jobs.close();
    expect(all.map(({ state, end }) => [state, end?.outcome])).toEqual([
      ["ended", "stopped"],
      ["ended", "stopped"],
    ]);
    expect(begun()).toEqual([1]);
    expect((await appErrorOf(() => request(1, 1))).code).toBe("unavailable");
  });
});
