import { describe, expect, test } from "bun:test";
import type { Calibration } from "../../src/finding/search/relevance/relevance.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** A calibration that is told from others by one number. */
const numbered = (mean: number): Calibration => ({
  covered: { mean, deviation: 0.15 },
  near: { mean: 0.25, deviation: 0.0625 },
  familiar: { mean: -3.5, deviation: 1.25 },
});

/** What every CalibrationStore guarantees. */
export function describeCalibrationStore(
  name: string,
  open: OpenStores<"calibrations" | "generations" | "ingest" | "sources" | "sites">,
): void {
  describe(`calibration store: ${name}`, () => {
    /** A store with a site of so many generations. */
    async function opened(generations: number) {
      const stores = await open();
      const { calibrations, ingest, sources, sites } = stores;
      async function addDocs(domain: string) {
        const site = await addSite(sites, domain);
        const source = await sources.open(sourceSpec(site.id), TEST_TIME);
        for (let number = 1; number <= generations; number++)
          await publishPages(ingest, source, [stagedPage("page", `text ${number}`)]);
        return site;
      }
      const site = await addDocs("docs");
      const keyOf = (generation: number, change = {}) => ({
        siteId: site.id,
        generation,
        audience: "everything" as const,
        embedderId: 1,
        revision: 1,
        ...change,
      });
      return {
        ...stores,
        site,
        addDocs,
        keyOf,
        put: (generation: number, mean: number, change = {}) =>
          calibrations.put(keyOf(generation, change), numbered(mean)),
        nearest: async (generation: number, change = {}) => {
          const found = await calibrations.nearest(keyOf(generation, change));
          return found && [found.generation, found.calibration.covered.mean];
        },
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("what was put comes back as it was, with a nearness and without one", async () => {
      using it = await opened(2);
      await it.calibrations.put(it.keyOf(1), numbered(0.5));
      expect(await it.calibrations.nearest(it.keyOf(1))).toEqual({
        generation: 1,
        calibration: numbered(0.5),
        pagesChanged: 0,
      });
      await it.calibrations.put(it.keyOf(1), numbered(0.5), 7);
      expect((await it.calibrations.nearest(it.keyOf(1)))?.pagesChanged).toBe(7);
      const { near: _, ...byWords } = numbered(0.75);
      await it.calibrations.put(it.keyOf(2), byWords);
      expect((await it.calibrations.nearest(it.keyOf(2)))?.calibration).toEqual({
        ...byWords,
        near: undefined,
      });
    });

    test("a generation without one gets that of the nearest, and a site without any none", async () => {
      using it = await opened(3);
      expect(await it.nearest(1)).toBeUndefined();
      await it.put(1, 0.125);
      expect(await it.nearest(3)).toEqual([1, 0.125]);
      await it.put(3, 0.25);
      expect([await it.nearest(1), await it.nearest(3)]).toEqual([
        [1, 0.125],
        [3, 0.25],
      ]);
    });

    test("changes are the pages that came or went, of one site, behind one generation up to another", async () => {
      using it = await opened(1);
      await it.addDocs("other");
      const source = await it.sources.open(sourceSpec(it.site.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("page", "new"), stagedPage("more", "text")]);
      await publishPages(it.ingest, source, [stagedPage("third", "text")]);
      const changes = (earlier: number, later: number) => it.calibrations.changes(it.site.id, earlier, later);
      expect(await changes(1, 2)).toEqual({ changed: 2, pages: 2 });
      expect(await changes(2, 3)).toEqual({ changed: 1, pages: 3 });
      expect(await changes(1, 3)).toEqual({ changed: 3, pages: 3 });
      expect(await changes(3, 3)).toEqual({ changed: 0, pages: 3 });
      await publishPages(it.ingest, source, [], ["page", "more"]);
      expect(await changes(3, 4)).toEqual({ changed: 2, pages: 1 });
    });

    test("behind a generation that was taken back, nothing is said of changes", async () => {
      using it = await opened(3);
      await it.generations.show(it.site.id, 1);
      const source = await it.sources.open(sourceSpec(it.site.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("page", "new")]);
      expect(await it.calibrations.changes(it.site.id, 3, 4)).toBeUndefined();
      expect(await it.calibrations.changes(it.site.id, 1, 4)).toEqual({ changed: 1, pages: 1 });
    });

    test("a later one of the same generation takes the place of the earlier", async () => {
      using it = await opened(1);
      await it.put(1, 0.125);
      await it.put(1, 0.25);
      expect(await it.nearest(1)).toEqual([1, 0.25]);
    });

    test("a generation keeps one of each revision", async () => {
      using it = await opened(1);
      await it.put(1, 0.125);
      await it.put(1, 0.25, { revision: 2 });
      await it.put(1, 0.5, { revision: 2 });
      expect(await it.nearest(1)).toEqual([1, 0.125]);
      expect(await it.nearest(1, { revision: 2 })).toEqual([1, 0.5]);
    });

    test("one that another embedder or another revision made is not taken", async () => {
      using it = await opened(1);
      await it.put(1, 0.125);
      expect(await it.nearest(1, { embedderId: 2 })).toBeUndefined();
      expect(await it.nearest(1, { embedderId: undefined })).toBeUndefined();
      expect(await it.nearest(1, { revision: 2 })).toBeUndefined();
      await it.put(1, 0.5, { embedderId: undefined });
      expect(await it.nearest(1, { embedderId: undefined })).toEqual([1, 0.5]);
    });

    test("an audience has its own, and never another's", async () => {
      using it = await opened(2);
      await it.put(1, 0.125);
      await it.put(1, 0.25, { audience: [] });
      await it.put(2, 0.5, { audience: ["hr", "it"] });
      expect(await it.nearest(2)).toEqual([1, 0.125]);
      expect(await it.nearest(2, { audience: [] })).toEqual([1, 0.25]);
      expect(await it.nearest(1, { audience: ["hr", "it"] })).toEqual([2, 0.5]);
      expect(await it.nearest(1, { audience: ["hr"] })).toBeUndefined();
    });

    test("sites in one database do not see each other's, and one goes with its site", async () => {
      using it = await opened(1);
      const other = await it.addDocs("other");
      await it.put(1, 0.125);
      expect(await it.nearest(1, { siteId: other.id })).toBeUndefined();
      await it.put(1, 0.25, { siteId: other.id });
      expect([await it.nearest(1), await it.nearest(1, { siteId: other.id })]).toEqual([
        [1, 0.125],
        [1, 0.25],
      ]);
      await it.sites.removeSite(other.id);
      expect([await it.nearest(1), await it.nearest(1, { siteId: other.id })]).toEqual([
        [1, 0.125],
        undefined,
      ]);
    });

    test("one goes with its generation, and a generation that is gone gets none", async () => {
      using it = await opened(3);
      await it.put(1, 0.125);
      await it.put(3, 0.25);
      await it.ingest.prune(it.site.id, 2);
      expect(await it.nearest(1)).toEqual([3, 0.25]);
      await it.put(1, 0.5);
      await it.put(9, 0.5);
      expect([await it.nearest(1), await it.nearest(9)]).toEqual([
        [3, 0.25],
        [3, 0.25],
      ]);
    });
  });
}
