import { describe, expect, test } from "bun:test";
import type { GenerationReport } from "../../src/measuring/golden/comparison.ts";
import type { ChangedPage } from "../../src/measuring/golden/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const REPORT: GenerationReport = {
  before: 1,
  pages: {
    counts: { added: 0, changed: 0, removed: 0, moved: 1 },
    added: [],
    changed: [],
    removed: [],
    moved: [{ path: "b", title: "B", from: "a" }],
  },
  golden: { asked: 1, unasked: 0, worse: [], better: [] },
  questions: { asked: 1, gained: [{ turnId: "1", asked: 2, isGap: true, page: "b" }], lost: [] },
};

/** What every GenerationReportStore guarantees. */
export function describeGenerationReportStore(
  name: string,
  open: OpenStores<
    | "generationReports"
    | "generations"
    | "threads"
    | "feedback"
    | "gaps"
    | "sites"
    | "sources"
    | "ingest"
    | "search"
  >,
): void {
  describe(`generation report store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      const publish = (
        ...given: Parameters<typeof publishPages> extends [unknown, unknown, ...infer Rest] ? Rest : never
      ) => publishPages(stores.ingest, source, ...given);
      return { ...stores, site, other, source, publish, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    const pathsOf = (pages: readonly ChangedPage[]) => pages.map(({ path }) => path);

    test("a report is kept whole, another of its number in its place, for its site alone", async () => {
      using it = await opened();
      await it.generationReports.put(it.site.id, 2, { ...REPORT, golden: undefined }, TEST_TIME);
      await it.generationReports.put(it.site.id, 2, REPORT, TEST_TIME + 1);
      expect(await it.generationReports.get(it.site.id, 2)).toEqual({ report: REPORT, at: TEST_TIME + 1 });
      expect(await it.generationReports.get(it.site.id, 1)).toBeUndefined();
      expect(await it.generationReports.get(it.other.id, 2)).toBeUndefined();
    });

    test("no more than fifty are kept of a site", async () => {
      using it = await opened();
      await it.generationReports.put(it.other.id, 1, REPORT, TEST_TIME);
      for (let number = 1; number <= 52; number++)
        await it.generationReports.put(it.site.id, number, REPORT, TEST_TIME);
      expect(await it.generationReports.get(it.site.id, 2)).toBeUndefined();
      expect(await it.generationReports.get(it.site.id, 3)).toBeDefined();
      expect(await it.generationReports.get(it.other.id, 1)).toBeDefined();
    });

    test("what a run brings and takes is told while it is staged, and once it is published", async () => {
      using it = await opened();
      await it.publish([
        stagedPage("a", "one"),
        stagedPage("b", "two"),
        stagedPage("c", "three", { hidden: true }),
      ]);
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [
        stagedPage("a", "Größe"),
        stagedPage("d", "four"),
        stagedPage("e", "five", { hidden: true }),
        stagedPage("f", "six", { kind: "answer" }),
      ]);
      await it.ingest.drop(it.source, runId, ["b", "c"]);
      const point = { staged: runId };
      const staged = await it.generationReports.revisions(it.site.id, point, 10);
      const sourceId = it.source.id;
      expect(staged).toEqual({
        brought: [
          { path: "a", title: "a", sourceId, bytes: 7 },
          { path: "d", title: "d", sourceId, bytes: 4 },
        ],
        taken: [
          { path: "a", title: "a", sourceId, bytes: 3 },
          { path: "b", title: "b", sourceId, bytes: 3 },
        ],
        redirects: [],
      });
      const one = await it.generationReports.revisions(it.site.id, point, 1);
      expect([pathsOf(one.brought), pathsOf(one.taken)]).toEqual([["a"], ["a"]]);
      const redirects = [{ from: "b", to: "d" }];
      const number = await it.ingest.publish(it.source, runId, {
        counts: NO_COUNTS,
        redirects,
        at: TEST_TIME,
      });
      const published = { ...staged, redirects };
      expect(await it.generationReports.revisions(it.site.id, { generation: number }, 10)).toEqual(published);
      const nothing = { brought: [], taken: [], redirects: [] };
      expect(await it.generationReports.revisions(it.site.id, point, 10)).toEqual(nothing);
      expect(await it.generationReports.revisions(it.other.id, { generation: number }, 10)).toEqual(nothing);
    });

    test("the pages of a large run are all told, in parts", async () => {
      using it = await opened();
      const pages = Array.from({ length: 1203 }, (_, index) => stagedPage(`p${index}`, "text"));
      const generation = await it.publish(pages);
      const { brought } = await it.generationReports.revisions(it.site.id, { generation }, 5000);
      expect(new Set(pathsOf(brought)).size).toBe(1203);
    });

    test("the generation before is the last that was not taken back", async () => {
      using it = await opened();
      const before = (number: number) => it.generationReports.before(it.site.id, number);
      await it.publish([stagedPage("a", "one")]);
      await it.publish([stagedPage("a", "two")]);
      expect([await before(1), await before(2), await before(3)]).toEqual([0, 1, undefined]);
      await it.generations.show(it.site.id, 1);
      expect(await it.publish([stagedPage("a", "three")])).toBe(3);
      expect([await before(2), await before(3)]).toEqual([undefined, 1]);
      expect(await it.generationReports.before(it.other.id, 3)).toBeUndefined();
    });

    test("the latest are told by when they were made, with whether readers see what they are about", async () => {
      using it = await opened();
      const { generationReports } = it;
      for (const text of ["one", "two", "three"]) await it.publish([stagedPage("a", text)]);
      await generationReports.put(it.site.id, 1, REPORT, TEST_TIME + 2);
      await generationReports.put(it.site.id, 2, REPORT, TEST_TIME);
      await generationReports.put(it.site.id, 3, REPORT, TEST_TIME + 1);
      // Nothing is known of it any more.
      await generationReports.put(it.site.id, 9, REPORT, TEST_TIME);
      const latest = async (most = 10) =>
        (await generationReports.latest(it.site.id, most)).map(
          ({ number, at, isUndone, visible }) =>
            `${number} +${at - TEST_TIME}${isUndone ? " undone" : ""}, ${visible} seen`,
        );
      expect(await latest()).toEqual(["1 +2, 3 seen", "3 +1, 3 seen", "2 +0, 3 seen"]);
      expect(await latest(1)).toEqual(["1 +2, 3 seen"]);
      await it.generations.show(it.site.id, 2);
      expect(await latest()).toEqual(["1 +2, 2 seen", "3 +1 undone, 2 seen", "2 +0, 2 seen"]);
      await it.publish([stagedPage("a", "four")]);
      await generationReports.put(it.site.id, 4, REPORT, TEST_TIME + 3);
      expect(await latest(3)).toEqual(["4 +3, 4 seen", "1 +2, 4 seen", "3 +1 undone, 4 seen"]);
      expect(await generationReports.latest(it.other.id, 10)).toEqual([]);
    });

    test("what readers asked is told, the newest first, with whether the docs answered it", async () => {
      using it = await opened();
      const { site, threads } = it;
      const asked = { fp: "ann", text: "Why?" };
      const add = (
        id: string,
        outcome: "answered" | "quoted" | "unanswered" | "curated" | "failed",
        at: number,
      ) => addTurn(threads, { siteId: site.id, id, threadId: id, asked, end: { outcome }, at });
      await add("1", "answered", TEST_TIME);
      await add("2", "unanswered", TEST_TIME + 1);
      await add("3", "quoted", TEST_TIME + 2);
      await add("4", "curated", TEST_TIME + 3);
      await add("5", "failed", TEST_TIME + 4);
      const disliked = { messageId: "3", threadId: "3", helpful: false, comment: undefined };
      await it.feedback.put(site.id, disliked, TEST_TIME + 5);
      const mark = (await it.gaps.placed(site.id, 10)).mark;
      const placement = { turnId: "2", gapId: "G", reason: "nothing_near", nearest: undefined } as const;
      await it.gaps.place(site.id, mark, [placement], TEST_TIME + 5);
      const told = await it.generationReports.asked(site.id, 10);
      expect(told.map(({ turnId, text, isGap, gapId }) => [turnId, text, isGap, gapId])).toEqual([
        ["3", "Why?", true, undefined],
        ["2", "Why?", true, "G"],
        ["1", "Why?", false, undefined],
      ]);
      expect(await it.generationReports.asked(site.id, 1)).toHaveLength(1);
      expect(await it.generationReports.asked(it.other.id, 10)).toEqual([]);
      expect([...(await it.generationReports.words(site.id, ["1", "gone", "5"]))]).toEqual([
        ["1", "Why?"],
        ["5", "Why?"],
      ]);
      expect([...(await it.generationReports.words(it.other.id, ["1"]))]).toEqual([]);
    });
  });
}
