import { describe, expect, test } from "bun:test";
import type { EnrichmentMeasure, PendingPassage, StoredEnrichment } from "../../src/finding/enrich/stores.ts";
import { SEGMENT_REVISION } from "../../src/finding/search/keyword-index/keyword-index.ts";
import type { StagedPage } from "../../src/sites/ingest/stores.ts";
import type { SiteSettings } from "../../src/sites/site/settings.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const written = (question: string, change: Partial<StoredEnrichment> = {}): StoredEnrichment => ({
  questions: [question],
  words: [`other ${question}`],
  refused: undefined,
  model: "tiny:latest",
  madeAt: TEST_TIME,
  ...change,
});

const MEASURE: EnrichmentMeasure = {
  at: TEST_TIME,
  generation: 1,
  written: 3,
  questions: 40,
  better: 12,
  worse: 3,
  ndcgWith: 0.75,
  ndcgWithout: 0.5,
  low: 0.125,
  high: 0.375,
};

/** What every EnrichmentStore guarantees. */
export function describeEnrichmentStore(
  name: string,
  open: OpenStores<
    "enrichments" | "enrichmentSegments" | "search" | "ingest" | "sources" | "sites" | "passageVectors"
  >,
): void {
  describe(`enrichment store: ${name}`, () => {
    async function opened(...pages: StagedPage[]) {
      const stores = await open();
      const { enrichments, enrichmentSegments, search, ingest, sources, sites, passageVectors } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      const publish = (some: StagedPage[], removed: string[] = []) =>
        publishPages(ingest, source, some, removed);
      if (pages.length > 0) await publish(pages);
      async function pending(siteId = site.id): Promise<PendingPassage[]> {
        const found: PendingPassage[] = [];
        for (let after: number | undefined = 0; after !== undefined; ) {
          const part = await enrichments.pending(siteId, { after, charactersMin: 1 });
          found.push(...part.passages);
          after = part.next;
        }
        return found;
      }
      async function writeAll(change: Partial<StoredEnrichment> = {}, siteId = site.id) {
        const all = await pending(siteId);
        for (const each of all) await enrichments.put(siteId, each, written(`what is ${each.text}?`, change));
        return all;
      }
      return {
        enrichments,
        enrichmentSegments,
        search,
        ingest,
        sites,
        sources,
        passageVectors,
        site,
        publish,
        pending,
        writeAll,
        texts: async () => (await pending()).map(({ text }) => text),
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("what readers see is pending, once each: no hidden page, nothing short, nothing of an older generation", async () => {
      const several = [plainPassage("one of two"), plainPassage("two of two", { position: 1 })];
      using it = await opened(
        stagedPage("a", "text a"),
        stagedPage("several", "", { passages: several }),
        stagedPage("hidden", "text hidden", { hidden: true }),
      );
      expect(await it.texts()).toEqual(["text a", "one of two", "two of two"]);
      const part = await it.enrichments.pending(it.site.id, { after: 0, charactersMin: 7 });
      expect(part.passages.map(({ text }) => text)).toEqual(["one of two", "two of two"]);
      await it.publish([stagedPage("a", "another text")]);
      expect(await it.texts()).toEqual(["one of two", "two of two", "another text"]);
    });

    test("many passages come in bounded parts, each from behind the one before, and none is missing", async () => {
      const texts = Array.from({ length: 450 }, (_, index) => `text ${index}`);
      const passages = texts.map((text, position) => plainPassage(text, { position }));
      using it = await opened(stagedPage("long", "", { passages }));
      const first = await it.enrichments.pending(it.site.id, { after: 0, charactersMin: 1 });
      expect(first.passages.length).toBeLessThan(450);
      expect(await it.texts()).toEqual(texts);
    });

    test("what was written is read by passage, and pending no more; what was refused is kept and not read", async () => {
      using it = await opened(stagedPage("a", "text a"), stagedPage("b", "text b"));
      const [a, b] = await it.pending();
      if (!a || !b) throw new Error("two are pending");
      await it.enrichments.put(it.site.id, a, written("what is a?"));
      await it.enrichments.put(it.site.id, b, written("", { questions: [], refused: "no_json" }));
      expect(await it.texts()).toEqual([]);
      expect(await it.enrichments.of([a.passageId, b.passageId, 999])).toEqual(
        new Map([[a.passageId, { questions: ["what is a?"], words: ["other what is a?"] }]]),
      );
      expect(await it.enrichments.counts(it.site.id)).toEqual({ written: 1, refused: 1 });
      expect(await it.enrichmentSegments.passageIds(it.site.id)).toEqual([a.passageId]);
      expect(await it.enrichmentSegments.passages([a.passageId, b.passageId])).toEqual([
        expect.objectContaining({
          id: a.passageId,
          text: "text a",
          title: "a",
          added: { questions: ["what is a?"], words: ["other what is a?"] },
        }),
      ]);
      expect(await it.enrichments.samples(it.site.id, 5)).toEqual([
        {
          path: "a",
          title: "a",
          headings: [],
          questions: ["what is a?"],
          words: ["other what is a?"],
          model: "tiny:latest",
          madeAt: TEST_TIME,
        },
      ]);
    });

    test("every passage that readers see is listed with what was written for it, or with why that is not used", async () => {
      using it = await opened(
        ...["a", "b", "c"].map((path) => stagedPage(path, `text ${path}`)),
        stagedPage("hidden", "text hidden", { hidden: true }),
      );
      const [a, b] = await it.pending();
      if (!a || !b) throw new Error("two are pending");
      await it.enrichments.put(it.site.id, a, written("what is a?"));
      await it.enrichments.put(it.site.id, b, written("", { questions: [], refused: "no_json" }));
      const { passages, next } = await it.enrichments.passages(it.site.id, { after: 0, charactersMin: 1 });
      expect(next).toBeUndefined();
      expect(passages.map(({ path, text, written: w }) => [path, text, w?.questions, w?.refused])).toEqual([
        ["a", "text a", ["what is a?"], undefined],
        ["b", "text b", [], "no_json"],
        ["c", "text c", undefined, undefined],
      ]);
    });

    test("a passage that comes again unchanged keeps what was written, and a changed one is pending", async () => {
      const passages = (second: string) => [plainPassage("stays"), plainPassage(second, { position: 1 })];
      using it = await opened(stagedPage("page", "", { passages: passages("before"), contentHash: "1" }));
      await it.writeAll();
      await it.publish([stagedPage("page", "", { passages: passages("after"), contentHash: "2" })]);
      expect(await it.texts()).toEqual(["after"]);
      const samples = await it.enrichments.samples(it.site.id, 5);
      expect(samples.map(({ questions }) => questions)).toEqual([["what is stays?"]]);
    });

    test("a passage of the same content elsewhere takes over what was written, in its own site alone", async () => {
      using it = await opened(
        stagedPage("a", "same", { title: "t" }),
        stagedPage("b", "same", { title: "t" }),
      );
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "same", { title: "t" })]);
      const [first, second] = await it.pending();
      const [elsewhere] = await it.pending(other.id);
      if (!first || !second || !elsewhere) throw new Error("three are pending");
      expect(await it.enrichments.adopt(it.site.id, second)).toBe(false);
      await it.enrichments.put(it.site.id, first, written("what is same?"));
      expect(await it.enrichments.adopt(it.site.id, second)).toBe(true);
      expect(await it.enrichments.adopt(other.id, elsewhere)).toBe(false);
      expect(await it.enrichments.adopt(other.id, { ...second })).toBe(false);
      expect(await it.texts()).toEqual([]);
      expect(await it.pending(other.id)).toHaveLength(1);
      expect(await it.enrichments.counts(it.site.id)).toEqual({ written: 1, refused: 0 });
    });

    test("what was written goes with the last passage of its content", async () => {
      using it = await opened(
        stagedPage("a", "same", { title: "t" }),
        stagedPage("b", "same", { title: "t" }),
      );
      await it.writeAll();
      await it.publish([], ["a"]);
      await it.ingest.prune(it.site.id, 1);
      expect(await it.enrichments.counts(it.site.id)).toEqual({ written: 1, refused: 0 });
      await it.publish([stagedPage("c", "of c")], ["b"]);
      await it.ingest.prune(it.site.id, 1);
      expect(await it.enrichments.counts(it.site.id)).toEqual({ written: 0, refused: 0 });
    });

    test("nothing is kept for a passage that went while the model wrote", async () => {
      using it = await opened(stagedPage("a", "text a"));
      const [gone] = await it.pending();
      if (!gone) throw new Error("one is pending");
      await it.publish([stagedPage("b", "text b")], ["a"]);
      await it.ingest.prune(it.site.id, 1);
      await it.enrichments.put(it.site.id, gone, written("what is a?"));
      expect(await it.enrichments.counts(it.site.id)).toEqual({ written: 0, refused: 0 });
    });

    test("what is of a site can be removed in parts, with what was measured; another site keeps its own", async () => {
      using it = await opened(
        stagedPage("a", "text a"),
        stagedPage("b", "text b"),
        stagedPage("c", "text c"),
      );
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "text a")]);
      await it.writeAll();
      await it.writeAll({}, other.id);
      await it.enrichments.putMeasure(it.site.id, MEASURE, true);
      const part = () => it.enrichments.removeSome(it.site.id, 2);
      expect([await part(), await part(), await part()]).toEqual([2, 1, 0]);
      expect((await it.texts()).toSorted()).toEqual(["text a", "text b", "text c"]);
      expect(await it.enrichments.measure(it.site.id)).toBeUndefined();
      expect(await it.enrichments.counts(other.id)).toEqual({ written: 1, refused: 0 });
      await it.sites.removeSite(other.id);
      expect(await it.enrichments.counts(other.id)).toEqual({ written: 0, refused: 0 });
    });

    test("time is counted by the day, and a new day begins at nothing", async () => {
      using it = await opened();
      expect(await it.enrichments.spentMs(20_000)).toBe(0);
      await it.enrichments.addSpent(20_000, 1500);
      await it.enrichments.addSpent(20_000, 500.4);
      expect(await it.enrichments.spentMs(20_000)).toBe(2000);
      await it.enrichments.addSpent(20_001, 10);
      expect([await it.enrichments.spentMs(20_000), await it.enrichments.spentMs(20_001)]).toEqual([0, 10]);
    });

    test("it counts in search where the owner wants it and a measure says that it helps, and nowhere else", async () => {
      using it = await opened(stagedPage("a", "text a"));
      const counts = async () => (await it.search.state(it.site.id)).enrichment.counts;
      const set = (enrichment: SiteSettings["enrichment"]) =>
        it.sites.updateSite(it.site.id, { settings: { ...it.site.settings, enrichment } });
      await set("on");
      expect(await counts()).toBe(false);
      await it.enrichments.putMeasure(it.site.id, MEASURE, true);
      expect(await it.enrichments.measure(it.site.id)).toEqual(MEASURE);
      expect(await counts()).toBe(true);
      await set("prepare");
      expect(await counts()).toBe(false);
      await set("on");
      await it.enrichments.putMeasure(it.site.id, { ...MEASURE, better: 0 }, false);
      expect(await counts()).toBe(false);
    });

    test("with what was written a passage has another vector, by itself its own, and each keeps its embedder", async () => {
      using it = await opened(stagedPage("a", "text a"), stagedPage("b", "text b"));
      const { passageVectors, site } = it;
      const embedder = await passageVectors.embedder("one", 8);
      const vector = (first: number) => new Int8Array(8).fill(1).fill(first, 0, 4);
      const bits = new Uint8Array([255]);
      const [a, b] = await it.pending();
      if (!a || !b) throw new Error("two are pending");
      const ids = [a.passageId, b.passageId];
      await passageVectors.put(
        embedder,
        ids.map((passageId) => ({ passageId, bits: new Uint8Array([1]), vector: vector(1) })),
      );
      await it.enrichments.put(site.id, a, written("what is a?"));
      const [missing, ...others] = await passageVectors.missingWritings(site.id, embedder, 10);
      expect(others).toEqual([]);
      const { questions, words } = written("what is a?");
      expect(missing).toMatchObject({ title: "a", headings: [], text: "text a", questions, words });
      await passageVectors.putWritings(embedder, [{ id: missing?.id ?? 0, bits, vector: vector(-1) }]);
      expect(await passageVectors.missingWritings(site.id, embedder, 10)).toEqual([]);
      const near = async (isEnriched: boolean) =>
        it.search.similarities({ embedderId: embedder, isEnriched }, vector(-1), ids);
      expect([...(await near(false)).values()]).toEqual([0, 0]);
      expect((await near(true)).get(a.passageId)).toBeCloseTo(1);
      expect((await near(true)).get(b.passageId)).toBe(0);
      const { generation } = await it.search.state(site.id);
      const scope = { siteId: site.id, generation, audience: "everything" as const, filter: {} };
      const read = async (isEnriched: boolean) =>
        (await Array.fromAsync(it.search.vectors(scope, { embedderId: embedder, isEnriched })))
          .flat()
          .map((row) => row.bits?.[0]);
      expect([await read(false), await read(true)]).toEqual([
        [1, 1],
        [255, 1],
      ]);
      const other = await passageVectors.embedder("another", 8);
      expect(await passageVectors.missingWritings(site.id, other, 10)).toMatchObject([{ title: "a" }]);
      await it.enrichments.put(site.id, a, written("what else is a?"));
      expect(await passageVectors.missingWritings(site.id, embedder, 10)).toHaveLength(1);
      expect((await near(true)).get(a.passageId)).toBe(0);
    });

    test("its segments are apart from those of passages, and of sites for which something was written", async () => {
      using it = await opened(stagedPage("a", "text a"));
      expect(await it.enrichmentSegments.sites()).toEqual([]);
      await it.writeAll();
      expect(await it.enrichmentSegments.sites()).toEqual([it.site.id]);
      const id = await it.enrichmentSegments.begin(it.site.id);
      await it.enrichmentSegments.finish([{ id, passages: 1, revision: SEGMENT_REVISION }], []);
      const state = await it.search.state(it.site.id);
      expect([state.segments, state.enrichment.segments]).toEqual([[], [id]]);
      expect((await it.enrichmentSegments.list(it.site.id)).map((each) => each.id)).toEqual([id]);
    });
  });
}
