import { describe, expect, test } from "bun:test";
import type { Period, RangeFigures } from "../../src/measuring/analytics/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addSite } from "../helpers/site-data.ts";
import { addTurn } from "../helpers/turn-data.ts";
import type { OpenStores } from "./stores.ts";

const HOUR_MS = 3600 * 1000;
const hours = (from: number, to: number): Period => ({
  from: TEST_TIME + from * HOUR_MS,
  to: TEST_TIME + to * HOUR_MS,
});
const BOUNDS = { questionsMax: 100, pagesMax: 10 };

/** What every OverviewStore guarantees. */
export function describeOverviewStore(
  name: string,
  open: OpenStores<"overview" | "threads" | "sites" | "feedback" | "searchLog" | "retention">,
): void {
  describe(`overview store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const other = await addSite(stores.sites, "other");
      const add = (id: string, hour: number, more: Partial<Parameters<typeof addTurn>[1]> = {}) =>
        addTurn(stores.threads, { siteId: site.id, id, at: TEST_TIME + hour * HOUR_MS, ...more });
      const sorted = ({ queueMs, firstTokenMs, totalMs, ...rest }: RangeFigures) => ({
        ...rest,
        queueMs: queueMs.toSorted((a, b) => a - b),
        firstTokenMs: firstTokenMs.toSorted((a, b) => a - b),
        totalMs: totalMs.toSorted((a, b) => a - b),
      });
      return { ...stores, site, other, add, sorted, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("questions are counted by range and outcome; a range has its beginning and not its end", async () => {
      using it = await opened();
      await it.add("1", 0, { end: { outcome: "answered" } });
      await it.add("2", 1, { end: { outcome: "answered" } });
      await it.add("3", 1, { end: { outcome: "unanswered" } });
      await it.add("4", 2, { end: null });
      await it.add("5", 3, { end: { outcome: "failed" } });
      const counts = await it.overview.outcomes(it.site.id, [hours(0, 1), hours(1, 3), hours(5, 9)]);
      expect(counts.toSorted((a, b) => a.range - b.range || b.count - a.count)).toEqual(
        expect.arrayContaining([
          { range: 0, outcome: "answered", count: 1 },
          { range: 1, outcome: "answered", count: 1 },
          { range: 1, outcome: "unanswered", count: 1 },
          { range: 1, outcome: undefined, count: 1 },
        ]),
      );
      expect(counts).toHaveLength(4);
    });

    test("questions are shared once several readers asked them in the same words, and were answered", async () => {
      using it = await opened();
      const bounds = { questionsMax: 100, charactersMax: 60, readersMin: 3, daysMin: 1, limit: 5 };
      const ask = (id: string, fp: string, text: string) => it.add(id, Number(id), { asked: { fp, text } });
      await ask("1", "ann", "How do I install it");
      await ask("2", "bob", "how do I install it?");
      expect(await it.overview.shared(it.site.id, hours(0, 50), bounds)).toEqual([]);
      await ask("3", "cy", " How do I install it? ");
      await ask("4", "cy", "How do I install it?");
      const words = "How do I install it?";
      expect(await it.overview.shared(it.site.id, hours(0, 50), bounds)).toEqual([
        { question: words, readers: 3 },
      ]);
      expect(await it.overview.shared(it.site.id, hours(2, 50), bounds)).toEqual([]);
      expect(await it.overview.shared(it.site.id, hours(0, 50), { ...bounds, daysMin: 2 })).toEqual([]);
      await ask("30", "di", "How do I install it?");
      expect(await it.overview.shared(it.site.id, hours(0, 50), { ...bounds, daysMin: 2 })).toEqual([
        { question: words, readers: 4 },
      ]);
      expect(await it.overview.shared(it.other.id, hours(0, 50), bounds)).toEqual([]);
    });

    test("what one reader asks, was not answered, helped nobody or was for a group is never shared", async () => {
      using it = await opened();
      const bounds = { questionsMax: 100, charactersMax: 60, readersMin: 2, daysMin: 1, limit: 5 };
      const ask = async (text: string, fps: string[], more: Parameters<typeof it.add>[2] = {}) => {
        for (const fp of fps)
          await it.add(`${text} by ${fp}`, 1, { ...more, asked: { ...more.asked, fp, text } });
      };
      await ask("My own password?", ["ann"]);
      await ask("Nobody's name?", ["anonymous", "bob"]);
      await ask("Not answered?", ["ann", "bob"], { end: { outcome: "unanswered" } });
      await ask("For staff?", ["ann", "bob"], { asked: { filter: { groups: ["staff"] } } });
      await ask("long ".repeat(20), ["ann", "bob"]);
      for (const text of ["See https://a.example?", "What is www.a.example?", "Who is ann@a.example?"])
        await ask(text, ["ann", "bob"]);
      await ask("Liked?", ["ann", "bob"], {
        asked: { filter: { version: '\0 \ud800 "groups":["', groups: [] } },
      });
      await ask("Disliked?", ["ann", "bob"]);
      const messageId = "Disliked? by ann";
      const said = { messageId, threadId: `thread ${messageId}`, helpful: false, comment: undefined };
      expect(await it.feedback.put(it.site.id, said, TEST_TIME)).toBe(true);
      const found = await it.overview.shared(it.site.id, hours(0, 50), bounds);
      expect(found.map(({ question }) => question)).toEqual(["Liked?"]);
    });

    test("what was deleted is counted still, on its day", async () => {
      using it = await opened();
      await it.add("1", 0, { end: { outcome: "quoted" } });
      await it.retention.removeTurns(it.site.id, { before: TEST_TIME + HOUR_MS }, 10);
      await it.add("2", 0, { end: { outcome: "quoted" } });
      const day = Date.UTC(2026, 0, 2);
      const ranges = [-1, 0, 1].map((shift) => ({
        from: day + shift * 24 * HOUR_MS,
        to: day + (shift + 1) * 24 * HOUR_MS,
      }));
      expect(await it.overview.outcomes(it.site.id, ranges)).toEqual([
        { range: 1, outcome: "quoted", count: 2 },
      ]);
      // In New York that day began five hours later, and holds the same noon.
      const newYork = ranges.map(({ from, to }) => ({ from: from + 5 * HOUR_MS, to: to + 5 * HOUR_MS }));
      const counts = await it.overview.outcomes(it.site.id, newYork);
      expect(counts.find(({ range }) => range === 1)).toMatchObject({ count: 1 });
    });

    test("figures are those of the period, readers without a name not among the readers", async () => {
      using it = await opened();
      const waits = (ms: number) => ({ queueMs: ms, firstTokenMs: ms + 1, totalMs: ms + 2 });
      await it.add("1", 0, { asked: { fp: "ann" }, end: { ...waits(5), cached: true } });
      await it.add("2", 0, { asked: { fp: "ann" }, end: waits(1) });
      await it.add("3", 0, { asked: { fp: "bob" }, end: { ...waits(3), queueMs: undefined } });
      await it.add("4", 0, { asked: { fp: "anonymous" }, end: null });
      await it.add("5", 2, { asked: { fp: "eve" } });
      expect(it.sorted(await it.overview.figures(it.site.id, hours(0, 1)))).toEqual({
        readers: 2,
        cached: 1,
        stored: 4,
        queueMs: [1, 5],
        firstTokenMs: [2, 4, 6],
        totalMs: [3, 5, 7],
      });
      expect(await it.overview.figures(it.site.id, hours(5, 6))).toEqual({
        readers: 0,
        cached: 0,
        stored: 0,
        queueMs: [],
        firstTokenMs: [],
        totalMs: [],
      });
    });

    test("opinions and searches are counted when they came", async () => {
      using it = await opened();
      await it.add("1", 0, { threadId: "A" });
      await it.add("2", 0, { threadId: "B" });
      const say = (messageId: string, threadId: string, isHelpful: boolean, hour: number) =>
        it.feedback.put(
          it.site.id,
          { messageId, threadId, helpful: isHelpful, comment: undefined },
          TEST_TIME + hour * HOUR_MS,
        );
      await say("1", "A", true, 1);
      await say("2", "B", false, 2);
      const search = { siteId: it.site.id, query: "x", results: 1 };
      await it.searchLog.add([
        { ...search, at: TEST_TIME },
        { ...search, at: TEST_TIME + HOUR_MS },
        { ...search, siteId: it.other.id, at: TEST_TIME },
      ]);
      expect(await it.overview.ratings(it.site.id, hours(0, 2))).toEqual({ helpful: 1, rated: 1 });
      expect(await it.overview.ratings(it.site.id, hours(0, 3))).toEqual({ helpful: 1, rated: 2 });
      expect(await it.overview.searches(it.site.id, hours(0, 1))).toBe(1);
      expect(await it.overview.searches(it.site.id, hours(0, 2))).toBe(2);
    });

    test("an answer that cites a place twice counts once, and only the newest questions are looked at", async () => {
      using it = await opened();
      const cited = (...urls: string[]) => ({ cited: urls.map((url, passageId) => ({ passageId, url })) });
      await it.add("1", 0, { end: cited("/old#a") });
      await it.add("2", 1, { end: cited("/a#x", "/a#y", "/b") });
      await it.add("3", 2, { end: cited("/a") });
      const period = hours(0, 9);
      const { pages, addresses } = await it.overview.cited(it.site.id, period, {
        ...BOUNDS,
        questionsMax: 2,
      });
      expect(pages).toEqual([]);
      expect(addresses.map(({ url, count }) => [url.split("#")[0], count])).toEqual([
        ["/a", 2],
        ["/b", 1],
      ]);
      expect((await it.overview.cited(it.site.id, period, BOUNDS)).addresses).toHaveLength(3);
    });

    test("pages on which questions were asked come most frequent first", async () => {
      using it = await opened();
      for (const [id, currentPath] of [
        ["1", "guide/a"],
        ["2", "guide/b"],
        ["3", "guide/b"],
        ["4", undefined],
      ] as const)
        await it.add(id, 0, { asked: { currentPath } });
      const all = await it.overview.askedOn(it.site.id, hours(0, 1), BOUNDS);
      expect(all).toEqual([
        { path: "guide/b", title: undefined, count: 2 },
        { path: "guide/a", title: undefined, count: 1 },
      ]);
      expect(await it.overview.askedOn(it.site.id, hours(0, 1), { ...BOUNDS, pagesMax: 1 })).toHaveLength(1);
    });

    test("another site's and replaced turns are in none of it", async () => {
      using it = await opened();
      const asked = { questionMessageId: "q", fp: "ann", currentPath: "p" };
      const end = { cited: [{ passageId: 1, url: "/a" }] };
      await it.add("theirs", 0, { siteId: it.other.id, asked, end });
      await it.add("before", 0, { threadId: "T", asked, end });
      await it.add("after", 5, { threadId: "T", asked, end });
      const period = hours(0, 1);
      expect(await it.overview.outcomes(it.site.id, [period])).toEqual([]);
      expect((await it.overview.figures(it.site.id, period)).stored).toBe(0);
      expect(await it.overview.cited(it.site.id, period, BOUNDS)).toEqual({ pages: [], addresses: [] });
      expect(await it.overview.askedOn(it.site.id, period, BOUNDS)).toEqual([]);
    });
  });
}
