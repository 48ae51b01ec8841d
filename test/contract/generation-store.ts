import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every GenerationStore guarantees. */
export function describeGenerationStore(
  name: string,
  open: OpenStores<"generations" | "ingest" | "sources" | "pages" | "sites">,
): void {
  describe(`generation store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { generations, ingest, sources, pages, sites } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      return {
        generations,
        ingest,
        sources,
        sites,
        site,
        source,
        publish: (text: string) => publishPages(ingest, source, [stagedPage("a", text)]),
        visible: async (path = "a") =>
          (await pages.findPages(site.id, path, "everything")).map(({ markdown }) => markdown),
        numbers: async () => (await generations.list(site.id)).map(({ number }) => number),
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("publishing and going back move the revision of sites: what servers remember names the generation", async () => {
      using it = await opened();
      await it.publish("one");
      const revisions = [await it.sites.revision()];
      await it.publish("two");
      revisions.push(await it.sites.revision());
      await it.generations.show(it.site.id, 1);
      revisions.push(await it.sites.revision());
      expect(new Set(revisions).size).toBe(3);
      await it.generations.list(it.site.id);
      expect(await it.sites.revision()).toBe(revisions[2] ?? "");
    });

    test("a site without pages has none", async () => {
      using it = await opened();
      expect(await it.generations.list(it.site.id)).toEqual([]);
      expect(await it.generations.list(999)).toEqual([]);
    });

    test("each says whose run made it, when, and what that counted; a run under way is none", async () => {
      using it = await opened();
      await it.publish("one");
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [stagedPage("a", "two")]);
      const { id, kind, location } = it.source;
      const first = {
        number: 1,
        source: { id, kind, location },
        counts: { ...NO_COUNTS },
        finishedAt: TEST_TIME,
        isVisible: true,
      };
      expect(await it.generations.list(it.site.id)).toEqual([first]);
      await it.ingest.publish(it.source, runId, { counts: { ...NO_COUNTS, changed: 1 }, at: TEST_TIME + 5 });
      expect(await it.generations.list(it.site.id)).toMatchObject([
        { number: 2, isVisible: true, finishedAt: TEST_TIME + 5, counts: { changed: 1 } },
        { ...first, isVisible: false },
      ]);
    });

    test("the one that is shown is what readers see", async () => {
      using it = await opened();
      for (const text of ["one", "two", "three"]) await it.publish(text);
      await it.generations.show(it.site.id, 1);
      expect([await it.visible(), await it.numbers()]).toEqual([["one"], [3, 2, 1]]);
      await it.generations.show(it.site.id, 3);
      expect(await it.visible()).toEqual(["three"]);
    });

    test("what was pruned is not listed", async () => {
      using it = await opened();
      for (const text of ["one", "two", "three", "four"]) await it.publish(text);
      await it.ingest.prune(it.site.id, 2);
      expect(await it.numbers()).toEqual([4, 3]);
    });

    test("a run after going back undoes what came later, and takes a number of its own", async () => {
      using it = await opened();
      for (const text of ["one", "two", "three"]) await it.publish(text);
      await it.generations.show(it.site.id, 1);
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      expect(await it.numbers()).toEqual([1]);
      expect(await it.ingest.knownPages(it.source, runId)).toMatchObject([
        { contentHash: "hash of one", staged: false, dropped: false },
      ]);
      await it.ingest.stage(it.source, runId, [stagedPage("a", "four")]);
      expect(await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME })).toBe(4);
      expect([await it.numbers(), await it.visible()]).toEqual([[4, 1], ["four"]]);
    });

    test("showing one throws away what was staged", async () => {
      using it = await opened();
      await it.publish("one");
      await it.publish("two");
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [stagedPage("a", "three"), stagedPage("b", "new")]);
      await it.generations.show(it.site.id, 1);
      const next = await it.ingest.openRun(it.source, TEST_TIME);
      expect(next.resumed).toBe(false);
      expect(await it.ingest.knownPages(it.source, next.runId)).toHaveLength(1);
    });

    test("one that was pruned, undone or never there is not shown", async () => {
      using it = await opened();
      for (const text of ["one", "two", "three"]) await it.publish(text);
      await it.ingest.prune(it.site.id, 2);
      await it.generations.show(it.site.id, 2);
      await it.publish("four");
      for (const number of [1, 3, 5, 0]) {
        expect((await appErrorOf(() => it.generations.show(it.site.id, number))).code).toBe("not_found");
      }
      expect([await it.visible(), await it.numbers()]).toEqual([["four"], [4, 2]]);
      await (await it.ingest.lock(it.source)).release();
    });

    test("none is shown while a source of the site is read; the locks that were taken are given back", async () => {
      using it = await opened();
      const second = await it.sources.open(sourceSpec(it.site.id, { location: "/second" }), TEST_TIME);
      for (const text of ["one", "two"]) await it.publish(text);
      const lease = await it.ingest.lock(second);
      const error = await appErrorOf(() => it.generations.show(it.site.id, 1));
      expect([error.code, error.message, error.hint]).toEqual([
        "conflict",
        expect.stringContaining("/second"),
        expect.any(String),
      ]);
      expect(await it.visible()).toEqual(["two"]);
      await (await it.ingest.lock(it.source)).release();
      await lease.release();
      await it.generations.show(it.site.id, 1);
      expect(await it.visible()).toEqual(["one"]);
    });
  });
}
