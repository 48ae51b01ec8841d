import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every TurnStore guarantees; what it says of pages is tested where there are pages, over HTTP. */
export function describeTurnStore(
  name: string,
  open: OpenStores<"turns" | "threads" | "sites" | "feedback">,
): void {
  describe(`turn store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const add = (id: string, more: Partial<Parameters<typeof addTurn>[1]> = {}) =>
        addTurn(stores.threads, { siteId: site.id, id, ...more });
      return { ...stores, site, other, add, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("a turn is all that was stored of it", async () => {
      using it = await opened();
      const end = {
        answer: "So.",
        searched: "How, made whole?",
        looks: [{ tool: "search" as const, asked: "more of it", found: 2 }],
        rewritten: ["How, in other words?", "And how else?"],
        generation: 3,
        responder: "ollama",
        model: "small",
        promptTokens: 100,
        promptTokensEstimated: 110,
        completionTokens: 20,
        supportShare: 0.5,
        queueMs: 1,
        retrievalMs: 2,
        rewriteMs: 5,
        firstTokenMs: 3,
        totalMs: 4,
        cached: true,
        curated: "reset",
      };
      await it.add("1", {
        asked: {
          text: "How?",
          fp: "ann",
          caller: "web",
          currentPath: "guide",
          filter: { version: "2", tag: "a", groups: ["b"] },
        },
        end,
      });
      const said = { messageId: "1", threadId: "thread 1", helpful: true, comment: "Yes." };
      await it.feedback.put(it.site.id, said, TEST_TIME);
      expect(await it.turns.turn(it.site.id, "1")).toEqual({
        id: "1",
        threadId: "thread 1",
        at: TEST_TIME,
        finishedAt: TEST_TIME + 1,
        replacedAt: undefined,
        question: "How?",
        fp: "ann",
        caller: "web",
        currentPath: "guide",
        outcome: "answered",
        filter: { version: "2", tag: "a", groups: ["b"] },
        ...end,
        helpful: true,
        comment: "Yes.",
        retrieved: [],
        otherCitedUrls: [],
        thread: [{ id: "1", at: TEST_TIME, question: "How?", outcome: "answered" }],
      });
    });

    test("passages come as they were found; what is known of them no more is said so", async () => {
      using it = await opened();
      await it.add("1", {
        end: {
          retrieved: [
            { passageId: 7, path: "a", anchor: "x", relevance: 0.4 },
            { passageId: 8, path: "b", anchor: "", relevance: 0.9 },
          ],
          cited: [
            { passageId: 8, url: "/b" },
            { passageId: 9, url: "/c" },
            { passageId: 9, url: "/c" },
          ],
        },
      });
      const turn = await it.turns.turn(it.site.id, "1");
      const gone = { page: "gone" as const, content: undefined };
      expect(turn?.retrieved).toEqual([
        { passageId: 7, path: "a", anchor: "x", relevance: 0.4, citedUrl: undefined, ...gone },
        { passageId: 8, path: "b", anchor: "", relevance: 0.9, citedUrl: "/b", ...gone },
      ]);
      expect(turn?.otherCitedUrls).toEqual(["/c"]);
    });

    test("of a passage of which two sections are cited, each has its own address", async () => {
      using it = await opened();
      const passage = { passageId: 8, path: "b", relevance: 0.9 };
      await it.add("1", {
        end: {
          retrieved: [
            { ...passage, anchor: "x" },
            { ...passage, anchor: "y" },
          ],
          cited: ["/b#x", "/b#y"].map((url) => ({ passageId: 8, url })),
        },
      });
      const turn = await it.turns.turn(it.site.id, "1");
      expect(turn?.retrieved.map(({ anchor, citedUrl }) => [anchor, citedUrl])).toEqual([
        ["x", "/b#x"],
        ["y", "/b#y"],
      ]);
      expect(turn?.otherCitedUrls).toEqual([]);
    });

    test("its thread has the turns of the conversation; a replaced one can still be looked at", async () => {
      using it = await opened();
      await it.add("1", { threadId: "T", asked: { questionMessageId: "q" } });
      await it.add("2", { threadId: "T", at: TEST_TIME + 5, asked: { questionMessageId: "q" } });
      await it.add("3", { threadId: "T", asked: { questionMessageId: "r" }, end: null });
      const turn = await it.turns.turn(it.site.id, "1");
      expect(turn?.replacedAt).toBe(TEST_TIME + 5);
      expect(turn?.thread.map(({ id, outcome }) => [id, outcome])).toEqual([
        ["2", "answered"],
        ["3", undefined],
      ]);
    });

    test("another site's turn is none", async () => {
      using it = await opened();
      await it.add("1");
      expect(await it.turns.turn(it.other.id, "1")).toBeUndefined();
      expect(await it.turns.threadOf(it.other.id, "1")).toBeUndefined();
      expect(await it.turns.threadOf(it.site.id, "1")).toBe("thread 1");
      expect(await it.turns.threadOf(it.site.id, "none")).toBeUndefined();
    });
  });
}
