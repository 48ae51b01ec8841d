import { describe, expect, test } from "bun:test";
import { ALWAYS, type ConversationPart } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const NEWEST: ConversationPart = { order: "newest", behind: undefined, limit: 100 };
const OLDEST: ConversationPart = { ...NEWEST, order: "oldest" };

/** What every ConversationStore guarantees. */
export function describeConversationStore(
  name: string,
  open: OpenStores<"conversations" | "threads" | "sites" | "feedback">,
): void {
  describe(`conversation store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const add = (id: string, more: Partial<Parameters<typeof addTurn>[1]> = {}) =>
        addTurn(stores.threads, { siteId: site.id, id, ...more });
      const ids = async (part: Partial<ConversationPart>, period = ALWAYS) =>
        (await stores.conversations.conversations(site.id, period, { ...NEWEST, ...part })).map(
          ({ id }) => id,
        );
      return { ...stores, site, other, add, ids, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("a conversation is what was asked and answered, with what is known of both", async () => {
      using it = await opened();
      await it.add("1", {
        asked: { text: "How?", caller: "web", currentPath: "guide/install" },
        end: {
          answer: "So.",
          looks: [{ tool: "search", asked: "more of it", found: 2 }],
          rewritten: ["How so?"],
          responder: "ollama",
          model: "small",
          cited: [{ passageId: 7, url: "/a#b" }],
        },
      });
      const { threads: _, ...store } = it;
      expect(await store.conversations.conversations(it.site.id, ALWAYS, NEWEST)).toEqual([
        {
          id: "1",
          threadId: "thread 1",
          at: TEST_TIME,
          question: "How?",
          looks: [{ tool: "search", asked: "more of it", found: 2 }],
          rewritten: ["How so?"],
          answer: "So.",
          outcome: "answered",
          caller: "web",
          currentPath: "guide/install",
          responder: "ollama",
          model: "small",
          cited: [{ url: "/a#b", title: undefined }],
          helpful: undefined,
          comment: undefined,
        },
      ]);
    });

    test("one that is being written is there, without an answer", async () => {
      using it = await opened();
      await it.add("1", { end: null });
      const [row] = await it.conversations.conversations(it.site.id, ALWAYS, NEWEST);
      expect(row).toMatchObject({ id: "1", answer: "", outcome: undefined, cited: [] });
    });

    test("an address that is cited twice is there once, where it was cited first", async () => {
      using it = await opened();
      const cited = ["/a", "/b", "/a"].map((url, passageId) => ({ passageId, url }));
      await it.add("1", { end: { cited } });
      const [row] = await it.conversations.conversations(it.site.id, ALWAYS, NEWEST);
      expect(row?.cited.map(({ url }) => url)).toEqual(["/a", "/b"]);
    });

    test("they come in the order of time, those of one moment in the order of their ids", async () => {
      using it = await opened();
      await it.add("b");
      await it.add("a");
      await it.add("first", { at: TEST_TIME - 1 });
      expect(await it.ids(NEWEST)).toEqual(["b", "a", "first"]);
      expect(await it.ids(OLDEST)).toEqual(["first", "a", "b"]);
    });

    test("what is behind a place goes on where the part before it ended", async () => {
      using it = await opened();
      for (const id of ["a", "b", "c", "d"]) await it.add(id);
      expect(await it.ids({ limit: 2 })).toEqual(["d", "c"]);
      expect(await it.ids({ behind: { at: TEST_TIME, id: "c" } })).toEqual(["b", "a"]);
      expect(await it.ids({ order: "oldest", behind: { at: TEST_TIME, id: "c" } })).toEqual(["d"]);
    });

    test.each(["newest", "oldest"] as const)(
      "a period has its beginning and not its end: %s",
      async (order) => {
        using it = await opened();
        for (const [id, after] of [
          ["a", -1],
          ["b", 0],
          ["c", 1],
          ["d", 2],
        ] as const)
          await it.add(id, { at: TEST_TIME + after });
        const found = await it.ids({ order }, { from: TEST_TIME, to: TEST_TIME + 2 });
        expect(found.toSorted()).toEqual(["b", "c"]);
      },
    );

    test("a turn that a retry replaced is in none of it", async () => {
      using it = await opened();
      const asked = { questionMessageId: "q", caller: "web" } as const;
      await it.add("before", { threadId: "T", asked });
      await it.add("after", { threadId: "T", asked });
      expect(await it.ids(NEWEST)).toEqual(["after"]);
      expect(await it.conversations.callers(it.site.id, ALWAYS)).toEqual({ web: 1, api: 0, total: 1 });
      const thread = await it.conversations.thread(it.site.id, "T", 10);
      expect(thread?.turns.map(({ id }) => id)).toEqual(["after"]);
    });

    test("another site's are in none of it", async () => {
      using it = await opened();
      await it.add("theirs", { siteId: it.other.id, threadId: "T" });
      expect(await it.ids(NEWEST)).toEqual([]);
      expect(await it.ids(OLDEST)).toEqual([]);
      expect(await it.conversations.thread(it.site.id, "T", 10)).toBeUndefined();
      expect((await it.conversations.callers(it.site.id, ALWAYS)).total).toBe(0);
    });

    test("what its reader said of an answer stands with it", async () => {
      using it = await opened();
      await it.add("1", { threadId: "T" });
      const said = { messageId: "1", threadId: "T", helpful: false, comment: "No." };
      await it.feedback.put(it.site.id, said, TEST_TIME);
      const [row] = await it.conversations.conversations(it.site.id, ALWAYS, NEWEST);
      expect(row).toMatchObject({ helpful: false, comment: "No." });
    });

    test("a thread is its newest turns, oldest first", async () => {
      using it = await opened();
      for (const id of ["1", "2", "3"])
        await it.add(id, {
          threadId: "T",
          at: TEST_TIME + Number(id),
          asked: { questionMessageId: `q${id}` },
        });
      expect(await it.conversations.thread(it.site.id, "T", 2)).toEqual({
        createdAt: TEST_TIME + 1,
        turns: ["2", "3"].map((id) => ({
          id,
          questionMessageId: `q${id}`,
          question: `question ${id}`,
          answer: `answer ${id}`,
          askedAt: TEST_TIME + Number(id),
          answeredAt: TEST_TIME + Number(id) + 1,
        })),
      });
      expect(await it.conversations.thread(it.site.id, "no such", 2)).toBeUndefined();
    });

    test("a known reader's thread is read by them and by owners, one of nobody's by everybody", async () => {
      using it = await opened();
      await it.add("1", { threadId: "adas", asked: { readerId: "ada" } });
      await it.add("2", { threadId: "nobodys" });
      const isRead = async (threadId: string, readBy?: { readerId: string | undefined }) =>
        (await it.conversations.thread(it.site.id, threadId, 2, readBy)) !== undefined;
      for (const readerId of ["ada", "eve", undefined]) {
        expect(await isRead("adas", { readerId })).toBe(readerId === "ada");
        expect(await isRead("nobodys", { readerId })).toBe(true);
      }
      expect(await isRead("adas")).toBe(true);
    });

    test("callers are counted in their period", async () => {
      using it = await opened();
      for (const [id, caller] of [
        ["1", "web"],
        ["2", "web"],
        ["3", "api"],
        ["4", "mcp"],
        ["5", "cli"],
      ] as const)
        await it.add(id, { at: TEST_TIME + Number(id), asked: { caller } });
      const all = await it.conversations.callers(it.site.id, ALWAYS);
      expect(all).toEqual({ web: 2, api: 1, total: 5 });
      const some = await it.conversations.callers(it.site.id, { from: TEST_TIME + 2, to: TEST_TIME + 4 });
      expect(some).toEqual({ web: 1, api: 1, total: 2 });
    });
  });
}
