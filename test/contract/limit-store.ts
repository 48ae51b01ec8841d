import { describe, expect, test } from "bun:test";
import type { LimitStore, SliceCount } from "../../src/people/limits/limits.ts";
import type { OpenStores } from "./stores.ts";

const count = (slice: number, units: number, change: Partial<SliceCount> = {}): SliceCount => ({
  meter: "hour",
  subject: "org",
  slice,
  count: units,
  expiresAt: 1000,
  ...change,
});

/** What each slice has come to. */
async function add(store: LimitStore, counts: SliceCount[], now: number): Promise<number[]> {
  if (!store.isShared) return store.add(counts, now);
  const kept = await store.add(counts, now);
  return counts.map(({ slice }, index) => kept[index]?.find((each) => each.slice === slice)?.count ?? 0);
}

/** What every LimitStore guarantees. */
export function describeLimitStore(name: string, open: OpenStores<"limits">): void {
  describe(`limit store: ${name}`, () => {
    test("what was never counted has no counts", async () => {
      using stores = await open();
      expect(await stores.limits.load("hour", "org", 0)).toEqual([]);
    });

    test("counts are loaded as they were saved, for their own meter and subject", async () => {
      using stores = await open();
      await add(stores.limits, [count(1, 3), count(2, 4), count(1, 9, { subject: "other" })], 0);
      await add(stores.limits, [count(1, 7, { meter: "day" })], 0);
      const loaded = await stores.limits.load("hour", "org", 0);
      expect(loaded.toSorted((a, b) => a.slice - b.slice)).toEqual([
        { slice: 1, count: 3 },
        { slice: 2, count: 4 },
      ]);
      expect(await stores.limits.load("hour", "other", 0)).toEqual([{ slice: 1, count: 9 }]);
      expect(await stores.limits.load("day", "org", 0)).toEqual([{ slice: 1, count: 7 }]);
    });

    test("what is added is told as what it has come to, in the order in which it was given", async () => {
      using stores = await open();
      expect(await add(stores.limits, [count(1, 3), count(2, 1)], 0)).toEqual([3, 1]);
      expect(await add(stores.limits, [count(2, 4), count(1, 5)], 0)).toEqual([5, 8]);
      expect(await add(stores.limits, [], 0)).toEqual([]);
      const loaded = await stores.limits.load("hour", "org", 0);
      expect(loaded.toSorted((a, b) => a.slice - b.slice)).toEqual([
        { slice: 1, count: 8 },
        { slice: 2, count: 5 },
      ]);
    });

    test("many who add at once lose nothing", async () => {
      using stores = await open();
      const totals = await Promise.all(
        Array.from({ length: 50 }, () => add(stores.limits, [count(1, 2)], 0)),
      );
      expect(totals.flat().toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
      );
    });

    test("servers that share it are told all slices of each subject, with what was added, and nothing that has expired", async () => {
      using stores = await open();
      const store = stores.limits;
      if (!store.isShared) return;
      await store.add([count(1, 3), count(2, 4), count(3, 1, { expiresAt: 10 })], 0);
      await store.add([count(2, 8, { subject: "other" }), count(2, 9, { meter: "day" })], 0);
      const told = await store.add([count(2, 1), count(5, 2), count(2, 1, { subject: "other" })], 10);
      const org = [
        { slice: 1, count: 3 },
        { slice: 2, count: 5 },
        { slice: 5, count: 2 },
      ];
      const inOrder = told.map((slices) => slices.toSorted((one, next) => one.slice - next.slice));
      expect(inOrder).toEqual([org, org, [{ slice: 2, count: 9 }]]);
    });

    test("of two who share it and add to different slices of a subject, at least one is told of both", async () => {
      using stores = await open();
      const store = stores.limits;
      if (!store.isShared) return;
      for (let round = 0; round < 50; round++) {
        const subject = `org ${round}`;
        const told = await Promise.all([1, 2].map((slice) => store.add([count(slice, 1, { subject })], 0)));
        expect(Math.max(...told.map(([slices = []]) => slices.length))).toBe(2);
      }
    });

    test("a slice counts until its time has come, and not at that time", async () => {
      using stores = await open();
      await add(stores.limits, [count(1, 3)], 0);
      expect(await stores.limits.load("hour", "org", 999)).toHaveLength(1);
      expect(await stores.limits.load("hour", "org", 1000)).toEqual([]);
    });

    test("what no longer counts is removed with the next save", async () => {
      using stores = await open();
      await add(stores.limits, [count(1, 3)], 0);
      await add(stores.limits, [count(2, 1, { expiresAt: 5000 })], 1000);
      // Asked for a time at which it would count if it were there.
      expect(await stores.limits.load("hour", "org", 0)).toEqual([{ slice: 2, count: 1 }]);
    });
  });
}
