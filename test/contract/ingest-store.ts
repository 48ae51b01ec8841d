import { describe, expect, test } from "bun:test";
import type { PageMarks } from "../../src/reading/page/page-marks.ts";
import type { KnownPage } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every IngestStore guarantees. */
export function describeIngestStore(
  name: string,
  open: OpenStores<"ingest" | "sources" | "pages" | "sites">,
): void {
  describe(`ingest store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { ingest, sources, pages, sites } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      const visible = async (path: string) =>
        (await pages.findPages(site.id, path, "everything")).map(({ markdown }) => markdown);
      const begin = () => ingest.openRun(source, TEST_TIME);
      const known = async (runId: number): Promise<KnownPage[]> =>
        (await ingest.knownPages(source, runId)).toSorted(
          (a, b) => a.path.localeCompare(b.path) || Number(a.staged) - Number(b.staged),
        );
      return {
        ingest,
        pages,
        sources,
        sites,
        site,
        source,
        visible,
        begin,
        known,
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }
    const asKnown = (path: string, text: string, { staged = false, dropped = false } = {}): KnownPage => ({
      path,
      location: "page.md",
      contentHash: `hash of ${text}`,
      staged,
      dropped,
      groups: [],
      images: [],
    });

    test("the same place is the same source; another version, language, kind or site is another", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      expect(await it.sources.open(sourceSpec(it.site.id), TEST_TIME + 1)).toEqual(it.source);
      const ids = [it.source.id];
      for (const spec of [
        sourceSpec(it.site.id, { version: "2" }),
        sourceSpec(it.site.id, { language: "de" }),
        sourceSpec(it.site.id, { kind: "demo" }),
        sourceSpec(it.site.id, { location: "/other" }),
        sourceSpec(other.id),
      ]) {
        ids.push((await it.sources.open(spec, TEST_TIME)).id);
      }
      expect(new Set(ids).size).toBe(6);
    });

    test("a site's sources are listed in the order in which they were first read", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.sources.open(sourceSpec(other.id), TEST_TIME);
      const second = await it.sources.open(sourceSpec(it.site.id, { kind: "demo", version: "2" }), TEST_TIME);
      expect(await it.sources.list(it.site.id)).toMatchObject([it.source, second]);
      expect(await it.sources.list(999)).toEqual([]);
    });

    test("a run that was not ended is resumed", async () => {
      using it = await opened();
      const first = await it.begin();
      expect(first.resumed).toBe(false);
      expect(await it.begin()).toEqual({ runId: first.runId, resumed: true });
    });

    test("a run of another source is another run", async () => {
      using it = await opened();
      const first = await it.begin();
      const other = await it.sources.open(sourceSpec(it.site.id, { version: "2" }), TEST_TIME);
      const second = await it.ingest.openRun(other, TEST_TIME);
      expect(second.resumed).toBe(false);
      expect(second.runId).not.toBe(first.runId);
    });

    test("a run that was published or discarded is not resumed", async () => {
      using it = await opened();
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      const second = await it.begin();
      expect(second.resumed).toBe(false);
      await it.ingest.discard(second.runId);
      expect((await it.begin()).resumed).toBe(false);
    });

    test("what is staged is invisible until the switch, and then all of it is there", async () => {
      using it = await opened();
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "one"), stagedPage("b", "two")]);
      expect(await it.visible("a")).toEqual([]);
      expect(await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME })).toBe(1);
      expect([await it.visible("a"), await it.visible("b")]).toEqual([["one"], ["two"]]);
    });

    test("a source has the menu that its last generation came with, until another one comes with one", async () => {
      using it = await opened();
      const menu = (label: string) => [{ label: "Guides", children: [{ label, path: "a", children: [] }] }];
      const publish = async (said: ReturnType<typeof menu> | undefined) => {
        const { runId } = await it.begin();
        await it.ingest.stage(it.source, runId, [stagedPage("a", `${said?.[0]?.children[0]?.label}`)]);
        return it.ingest.publish(it.source, runId, { counts: NO_COUNTS, menu: said, at: TEST_TIME });
      };
      expect(await it.ingest.menu(it.source)).toEqual([]);
      await publish(menu("One"));
      await publish(undefined);
      expect(await it.ingest.menu(it.source)).toEqual(menu("One"));
      await publish(menu("Two"));
      const shown = async (generation: number) =>
        (await it.pages.listMenus(it.source.siteId, generation)).map(({ entries }) => entries);
      expect([await shown(0), await shown(1), await shown(2), await shown(3)]).toEqual([
        [],
        [menu("One")],
        [menu("One")],
        [menu("Two")],
      ]);
      await it.ingest.prune(it.source.siteId, 2);
      expect([await shown(2), await shown(3)]).toEqual([[menu("One")], [menu("Two")]]);
      await publish([]);
      expect([await it.ingest.menu(it.source), await shown(4)]).toEqual([[], []]);
    });

    test("a source has the redirects that its last generation came with, and those of a kept one come back", async () => {
      using it = await opened();
      const leadingTo = (to: string) => [{ from: "old", to }];
      const publish = async (to: string | undefined) => {
        const { runId } = await it.begin();
        await it.ingest.stage(it.source, runId, [stagedPage("a", `${to}`)]);
        const redirects = to === undefined ? undefined : leadingTo(to);
        return it.ingest.publish(it.source, runId, { counts: NO_COUNTS, redirects, at: TEST_TIME });
      };
      expect(await it.ingest.redirects(it.source)).toEqual([]);
      await publish("a#one");
      await publish(undefined);
      expect(await it.ingest.redirects(it.source)).toEqual(leadingTo("a#one"));
      await publish("a");
      await it.ingest.prune(it.source.siteId, 2);
      const shown = (generation: number) => it.pages.listRedirects(it.source.siteId, generation);
      expect([await shown(0), await shown(2), await shown(3)]).toEqual([
        [],
        leadingTo("a#one"),
        leadingTo("a"),
      ]);
    });

    test("a page that is staged again is in the run once, as it came last", async () => {
      using it = await opened();
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "one")]);
      await it.ingest.stage(it.source, runId, [stagedPage("a", "two")]);
      expect(await it.known(runId)).toEqual([asKnown("a", "two", { staged: true })]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect(await it.visible("a")).toEqual(["two"]);
    });

    test("a new revision takes the place of the visible one at the switch, not before", async () => {
      using it = await opened();
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "two")]);
      expect(await it.visible("a")).toEqual(["one"]);
      expect(await it.known(runId)).toEqual([
        asKnown("a", "one", { dropped: true }),
        asKnown("a", "two", { staged: true }),
      ]);
      expect(await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME })).toBe(2);
      expect(await it.visible("a")).toEqual(["two"]);
    });

    test("a page is the same one whatever its marks: a revision with others takes its place", async () => {
      using it = await opened();
      const marked = (marks: PageMarks) => stagedPage("a", "text", { marks });
      const original = { version: "2", language: "en", translations: { es: "es/a" } };
      const spanish = { version: "", language: "es" };
      for (const marks of [original, spanish]) {
        await publishPages(it.ingest, it.source, [marked(marks)]);
        expect(await it.pages.findPages(it.site.id, "a", "everything")).toEqual([
          expect.objectContaining(marks),
        ]);
      }
      const [page] = await it.pages.findPages(it.site.id, "a", "everything");
      expect(page?.translations).toBeUndefined();
      await publishPages(it.ingest, it.source, [], ["a"]);
      expect(await it.pages.findPages(it.site.id, "a", "everything")).toEqual([]);
    });

    test("a page without marks has those of its source", async () => {
      using it = await opened();
      const source = await it.sources.open(
        sourceSpec(it.site.id, { version: "2", language: "de" }),
        TEST_TIME,
      );
      await publishPages(it.ingest, source, [stagedPage("a", "text")]);
      expect(await it.pages.findPages(it.site.id, "a", "everything")).toEqual([
        expect.objectContaining({ version: "2", language: "de" }),
      ]);
    });

    test("a dropped page stays visible until the switch, and is gone after it", async () => {
      using it = await opened();
      await publishPages(it.ingest, it.source, [stagedPage("a", "one"), stagedPage("b", "two")]);
      const { runId } = await it.begin();
      await it.ingest.drop(it.source, runId, ["a"]);
      expect(await it.known(runId)).toEqual([asKnown("a", "one", { dropped: true }), asKnown("b", "two")]);
      expect(await it.visible("a")).toEqual(["one"]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect([await it.visible("a"), await it.visible("b")]).toEqual([[], ["two"]]);
    });

    test("keep takes back what the run staged and what it marked", async () => {
      using it = await opened();
      await publishPages(it.ingest, it.source, [stagedPage("a", "one"), stagedPage("b", "two")]);
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "changed")]);
      await it.ingest.drop(it.source, runId, ["b"]);
      await it.ingest.keep(it.source, runId, ["a", "b"]);
      expect(await it.known(runId)).toEqual([asKnown("a", "one"), asKnown("b", "two")]);
      await it.ingest.discard(runId);
      expect([await it.visible("a"), await it.visible("b")]).toEqual([["one"], ["two"]]);
    });

    test("drop takes back what was staged for a path that readers never saw", async () => {
      using it = await opened();
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "one")]);
      await it.ingest.drop(it.source, runId, ["a", "never there"]);
      expect(await it.known(runId)).toEqual([]);
      await it.ingest.discard(runId);
    });

    test("a page that comes back after it was removed is there once", async () => {
      using it = await opened();
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      await publishPages(it.ingest, it.source, [], ["a"]);
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      expect(await it.visible("a")).toEqual(["one"]);
    });

    test("what a source does is done to its own pages alone", async () => {
      using it = await opened();
      const other = await it.sources.open(sourceSpec(it.site.id, { location: "/other" }), TEST_TIME);
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      await publishPages(it.ingest, other, [stagedPage("a", "other")]);
      expect((await it.visible("a")).sort()).toEqual(["one", "other"]);
      await publishPages(it.ingest, other, [], ["a"]);
      expect(await it.visible("a")).toEqual(["one"]);
      const { runId } = await it.begin();
      expect(await it.known(runId)).toEqual([asKnown("a", "one")]);
    });

    test("two sources of one site may run at the same time: each switch shows its own pages", async () => {
      using it = await opened();
      const other = await it.sources.open(sourceSpec(it.site.id, { location: "/other" }), TEST_TIME);
      const first = await it.begin();
      const second = await it.ingest.openRun(other, TEST_TIME);
      await it.ingest.stage(it.source, first.runId, [stagedPage("a", "one")]);
      await it.ingest.stage(other, second.runId, [stagedPage("b", "two")]);
      // The run that began last ends first.
      expect(await it.ingest.publish(other, second.runId, { counts: NO_COUNTS, at: TEST_TIME })).toBe(1);
      expect([await it.visible("a"), await it.visible("b")]).toEqual([[], ["two"]]);
      expect(await it.ingest.publish(it.source, first.runId, { counts: NO_COUNTS, at: TEST_TIME })).toBe(2);
      expect([await it.visible("a"), await it.visible("b")]).toEqual([["one"], ["two"]]);
    });

    test("generations of two sites are counted apart", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      await publishPages(it.ingest, it.source, [stagedPage("a", "two")]);
      expect(await publishPages(it.ingest, source, [stagedPage("a", "three")])).toBe(1);
      expect((await it.sites.listSites()).map(({ domain, generation }) => `${domain} ${generation}`)).toEqual(
        ["docs 2", "other 1"],
      );
    });

    test("one run at a time holds a source", async () => {
      using it = await opened();
      const lease = await it.ingest.lock(it.source);
      const error = await appErrorOf(() => it.ingest.lock(it.source));
      expect(error.code).toBe("conflict");
      expect(error.hint).toBeString();
      const other = await it.sources.open(sourceSpec(it.site.id, { version: "2" }), TEST_TIME);
      await (await it.ingest.lock(other)).release();
      await lease.release();
      await (await it.ingest.lock(it.source)).release();
    });

    test("pruning a site that has nothing to prune is nothing", async () => {
      using it = await opened();
      await it.ingest.prune(it.site.id, 3);
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      await it.ingest.prune(it.site.id, 1);
      expect(await it.visible("a")).toEqual(["one"]);
    });

    test("pruning never touches what readers see or what a run has staged", async () => {
      using it = await opened();
      for (const text of ["one", "two", "three"]) {
        await publishPages(it.ingest, it.source, [stagedPage("a", text), stagedPage("b", "always")]);
      }
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "four")]);
      await it.ingest.prune(it.site.id, 1);
      expect([await it.visible("a"), await it.visible("b")]).toEqual([["three"], ["always"]]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect([await it.visible("a"), await it.visible("b")]).toEqual([["four"], ["always"]]);
    });

    test("a site is removed with all that its runs left, staged or published", async () => {
      using it = await opened();
      const kept = await addSite(it.sites, "kept");
      const keptSource = await it.sources.open(sourceSpec(kept.id), TEST_TIME);
      await publishPages(it.ingest, keptSource, [stagedPage("a", "kept")]);
      await publishPages(it.ingest, it.source, [stagedPage("a", "one")]);
      await publishPages(it.ingest, it.source, [stagedPage("a", "two")]);
      const { runId } = await it.begin();
      await it.ingest.stage(it.source, runId, [stagedPage("a", "three")]);
      await it.sites.removeSite(it.site.id);
      expect((await it.sites.listSites()).map(({ domain }) => domain)).toEqual(["kept"]);
      expect(await it.ingest.knownPages(it.source, runId)).toEqual([]);
      const known = await it.ingest.knownPages(keptSource, 0);
      expect(known).toEqual([asKnown("a", "kept")]);
    });
  });
}
