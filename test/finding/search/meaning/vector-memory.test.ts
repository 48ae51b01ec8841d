import { describe, expect, test } from "bun:test";
import {
  createVectorMemory,
  type VectorMemory,
} from "../../../../src/finding/search/meaning/vector-memory.ts";
import type { VectorRow } from "../../../../src/finding/search/search-store.ts";
import { TEST_TIME } from "../../../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../../../helpers/page-data.ts";
import { addSite } from "../../../helpers/site-data.ts";
import { openTestStorage } from "../../../helpers/test-storage.ts";

const EMBEDDER = { id: 1, dimensions: 8 };
const WANTED = Int8Array.from([1, -2, 3, 4, -5, 6, 7, 127]);

const row = (passageId: number, vector: number[] | undefined): VectorRow => ({
  passageId,
  pageId: 1,
  bits: undefined,
  vector: vector && new Uint8Array(Int8Array.from(vector)),
});

async function keep(
  memory: VectorMemory,
  rows: VectorRow[],
  embedder = EMBEDDER,
  siteId = 1,
): Promise<VectorRow[]> {
  async function* batches() {
    yield rows.slice(0, 2);
    yield rows.slice(2);
  }
  return (await Array.fromAsync(memory.keeping(siteId, embedder, batches()))).flat();
}

const along = (value: number) => Array.from(WANTED, (each) => Math.trunc(each / value));

describe("vectors in memory", () => {
  test("are as similar to another as the database says, to the last digit", async () => {
    using storage = await openTestStorage();
    const { search, passageVectors, sources, sites, ingest } = storage;
    const id = await passageVectors.embedder("test:one", EMBEDDER.dimensions);
    const site = await addSite(sites, "docs");
    const source = await sources.open(sourceSpec(site.id), TEST_TIME);
    const pages = Array.from({ length: 200 }, (_, index) => stagedPage(`page${index}`, "zebra"));
    const generation = await publishPages(ingest, source, pages);
    const missing = await passageVectors.missing(site.id, id, 0, 1000);
    let state = 7;
    const byte = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    };
    await passageVectors.put(
      id,
      missing.map(({ passageId }) => ({
        passageId,
        bits: new Uint8Array([1]),
        vector: Int8Array.from(WANTED, byte),
      })),
    );
    const memory = createVectorMemory(1_000_000);
    const scope = { siteId: site.id, generation, filter: {} };
    const own = { ...EMBEDDER, id };
    const rows = (
      await Array.fromAsync(
        memory.keeping(site.id, own, search.vectors(scope, { embedderId: id, isEnriched: false })),
      )
    ).flat();
    const ids = rows.map(({ passageId }) => passageId);
    const { similarities, others } = memory.measure(id, WANTED, ids);
    expect([ids.length, others]).toEqual([200, []]);
    const { vectors } = await storage.describe();
    for (const [passageId, stored] of await search.similarities(
      { embedderId: id, isEnriched: false },
      WANTED,
      ids,
    )) {
      // Where sqlite-vec is not there, nothing is rounded.
      if (vectors?.available) expect(similarities.get(passageId)).toBe(stored);
      else expect(similarities.get(passageId)).toBeCloseTo(stored, 6);
    }
  });

  test("pass on the rows as they come", async () => {
    const rows = [row(1, along(1)), row(2, undefined), row(3, [1])];
    const memory = createVectorMemory(1000);
    expect(await keep(memory, rows)).toEqual(rows);
    // What is no vector of this embedder's is not kept.
    expect(memory.measure(1, WANTED, [1, 2, 3])).toEqual({ similarities: new Map([[1, 1]]), others: [2, 3] });
  });

  test("are those that came last, where there is no room for all", async () => {
    const memory = createVectorMemory(3 * EMBEDDER.dimensions + 1);
    await keep(
      memory,
      [1, 2, 3, 4].map((id) => row(id, along(id))),
    );
    const { similarities, others } = memory.measure(1, WANTED, [4, 3, 2, 1]);
    expect([[...similarities.keys()], others]).toEqual([[4, 3, 2], [1]]);
    expect(similarities.get(4)).toBeLessThan(1);
    for (const bytesMax of [0, EMBEDDER.dimensions - 1]) {
      const none = createVectorMemory(bytesMax);
      await keep(none, [row(1, along(1))]);
      expect(none.measure(1, WANTED, [1])).toEqual({ similarities: new Map(), others: [1] });
    }
  });

  test("are of the embedder whose vectors were read last", async () => {
    const memory = createVectorMemory(1000);
    await keep(memory, [row(1, along(1)), row(2, along(1))]);
    await keep(memory, [row(2, along(1))], { ...EMBEDDER, id: 2 });
    expect(memory.measure(1, WANTED, [1, 2]).others).toEqual([1, 2]);
    expect(memory.measure(2, WANTED, [1, 2]).others).toEqual([1]);
  });

  test("of thousands of passages stand apart", async () => {
    const memory = createVectorMemory(100_000 * EMBEDDER.dimensions);
    const ids = [1, 4095, 4096, 4097, 90_000];
    await keep(
      memory,
      ids.map((id, index) => row(id, along(index + 1))),
    );
    const apart = createVectorMemory(1000);
    for (const [index, id] of ids.entries()) {
      await keep(apart, [row(1, along(index + 1))]);
      expect(memory.measure(1, WANTED, [id]).similarities.get(id)).toBe(
        apart.measure(1, WANTED, [1]).similarities.get(1) ?? 0,
      );
    }
  });

  test("of passages that a site has no more go once the site is read again, and those of other sites stay", async () => {
    const memory = createVectorMemory(100_000 * EMBEDDER.dimensions);
    const others = (ids: number[]) => memory.measure(1, WANTED, ids).others;
    const rows = (ids: number[]) => ids.map((id) => row(id, along(1)));
    await keep(memory, rows([1, 10_000, 20_000]));
    await keep(memory, rows([20_001]), EMBEDDER, 2);
    await keep(memory, rows([1, 30_000]));
    expect(others([1, 30_000, 20_001])).toEqual([]);
    // Nobody has a passage near this one any more; the next stands beside one that is needed.
    expect(others([10_000, 20_000])).toEqual([10_000]);
    memory.forget(2);
    expect(others([1, 30_000, 20_000, 20_001])).toEqual([20_000, 20_001]);
  });

  test("stay where an older reading of the site ends after a later one", async () => {
    const memory = createVectorMemory(100_000 * EMBEDDER.dimensions);
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    async function* slow() {
      yield [row(1, along(1))];
      await promise;
    }
    const older = Array.fromAsync(memory.keeping(1, EMBEDDER, slow()));
    await keep(memory, [row(10_000, along(1))]);
    goOn();
    await older;
    expect(memory.measure(1, WANTED, [10_000]).others).toEqual([]);
  });
});
