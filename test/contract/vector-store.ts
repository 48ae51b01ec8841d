import { describe, expect, test } from "bun:test";
import type { StoredVector } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** A vector of eight dimensions that all have this value. */
const vectorOf = (passageId: number, value = 1): StoredVector => ({
  passageId,
  bits: new Uint8Array([value > 0 ? 255 : 0]),
  vector: new Int8Array(8).fill(value),
});

/** What every VectorStore guarantees. */
export function describeVectorStore(
  name: string,
  open: OpenStores<"passageVectors" | "search" | "ingest" | "sources" | "sites">,
): void {
  describe(`vector store: ${name}`, () => {
    async function opened(...texts: string[]) {
      const stores = await open();
      const { passageVectors: vectors, search, ingest, sources, sites } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      const pages = texts.map((text, index) => stagedPage(`page${index}`, text));
      if (pages.length > 0) await publishPages(ingest, source, pages);
      const embedder = await vectors.embedder("test:one", 8);
      return {
        vectors,
        search,
        ingest,
        sources,
        sites,
        site,
        source,
        embedder,
        missing: (by = embedder, after = 0, limit = 100) => vectors.missing(site.id, by, after, limit),
        /** Which of these passages have a vector of that embedder. */
        having: async (by: number, ids: number[]) =>
          [
            ...(
              await search.similarities({ embedderId: by, isEnriched: false }, new Int8Array(8).fill(1), ids)
            ).keys(),
          ].sort(),
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("an embedder has one number, whoever asks, and another one another", async () => {
      using it = await opened();
      expect(await it.vectors.embedder("test:one", 8)).toBe(it.embedder);
      expect(await it.vectors.embedder("test:two", 8)).not.toBe(it.embedder);
    });

    test("passages without a vector are listed with what is embedded of them, in order and in parts", async () => {
      using it = await opened("zebra", "lion", "horse");
      const all = await it.missing();
      expect(all.map(({ text }) => text)).toEqual(["zebra", "lion", "horse"]);
      expect(all[0]).toEqual({
        passageId: all[0]?.passageId ?? 0,
        title: "page0",
        headings: [],
        text: "zebra",
      });
      const first = await it.missing(it.embedder, 0, 2);
      const rest = await it.missing(it.embedder, first.at(-1)?.passageId, 2);
      expect([...first, ...rest]).toEqual(all);
    });

    test("one that has its vector is not missing, also where the embedder knows nothing of it", async () => {
      using it = await opened("zebra", "12", "horse");
      const [zebra, twelve] = await it.missing();
      const unknown = { passageId: twelve?.passageId ?? 0, bits: undefined, vector: undefined };
      await it.vectors.put(it.embedder, [vectorOf(zebra?.passageId ?? 0), unknown]);
      expect((await it.missing()).map(({ text }) => text)).toEqual(["horse"]);
      expect(await it.missing(await it.vectors.embedder("test:two", 8))).toHaveLength(3);
    });

    test("a vector that is put again is the newer one", async () => {
      using it = await opened("zebra");
      const [zebra] = await it.missing();
      const id = zebra?.passageId ?? 0;
      await it.vectors.put(it.embedder, [vectorOf(id, -1)]);
      await it.vectors.put(it.embedder, [vectorOf(id, 1)]);
      const found = await it.search.similarities(
        { embedderId: it.embedder, isEnriched: false },
        new Int8Array(8).fill(1),
        [id],
      );
      expect(found.get(id)).toBeCloseTo(1);
    });

    test("one of a passage that is gone is nothing, and those beside it are kept", async () => {
      using it = await opened("zebra");
      const [zebra] = await it.missing();
      const id = zebra?.passageId ?? 0;
      await it.vectors.put(it.embedder, [vectorOf(id + 1000), vectorOf(id)]);
      expect(await it.having(it.embedder, [id, id + 1000])).toEqual([id]);
    });

    test("what is staged and what only older generations show is missing too; another site's is not", async () => {
      using it = await opened("zebra");
      await publishPages(it.ingest, it.source, [stagedPage("page0", "lion")]);
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [stagedPage("page0", "horse")]);
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "wolf")]);
      expect((await it.missing()).map(({ text }) => text)).toEqual(["zebra", "lion", "horse"]);
    });

    test("passages of a run take over the vectors of the revision before where their words are the same", async () => {
      using it = await opened();
      const passage = (text: string, position: number, headingPath: string[] = []) =>
        plainPassage(text, { position, headingPath });
      const passages = [
        passage("same", 0),
        passage("old", 1),
        passage("moved", 2),
        passage("headed", 3, ["A"]),
      ];
      await publishPages(it.ingest, it.source, [
        stagedPage("a", "", { title: "A", passages }),
        stagedPage("renamed", "zebra", { title: "Before" }),
      ]);
      await it.vectors.put(
        it.embedder,
        (await it.missing()).map(({ passageId }) => vectorOf(passageId)),
      );
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      const changed = [
        passage("moved", 0),
        passage("same", 1),
        passage("new", 2),
        passage("headed", 3, ["B"]),
      ];
      await it.ingest.stage(it.source, runId, [
        stagedPage("a", "", { title: "A", passages: changed }),
        stagedPage("renamed", "zebra", { title: "After" }),
        stagedPage("b", "same", { title: "A" }),
      ]);
      await it.vectors.reuse(runId, it.embedder);
      await it.vectors.reuse(runId, it.embedder);
      expect((await it.missing()).map(({ text }) => text)).toEqual(["new", "headed", "zebra", "same"]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
    });

    test("a site uses no vectors before the first swap, then those that were swapped in, alone", async () => {
      using it = await opened("zebra", "lion");
      const ids = (await it.missing()).map(({ passageId }) => passageId);
      const next = await it.vectors.embedder("test:two", 8);
      expect(await it.vectors.current(it.site.id)).toBeUndefined();
      for (const embedder of [it.embedder, next])
        await it.vectors.put(
          embedder,
          ids.map((id) => vectorOf(id)),
        );
      await it.vectors.swap(it.site.id, it.embedder);
      expect(await it.vectors.current(it.site.id)).toBe(it.embedder);
      expect([await it.having(it.embedder, ids), await it.having(next, ids)]).toEqual([ids, []]);
      await it.vectors.swap(it.site.id, it.embedder);
      expect(await it.having(it.embedder, ids)).toEqual(ids);
      expect(await it.search.state(it.site.id)).toMatchObject({
        embedder: { identity: "test:one", dimensions: 8 },
      });
    });

    test("what a swap that was cut short has left is removed by the next one, of however many passages", async () => {
      using it = await opened();
      const passages = Array.from({ length: 4500 }, (_, position) => plainPassage("zebra", { position }));
      await publishPages(it.ingest, it.source, [stagedPage("long", "", { passages })]);
      const ids = (await it.missing(it.embedder, 0, 5000)).map(({ passageId }) => passageId);
      await it.vectors.swap(it.site.id, it.embedder);
      const before = await it.vectors.embedder("test:before", 8);
      const some = [...ids.slice(0, 10), ...ids.slice(-10)];
      for (const embedder of [it.embedder, before])
        await it.vectors.put(
          embedder,
          some.map((id) => vectorOf(id)),
        );
      await it.vectors.swap(it.site.id, it.embedder);
      expect([(await it.having(before, some)).length, (await it.having(it.embedder, some)).length]).toEqual([
        0, 20,
      ]);
    });

    test("a swap leaves the vectors of other sites", async () => {
      using it = await opened("zebra");
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "wolf")]);
      const [wolf] = await it.vectors.missing(other.id, it.embedder, 0, 9);
      const id = wolf?.passageId ?? 0;
      await it.vectors.put(it.embedder, [vectorOf(id)]);
      await it.vectors.swap(it.site.id, await it.vectors.embedder("test:two", 8));
      expect(await it.having(it.embedder, [id])).toEqual([id]);
    });

    test("vectors go with their passages", async () => {
      using it = await opened("zebra");
      const ids = (await it.missing()).map(({ passageId }) => passageId);
      await it.vectors.put(it.embedder, [vectorOf(ids[0] ?? 0)]);
      await publishPages(it.ingest, it.source, [], ["page0"]);
      await it.ingest.prune(it.site.id, 1);
      expect([await it.having(it.embedder, ids), await it.missing()]).toEqual([[], []]);
    });
  });
}
