import { describe, expect, test } from "bun:test";
import { ENDED_KEPT, type RunJob, type RunJobStore } from "../../src/sites/ingest/run-jobs/run-job.ts";

/** What every RunJobStore guarantees. `siteId` is a site that is there, of the organization. */
export function describeRunJobStore(
  name: string,
  open: () => Promise<{ store: RunJobStore; siteId: number; organizationId: string; domain: string }>,
): void {
  describe(`run job store: ${name}`, () => {
    async function opened() {
      const { store, siteId, organizationId, domain } = await open();
      const site = { siteId, organizationId, domain };
      let count = 0;
      const job = (sourceId: number, change: Partial<RunJob> = {}): RunJob => ({
        ...site,
        id: `job-${String(++count).padStart(5, "0")}`,
        sourceId,
        location: `/source-${sourceId}`,
        removes: false,
        force: false,
        preview: false,
        checksAddresses: false,
        acceptsWorse: false,
        state: "waiting",
        requestedAt: 1000 + count,
        ...change,
      });
      return { store, job };
    }

    test("a job comes back as it was asked for, and those that have not ended the oldest first", async () => {
      const { store, job } = await opened();
      const all = [
        job(1, { force: true }),
        job(2, { removes: true }),
        job(3, { preview: true, checksAddresses: true, acceptsWorse: true }),
      ];
      for (const each of all) expect(await store.add(each)).toBe(true);
      expect(await store.underWay()).toEqual(all);
      expect(await Promise.all(all.map(({ id }) => store.find(id)))).toEqual(all);
      expect(await store.find("nowhere")).toBeUndefined();
    });

    test("a source has one that has not ended", async () => {
      const { store, job } = await opened();
      const first = job(1);
      expect(await store.add(first)).toBe(true);
      expect(await store.add(job(1))).toBe(false);
      await store.begin(first.id, 1);
      expect(await store.add(job(1))).toBe(false);
      await store.end(first.id, { outcome: "unchanged" }, 2);
      expect(await store.add(job(1))).toBe(true);
    });

    test("one is begun once, and once more when it was given back", async () => {
      const { store, job } = await opened();
      const one = job(1);
      await store.add(one);
      expect([await store.begin(one.id, 5), await store.begin(one.id, 6)]).toEqual([true, false]);
      expect(await store.find(one.id)).toEqual({ ...one, state: "running", startedAt: 5 });
      await store.giveBack(one.id);
      expect((await store.underWay()).map(({ state }) => state)).toEqual(["waiting"]);
      expect(await store.begin(one.id, 7)).toBe(true);
    });

    test("what came of it is told when it has ended", async () => {
      const { store, job } = await opened();
      const [one, other] = [job(1), job(2)];
      for (const each of [one, other]) {
        await store.add(each);
        await store.begin(each.id, 5);
      }
      const end = { outcome: "published", generation: 3, counts: { added: 2 } } as const;
      await store.end(one.id, end, 9);
      await store.end(other.id, { outcome: "failed", message: "There are no pages." }, 9);
      expect(await store.find(one.id)).toEqual({ ...one, state: "ended", startedAt: 5, endedAt: 9, end });
      expect((await store.find(other.id))?.end).toEqual({
        outcome: "failed",
        message: "There are no pages.",
      });
      expect(await store.underWay()).toEqual([]);
      expect(await store.begin(one.id, 10)).toBe(false);
    });

    test(`the last ${ENDED_KEPT} that ended are kept, and those that have not`, async () => {
      const { store, job } = await opened();
      const waiting = job(9);
      await store.add(waiting);
      const all: RunJob[] = [];
      for (let count = 0; count <= ENDED_KEPT; count++) {
        const one = job(1);
        all.push(one);
        await store.add(one);
        await store.begin(one.id, 1);
        await store.end(one.id, { outcome: "unchanged" }, 2);
      }
      const [oldest, next] = all;
      expect(await store.find(oldest?.id ?? "")).toBeUndefined();
      expect((await store.find(next?.id ?? ""))?.state).toBe("ended");
      expect((await store.find(waiting.id))?.state).toBe("waiting");
    });
  });
}
