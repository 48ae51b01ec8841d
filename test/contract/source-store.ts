import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kernel/lib/clock.ts";
import type { DocsOverview } from "../../src/sites/ingest/docs-overview.ts";
import type { RunOutcome } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const ADDRESSES = { asked: 2, answering: 1, missing: [{ address: "https://a.example/b", why: "404" }] };
const DOCS: DocsOverview = {
  pages: 2,
  menu: [{ label: "Guide", below: ["Install"], more: 3 }],
  menuMore: 0,
  samples: [{ location: "docs/a.md", path: "a" }],
  unknowns: [
    { name: "baseUrl", question: "Which?", guess: "/" },
    { question: "Do programs?", guess: "no" },
  ],
};

/** What every SourceStore guarantees. */
export function describeSourceStore(
  name: string,
  open: OpenStores<"sources" | "ledger" | "ingest" | "sites">,
): void {
  describe(`source store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { sources, ledger, ingest, sites } = stores;
      const site = await addSite(sites, "docs");
      return {
        sources,
        ledger,
        ingest,
        sites,
        site,
        add: (location: string, siteId = site.id) =>
          sources.open(sourceSpec(siteId, { location }), TEST_TIME),
        due: async (at: number) => (await sources.due(at)).map(({ location }) => location),
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("a new source is on demand, without options, and has no run", async () => {
      using it = await opened();
      const source = await it.add("/docs");
      expect(await it.sources.list(it.site.id)).toEqual([
        {
          ...source,
          options: {},
          everyMs: undefined,
          nextRunAt: undefined,
          awaitsConsent: false,
          lastRun: undefined,
        },
      ]);
    });

    test("opening one again gives it, and uses up no number", async () => {
      using it = await opened();
      const first = await it.add("/one");
      for (let time = 0; time < 5; time++) expect(await it.add("/one")).toEqual(first);
      expect((await it.add("/two")).id).toBe(first.id + 1);
    });

    test("what is changed is changed, and what is not named stays", async () => {
      using it = await opened();
      const { id } = await it.add("/docs");
      await it.add("/other");
      await it.sources.change(id, {
        everyMs: 1000,
        nextRunAt: TEST_TIME,
        options: { authorizationVariable: "A", published: "https://docs.example.com/" },
      });
      await it.sources.change(id, {});
      await it.sources.change(id, { nextRunAt: TEST_TIME + 5 });
      const options = { authorizationVariable: "A", published: "https://docs.example.com/" };
      const changed = { options, everyMs: 1000, nextRunAt: TEST_TIME + 5 };
      expect(await it.sources.list(it.site.id)).toMatchObject([changed, { options: {}, everyMs: undefined }]);
      await it.sources.change(id, { everyMs: null, nextRunAt: null, options: {} });
      expect((await it.sources.list(it.site.id))[0]).toMatchObject({
        options: {},
        everyMs: undefined,
        nextRunAt: undefined,
        awaitsConsent: false,
      });
    });

    test("those are due whose time has come, of all sites, the longest waiting first", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const soon = await it.add("/soon");
      const sooner = await it.add("/sooner", other.id);
      const later = await it.add("/later");
      await it.add("/never");
      await it.sources.change(soon.id, { everyMs: 1000, nextRunAt: TEST_TIME + 20 });
      await it.sources.change(sooner.id, { everyMs: 1000, nextRunAt: TEST_TIME + 10 });
      await it.sources.change(later.id, { everyMs: 1000, nextRunAt: TEST_TIME + 30 });
      expect([await it.due(TEST_TIME), await it.due(TEST_TIME + 10), await it.due(TEST_TIME + 29)]).toEqual([
        [],
        ["/sooner"],
        ["/sooner", "/soon"],
      ]);
    });

    test("one is due that a clock which was years ahead put off until then, and not one of a clock that differs a little", async () => {
      using it = await opened();
      const everyMs = 6 * HOUR_MS;
      const { id: put } = await it.add("/put-off");
      const { id: other } = await it.add("/other-server");
      await it.sources.change(put, { everyMs, nextRunAt: TEST_TIME + 400 * DAY_MS + everyMs });
      await it.sources.change(other, { everyMs, nextRunAt: TEST_TIME + MINUTE_MS + everyMs });
      expect(await it.due(TEST_TIME)).toEqual(["/put-off"]);
    });

    test("one without an interval is never due, whatever was noted of its next run", async () => {
      using it = await opened();
      const { id } = await it.add("/docs");
      await it.sources.change(id, { everyMs: null, nextRunAt: TEST_TIME });
      expect(await it.due(TEST_TIME + 1000)).toEqual([]);
    });

    test("one that was only shown is due once it was read on demand", async () => {
      using it = await opened();
      const source = await it.add("/docs");
      await it.sources.change(source.id, { everyMs: 10, nextRunAt: TEST_TIME });
      const end = async (outcome: RunOutcome) => {
        const runId = await it.ledger.beginRun(source, TEST_TIME);
        await it.ledger.endRun(source, runId, { outcome, counts: {}, at: TEST_TIME });
        return it.due(TEST_TIME + 1);
      };
      expect(await end("previewed")).toEqual([]);
      expect(await it.sources.list(it.site.id)).toMatchObject([{ awaitsConsent: true }]);
      expect(await end("published")).toEqual(["/docs"]);
      expect(await end("previewed")).toEqual(["/docs"]);
    });

    test("a removed one is not listed and not due; opening it brings it back, on demand", async () => {
      using it = await opened();
      const source = await it.add("/docs");
      await it.sources.change(source.id, { everyMs: 1000, nextRunAt: TEST_TIME });
      await it.sources.remove(source.id, TEST_TIME);
      expect([await it.sources.list(it.site.id), await it.due(TEST_TIME + 1000)]).toEqual([[], []]);
      expect(await it.add("/docs")).toEqual(source);
      expect(await it.sources.list(it.site.id)).toMatchObject([{ everyMs: undefined, nextRunAt: undefined }]);
    });

    test("one of which nothing was stored is removed with the run that was begun of it; one with a page stays", async () => {
      using it = await opened();
      const [empty, begun, staged] = [
        await it.add("/empty"),
        await it.add("/begun"),
        await it.add("/staged"),
      ];
      const { runId } = await it.ingest.openRun(begun, TEST_TIME);
      const { runId: stagedId } = await it.ingest.openRun(staged, TEST_TIME);
      await it.ingest.stage(staged, stagedId, [stagedPage("a", "zebra")]);
      const removed = [];
      for (const { id } of [empty, begun, staged]) removed.push(await it.sources.removeUnread(id, TEST_TIME));
      expect(removed).toEqual([true, true, false]);
      expect(await it.sources.list(it.site.id)).toMatchObject([{ location: "/staged" }]);
      expect(await it.ingest.openRun(staged, TEST_TIME)).toEqual({ runId: stagedId, resumed: true });
      // Added again, it begins anew.
      const again = await it.ingest.openRun(await it.add("/begun"), TEST_TIME);
      expect([again.resumed, again.runId === runId]).toEqual([false, false]);
    });

    test("the last run is the one that began last, ended or not", async () => {
      using it = await opened();
      const source = await it.add("/docs");
      const first = await it.ledger.beginRun(source, TEST_TIME);
      await it.ledger.noteDocs(source, first, "Docusaurus", DOCS);
      await it.ledger.endRun(source, first, {
        outcome: "published",
        generation: 1,
        addresses: ADDRESSES,
        counts: { added: 2 },
        at: TEST_TIME + 5,
      });
      const lastRun = async () => (await it.sources.list(it.site.id))[0]?.lastRun;
      expect(await lastRun()).toEqual({
        startedAt: TEST_TIME,
        finishedAt: TEST_TIME + 5,
        outcome: "published",
        message: undefined,
        generation: 1,
        generator: "Docusaurus",
        docs: DOCS,
        addresses: ADDRESSES,
        counts: { added: 2 },
      });
      await it.ledger.beginRun(source, TEST_TIME + 10);
      expect(await lastRun()).toMatchObject({
        startedAt: TEST_TIME + 10,
        finishedAt: undefined,
        outcome: undefined,
      });
    });

    test("sources go with their site", async () => {
      using it = await opened();
      const { id } = await it.add("/docs");
      await it.sources.change(id, { everyMs: 1000, nextRunAt: TEST_TIME });
      await it.sites.removeSite(it.site.id);
      expect([await it.sources.list(it.site.id), await it.due(TEST_TIME)]).toEqual([[], []]);
    });
  });
}
