import { describe, expect, test } from "bun:test";
import type { CachedAnswer } from "../../src/answering/answer/cache/cache.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const MINUTE_MS = 60_000;

const cachedAnswer = (text: string, change: Partial<CachedAnswer> = {}): CachedAnswer => ({
  generation: 0,
  model: "tiny:latest",
  query: "How?",
  rewritten: ["How so?"],
  looks: [{ tool: "search" as const, asked: "more of it", found: 2 }],
  found: [{ content: "So.", path: "guide", title: "Guide", href: "/guide#so", score: 0.5 }],
  written: [
    text,
    { id: "source_1", url: "https://docs.example.com/guide#so", title: "Guide" },
    " \u{1F600}\r\n",
  ],
  retrieved: [{ passageId: 1, path: "guide", anchor: "so", relevance: 0.5 }],
  cited: [{ passageId: 1, url: "https://docs.example.com/guide#so" }],
  supportShare: 0.75,
  ...change,
});

/** What every AnswerCacheStore guarantees. */
export function describeAnswerCacheStore(
  name: string,
  open: OpenStores<"answerCache" | "sites" | "sources" | "ingest" | "threads">,
): void {
  describe(`answer cache store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { answerCache: cache, sites, sources, ingest } = stores;
      const site = await addSite(sites, "docs");
      const turnId = "turn";
      await addTurn(stores.threads, { siteId: site.id, id: turnId });
      const put = (key: string, text: string, { siteId = site.id, generation = 0, at = TEST_TIME } = {}) =>
        cache.put({ siteId, turnId, key, answer: cachedAnswer(text, { generation }), at });
      const textOf = async (key: string, siteId = site.id) => (await cache.find(siteId, key))?.written[0];
      /** The site's readers see its next generation. */
      async function nextGeneration(siteId = site.id): Promise<void> {
        const source = await sources.open(sourceSpec(siteId), TEST_TIME);
        await publishPages(ingest, source, []);
      }
      return {
        cache,
        sites,
        site,
        turnId,
        put,
        textOf,
        nextGeneration,
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("what was never put is not there", async () => {
      using it = await opened();
      expect(await it.cache.find(it.site.id, "key")).toBeUndefined();
    });

    test("an answer is found as it was put", async () => {
      using it = await opened();
      const answer = cachedAnswer("Like this.", { until: TEST_TIME });
      await it.cache.put({ siteId: it.site.id, turnId: it.turnId, key: "key", answer, at: TEST_TIME });
      expect(await it.cache.find(it.site.id, "key")).toEqual(answer);
    });

    test("an answer of a shape that is not known any more is not there, and makes room for another", async () => {
      using it = await opened();
      const answer = Object.assign(cachedAnswer("old"), { written: undefined });
      await it.cache.put({ siteId: it.site.id, turnId: it.turnId, key: "key", answer, at: TEST_TIME });
      expect(await it.cache.find(it.site.id, "key")).toBeUndefined();
      await it.put("key", "new");
      expect(await it.textOf("key")).toBe("new");
    });

    test("an answer is its own site's and its own key's", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.put("key", "ours");
      await it.put("key", "theirs", { siteId: other.id });
      expect(await it.textOf("key")).toBe("ours");
      expect(await it.textOf("key", other.id)).toBe("theirs");
      expect(await it.textOf("other key")).toBeUndefined();
    });

    test("a later answer takes the place of the earlier one", async () => {
      using it = await opened();
      await it.put("key", "first");
      await it.put("key", "second");
      expect(await it.textOf("key")).toBe("second");
      await it.cache.trim(1);
      expect(await it.textOf("key")).toBe("second");
    });

    test("an answer is gone with the next generation of its site, and those of others stay", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.put("key", "old");
      await it.put("key", "other", { siteId: other.id });
      await it.nextGeneration();
      expect(await it.textOf("key")).toBeUndefined();
      expect(await it.textOf("key", other.id)).toBe("other");
      await it.put("key", "new", { generation: 1 });
      expect(await it.textOf("key")).toBe("new");
    });

    test("an answer from a generation that readers no longer see is not kept", async () => {
      using it = await opened();
      await it.nextGeneration();
      await it.put("key", "new", { generation: 1 });
      await it.put("key", "late", { generation: 0 });
      expect(await it.textOf("key")).toBe("new");
    });

    test("those that were used longest ago are trimmed, over all sites", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.put("a", "a", { at: TEST_TIME });
      await it.put("b", "b", { at: TEST_TIME + 1, siteId: other.id });
      await it.put("c", "c", { at: TEST_TIME + 2 });
      await it.cache.touch(it.site.id, "a", TEST_TIME + MINUTE_MS);
      await it.cache.trim(2);
      expect(await Promise.all([it.textOf("a"), it.textOf("b", other.id), it.textOf("c")])).toEqual([
        "a",
        undefined,
        "c",
      ]);
      await it.cache.trim(0);
      expect(await Promise.all([it.textOf("a"), it.textOf("c")])).toEqual([undefined, undefined]);
    });

    test("a use less than a minute after the last one is not noted", async () => {
      using it = await opened();
      await it.put("a", "a", { at: TEST_TIME });
      await it.put("b", "b", { at: TEST_TIME + 1 });
      await it.cache.touch(it.site.id, "a", TEST_TIME + MINUTE_MS - 1);
      await it.cache.trim(1);
      expect(await Promise.all([it.textOf("a"), it.textOf("b")])).toEqual([undefined, "b"]);
    });

    test("a site's answers go with it, and none is kept for a site that is gone", async () => {
      using it = await opened();
      await it.put("key", "text");
      await it.sites.removeSite(it.site.id);
      expect(await it.textOf("key")).toBeUndefined();
      await it.put("key", "late");
      expect(await it.textOf("key")).toBeUndefined();
    });
  });
}
