import { describe, expect, test } from "bun:test";
import { createGenerationCache } from "../../../src/finding/search/generation-cache.ts";
import { createVectorMemory } from "../../../src/finding/search/meaning/meaning.ts";
import type { SearchScope, SearchStore } from "../../../src/finding/search/search-store.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const EMBEDDER = { id: 1, identity: "test:one", dimensions: 8 };

/** Sites of so many passages with vectors, on a store that notes what is read. */
async function opened(sizes: number[], signsMax: number) {
  const storage = await openTestStorage();
  const id = await storage.passageVectors.embedder(EMBEDDER.identity, EMBEDDER.dimensions);
  const scopes: SearchScope[] = [];
  for (const [index, size] of sizes.entries()) {
    const site = await addSite(storage.sites, `site${index}`);
    const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
    const pages = Array.from({ length: size }, (_, page) =>
      stagedPage(`page${page}`, "zebra", { tags: [`t${page}`] }),
    );
    const generation = await publishPages(storage.ingest, source, pages);
    const passages = await storage.passageVectors.missing(site.id, id, 0, 1000);
    await storage.passageVectors.put(
      id,
      passages.map(({ passageId }) => ({
        passageId,
        bits: new Uint8Array([1]),
        vector: new Int8Array(8).fill(1),
      })),
    );
    scopes.push({ audience: "everything", siteId: site.id, generation, filter: {} });
  }
  const reads: string[] = [];
  let fault: Error | undefined;
  const store: SearchStore = {
    ...storage.search,
    vectors(scope, embedderId) {
      reads.push(`vectors ${scope.siteId} ${scope.generation}`);
      if (fault) throw fault;
      return storage.search.vectors(scope, embedderId);
    },
    load: (ids) => storage.search.load(ids),
    async pageIds(scope) {
      reads.push(`pages ${scope.siteId}`);
      if (fault) throw fault;
      return storage.search.pageIds(scope);
    },
  };
  const vectorMemory = createVectorMemory(1_000_000);
  const [first = { siteId: 0, generation: 0, audience: "everything" as const, filter: {} }, ...others] =
    scopes;
  return {
    reads,
    first,
    others,
    embedder: { ...EMBEDDER, id, isEnriched: false, written: [], isKept: true },
    vectorMemory,
    cache: createGenerationCache({ store, signsMax, vectorMemory }),
    /** Another generation of the first site: so many more pages with that word. */
    async publish(word: string, count: number): Promise<SearchScope> {
      const source = await storage.sources.open(sourceSpec(first.siteId), TEST_TIME);
      const more = Array.from({ length: count }, (_, page) => stagedPage(`${word}${page}`, word));
      return { ...first, generation: await publishPages(storage.ingest, source, more) };
    },
    fail: (error: Error | undefined) => {
      fault = error;
    },
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

describe("the signs of a generation", () => {
  test("are read once, also by questions at the same time", async () => {
    using it = await opened([3], 100);
    const { cache, first, embedder } = it;
    const both = await Promise.all([cache.signs(first, embedder), cache.signs(first, embedder)]);
    expect(both.map(({ size }) => size)).toEqual([3, 3]);
    await cache.signs(first, embedder);
    expect(it.reads).toEqual([`vectors ${first.siteId} 1`]);
  });

  test("are read together with the whole vectors, which stay in memory", async () => {
    using it = await opened([3], 100);
    const { cache, vectorMemory, first, embedder } = it;
    const others = () => vectorMemory.measure(embedder.id, new Int8Array(8).fill(1), [1, 2, 3]).others;
    expect(others()).toEqual([1, 2, 3]);
    await cache.signs(first, embedder);
    expect(others()).toEqual([]);
  });

  test("are read again for another generation or embedder, and the ones before go", async () => {
    using it = await opened([3], 100);
    const { cache, first, embedder } = it;
    await cache.signs(first, embedder);
    expect((await cache.signs({ ...first, generation: 0 }, embedder)).size).toBe(0);
    expect((await cache.signs(first, { ...embedder, id: embedder.id + 1 })).size).toBe(0);
    expect((await cache.signs(first, embedder)).size).toBe(3);
    expect(it.reads).toHaveLength(4);
  });

  test("of the sites that were asked longest ago go when there are too many", async () => {
    using it = await opened([3, 3, 3], 7);
    const { cache, first, others, embedder, reads } = it;
    const [second = first, third = first] = others;
    await cache.signs(first, embedder);
    await cache.signs(second, embedder);
    await cache.signs(first, embedder);
    await cache.signs(third, embedder);
    reads.length = 0;
    await cache.signs(first, embedder);
    await cache.signs(third, embedder);
    expect(reads).toEqual([]);
    await cache.signs(second, embedder);
    expect(reads).toEqual([`vectors ${second.siteId} 1`]);
  });

  test("that could not be read are read by the next question", async () => {
    using it = await opened([3], 100);
    const { cache, first, embedder } = it;
    it.fail(new Error("the disk is gone"));
    await expect(cache.signs(first, embedder)).rejects.toThrow("the disk is gone");
    it.fail(undefined);
    expect((await cache.signs(first, embedder)).size).toBe(3);
  });
});

describe("which pages a filter lets through", () => {
  test("is not asked where there is no filter", async () => {
    using it = await opened([2], 100);
    for (const filter of [{}, { version: "", language: "", tag: "", groups: [] }])
      expect(await it.cache.pageTest({ ...it.first, filter })).toBeUndefined();
    expect(it.reads).toEqual([]);
  });

  test("is read once for each filter and generation", async () => {
    using it = await opened([2], 100);
    const tagged: SearchScope = { ...it.first, filter: { tag: "t1" } };
    const allows = await it.cache.pageTest(tagged);
    expect([1, 2].map((pageId) => allows?.(pageId))).toEqual([false, true]);
    await it.cache.pageTest({ ...it.first, filter: { tag: "t1" } });
    expect(it.reads).toHaveLength(1);
    expect((await it.cache.pageTest({ ...tagged, generation: 0 }))?.(2)).toBe(false);
    await it.cache.pageTest({ ...tagged, filter: { tag: "t0" } });
    expect(it.reads).toHaveLength(3);
  });

  test("is kept for a bounded number of filters, the latest ones", async () => {
    using it = await opened([2], 100);
    const ask = (tag: string) => it.cache.pageTest({ ...it.first, filter: { tag } });
    for (let index = 0; index < 70; index++) await ask(`tag${index}`);
    it.reads.length = 0;
    await ask("tag69");
    await ask("tag6");
    expect(it.reads).toHaveLength(0);
    await ask("tag0");
    expect(it.reads).toHaveLength(1);
  });

  test("that could not be read is read by the next question", async () => {
    using it = await opened([2], 100);
    it.fail(new Error("the disk is gone"));
    const tagged: SearchScope = { ...it.first, filter: { tag: "t1" } };
    await expect(it.cache.pageTest(tagged)).rejects.toThrow("the disk is gone");
    it.fail(undefined);
    expect((await it.cache.pageTest(tagged))?.(2)).toBe(true);
  });

  test("are those that the keyword index is opened with: they are read once for both", async () => {
    using it = await opened([2], 100);
    const tagged: SearchScope = { ...it.first, filter: { tag: "t1" } };
    const ids = await it.cache.pageIds(tagged);
    const allows = await it.cache.pageTest(tagged);
    expect([...ids].filter((id) => allows?.(id))).toEqual([2]);
    expect(it.reads).toEqual(["pages 1"]);
  });

  test("of a filter that allows all are not kept", async () => {
    using it = await opened([2], 100);
    for (let asked = 0; asked < 2; asked++) expect((await it.cache.pageIds(it.first)).size).toBe(2);
    expect(it.reads).toEqual(["pages 1", "pages 1"]);
  });
});
