import { describe, expect, test } from "bun:test";
import type { SliceCount } from "../../src/limits/limits.ts";
import type { OpenStores } from "./stores.ts";

const count = (slice: number, units: number, change: Partial<SliceCount> = {}): SliceCount => ({
  meter: "hour",
  subject: "org",
  slice,
  count: units,
  expiresAt: 1000,
  ...change,
});

/** What every LimitStore guarantees. */
export function describeLimitStore(name: string, open: OpenStores<"limits">): void {
  describe(`limit store: ${name}`, () => {
    test("what was never counted has no counts", async () => {
      using stores = await open();
      expect(await stores.limits.load("hour", "org", 0)).toEqual([]);
    });

    test("counts are loaded as they were saved, for their own meter and subject", async () => {
      using stores = await open();
      await stores.limits.add([count(1, 3), count(2, 4), count(1, 9, { subject: "other" })], 0);
      await stores.limits.add([count(1, 7, { meter: "day" })], 0);
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
      expect(await stores.limits.add([count(1, 3), count(2, 1)], 0)).toEqual([3, 1]);
      expect(await stores.limits.add([count(2, 4), count(1, 5)], 0)).toEqual([5, 8]);
      expect(await stores.limits.add([], 0)).toEqual([]);
      const loaded = await stores.limits.load("hour", "org", 0);
      expect(loaded.toSorted((a, b) => a.slice - b.slice)).toEqual([
        { slice: 1, count: 8 },
        { slice: 2, count: 5 },
      ]);
    });

    test("many who add at once lose nothing", async () => {
      using stores = await open();
      const totals = await Promise.all(Array.from({ length: 50 }, () => stores.limits.add([count(1, 2)], 0)));
      expect(totals.flat().toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
      );
    });

    test("a slice counts until its time has come, and not at that time", async () => {
      using stores = await open();
      await stores.limits.add([count(1, 3)], 0);
      expect(await stores.limits.load("hour", "org", 999)).toHaveLength(1);
      expect(await stores.limits.load("hour", "org", 1000)).toEqual([]);
    });

    test("what no longer counts is removed with the next save", async () => {
      using stores = await open();
      await stores.limits.add([count(1, 3)], 0);
      await stores.limits.add([count(2, 1, { expiresAt: 5000 })], 1000);
      // Asked for a time at which it would count if it were there.
      expect(await stores.limits.load("hour", "org", 0)).toEqual([{ slice: 2, count: 1 }]);
    });
  });
}
