import { describe, expect, test } from "bun:test";
import { analyze } from "../../src/finding/search/analyze.ts";
import type { KeywordQuery } from "../../src/finding/search/read-query.ts";
import type { NamedPassage, SearchScope, VectorRow } from "../../src/finding/search/search-store.ts";
import type { StagedPage } from "../../src/sites/ingest/stores.ts";
import type { PageFilter } from "../../src/sites/pages/pages.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { openKeywords } from "../helpers/open-search.ts";
import { NO_COUNTS, plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const DIMENSIONS = 8;
/** The vectors of passages alone. */
const plain = (embedderId: number) => ({ embedderId, isEnriched: false });

/** What every SearchStore guarantees of filters, of what is quoted or half typed, and of vectors. */
export function describeSearchFilters(
  name: string,
  open: OpenStores<"search" | "segments" | "ingest" | "sources" | "sites" | "passageVectors">,
): void {
  describe(`search store: ${name}`, () => {
    async function opened(...pages: StagedPage[]) {
      const stores = await open();
      const words = openKeywords(stores);
      const { search, ingest, sources, sites, passageVectors } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      if (pages.length > 0) await publishPages(ingest, source, pages);
      const embedder = await passageVectors.embedder("test:one", DIMENSIONS);
      const scope = async (change: Partial<SearchScope> = {}): Promise<SearchScope> => {
        const { generation } = await search.state(site.id);
        return { siteId: site.id, generation, audience: "everything", filter: {}, ...change };
      };
      const pathsOf = async (ids: number[]) => {
        const loaded = new Map((await search.load(ids)).map((each) => [each.passageId, each.path]));
        return ids.map((id) => loaded.get(id) ?? "?");
      };
      return {
        search,
        words,
        ingest,
        sources,
        sites,
        site,
        source,
        embedder,
        scope,
        /** The paths that a query of the keyword index finds, best first. */
        async match(query: Partial<KeywordQuery>, filter: PageFilter = {}): Promise<string[]> {
          const asked = { terms: [], phrases: [], identifiers: [], prefix: undefined, ...query };
          return pathsOf(
            (await words.match(await scope({ filter }), asked, 50)).map(({ passageId }) => passageId),
          );
        },
        /** Gives every passage there is a vector: one whose signs are those of its text's length. */
        async embed(by = embedder, siteId = site.id) {
          const missing = await passageVectors.missing(siteId, by, 0, 10_000);
          await passageVectors.put(
            by,
            missing.map(({ passageId, text }) => ({
              passageId,
              ...(/\d/.test(text)
                ? { bits: undefined, vector: undefined }
                : {
                    bits: new Uint8Array([text.length]),
                    vector: new Int8Array(DIMENSIONS).fill(text.length),
                  }),
            })),
          );
          return missing.map(({ passageId }) => passageId);
        },
        /** The paths whose vectors are there. */
        async vectors(change: Partial<SearchScope> = {}, by = embedder): Promise<string[]> {
          const rows: VectorRow[] = [];
          for await (const batch of search.vectors(await scope(change), plain(by))) rows.push(...batch);
          return pathsOf(rows.map(({ passageId }) => passageId));
        },
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("what is not for an audience is in no list of pages, and its groups are told", async () => {
      using it = await opened(
        stagedPage("open", "one"),
        stagedPage("hr", "two", { groups: ["hr"] }),
        stagedPage("both", "three", { groups: ["it", "hr"] }),
        stagedPage("none", "four", { groups: ["(nobody)"] }),
      );
      const seen = async (audience: SearchScope["audience"]) =>
        (await it.search.pageIds(await it.scope({ audience }))).size;
      expect([await seen([]), await seen(["it"]), await seen(["hr", "x"]), await seen("everything")]).toEqual(
        [1, 2, 3, 4],
      );
      expect(await it.search.groups(await it.scope())).toEqual(["(nobody)", "hr", "it"]);
      const { siteId, generation } = await it.scope();
      expect(await it.search.groups({ siteId, generation: generation - 1 })).toEqual([]);
      const [page] = await it.search.pageIds(await it.scope({ audience: [] }));
      expect(await it.search.passagesOf(await it.scope({ audience: [] }), page ?? 0)).toHaveLength(1);
      expect(await it.search.passagesOf(await it.scope({ audience: ["it"] }), (page ?? 0) + 1)).toEqual([]);
    });

    test("a phrase is found in its order, as one way among others", async () => {
      using it = await opened(
        stagedPage("phrase", "turn the engine off"),
        stagedPage("words", "the engine is here, turn left"),
        stagedPage("word", "a turn"),
        stagedPage("none", "zebra"),
      );
      const phrase = analyze("turn the engine");
      expect(await it.match({ phrases: [phrase] })).toEqual(["phrase"]);
      expect((await it.match({ terms: ["turn"], phrases: [phrase] })).sort()).toEqual([
        "phrase",
        "word",
        "words",
      ]);
    });

    test("a prefix finds every word that begins with it, and no other", async () => {
      using it = await opened(
        stagedPage("a", "configuration"),
        stagedPage("b", "configure"),
        stagedPage("c", "unconfigured"),
      );
      expect((await it.match({ prefix: "confi" })).sort()).toEqual(["a", "b"]);
      expect((await it.match({ prefix: '"*' })).sort()).toEqual([]);
    });

    test("identifiers are found as they are written", async () => {
      using it = await opened(stagedPage("a", "set max_page_count to 5"), stagedPage("b", "a page, a count"));
      expect(await it.match({ terms: ["max_page_count"] })).toEqual(["a"]);
    });

    test("a tag must be there; groups must be met, and a page without them is for all", async () => {
      using it = await opened(
        stagedPage("plain", "zebra"),
        stagedPage("tagged", "zebra", { tags: ["api", "beta"] }),
        stagedPage("staff", "zebra", { groups: ["staff"] }),
        stagedPage("both", "zebra", { tags: ["api"], groups: ["staff", "partners"] }),
      );
      const cases: [PageFilter, string[]][] = [
        [{}, ["both", "plain", "staff", "tagged"]],
        [{ tag: "" }, ["both", "plain", "staff", "tagged"]],
        [{ groups: [] }, ["both", "plain", "staff", "tagged"]],
        [{ tag: "api" }, ["both", "tagged"]],
        [{ tag: "ap" }, []],
        [{ groups: ["partners"] }, ["both", "plain", "tagged"]],
        [{ groups: ["partners", "staff"] }, ["both", "plain", "staff", "tagged"]],
        [{ groups: ["nobody"] }, ["plain", "tagged"]],
        [{ tag: "api", groups: ["nobody"] }, ["tagged"]],
        [{ tag: 'it\'s "x" %', groups: ["'; --"] }, []],
      ];
      for (const [filter, paths] of cases) {
        expect((await it.match({ terms: ["zebra"] }, filter)).sort(), JSON.stringify(filter)).toEqual(paths);
        expect((await it.search.pageIds(await it.scope({ filter }))).size).toBe(paths.length);
      }
    });

    test("a NUL or half of a character, wherever a page has it, keeps nobody from searching", async () => {
      const nasty = (at: string) => `${at}\0\ud800`;
      using it = await opened(
        stagedPage(nasty("path"), nasty("zebra "), {
          title: nasty("title"),
          description: nasty("description"),
          tags: [nasty("tag"), "api"],
          groups: [nasty("group")],
          frontMatter: { [nasty("name")]: nasty("value") },
          marks: { version: "", language: "en", translations: { [nasty("de")]: nasty("path") } },
          passages: [
            plainPassage(nasty("zebra "), {
              headingPath: [nasty("heading")],
              anchor: nasty("anchor"),
              identifiers: [nasty("identifier")],
            }),
          ],
        }),
        stagedPage("plain", "zebra", { tags: ["api"], marks: { version: "", language: "en" } }),
      );
      expect(await it.match({ terms: ["zebra"] })).toHaveLength(2);
      expect(await it.match({ terms: ["zebra"] }, { tag: "api" })).toHaveLength(1 + 1);
      expect(await it.match({ terms: ["zebra"] }, { groups: ["other"] })).toEqual(["plain"]);
      expect(await it.match({ terms: ["zebra"] }, { language: "fr" })).toHaveLength(1);
      // What is asked for may have one, too.
      expect(await it.match({ terms: ["zebra"] }, { version: "\ud800" })).toHaveLength(2);
      await publishPages(it.ingest, it.source, [], [nasty("path")]);
      expect(await it.match({ terms: ["zebra"] })).toEqual(["plain"]);
    });

    test("who asks for a language finds its pages, and in the main one those that are not translated into it", async () => {
      const marked = (path: string, language: string, translations?: Record<string, string>) =>
        stagedPage(path, "zebra", { marks: { version: "", language, translations } });
      using it = await opened(
        stagedPage("for-all", "zebra"),
        marked("both", "en", { es: "es/both", "zh-Hant": "zh/both" }),
        marked("only", "en", {}),
        marked("es/both", "es"),
        marked("zh/both", "zh-Hant"),
        marked("es/extra", "es"),
      );
      const cases: [PageFilter, string[]][] = [
        [{}, ["both", "es/both", "es/extra", "for-all", "only", "zh/both"]],
        [{ language: "en" }, ["both", "for-all", "only"]],
        [{ language: "en-US" }, ["both", "for-all", "only"]],
        [{ language: "es" }, ["es/both", "es/extra", "for-all", "only"]],
        [{ language: "ES_mx" }, ["es/both", "es/extra", "for-all", "only"]],
        [{ language: "zh-TW" }, ["for-all", "only", "zh/both"]],
        [{ language: "fr" }, ["both", "for-all", "only"]],
        [{ language: "es", version: "1" }, ["es/both", "es/extra", "for-all", "only"]],
      ];
      for (const [filter, paths] of cases)
        expect((await it.match({ terms: ["zebra"] }, filter)).sort(), JSON.stringify(filter)).toEqual(paths);
    });

    test("a filter finds what it lets through behind any number of better matches that it does not", async () => {
      const others = Array.from({ length: 600 }, (_, index) =>
        stagedPage(`other/${index}`, "zebra zebra zebra", { tags: ["other"] }),
      );
      const wanted = stagedPage("wanted", `zebra ${"and more words ".repeat(50)}`, { tags: ["wanted"] });
      using it = await opened(...others, wanted);
      expect(await it.match({ terms: ["zebra"] }, { tag: "wanted" })).toEqual(["wanted"]);
    });

    test("the pages that a filter lets through are those alive in the generation, never hidden ones", async () => {
      using it = await opened(stagedPage("a", "zebra"), stagedPage("hidden", "lion", { hidden: true }));
      await publishPages(it.ingest, it.source, [stagedPage("b", "horse")], ["a"]);
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("c", "wolf")]);
      const [a = 0] = await it.search.pageIds(await it.scope({ generation: 1 }));
      const [b = 0, ...more] = await it.search.pageIds(await it.scope());
      expect(more).toEqual([]);
      expect(a).not.toBe(b);
      expect(await it.search.pageIds(await it.scope({ generation: 0 }))).toEqual(new Set());
    });

    test("signs are of what is alive in the generation, not hidden, and known to that embedder", async () => {
      using it = await opened(
        stagedPage("old", "zebra"),
        stagedPage("always", "lion"),
        stagedPage("hidden", "horse", { hidden: true }),
        stagedPage("unknown", "12"),
      );
      await publishPages(it.ingest, it.source, [stagedPage("old", "wolves"), stagedPage("new", "cat")]);
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [stagedPage("staged", "dog")]);
      await it.ingest.drop(it.source, runId, ["always"]);
      await it.embed();
      expect(await it.vectors()).toEqual(["always", "old", "new"]);
      expect(await it.vectors({ generation: 1 })).toEqual(["old", "always"]);
      expect(await it.vectors({ siteId: 999 })).toEqual([]);
      expect(await it.vectors({}, it.embedder + 1)).toEqual([]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect(await it.vectors()).toEqual(["old", "new", "staged"]);
    });

    test("vectors come with their passage and page, all of them, however many batches that takes", async () => {
      const pages = Array.from({ length: 4100 }, (_, index) => stagedPage(`page${index}`, "zebra"));
      using it = await opened(...pages);
      const ids = await it.embed();
      const rows: VectorRow[] = [];
      let batches = 0;
      for await (const batch of it.search.vectors(await it.scope(), plain(it.embedder))) {
        rows.push(...batch);
        batches++;
      }
      expect(rows.map(({ passageId }) => passageId)).toEqual(ids);
      expect(batches).toBeGreaterThan(1);
      const whole = new Uint8Array(DIMENSIONS).fill("zebra".length);
      for (const { bits, vector } of rows) expect([bits?.[0], vector]).toEqual(["zebra".length, whole]);
      const [loaded] = await it.search.load([ids[0] ?? 0]);
      expect(rows[0]?.pageId).toBe(loaded?.pageId ?? 0);
    });

    test("while the vectors of a large site are read, other work goes on", async () => {
      using it = await opened(
        ...Array.from({ length: 500 }, (_, index) => stagedPage(`page/${index}`, "zebra")),
      );
      await it.embed();
      let turns = 0;
      let isOver = false;
      const work = () => {
        turns++;
        if (!isOver) setImmediate(work);
      };
      setImmediate(work);
      expect(await it.vectors()).toHaveLength(500);
      isOver = true;
      expect(turns).toBeGreaterThan(1);
    });

    test("names are those of what an audience and a filter may see, in the generation that is asked for", async () => {
      const passages = [
        plainPassage("one", {
          headingPath: ["open", "First"],
          anchor: "first",
          innerHeadings: [{ offset: 0, textOffset: 0, anchor: "second", headingPath: ["open", "Second"] }],
        }),
        plainPassage("two", { position: 1, headingPath: ["open", "Third"], anchor: "third" }),
      ];
      using it = await opened(
        stagedPage("open", "one", { title: "Open", passages }),
        stagedPage("hr", "two", { groups: ["hr"], tags: ["x"] }),
        stagedPage("hidden", "three", { hidden: true }),
      );
      await publishPages(it.ingest, it.source, [stagedPage("later", "four")]);
      const named = async (change: Partial<SearchScope> = {}) => {
        const rows: NamedPassage[] = [];
        for await (const batch of it.search.names(await it.scope(change))) rows.push(...batch);
        return rows;
      };
      const paths = async (change: Partial<SearchScope> = {}) =>
        (await named(change)).map(({ path }) => path);
      expect(await paths()).toEqual(["open", "open", "hr", "later"]);
      expect(await paths({ audience: [] })).toEqual(["open", "open", "later"]);
      expect(await paths({ audience: ["hr"], filter: { tag: "x" } })).toEqual(["hr"]);
      expect(await paths({ generation: 1 })).toEqual(["open", "open", "hr"]);
      expect(await paths({ siteId: 999 })).toEqual([]);
      const [first, second] = await named();
      expect(first).toMatchObject({
        title: "Open",
        sections: [
          { anchor: "first", headings: ["open", "First"] },
          { anchor: "second", headings: ["open", "Second"] },
        ],
      });
      expect(second?.sections).toEqual([{ anchor: "third", headings: ["open", "Third"] }]);
    });

    test("similarities are those of the vectors that were asked for, from -1 to 1", async () => {
      using it = await opened(stagedPage("a", "zebra"), stagedPage("b", "lion"), stagedPage("c", "12"));
      const [a = 0, b = 0, c = 0] = await it.embed();
      const found = async (vector: Int8Array, ids = [a, b, c, 999_999]) => {
        const of = await it.search.similarities(plain(it.embedder), vector, ids);
        return [a, b, c].map((id) => of.get(id)?.toFixed(3));
      };
      const same = new Int8Array(DIMENSIONS).fill(1);
      expect(await found(same)).toEqual(["1.000", "1.000", undefined]);
      expect(await found(same.map(() => -127))).toEqual(["-1.000", "-1.000", undefined]);
      expect(
        await found(
          Int8Array.from({ length: DIMENSIONS }, (_, index) => (index < 4 ? 90 : -90)),
          [b],
        ),
      ).toEqual([undefined, "0.000", undefined]);
      // A part of a longer row of numbers is only that part.
      const longer = new Int8Array([...same.map(() => -1), ...same, ...same.map(() => -1)]);
      expect(await found(longer.subarray(DIMENSIONS, 2 * DIMENSIONS))).toEqual(["1.000", "1.000", undefined]);
      expect(await found(same, [])).toEqual([undefined, undefined, undefined]);
      expect((await it.search.similarities(plain(it.embedder + 1), same, [a])).size).toBe(0);
    });
  });
}
