import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { createOrganizationTurns } from "../../src/ingest/organization-turns.ts";
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
    clock,
    ids: testIds(clock),
    order: createOrganizationTurns(2),
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

  test("an organization's never wait for those of another one, however many that one asked for", async () => {
    const { request, begun, ends } = opened();
    const all = [1, 2, 3, 4].map((siteId) => request(siteId, siteId, "slow"));
    expect(begun()).toEqual([1, 2]);
    request(5, 5, "quick");
    expect(begun()).toEqual([1, 2, 5]);
    request(6, 6, "late");
    expect(begun()).toEqual([1, 2, 5]);
    // The place goes to the one that has had none, not to the one that asked first.
    ends.get(all[0]?.id ?? "")?.resolve({ outcome: "published" });
    ends.get(all[1]?.id ?? "")?.resolve({ outcome: "published" });
    await settled();
    expect(begun().slice(3)).toEqual([6]);
  });

  test("only so many of an organization wait, and take no place from another one's", async () => {
    const { request } = opened();
    for (let sourceId = 1; sourceId <= 101; sourceId++) request(1, sourceId);
    expect((await appErrorOf(() => request(1, 102))).code).toBe("unavailable");
    expect(request(2, 103, "other").state).toBe("running");
    expect(request(2, 104, "other").state).toBe("waiting");
  });

  test("those that ended long ago are forgotten", async () => {
    const { jobs, request, ends } = opened();
    const first = request(1, 1);
    ends.get(first.id)?.resolve({ outcome: "unchanged" });
    await settled();
    expect(jobs.find(first.id)?.state).toBe("ended");
    const another = request(2, 2, "other");
    ends.get(another.id)?.resolve({ outcome: "unchanged" });
    await settled();
    for (let count = 0; count < 500; count++) {
      ends.get(request(1, 1).id)?.resolve({ outcome: "unchanged" });
      await settled();
    }
    expect(jobs.find(first.id)).toBeUndefined();
    expect(jobs.find(another.id)?.state).toBe("ended");
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
