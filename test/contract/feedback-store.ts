import { describe, expect, test } from "bun:test";
import { ALWAYS, type Feedback } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every FeedbackStore guarantees. */
export function describeFeedbackStore(
  name: string,
  open: OpenStores<"feedback" | "threads" | "sites">,
): void {
  describe(`feedback store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      for (const id of ["1", "2", "3"])
        await addTurn(stores.threads, { siteId: site.id, id, asked: { currentPath: "guide" } });
      const say = (id: string, change: Partial<Feedback> = {}, at = TEST_TIME, siteId = site.id) => {
        const said = { messageId: id, threadId: `thread ${id}`, helpful: true, comment: undefined };
        return stores.feedback.put(siteId, { ...said, ...change }, at);
      };
      const list = (part = {}, period = ALWAYS) =>
        stores.feedback.list(site.id, period, { behind: undefined, limit: 100, ...part });
      return { ...stores, site, other, say, list, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("what is said of an answer is there with what had been asked", async () => {
      using it = await opened();
      expect(await it.say("1", { helpful: false, comment: "No." })).toBe(true);
      expect(await it.list()).toEqual([
        {
          id: "1",
          at: TEST_TIME,
          helpful: false,
          comment: "No.",
          question: "question 1",
          currentPath: "guide",
        },
      ]);
    });

    test("what is said later takes its place, and stays at the place of the first", async () => {
      using it = await opened();
      await it.say("1", { helpful: false, comment: "No." }, TEST_TIME);
      await it.say("2", {}, TEST_TIME + 1);
      expect(await it.say("1", {}, TEST_TIME + 2)).toBe(true);
      expect(await it.list()).toMatchObject([
        { id: "2" },
        { id: "1", at: TEST_TIME, helpful: true, comment: undefined },
      ]);
    });

    test("in a known reader's thread it is taken from them alone; in one of nobody's, from everybody", async () => {
      using it = await opened();
      await addTurn(it.threads, { siteId: it.site.id, id: "adas", asked: { readerId: "ada" } });
      for (const readerId of [undefined, "eve"]) expect(await it.say("adas", { readerId })).toBe(false);
      expect(await it.list()).toEqual([]);
      for (const readerId of [undefined, "eve"]) expect(await it.say("1", { readerId })).toBe(true);
      expect(await it.say("adas", { readerId: "ada" })).toBe(true);
    });

    test("it is not taken with another thread, of another site, or of what there is not", async () => {
      using it = await opened();
      expect(await it.say("1", { threadId: "thread 2" })).toBe(false);
      expect(await it.say("1", {}, TEST_TIME, it.other.id)).toBe(false);
      expect(await it.say("none")).toBe(false);
      expect(await it.list()).toEqual([]);
    });

    test("it is listed newest first, part by part, within a period", async () => {
      using it = await opened();
      await it.say("1", {}, TEST_TIME);
      await it.say("2", {}, TEST_TIME);
      await it.say("3", {}, TEST_TIME + 1);
      const ids = async (...given: Parameters<typeof it.list>) =>
        (await it.list(...given)).map(({ id }) => id);
      expect(await ids({ limit: 2 })).toEqual(["3", "2"]);
      expect(await ids({ behind: { at: TEST_TIME, id: "2" } })).toEqual(["1"]);
      expect(await ids({}, { from: TEST_TIME, to: TEST_TIME + 1 })).toEqual(["2", "1"]);
      expect(await ids({}, { from: TEST_TIME + 1, to: TEST_TIME + 2 })).toEqual(["3"]);
    });

    test("what was said of a replaced turn is not listed", async () => {
      using it = await opened();
      await it.say("1");
      const again = { threadId: "thread 1", asked: { questionMessageId: "1" } };
      await addTurn(it.threads, { siteId: it.site.id, id: "again", ...again });
      expect(await it.list()).toEqual([]);
    });
  });
}
