import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/kernel/lib/clock.ts";
import type { NoticeDestination } from "../../src/sites/notices/notice.ts";
import type { BadSubject, QueuedNotice } from "../../src/sites/notices/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite, ORGANIZATION } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const destination = (id: string, change: Partial<NoticeDestination> = {}): NoticeDestination => ({
  id,
  organizationId: undefined,
  name: `name ${id}`,
  channel: "webhook",
  address: "https://hooks.acme.example/x",
  secret: "docent_whs_1",
  kinds: ["source-failing", "disk-full"],
  createdAt: TEST_TIME,
  ...change,
});

const queued = (id: string, destinationId: string, change: Partial<QueuedNotice> = {}): QueuedNotice => ({
  id,
  destinationId,
  notice: {
    id,
    kind: "disk-full",
    state: "bad",
    site: { domain: "docs", name: "Docs" },
    title: "title",
    text: "text",
    url: undefined,
    at: TEST_TIME,
  },
  madeAt: TEST_TIME,
  tries: 0,
  nextTryAt: TEST_TIME,
  state: "waiting",
  says: undefined,
  triedAt: undefined,
  ...change,
});

const subject = (id: string, change: Partial<BadSubject> = {}): BadSubject => ({
  id,
  kind: "source-failing",
  siteId: undefined,
  since: TEST_TIME,
  toldAt: TEST_TIME,
  ...change,
});

const NOTHING = { bad: [], over: [] };

/** What every NoticeStore guarantees. */
export function describeNoticeStore(name: string, open: OpenStores<"sites" | "notices">): void {
  async function opened() {
    const stores = await open();
    const site = await addSite(stores.sites, "docs");
    const { notices } = stores;
    const dueIds = async (now = TEST_TIME, most = 10) => (await notices.due(now, most)).map(({ id }) => id);
    return { sites: stores.sites, notices, site, dueIds, [Symbol.dispose]: () => stores[Symbol.dispose]() };
  }

  describe(`notice store: ${name}`, () => {
    test("destinations are listed whole, the oldest first, and changed but for where they lead", async () => {
      using it = await opened();
      const later = destination("a", {
        organizationId: ORGANIZATION.id,
        channel: "mail",
        secret: undefined,
        kinds: [],
        createdAt: TEST_TIME + 1,
      });
      await it.notices.addDestination(later, 2);
      await it.notices.addDestination(destination("b"), 2);
      expect(await it.notices.destinations()).toEqual([destination("b"), later]);
      const change = { name: "other", kinds: ["backup-failed"] } as const;
      expect(await it.notices.changeDestination("b", { ...change })).toBe(true);
      expect(await it.notices.changeDestination("c", { ...change })).toBe(false);
      expect(await it.notices.destinations()).toEqual([destination("b", change), later]);
    });

    test("an owner has no more than the most, however many are added at the same time", async () => {
      using it = await opened();
      const ids = ["a", "b", "c", "d"];
      const added = await Promise.all(ids.map((id) => it.notices.addDestination(destination(id), 2)));
      expect(added.filter(Boolean)).toHaveLength(2);
      const own = destination("e", { organizationId: ORGANIZATION.id });
      expect(await it.notices.addDestination(own, 1)).toBe(true);
      expect(await it.notices.addDestination({ ...own, id: "f" }, 1)).toBe(false);
    });

    test("what is wrong is of its site and kind, is told of again, and is over", async () => {
      using it = await opened();
      const { notices, site } = it;
      const ofSite = subject("s", { siteId: site.id });
      await notices.note(
        { bad: [ofSite, subject("t"), subject("u", { kind: "disk-full" })], over: [] },
        [],
        9,
      );
      expect(await notices.subjects("source-failing", site.id)).toEqual([ofSite]);
      expect(await notices.subjects("source-failing", undefined)).toEqual([subject("t")]);
      const again = { ...ofSite, toldAt: TEST_TIME + 5 };
      await notices.note({ bad: [again], over: ["t", "nothing"] }, [], 9);
      expect(await notices.subjects("source-failing", site.id)).toEqual([again]);
      expect(await notices.subjects("source-failing", undefined)).toEqual([]);
      expect(await notices.subjects("disk-full", undefined)).toHaveLength(1);
    });

    test("what is wrong and what is said of it are kept together, or neither", async () => {
      using it = await opened();
      await it.notices.addDestination(destination("d"), 9);
      const nowhere = it.notices.note({ bad: [subject("s")], over: [] }, [queued("n", "gone")], 9);
      expect(
        await nowhere.then(
          () => "kept",
          () => "refused",
        ),
      ).toBe("refused");
      expect(await it.notices.subjects("source-failing", undefined)).toEqual([]);
      await it.notices.note({ bad: [subject("s")], over: [] }, [queued("n", "d")], 9);
      expect(await it.notices.due(TEST_TIME, 9)).toEqual([queued("n", "d")]);
    });

    test("the whole of what a notice tells is kept with it", async () => {
      using it = await opened();
      await it.notices.addDestination(destination("d"), 9);
      const report = { number: 2, pages: { added: [{ path: "größe" }] }, golden: null };
      const { notice } = queued("n", "d");
      const told = queued("n", "d", {
        notice: { ...notice, kind: "generation-report", state: "undone", report },
      });
      await it.notices.note(NOTHING, [told], 9);
      expect(await it.notices.due(TEST_TIME, 9)).toEqual([told]);
    });

    test("a notice is due that a clock which was years ahead put off until then", async () => {
      using it = await opened();
      await it.notices.addDestination(destination("d"), 9);
      const after = (id: string, ms: number) => queued(id, "d", { nextTryAt: TEST_TIME + ms });
      await it.notices.note(NOTHING, [after("1", 400 * DAY_MS), after("2", 12 * HOUR_MS)], 9);
      expect(await it.dueIds()).toEqual(["1"]);
    });

    test("a destination at which enough wait gets no more, and what was sent does not count", async () => {
      using it = await opened();
      const { notices, dueIds } = it;
      await notices.addDestination(destination("d"), 9);
      await notices.addDestination(destination("e"), 9);
      const three = ["1", "2", "3"].map((id) => queued(id, "d"));
      expect(await notices.note(NOTHING, [...three, queued("4", "e")], 2)).toBe(1);
      expect(await dueIds()).toEqual(["1", "2", "4"]);
      const sent = {
        tries: 1,
        state: "sent",
        nextTryAt: undefined,
        says: "200",
        triedAt: TEST_TIME,
      } as const;
      await notices.setTry("1", sent);
      expect(await notices.note(NOTHING, [queued("5", "d")], 2)).toBe(0);
    });

    test("the longest waiting are due first, once their time has come", async () => {
      using it = await opened();
      const { notices, dueIds } = it;
      await notices.addDestination(destination("d"), 9);
      const times = [TEST_TIME + 2, TEST_TIME, TEST_TIME + 1];
      const all = times.map((nextTryAt, index) => queued(String(index), "d", { nextTryAt }));
      await notices.note(NOTHING, all, 9);
      expect(await dueIds(TEST_TIME + 1)).toEqual(["1", "2"]);
      expect(await dueIds(TEST_TIME + 2, 2)).toEqual(["1", "2"]);
      const failed = {
        tries: 1,
        state: "waiting",
        nextTryAt: TEST_TIME + 9,
        says: "no",
        triedAt: TEST_TIME,
      } as const;
      await notices.setTry("1", failed);
      expect(await dueIds(TEST_TIME + 2)).toEqual(["2", "0"]);
      expect(await notices.due(TEST_TIME + 9, 9)).toContainEqual({ ...queued("1", "d"), ...failed });
    });

    test("of each destination is known how many wait or were given up, and how the last try ended", async () => {
      using it = await opened();
      const { notices } = it;
      for (const id of ["d", "e", "f"]) await notices.addDestination(destination(id), 9);
      await notices.note(
        NOTHING,
        [queued("1", "d"), queued("2", "d"), queued("3", "d"), queued("4", "e")],
        9,
      );
      const end = { tries: 1, nextTryAt: undefined, triedAt: TEST_TIME } as const;
      await notices.setTry("2", { ...end, state: "sent", says: "200" });
      await notices.setTry("3", { ...end, state: "failed", says: "403", triedAt: TEST_TIME + 1 });
      expect(await notices.records()).toEqual([
        {
          destinationId: "d",
          waiting: 1,
          givenUp: 1,
          last: { state: "failed", says: "403", triedAt: TEST_TIME + 1 },
        },
        {
          destinationId: "e",
          waiting: 1,
          givenUp: 0,
          last: { state: "waiting", says: undefined, triedAt: undefined },
        },
      ]);
    });

    test("old notices are removed, a few at a time, and those of a destination with it", async () => {
      using it = await opened();
      const { notices, dueIds } = it;
      for (const id of ["d", "e"]) await notices.addDestination(destination(id), 9);
      const made = [1, 2, 3].map((n) => queued(String(n), "d", { madeAt: TEST_TIME + n }));
      await notices.note(NOTHING, [...made, queued("4", "e", { madeAt: TEST_TIME + 4 })], 9);
      expect(await notices.removeOlder(TEST_TIME + 3, 1)).toBe(1);
      expect(await notices.removeOlder(TEST_TIME + 3, 9)).toBe(1);
      expect(await dueIds()).toEqual(["3", "4"]);
      expect(await notices.removeDestination("d")).toBe(true);
      expect(await notices.removeDestination("d")).toBe(false);
      expect(await dueIds()).toEqual(["4"]);
    });

    test("a site that is removed takes what is wrong with it along", async () => {
      using it = await opened();
      await it.notices.note({ bad: [subject("s", { siteId: it.site.id })], over: [] }, [], 9);
      await it.sites.removeSite(it.site.id);
      await it.notices.note({ bad: [subject("s")], over: [] }, [], 9);
      expect(await it.notices.subjects("source-failing", undefined)).toHaveLength(1);
      expect(await it.notices.subjects("source-failing", it.site.id)).toEqual([]);
    });
  });
}
