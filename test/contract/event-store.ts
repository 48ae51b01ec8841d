import { describe, expect, test } from "bun:test";
import { ALWAYS, type ReaderEvent } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const click = (change: Partial<ReaderEvent> = {}): ReaderEvent => ({
  type: "search_click",
  query: "install",
  path: "guide/install",
  threadId: undefined,
  messageId: undefined,
  ...change,
});

/** What every EventStore guarantees. */
export function describeEventStore(name: string, open: OpenStores<"events" | "threads" | "sites">): void {
  describe(`event store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const add = (change: Partial<ReaderEvent> = {}, at = TEST_TIME, siteId = site.id) =>
        stores.events.add(siteId, click(change), at);
      return { ...stores, site, other, add, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("clicks are counted by what had been searched for, with the page clicked most", async () => {
      using it = await opened();
      for (const path of ["a", "b", "b"]) await it.add({ path });
      await it.add({ query: "other", path: "c" });
      const clicks = await it.events.searchClicks(it.site.id, ALWAYS, ["install", "other", "never"]);
      expect([...clicks]).toEqual([
        ["install", { clicks: 3, topPath: "b" }],
        ["other", { clicks: 1, topPath: "c" }],
      ]);
    });

    test("of pages that were clicked as often, the first by its path is named", async () => {
      using it = await opened();
      for (const path of ["b", "a"]) await it.add({ path });
      const clicks = await it.events.searchClicks(it.site.id, ALWAYS, ["install"]);
      expect(clicks.get("install")).toEqual({ clicks: 2, topPath: "a" });
    });

    test("another site's, another kind's and another time's are not counted", async () => {
      using it = await opened();
      await it.add({}, TEST_TIME, it.other.id);
      await it.add({ type: "source_click" });
      expect(await it.events.hasSearchClicks(it.site.id)).toBe(false);
      await it.add({}, TEST_TIME - 1);
      await it.add({}, TEST_TIME + 1);
      expect(await it.events.hasSearchClicks(it.site.id)).toBe(true);
      const period = { from: TEST_TIME, to: TEST_TIME + 1 };
      expect((await it.events.searchClicks(it.site.id, period, ["install"])).size).toBe(0);
    });

    test("an answer that does not belong to the thread, or to the site, is no reason to refuse a click", async () => {
      using it = await opened();
      await addTurn(it.threads, { siteId: it.other.id, id: "theirs" });
      await it.add({ messageId: "theirs", threadId: "thread theirs" });
      await it.add({ messageId: "none", threadId: "none" });
      const clicks = await it.events.searchClicks(it.site.id, ALWAYS, ["install"]);
      expect(clicks.get("install")?.clicks).toBe(2);
    });
  });
}
