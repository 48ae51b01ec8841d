import { expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import type { SegmentStore } from "../../../src/finding/search/keyword-index/segment-store.ts";
import type { PassageIndexer } from "../../../src/sites/ingest/stores.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { quietLog, testLog } from "../../helpers/test-log.ts";

/** Indexes, and notes what is asked of it and the generation that readers see at that moment. */
function notingIndexer({ failAt }: { failAt?: "catchUp" | "tidy" } = {}) {
  const asked: (string | number | undefined)[][] = [];
  let generation = async () => 0;
  let keeper: PassageIndexer = { catchUp: async () => {}, tidy: async () => {} };
  let failing = failAt;
  const note = async (what: "catchUp" | "tidy", runId?: number) => {
    asked.push([what, await generation(), ...(runId === undefined ? [] : [runId])]);
    if (failing === what) throw new Error(`${what} failed`);
  };
  const index: PassageIndexer = {
    async catchUp(siteId, options) {
      await note("catchUp", options.runId);
      await keeper.catchUp(siteId, options);
    },
    async tidy(siteId, signal) {
      await note("tidy");
      await keeper.tidy(siteId, signal);
    },
  };
  return {
    index,
    asked,
    follow(read: () => Promise<number>, segments: SegmentStore) {
      generation = read;
      keeper = createIndexKeeper({ store: segments, log: quietLog() });
    },
    heal() {
      failing = undefined;
    },
  };
}

async function opened(indexer = notingIndexer(), log = testLog()) {
  const it = await openIngestSite({ index: indexer.index, log: log.log });
  indexer.follow(it.generation, it.storage.segments);
  return { ...it, ...indexer, lines: log.lines };
}

test("what a run brings is indexed before readers see it, and the index is tidied after that", async () => {
  using it = await opened();
  await it.run({ a: "zebra" });
  await it.run({ a: "zebra", b: "lion" });
  expect(it.asked).toEqual([
    ["catchUp", 0, 1],
    ["tidy", 1],
    ["catchUp", 1, 2],
    ["tidy", 2],
  ]);
});

test("a run that takes pages away, as the removal of a source does, goes the same way", async () => {
  using it = await opened();
  await it.run({ a: "zebra" });
  await it.run({}, {}, { force: true });
  expect(it.asked.slice(2)).toEqual([
    ["catchUp", 1, 2],
    ["tidy", 2],
  ]);
});

test("a run that changes nothing has nothing to index", async () => {
  using it = await opened();
  await it.run({ a: "zebra" });
  await it.run({ a: "zebra" });
  expect(it.asked.slice(2)).toEqual([["tidy", 1]]);
});

test("where passages cannot be indexed, readers see what they saw, and the next run takes it up", async () => {
  using it = await opened(notingIndexer({ failAt: "catchUp" }));
  await expect(it.run({ a: "zebra" })).rejects.toThrow("catchUp failed");
  expect([await it.generation(), await it.page("a")]).toEqual([0, []]);
  it.heal();
  expect(await it.run({ a: "zebra" })).toMatchObject({ resumed: true, added: 1, generation: 1 });
  expect(it.asked).toEqual([
    ["catchUp", 0, 1],
    ["catchUp", 0, 1],
    ["tidy", 1],
  ]);
});

test("an index that cannot be tidied is no reason for a run to fail: it is said", async () => {
  using it = await opened(notingIndexer({ failAt: "tidy" }));
  expect(await it.run({ a: "zebra" })).toMatchObject({ generation: 1 });
  expect(it.lines).toMatchObject([{ level: "warn", source: "/docs" }]);
  expect(await it.lastRun()).toMatchObject({ outcome: "published" });
});

test("a run that is stopped while its index is tidied has done its work", async () => {
  const stop = new AbortController();
  const indexer = notingIndexer();
  const index: PassageIndexer = {
    ...indexer.index,
    async tidy(_, signal) {
      stop.abort();
      signal.throwIfAborted();
    },
  };
  using it = await opened({ ...indexer, index });
  expect(await it.run({ a: "zebra" }, {}, { signal: stop.signal })).toMatchObject({ generation: 1 });
  expect([it.lines, await it.lastRun()]).toMatchObject([[], { outcome: "published" }]);
});

test("how many passages are indexed can be read while it goes on", async () => {
  const seen: unknown[] = [];
  using it = await opened();
  const { catchUp } = it.index;
  it.index.catchUp = async (...given) => {
    seen.push((await it.lastRun())?.counts);
    await catchUp(...given);
  };
  await it.run({ a: "zebra" }, {}, { onIndexing: (done, all) => seen.push([done, all]) });
  expect(seen).toMatchObject([{ passages: 1, embedded: 1, indexed: 0 }, [1, 1]]);
});
