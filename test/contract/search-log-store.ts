import { describe, expect, test } from "bun:test";
import { ALWAYS } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every store of searches guarantees. */
export function describeSearchLogStore(name: string, open: OpenStores<"searchLog" | "sites">): void {
  describe(`search log store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const { searchLog } = stores;
      const add = (queries: string[], at = TEST_TIME, siteId = site.id) =>
        searchLog.add(queries.map((query, results) => ({ siteId, query, results, at })));
      const list = async (part = {}, period = ALWAYS) =>
        searchLog.list(site.id, period, {
          upTo: await searchLog.newest(site.id),
          behind: undefined,
          limit: 100,
          ...part,
        });
      return { ...stores, site, other, add, list, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("the same search is one row: how often, what it gave last, and when", async () => {
      using it = await opened();
      await it.add(["a"], TEST_TIME + 5);
      await it.add(["b", "a"], TEST_TIME + 9);
      await it.add(["b", "x", "a"], TEST_TIME + 7);
      expect(await it.list()).toEqual([
        { query: "a", hits: 3, results: 1, lastAt: TEST_TIME + 9 },
        { query: "b", hits: 2, results: 0, lastAt: TEST_TIME + 9 },
        { query: "x", hits: 1, results: 1, lastAt: TEST_TIME + 7 },
      ]);
    });

    test("parts join without a gap while searches come in", async () => {
      using it = await opened();
      await it.add(["a", "a", "a", "b", "b", "c", "d"]);
      const upTo = await it.searchLog.newest(it.site.id);
      const first = await it.list({ upTo, limit: 2 });
      await it.add(["d", "d", "d", "d", "e", "a"]);
      const second = await it.list({ upTo, behind: { hits: 2, query: "b" } });
      expect([...first, ...second].map(({ query, hits }) => [query, hits])).toEqual([
        ["a", 3],
        ["b", 2],
        ["c", 1],
        ["d", 1],
      ]);
      expect(await it.searchLog.count(it.site.id, ALWAYS, upTo)).toBe(7);
    });

    test("a period has its beginning and not its end", async () => {
      using it = await opened();
      for (const after of [-1, 0, 1, 2]) await it.add(["a"], TEST_TIME + after);
      const period = { from: TEST_TIME, to: TEST_TIME + 2 };
      expect(await it.list({}, period)).toMatchObject([{ hits: 2, lastAt: TEST_TIME + 1 }]);
      expect(await it.searchLog.count(it.site.id, period, Number.MAX_SAFE_INTEGER)).toBe(2);
    });

    test("another site's are not there", async () => {
      using it = await opened();
      await it.add(["theirs"], TEST_TIME, it.other.id);
      expect(await it.searchLog.newest(it.site.id)).toBe(0);
      expect(await it.list({ upTo: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await it.searchLog.count(it.site.id, ALWAYS, Number.MAX_SAFE_INTEGER)).toBe(0);
    });

    test("searches of a site that is gone do not keep others from being written", async () => {
      using it = await opened();
      await it.sites.removeSite(it.other.id);
      await it.searchLog.add([
        { siteId: it.other.id, query: "late", results: 0, at: TEST_TIME },
        { siteId: it.site.id, query: "here", results: 0, at: TEST_TIME },
      ]);
      expect(await it.list()).toMatchObject([{ query: "here" }]);
    });
  });
}
