import { describe, expect, test } from "bun:test";
import { ALWAYS, type ConversationFilter, type Look } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const ALL: Look = { behind: undefined, limit: 100, lookedAtMax: 100 };

/** What every ConversationListStore guarantees. */
export function describeConversationListStore(
  name: string,
  open: OpenStores<"conversationList" | "threads" | "sites" | "feedback">,
): void {
  describe(`conversation list store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      let at = TEST_TIME;
      const add = (id: string, more: Partial<Parameters<typeof addTurn>[1]> = {}) =>
        addTurn(stores.threads, { siteId: site.id, id, at: ++at, ...more });
      const look = (filter: ConversationFilter = {}, more: Partial<Look> = {}, period = ALWAYS) =>
        stores.conversationList.look(site.id, period, filter, { ...ALL, ...more });
      const ids = async (...asked: Parameters<typeof look>) =>
        (await look(...asked)).found.map(({ id }) => id);
      return { ...stores, site, other, add, look, ids, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("a turn is there with what a list shows of it, its answer cut short", async () => {
      using it = await opened();
      await it.add("1", {
        at: TEST_TIME,
        asked: { text: "How?", caller: "web", currentPath: "guide" },
        end: { answer: "x".repeat(5000), model: "small", responder: "ollama", curated: "reset", totalMs: 7 },
      });
      await it.feedback.put(
        it.site.id,
        { messageId: "1", threadId: "thread 1", helpful: false, comment: "No." },
        TEST_TIME,
      );
      const { found, lookedAt } = await it.look();
      expect(found).toEqual([
        {
          id: "1",
          at: TEST_TIME,
          question: "How?",
          answer: "x".repeat(400),
          outcome: "answered",
          caller: "web",
          currentPath: "guide",
          responder: "ollama",
          model: "small",
          curated: "reset",
          cached: false,
          totalMs: 7,
          helpful: false,
          comment: "No.",
        },
      ]);
      expect(lookedAt).toBeUndefined();
    });

    test("newest come first; what is behind a place goes on there", async () => {
      using it = await opened();
      for (const id of ["a", "b", "c"]) await it.add(id, { at: TEST_TIME });
      expect(await it.ids()).toEqual(["c", "b", "a"]);
      expect(await it.ids({}, { limit: 1, behind: { at: TEST_TIME, id: "c" } })).toEqual(["b"]);
      expect(await it.ids({}, {}, { from: 0, to: TEST_TIME })).toEqual([]);
      expect(await it.ids({}, {}, { from: TEST_TIME + 1, to: TEST_TIME + 2 })).toEqual([]);
    });

    test("no more are looked at than asked for, and the last of them is told", async () => {
      using it = await opened();
      for (const id of ["a", "b", "c", "d"]) await it.add(id, { at: TEST_TIME });
      const first = await it.look({ text: '"question a"' }, { lookedAtMax: 2 });
      expect(first).toEqual({ found: [], lookedAt: { at: TEST_TIME, id: "c" } });
      const second = await it.look({ text: '"question a"' }, { lookedAtMax: 2, behind: first.lookedAt });
      expect(second.found.map(({ id }) => id)).toEqual(["a"]);
      expect((await it.look({}, { lookedAtMax: 2, behind: second.lookedAt })).lookedAt).toBeUndefined();
    });

    test("filters narrow by outcome, caller and opinion, and together", async () => {
      using it = await opened();
      await it.add("1", { threadId: "A", asked: { caller: "web" }, end: { outcome: "answered" } });
      await it.add("2", { threadId: "B", asked: { caller: "api" }, end: { outcome: "unanswered" } });
      await it.add("3", { threadId: "C", asked: { caller: "web" }, end: { outcome: "unanswered" } });
      await it.add("4", { end: null });
      const said = { comment: undefined };
      await it.feedback.put(it.site.id, { ...said, messageId: "1", threadId: "A", helpful: true }, 1);
      await it.feedback.put(it.site.id, { ...said, messageId: "3", threadId: "C", helpful: false }, 1);
      expect(await it.ids({ outcomes: ["unanswered"] })).toEqual(["3", "2"]);
      expect(await it.ids({ outcomes: ["answered", "unanswered"] })).toEqual(["3", "2", "1"]);
      expect(await it.ids({ outcomes: [] })).toEqual([]);
      expect(await it.ids({ helpful: true })).toEqual(["1"]);
      expect(await it.ids({ helpful: false })).toEqual(["3"]);
      expect(await it.ids({ caller: "web", outcomes: ["unanswered"] })).toEqual(["3"]);
    });

    test.each([
      ["scim", true],
      ["SCIM Provisioning", true],
      ["provisioning scim", true],
      ['"scim provisioning"', true],
      ['"provisioning scim"', false],
      ["press", true],
      ["scim press", true],
      ["scim saml", false],
      ["50%", true],
      ["5_%", false],
      ["a\\b", true],
      ["%", true],
      ["kennwörter", true],
      ["ПАРОЛЬ", true],
      ["'; DROP TABLE turns; --", false],
      ["", true],
      ['""', true],
    ])("text is found by all of its words, whatever their case: %j", async (text, isFound) => {
      using it = await opened();
      await it.add("1", {
        asked: { text: "How does SCIM provisioning take 50% of a\\b?" },
        end: { answer: "Press **Reset**. Kennwörter. Пароль." },
      });
      expect(await it.ids({ text })).toEqual(isFound ? ["1"] : []);
    });

    test("another site's and replaced turns are not there", async () => {
      using it = await opened();
      const asked = { questionMessageId: "q" };
      await it.add("theirs", { siteId: it.other.id });
      await it.add("before", { threadId: "T", asked });
      await it.add("after", { threadId: "T", asked });
      expect(await it.ids()).toEqual(["after"]);
    });
  });
}
