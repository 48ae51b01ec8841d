import { describe, expect, test } from "bun:test";
import type { SegmentRow } from "../../src/finding/search/keyword-index/segment-store.ts";
import type { Passage } from "../../src/reading/markdown/page.ts";
import { countTurns } from "../helpers/count-turns.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const row = (number: number, text: string): SegmentRow => ({ number, bytes: bytesOf(text) });

const passage = (position: number, text: string, change: Partial<Passage> = {}) =>
  plainPassage(text, { position, ...change });

/** What every SegmentStore guarantees. */
export function describeSegmentStore(
  name: string,
  open: OpenStores<"segments" | "search" | "ingest" | "sources" | "sites">,
  { isShared = false } = {},
): void {
  describe(`segment store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { segments, search, ingest, sources, sites } = stores;
      const site = await addSite(sites, "docs");
      /** A finished segment of these rows. */
      const add = async (texts: string[], { siteId = site.id, replaced = [] as number[] } = {}) => {
        const id = await segments.begin(siteId);
        await segments.write(
          id,
          texts.map((text, number) => row(number, text)),
        );
        await segments.finish([{ id, passages: texts.length, revision: "1" }], replaced);
        return id;
      };
      return {
        segments,
        search,
        ingest,
        sites,
        site,
        sourceOf: (siteId: number, version = "") => sources.open(sourceSpec(siteId, { version }), TEST_TIME),
        add,
        /** The segments that a question reads. */
        seen: async (siteId = site.id) => (await search.state(siteId)).segments,
        listed: async (siteId = site.id) => (await segments.list(siteId)).map(({ id }) => id),
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("a segment is seen by nobody before it is finished, and then with all that is known of it", async () => {
      using it = await opened();
      const id = await it.segments.begin(it.site.id);
      await it.segments.write(id, [row(0, "documents"), row(1, "directory")]);
      await it.segments.write(id, [row(2, "terms")]);
      expect([await it.seen(), await it.listed()]).toEqual([[], []]);
      expect(await it.segments.unfinished(it.site.id)).toEqual([id]);
      await it.segments.finish([{ id, passages: 12, revision: "7.1" }], []);
      expect(await it.seen()).toEqual([id]);
      expect(await it.segments.list(it.site.id)).toEqual([{ id, passages: 12, bytes: 23, revision: "7.1" }]);
      expect(await it.segments.unfinished(it.site.id)).toEqual([]);
    });

    test("rows are read by their numbers, byte for byte, and those that are not there are missing", async () => {
      using it = await opened();
      const id = await it.segments.begin(it.site.id);
      const large = new Uint8Array(70_000).map((_, index) => index % 251);
      const last = 2 ** 24 - 1;
      await it.segments.write(id, [
        { number: 3, bytes: large },
        { number: 0, bytes: new Uint8Array() },
        { number: last, bytes: new Uint8Array([0, 255]) },
      ]);
      expect(await it.segments.rows(id, [last, 1, 0, 3])).toEqual([
        { number: 0, bytes: new Uint8Array() },
        { number: 3, bytes: large },
        { number: last, bytes: new Uint8Array([0, 255]) },
      ]);
      expect(await it.segments.rows(id, [])).toEqual([]);
      expect(await it.segments.rows(id + 1, [0, 3])).toEqual([]);
      await expect(it.segments.write(id, [row(last + 1, "of the next segment")])).rejects.toThrow();
    });

    test("a site's segments are its own, and come by their ids", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const [first, second, third] = [
        await it.add(["a"]),
        await it.add(["b"], { siteId: other.id }),
        await it.add(["c"]),
      ];
      expect([await it.seen(), await it.listed()]).toEqual([
        [first, third],
        [first, third],
      ]);
      expect([await it.seen(other.id), await it.listed(other.id)]).toEqual([[second], [second]]);
    });

    test("a segment takes the place of others at once, and their rows go", async () => {
      using it = await opened();
      const [first, second, kept] = [await it.add(["a"]), await it.add(["b"]), await it.add(["c"])];
      const id = await it.segments.begin(it.site.id);
      await it.segments.write(id, [row(0, "ab")]);
      expect(await it.seen()).toEqual([first, second, kept]);
      const finished = it.segments.finish([{ id, passages: 2, revision: "1" }], [first, second]);
      expect([
        [first, second, kept],
        [kept, id],
      ]).toContainEqual(await it.seen());
      await finished;
      expect(await it.listed()).toEqual([kept, id]);
      expect(await it.segments.rows(first, [0])).toEqual([]);
      expect(await it.segments.unfinished(it.site.id)).toEqual([]);
      expect(await it.segments.rows(kept, [0])).toEqual([row(0, "c")]);
    });

    test("nothing takes the place of others where one of them, or what comes, was taken away meanwhile", async () => {
      using it = await opened();
      const [first, second] = [await it.add(["a"]), await it.add(["b"])];
      const begun = [await it.segments.begin(it.site.id), await it.segments.begin(it.site.id)];
      const [lost = 0, left = 0] = begun;
      // Whoever has the index next takes what is unfinished for something that a killed process has left.
      await it.segments.remove([lost]);
      const finish = (written: number[], replaced: number[]) =>
        appErrorOf(() =>
          it.segments.finish(
            written.map((id) => ({ id, passages: 2, revision: "1" })),
            replaced,
          ),
        );
      const kept = async () => [await it.seen(), (await it.segments.rows(first, [0])).length];
      for (const [written, replaced] of [
        [[lost], [first, second]],
        [[left, lost], [first]],
        [[left], [first, lost]],
        [[first], [second]],
        [[], [first, left]],
      ] as const) {
        expect((await finish([...written], [...replaced])).code).toBe("conflict");
        expect(await kept()).toEqual([[first, second], 1]);
        expect(await it.segments.unfinished(it.site.id)).toEqual([left]);
      }
    });

    test("several segments take the place of one at once", async () => {
      using it = await opened();
      const whole = await it.add(["ab"]);
      const parts = [await it.segments.begin(it.site.id), await it.segments.begin(it.site.id)];
      const finished = it.segments.finish(
        parts.map((id) => ({ id, passages: 1, revision: "2" })),
        [whole],
      );
      expect([[whole], parts]).toContainEqual(await it.seen());
      await finished;
      expect(await it.listed()).toEqual(parts);
    });

    test("a segment that another writer took away takes the place of none", async () => {
      using it = await opened();
      const [first, second] = [await it.add(["a"]), await it.segments.begin(it.site.id)];
      const lost = await it.segments.begin(it.site.id);
      await it.segments.remove([lost]);
      const written = [second, lost].map((id) => ({ id, passages: 1, revision: "1" }));
      expect((await appErrorOf(() => it.segments.finish(written, [first]))).code).toBe("conflict");
      expect([await it.seen(), await it.segments.rows(first, [0])]).toEqual([[first], [row(0, "a")]]);
      expect(await it.segments.unfinished(it.site.id)).toEqual([second]);
    });

    test("whether a site's segments can be read is known with them", async () => {
      using it = await opened();
      const isReadable = async () => (await it.search.state(it.site.id)).isReadable;
      const [first, second] = [await it.segments.begin(it.site.id), await it.segments.begin(it.site.id)];
      await it.segments.finish([{ id: first, passages: 1, revision: "1.6" }], []);
      expect(await isReadable()).toBe(true);
      await it.segments.finish([{ id: second, passages: 1, revision: "1.5" }], []);
      expect(await isReadable()).toBe(false);
      await it.segments.remove([second]);
      expect(await isReadable()).toBe(true);
    });

    test("segments are removed, finished or not, and their ids are not given again", async () => {
      using it = await opened();
      const finished = await it.add(["a", "b"]);
      const begun = await it.segments.begin(it.site.id);
      await it.segments.write(begun, [row(0, "a")]);
      await it.segments.remove([finished, begun]);
      expect([await it.seen(), await it.segments.unfinished(it.site.id)]).toEqual([[], []]);
      expect([await it.segments.rows(finished, [0, 1]), await it.segments.rows(begun, [0])]).toEqual([
        [],
        [],
      ]);
      expect(await it.segments.begin(it.site.id)).toBeGreaterThan(begun);
      await it.segments.remove([finished]);
    });

    test("a large segment is seen by nobody once it is removed, and others run while its rows go", async () => {
      using it = await opened();
      const id = await it.add(Array.from({ length: 1000 }, (_, number) => `row ${number}`));
      const kept = await it.add(["kept"]);
      const turns = countTurns();
      const removed = it.segments.remove([id]);
      // Where others have connections of their own, they see it whole until all of it is gone, and this process only waits.
      if (!isShared) expect(await it.seen()).toEqual([kept]);
      await removed;
      if (!isShared) expect(turns.end()).toBeGreaterThan(10);
      expect(await it.seen()).toEqual([kept]);
      expect(await it.segments.rows(id, [0, 500, 999])).toEqual([]);
    });

    test("segments go with their site", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const [gone, kept] = [await it.add(["a"]), await it.add(["b"], { siteId: other.id })];
      await it.sites.removeSite(it.site.id);
      expect([await it.listed(), await it.segments.rows(gone, [0])]).toEqual([[], []]);
      expect([await it.listed(other.id), await it.segments.rows(kept, [0])]).toEqual([[kept], [row(0, "b")]]);
      // One that was being written leaves nothing either.
      await expect(it.segments.write(gone, [row(1, "late")])).rejects.toThrow("gone");
      expect(await it.segments.rows(gone, [1])).toEqual([]);
    });

    test("a page's links are those to pages of its site, resolved as its readers follow them", async () => {
      using it = await opened();
      const markdown = [
        "[Big *cats*](../cats.md#lions), [`zebra`][z], ![a picture](picture.png), [](empty.md) and",
        "[outside](https://elsewhere.example/cats), <https://elsewhere.example>, [mail](mailto:a@b.example).",
        "\n\n    [code](code.md)\n\n[z]: /animals/zebra",
      ].join(" ");
      const page = stagedPage("guide/start", markdown, {
        location: "guide/start.md",
        passages: [passage(0, "Start.")],
      });
      const source = await it.sourceOf(it.site.id, "2");
      await publishPages(it.ingest, source, [page]);
      const [first] = await it.segments.passages(await it.segments.passageIds(it.site.id));
      expect(first?.page).toEqual({
        address: '["guide/start","2",""]',
        links: [
          { to: '["cats","2",""]', text: "Big cats" },
          { to: '["animals/zebra","2",""]', text: "zebra" },
        ],
      });
    });

    test("a passage is read with all that is indexed of it; the page's keywords with its first one alone", async () => {
      using it = await opened();
      const passages = [
        passage(0, "The zebra runs.", { headingPath: ["Guide", "Größe"], identifiers: ["--dry-run"] }),
        passage(1, "The lion sleeps."),
      ];
      const page = stagedPage("animals", "", {
        title: "Animals",
        frontMatter: { keywords: ["savanna", "wild life"] },
        passages,
      });
      await publishPages(it.ingest, await it.sourceOf(it.site.id), [page]);
      const ids = await it.segments.passageIds(it.site.id);
      const [first, second] = await it.segments.passages(ids);
      expect(first).toEqual({
        id: ids[0] ?? 0,
        pageId: first?.pageId ?? 0,
        title: "Animals",
        keywords: ["savanna", "wild life"],
        headings: ["Guide", "Größe"],
        text: "The zebra runs.",
        identifiers: ["--dry-run"],
        page: { address: '["animals","",""]', links: [] },
      });
      expect(second).toEqual({
        id: ids[1] ?? 0,
        pageId: first?.pageId ?? 0,
        title: "Animals",
        keywords: [],
        headings: [],
        text: "The lion sleeps.",
        identifiers: [],
        page: undefined,
      });
      expect(await it.segments.passages([999_999, ids[1] ?? 0])).toEqual(second ? [second] : []);
      expect(await it.segments.passages([])).toEqual([]);
    });

    test("the passages of a site are those of all generations, and of what is staged; those of a run are its own", async () => {
      using it = await opened();
      const source = await it.sourceOf(it.site.id);
      await publishPages(it.ingest, source, [stagedPage("a", "zebra"), stagedPage("b", "lion")]);
      await publishPages(it.ingest, source, [stagedPage("a", "horse")]);
      const other = await addSite(it.sites, "other");
      await publishPages(it.ingest, await it.sourceOf(other.id), [stagedPage("a", "wolf")]);
      const { runId } = await it.ingest.openRun(source, TEST_TIME);
      await it.ingest.stage(source, runId, [stagedPage("c", "bear"), stagedPage("d", "fox")]);
      const textsOf = async (ids: number[]) => (await it.segments.passages(ids)).map(({ text }) => text);
      const all = await it.segments.passageIds(it.site.id);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(await textsOf(all)).toEqual(["zebra", "lion", "horse", "bear", "fox"]);
      expect(await textsOf(await it.segments.passageIds(it.site.id, runId))).toEqual(["bear", "fox"]);
      expect(await it.segments.publishedIds(it.site.id)).toEqual(all.slice(0, 3));
      expect(await it.segments.passageIds(other.id, runId)).toEqual([]);
    });

    test("of pages, those are named that are for some readers, or for nobody", async () => {
      using it = await opened();
      const page = (path: string, groups: string[]) => stagedPage(path, `About ${path}.`, { groups });
      const pages = [
        page("open", []),
        page("hr", ["hr"]),
        page("closed", ["(nobody)"]),
        page("two", ["hr", "it"]),
      ];
      await publishPages(it.ingest, await it.sourceOf(it.site.id), pages);
      const passages = await it.segments.passages(await it.segments.passageIds(it.site.id));
      const pageOf = new Map(passages.map(({ title, pageId }) => [title, pageId]));
      const named = await it.segments.restrictedOf([...pageOf.values(), 999_999]);
      expect(passages.filter(({ pageId }) => named.includes(pageId)).map(({ text }) => text)).toEqual([
        "About hr.",
        "About closed.",
        "About two.",
      ]);
      expect(named.length).toBe(3);
      expect(await it.segments.restrictedOf([])).toEqual([]);
    });

    test("many passages are all listed, and others run while that is done", async () => {
      using it = await opened();
      // More than a store reads at once.
      const passages = Array.from({ length: 20_001 }, (_, position) => passage(position, "zebra"));
      await publishPages(it.ingest, await it.sourceOf(it.site.id), [stagedPage("long", "", { passages })]);
      const turns = countTurns();
      const ids = await it.segments.passageIds(it.site.id);
      expect(turns.end()).toBeGreaterThan(0);
      expect([ids.length, new Set(ids).size]).toEqual([20_001, 20_001]);
    });

    test("the sites that have passages are listed, and no others", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      expect(await it.segments.sites()).toEqual([]);
      await publishPages(it.ingest, await it.sourceOf(other.id), [stagedPage("a", "zebra")]);
      expect(await it.segments.sites()).toEqual([other.id]);
    });

    test("the index of a site is written by one at a time, and those of others meanwhile", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      const lease = await it.segments.lock(it.site.id);
      expect(lease).toBeDefined();
      expect(await it.segments.lock(it.site.id)).toBeUndefined();
      const ofOther = await it.segments.lock(other.id);
      expect(ofOther).toBeDefined();
      await ofOther?.release();
      await lease?.release();
      const again = await it.segments.lock(it.site.id);
      expect(again).toBeDefined();
      await again?.release();
    });
  });
}
