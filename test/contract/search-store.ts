import { describe, expect, test } from "bun:test";
import { analyze } from "../../src/finding/search/analyze.ts";
import type { KeywordQuery } from "../../src/finding/search/read-query.ts";
import type { Candidate, PassageRun, SearchScope } from "../../src/finding/search/search-store.ts";
import type { StagedPage } from "../../src/sites/ingest/stores.ts";
import { countTurns } from "../helpers/count-turns.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { openKeywords } from "../helpers/open-search.ts";
import { NO_COUNTS, plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const NONE = { segments: [], counts: false };

type Change = Partial<Pick<SearchScope, "filter" | "generation"> & KeywordQuery & { limit: number }>;

/** What every SearchStore guarantees. */
export function describeSearchStore(
  name: string,
  open: OpenStores<"search" | "segments" | "ingest" | "sources" | "sites">,
): void {
  describe(`search store: ${name}`, () => {
    async function opened(...pages: StagedPage[]) {
      const stores = await open();
      const words = openKeywords(stores);
      const { search, ingest, sources, sites } = stores;
      const site = await addSite(sites, "docs");
      const source = await sources.open(sourceSpec(site.id), TEST_TIME);
      if (pages.length > 0) await publishPages(ingest, source, pages);
      const match = async (text: string, change: Change = {}): Promise<(Candidate & { score: number })[]> => {
        const { generation } = await search.state(site.id);
        const { filter = {}, limit = 50, ...query } = change;
        const scope: SearchScope = {
          audience: "everything",
          siteId: site.id,
          generation: change.generation ?? generation,
          filter,
        };
        const asked = { terms: analyze(text), phrases: [], identifiers: [], prefix: undefined, ...query };
        const found = await words.match(scope, asked, limit);
        const loaded = await search.load(found.map(({ passageId }) => passageId));
        return found.flatMap(({ passageId, score }) =>
          loaded.filter((each) => each.passageId === passageId).map((each) => ({ ...each, score })),
        );
      };
      const paths = async (text: string, change: Change = {}) =>
        (await match(text, change)).map(({ path }) => path);
      const view = async (siteId: number) => {
        const { generation } = await search.state(siteId);
        return words.view({ audience: "everything", siteId, generation, filter: {} });
      };
      return {
        search,
        words,
        frequencies: async (siteId: number, terms: string[]) => (await view(siteId)).frequencies(terms),
        countPassages: async (siteId: number) => (await view(siteId)).passages,
        ingest,
        sources,
        sites,
        site,
        source,
        match,
        paths,
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("a site is at generation 0 before its first pages, an unknown one too", async () => {
      using it = await opened();
      expect(await it.search.state(it.site.id)).toEqual({
        generation: 0,
        segments: [],
        isReadable: true,
        embedder: undefined,
        enrichment: NONE,
      });
      expect(await it.search.state(999)).toEqual({
        generation: 0,
        segments: [],
        isReadable: true,
        embedder: undefined,
        enrichment: NONE,
      });
      expect(await it.match("anything")).toEqual([]);
    });

    test("a passage is found by any of the terms, with all that is known of it", async () => {
      const passage = {
        position: 0,
        headingPath: ["Guide", "Größe"],
        anchor: "größe",
        innerHeadings: [
          { offset: 4, textOffset: 4, anchor: "deep", headingPath: ["Guide", "Größe", "Deep"] },
        ],
        markdown: "The **zebra** runs.",
        text: "The zebra runs.",
        codeLanguages: ["sh"],
        identifiers: [],
        tokensEstimated: 5,
      };
      using it = await opened(stagedPage("animals", "", { title: "Animals", passages: [passage] }));
      const [found, ...more] = await it.match("unicorn zebra");
      expect(more).toEqual([]);
      expect(found).toEqual({
        passageId: found?.passageId ?? 0,
        pageId: found?.pageId ?? 0,
        path: "animals",
        location: "page.md",
        version: "",
        language: "",
        groups: [],
        title: "Animals",
        headings: ["Guide", "Größe"],
        anchor: "größe",
        innerHeadings: passage.innerHeadings,
        position: 0,
        markdown: "The **zebra** runs.",
        text: "The zebra runs.",
        lacksWords: false,
        score: found?.score ?? 0,
      });
      expect(found?.score).toBeGreaterThan(0);
    });

    test("a passage that lacks words of its page says so, however it is found", async () => {
      const passages = [
        plainPassage("the zebra is deleted", { lacksWords: true }),
        plainPassage("a lion roars", { position: 1 }),
      ];
      using it = await opened(stagedPage("animals", "", { passages }));
      expect((await it.match("zebra")).map(({ lacksWords }) => lacksWords)).toEqual([true]);
      expect((await it.match("lion")).map(({ lacksWords }) => lacksWords)).toEqual([false]);
    });

    test("a passage is found by its page's title and by its headings", async () => {
      const passages = [plainPassage("body", { headingPath: ["Upgrading"] })];
      using it = await opened(
        stagedPage("title", "body", { title: "Telescope" }),
        stagedPage("heading", "body", { passages }),
      );
      expect(await it.paths("telescope")).toEqual(["title"]);
      expect(await it.paths("upgrading")).toEqual(["heading"]);
    });

    test("the best come first, and no more than the limit", async () => {
      using it = await opened(
        stagedPage(
          "once",
          "a zebra among many other words that say nothing of it at all, one after the other",
        ),
        stagedPage("zebra", "zebra zebra"),
        stagedPage("none", "horses"),
      );
      expect(await it.paths("zebra")).toEqual(["zebra", "once"]);
      const scores = (await it.match("zebra")).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(await it.paths("zebra", { limit: 1 })).toEqual(["zebra"]);
    });

    test("pages of another site are not found", async () => {
      using it = await opened(stagedPage("a", "zebra"));
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("b", "zebra lion")]);
      expect(await it.paths("zebra lion")).toEqual(["a"]);
      expect(await it.paths("lion")).toEqual([]);
    });

    test("the names of other sites' index rows are no words of the docs", async () => {
      using it = await opened(stagedPage("a", "zebra"));
      expect(await it.paths(`s${it.site.id}`)).toEqual([]);
    });

    test("hidden pages are not found", async () => {
      using it = await opened(stagedPage("seen", "zebra"), stagedPage("unseen", "zebra", { hidden: true }));
      expect(await it.paths("zebra")).toEqual(["seen"]);
    });

    test("what is staged is not found, and what is marked for removal still is, until the switch", async () => {
      using it = await opened(stagedPage("a", "zebra"), stagedPage("b", "zebra"));
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      await it.ingest.stage(it.source, runId, [stagedPage("a", "lion"), stagedPage("c", "lion")]);
      await it.ingest.drop(it.source, runId, ["b"]);
      expect((await it.paths("zebra")).sort()).toEqual(["a", "b"]);
      expect(await it.paths("lion")).toEqual([]);
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect(await it.paths("zebra")).toEqual([]);
      expect((await it.paths("lion")).sort()).toEqual(["a", "c"]);
    });

    test("a kept generation can still be searched", async () => {
      using it = await opened(stagedPage("a", "zebra"));
      await publishPages(it.ingest, it.source, [stagedPage("a", "lion"), stagedPage("b", "lion")]);
      await publishPages(it.ingest, it.source, [], ["b"]);
      const found = async (generation: number) => (await it.paths("zebra lion", { generation })).sort();
      expect([await found(0), await found(1), await found(2), await found(3)]).toEqual([
        [],
        ["a"],
        ["a", "b"],
        ["a"],
      ]);
    });

    test("at what a run has staged, it is as readers would see it, and at an earlier generation as they saw it", async () => {
      using it = await opened(stagedPage("a", "old"), stagedPage("b", "stays"), stagedPage("c", "goes"));
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      const next = stagedPage("a", "new", { groups: ["staff"], answered: "2026-01-01" });
      await it.ingest.stage(it.source, runId, [next, stagedPage("d", "comes")]);
      await it.ingest.drop(it.source, runId, ["c"]);
      const allOf = async (store = it.search) => {
        const { generation } = await store.state(it.site.id);
        const scope = { siteId: it.site.id, generation, audience: "everything", filter: {} } as const;
        const ids = await store.pageIds(scope);
        const passages = await Promise.all([...ids].map((id) => store.passagesOf(scope, id)));
        return {
          generation,
          texts: passages.flat().map(({ text }) => text),
          groups: await store.groups(scope),
          questions: (await store.questionPassages(scope)).size,
          isKept: await store.isKept(scope),
        };
      };
      const none = { groups: [], questions: 0, isKept: true };
      const published = { generation: 1, texts: ["old", "stays", "goes"], ...none };
      expect(await allOf()).toEqual(published);
      const staged = { texts: ["stays", "new", "comes"], groups: ["staff"], questions: 1, isKept: true };
      expect(await allOf(it.search.at({ staged: runId }))).toEqual({ generation: 1, ...staged });
      await it.ingest.publish(it.source, runId, { counts: NO_COUNTS, at: TEST_TIME });
      expect(await allOf()).toEqual({ generation: 2, ...staged });
      expect(await allOf(it.search.at({ generation: 1 }))).toEqual(published);
    });

    test("runs of passages come in the order of their page, each passage once", async () => {
      const passages = (of: string) =>
        ["first", "second", "third", "fourth"].map((text, position) => ({
          ...plainPassage(`${of} ${text}`),
          position,
        }));
      using it = await opened(
        stagedPage("a", "zebra", { passages: passages("a") }),
        stagedPage("b", "zebra", { passages: passages("b") }),
      );
      const { generation } = await it.search.state(it.site.id);
      const scope = { siteId: it.site.id, generation, audience: "everything", filter: {} } as const;
      const [a = 0, b = 0] = await it.search.pageIds(scope);
      const read = async (...runs: PassageRun[]) => (await it.search.runs(runs)).map(({ text }) => text);
      expect(await read({ pageId: a, first: 1, last: 2 })).toEqual(["a second", "a third"]);
      expect(
        await read(
          { pageId: b, first: -3, last: 0 },
          { pageId: a, first: 2, last: 9 },
          { pageId: a, first: 1, last: 2 },
        ),
      ).toEqual(["a second", "a third", "a fourth", "b first"]);
      expect(await read()).toEqual([]);
    });

    test("a generation is kept until a run removes what only it showed, or a site goes on from an earlier one", async () => {
      using it = await opened(stagedPage("a", "zebra"));
      const kept = async () => {
        const all = [0, 1, 2, 3, 4].map((generation) => it.search.isKept({ siteId: it.site.id, generation }));
        return Promise.all(all);
      };
      expect(await kept()).toEqual([true, true, false, false, false]);
      for (const text of ["lion", "wolf", "bear"]) {
        await publishPages(it.ingest, it.source, [stagedPage("a", text)]);
        await it.ingest.prune(it.site.id, 2);
      }
      expect(await kept()).toEqual([true, false, false, true, true]);
    });

    test("pages of another version or language are left out, those of none never", async () => {
      using it = await opened(stagedPage("both", "zebra"));
      for (const [path, version, language] of [
        ["en1", "1", "en"],
        ["en2", "2", "en"],
        ["de2", "2", "de"],
        ["any2", "2", ""],
      ] as const) {
        const source = await it.sources.open(sourceSpec(it.site.id, { version, language }), TEST_TIME);
        await publishPages(it.ingest, source, [stagedPage(path, "zebra")]);
      }
      const found = async (filter: SearchScope["filter"]) => (await it.paths("zebra", { filter })).sort();
      expect(await found({})).toEqual(["any2", "both", "de2", "en1", "en2"]);
      expect(await found({ version: "", language: "" })).toEqual(["any2", "both", "de2", "en1", "en2"]);
      expect(await found({ version: "2" })).toEqual(["any2", "both", "de2", "en2"]);
      expect(await found({ language: "en" })).toEqual(["any2", "both", "en1", "en2"]);
      for (const language of ["en-US", "EN", "en_gb"])
        expect(await found({ language })).toEqual(["any2", "both", "en1", "en2"]);
      expect(await found({ language: "e" })).toEqual(["any2", "both"]);
      expect(await found({ version: "1", language: "de" })).toEqual(["both"]);
      expect(await found({ version: "3" })).toEqual(["both"]);
    });

    test("a language is found by its name with a country, and without", async () => {
      using it = await opened(stagedPage("both", "zebra"));
      for (const language of ["pt-BR", "pt-PT", "zh-Hans", "zh_TW"]) {
        const source = await it.sources.open(sourceSpec(it.site.id, { language }), TEST_TIME);
        await publishPages(it.ingest, source, [stagedPage(language, "zebra")]);
      }
      const found = async (language: string) =>
        (await it.paths("zebra", { filter: { language } })).filter((path) => path !== "both").sort();
      expect(await found("pt")).toEqual(["pt-BR", "pt-PT"]);
      expect(await found("pt-BR")).toEqual(["pt-BR"]);
      expect(await found("zh-CN")).toEqual(["zh-Hans"]);
      expect(await found("zh-Hant")).toEqual(["zh_TW"]);
      expect(await found("p%")).toEqual([]);
    });

    test("a filter that nothing matches finds nothing", async () => {
      using it = await opened();
      const source = await it.sources.open(sourceSpec(it.site.id, { version: "2" }), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "zebra")]);
      expect(await it.paths("zebra", { filter: { version: "1" } })).toEqual([]);
    });

    test("the pages of a large site are all allowed, and others run while they are read", async () => {
      const pages = Array.from({ length: 2500 }, (_, index) => stagedPage(`page-${index}`, "zebra"));
      using it = await opened(...pages, stagedPage("unseen", "zebra", { hidden: true }));
      const turns = countTurns();
      const ids = await it.search.pageIds({
        audience: "everything",
        siteId: it.site.id,
        generation: 1,
        filter: {},
      });
      expect(turns.end()).toBeGreaterThan(1);
      expect(ids.size).toBe(2500);
    });

    test("terms are text, whatever they look like", async () => {
      using it = await opened(stagedPage("a", "zebra"));
      for (const terms of [
        ['"'],
        ["*"],
        ["zebra* OR"],
        ["NEAR("],
        ["^"],
        ["site:s1"],
        ["-"],
        ["'; --"],
        ["{body}:("],
      ]) {
        expect(await it.match("", { terms })).toBeArray();
      }
      expect(await it.paths("", { terms: ["zeb*"] })).toEqual([]);
    });

    test("frequencies count the passages that have a term", async () => {
      using it = await opened(
        stagedPage("a", "zebra lion"),
        stagedPage("b", "zebra zebra"),
        stagedPage("c", "horse"),
      );
      const of = await it.frequencies(it.site.id, ["zebra", "lion", "unicorn"]);
      const passages = await it.countPassages(it.site.id);
      expect(passages).toBe(3);
      expect([of.get("zebra"), of.get("lion"), of.get("unicorn")]).toEqual([2, 1, undefined]);
    });

    test("frequencies are the site's own: what other sites have is not in them", async () => {
      using it = await opened(stagedPage("a", "zebra lion"), stagedPage("b", "zebra zebra"));
      const other = await addSite(it.sites, "other");
      const source = await it.sources.open(sourceSpec(other.id), TEST_TIME);
      await publishPages(it.ingest, source, [stagedPage("a", "zebra unicorn"), stagedPage("b", "unicorn")]);
      const terms = ["zebra", "lion", "unicorn"];
      expect(await it.countPassages(it.site.id)).toBe(2);
      expect(await it.frequencies(it.site.id, terms)).toEqual(
        new Map([
          ["zebra", 2],
          ["lion", 1],
        ]),
      );
      expect(await it.frequencies(other.id, terms)).toEqual(
        new Map([
          ["unicorn", 2],
          ["zebra", 1],
        ]),
      );
    });

    test("frequencies never exceed the passages there are, removed ones not counted", async () => {
      using it = await opened(stagedPage("a", "zebra"), stagedPage("b", "zebra"));
      for (const text of ["one", "two", "three", "four"]) {
        await publishPages(it.ingest, it.source, [stagedPage("a", text)], ["b"]);
      }
      await it.ingest.prune(it.site.id, 1);
      const of = await it.frequencies(it.site.id, ["zebra", "four"]);
      const passages = await it.countPassages(it.site.id);
      expect(passages).toBe(1);
      expect([of.get("zebra") ?? 0, of.get("four")]).toEqual([0, 1]);
    });

    test("the passages of questions out of trackers are known, those of each generation", async () => {
      using it = await opened(
        stagedPage("docs", "zebra"),
        stagedPage("issues/1", "zebra", { answered: "2024-05-03" }),
        stagedPage("issues/2", "zebra", {
          answered: "",
          passages: [plainPassage("one"), plainPassage("two", { position: 1 })],
        }),
      );
      const pathsIn = async (generation: number) => {
        const scope = { siteId: it.site.id, generation, filter: {} };
        const passages = await it.search.load([...(await it.search.questionPassages(scope))]);
        return passages.map(({ path }) => path).sort();
      };
      expect(await pathsIn(1)).toEqual(["issues/1", "issues/2", "issues/2"]);
      await publishPages(it.ingest, it.source, [stagedPage("issues/1", "a page of docs now")], ["issues/2"]);
      expect(await pathsIn(2)).toEqual([]);
      expect(await pathsIn(1)).toEqual(["issues/1", "issues/2", "issues/2"]);
    });

    test("terms of every script are counted as they are looked for", async () => {
      const texts = [
        "E1234 --dry-run package.json snake_case v1.2.3 C++ C# @scope/name $HOME #12 a:b",
        "Größe naïve Ελλάδα Ёлка İstanbul ﬁne ½",
        "日本語の文書 データベース 中文文档",
        "การติดตั้งโปรแกรม ภาษาไทย",
        "हिन्दी दस्तावेज़ العَرَبِيَّة עִבְרִית 한국어 문서",
      ];
      for (const text of texts) {
        using it = await opened(stagedPage("a", text));
        const terms = [...new Set(analyze(text))];
        const of = await it.frequencies(it.site.id, terms);
        expect(terms.filter((term) => of.get(term) !== 1)).toEqual([]);
      }
    });
  });
}
