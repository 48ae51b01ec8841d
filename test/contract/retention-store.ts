import { describe, expect, test } from "bun:test";
import { createRetention } from "../../src/answering/threads/retention.ts";
import type { Outcome } from "../../src/answering/threads/threads.ts";
import { fakeClock } from "../helpers/fake-clock.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";
import { question, turnEnd } from "./thread-store.ts";

const DAY_MS = 24 * 3600 * 1000;

interface Said {
  thread: string;
  fp?: string;
  outcome?: Outcome;
}

/** What every RetentionStore guarantees, by what is made of it. */
export function describeRetentionStore(
  name: string,
  open: OpenStores<"threads" | "sites" | "retention" | "answerCache">,
): void {
  describe(`retention store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { clock, advance } = fakeClock();
      const retention = createRetention({ store: stores.retention, clock });
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      let turns = 0;
      async function say(siteId: number, { thread, fp = "anonymous", outcome = "answered" }: Said) {
        const turnId = `turn ${++turns}`;
        const known = await stores.retention.hasThread(siteId, thread);
        await stores.threads.begin({
          turnId,
          siteId,
          at: clock(),
          pastTurns: 0,
          question: question(turnId, { fp }),
          threadId: known ? thread : undefined,
          newThreadId: known ? undefined : thread,
        });
        await stores.threads.finish(
          turnId,
          turnEnd("So.", { outcome, searched: `question ${turnId}` }),
          clock(),
        );
        return turnId;
      }
      const keep = (siteId: number, turnId: string) =>
        stores.answerCache.put({
          siteId,
          turnId,
          key: turnId,
          at: clock(),
          answer: {
            generation: 0,
            model: "tiny",
            query: `question ${turnId}`,
            rewritten: [],
            looks: [],
            found: [],
            written: ["So."],
            retrieved: [],
            cited: [],
          },
        });
      return { ...stores, retention, store: stores.retention, site, other, say, keep, advance };
    }

    test("what is older than the days goes, and nothing else", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "old" });
      await it.say(it.other.id, { thread: "elsewhere" });
      it.advance(10 * DAY_MS);
      await it.say(it.site.id, { thread: "new" });
      expect(await it.retention.removeOlder(it.site.id, 10)).toEqual({ threads: 0, turns: 0 });
      it.advance(1);
      expect(await it.retention.removeOlder(it.site.id, 10)).toEqual({ threads: 1, turns: 1 });
      expect(await it.store.hasThread(it.site.id, "old")).toBe(false);
      expect(await it.store.hasThread(it.site.id, "new")).toBe(true);
      expect(await it.store.hasThread(it.other.id, "elsewhere")).toBe(true);
      expect(await it.retention.removeOlder(it.site.id, 10)).toEqual({ threads: 0, turns: 0 });
    });

    test("0 days keep everything", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "old" });
      it.advance(10_000 * DAY_MS);
      expect(await it.retention.removeOlder(it.site.id, 0)).toEqual({ threads: 0, turns: 0 });
    });

    test("a thread keeps what is new in it", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "long" });
      it.advance(3 * DAY_MS);
      await it.say(it.site.id, { thread: "long" });
      expect(await it.retention.removeOlder(it.site.id, 2)).toEqual({ threads: 0, turns: 1 });
      expect(await it.store.hasThread(it.site.id, "long")).toBe(true);
    });

    test("more than one write's worth goes as well", async () => {
      using it = await opened();
      for (let turn = 0; turn < 450; turn++) await it.say(it.site.id, { thread: `thread ${turn}` });
      it.advance(2 * DAY_MS);
      expect(await it.retention.removeOlder(it.site.id, 1)).toEqual({ threads: 450, turns: 450 });
    });

    test("work that is given up leaves what is left for the next time", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "old" });
      it.advance(2 * DAY_MS);
      const stopped = AbortSignal.abort(new Error("stop"));
      await expect(it.retention.removeOlder(it.site.id, 1, stopped)).rejects.toThrow("stop");
      expect(await it.retention.removeOlder(it.site.id, 1)).toEqual({ threads: 1, turns: 1 });
    });

    test("one thread goes, by its site alone", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "mine" });
      await it.say(it.site.id, { thread: "mine" });
      await it.say(it.site.id, { thread: "another" });
      expect((await appErrorOf(() => it.retention.removeThread(it.other.id, "mine"))).code).toBe("not_found");
      expect(await it.retention.removeThread(it.site.id, "mine")).toEqual({ threads: 1, turns: 2 });
      expect((await appErrorOf(() => it.retention.removeThread(it.site.id, "mine"))).code).toBe("not_found");
      expect(await it.store.hasThread(it.site.id, "another")).toBe(true);
    });

    test("all that one reader said goes, and what others said in the same thread stays", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "shared", fp: "ann" });
      await it.say(it.site.id, { thread: "shared", fp: "bob" });
      await it.say(it.site.id, { thread: "own", fp: "ann" });
      await it.say(it.other.id, { thread: "elsewhere", fp: "ann" });
      expect(await it.retention.removeReader(it.site.id, "ann")).toEqual({ threads: 1, turns: 2 });
      expect(await it.store.hasThread(it.site.id, "shared")).toBe(true);
      expect(await it.store.hasThread(it.other.id, "elsewhere")).toBe(true);
      expect(await it.retention.removeReader(it.site.id, "ann")).toEqual({ threads: 0, turns: 0 });
    });

    test("anonymous is everyone, and refused with the reason", async () => {
      using it = await opened();
      await it.say(it.site.id, { thread: "a" });
      const error = await appErrorOf(() => it.retention.removeReader(it.site.id, "anonymous"));
      expect(error).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("every reader"),
      });
      // The store itself does not do it either.
      expect(await it.store.removeTurns(it.site.id, { fp: "anonymous" }, 10)).toEqual({
        threads: 0,
        turns: 0,
      });
      expect(await it.store.hasThread(it.site.id, "a")).toBe(true);
    });

    test("an answer that is kept goes with the question that it holds, and others stay", async () => {
      using it = await opened();
      const mine = await it.say(it.site.id, { thread: "mine", fp: "ann" });
      const other = await it.say(it.site.id, { thread: "other", fp: "bob" });
      for (const turnId of [mine, other]) await it.keep(it.site.id, turnId);
      await it.retention.removeReader(it.site.id, "ann");
      expect(await it.answerCache.find(it.site.id, mine)).toBeUndefined();
      expect(await it.answerCache.find(it.site.id, other)).toBeDefined();
      await it.retention.removeThread(it.site.id, "other");
      expect(await it.answerCache.find(it.site.id, other)).toBeUndefined();
    });

    test("an answer that is kept goes when it is too old, though its question was asked again", async () => {
      using it = await opened();
      const turnId = await it.say(it.site.id, { thread: "old" });
      await it.keep(it.site.id, turnId);
      it.advance(2 * DAY_MS);
      await it.retention.removeOlder(it.site.id, 1);
      expect(await it.answerCache.find(it.site.id, turnId)).toBeUndefined();
    });

    test("an answer whose turn was deleted while it was written is not kept", async () => {
      using it = await opened();
      const turnId = await it.say(it.site.id, { thread: "mine", fp: "ann" });
      await it.retention.removeReader(it.site.id, "ann");
      await it.keep(it.site.id, turnId);
      expect(await it.answerCache.find(it.site.id, turnId)).toBeUndefined();
    });
  });
}
