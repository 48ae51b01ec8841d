import { describe, expect, test } from "bun:test";
import { choosePage } from "../../src/sites/pages/pages.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every PageStore guarantees. */
export function describePageStore(
  name: string,
  open: OpenStores<"pages" | "ingest" | "sources" | "sites">,
): void {
  describe(`page store: ${name}`, () => {
    test("a site without pages has none", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      expect(await stores.pages.findPages(site.id, "", "everything")).toEqual([]);
      expect(await stores.pages.countPages(site.id)).toEqual({ pages: 0, passages: 0 });
      expect(await stores.pages.countPages(999)).toEqual({ pages: 0, passages: 0 });
    });

    test("a published page is read as it was staged", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(
        sourceSpec(site.id, { version: "2", language: "de" }),
        TEST_TIME,
      );
      const page = stagedPage("guide/über", "# Größe\n\n\u{1F600}", {
        title: "Größe",
        description: "Wie groß",
        hidden: true,
      });
      await publishPages(stores.ingest, source, [page]);
      const [found, ...more] = await stores.pages.findPages(site.id, "guide/über", "everything");
      expect(more).toEqual([]);
      expect(found).toEqual({
        id: found?.id ?? 0,
        siteId: site.id,
        path: "guide/über",
        location: "page.md",
        version: "2",
        language: "de",
        title: "Größe",
        description: "Wie groß",
        groups: [],
        hidden: true,
        markdown: "# Größe\n\n\u{1F600}",
      });
    });

    test("pages and passages of the visible generation are counted", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [
        stagedPage("a", "one"),
        stagedPage("b", "two", { passages: [] }),
      ]);
      await publishPages(stores.ingest, source, [stagedPage("c", "three"), stagedPage("d", "four")], ["a"]);
      expect(await stores.pages.countPages(site.id)).toEqual({ pages: 3, passages: 2 });
    });

    test("a page is found under its whole path only", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("guide/install", "text")]);
      for (const path of [
        "",
        "guide",
        "install",
        "guide/install/",
        "Guide/Install",
        "guide/%",
        "guide/insta",
      ]) {
        expect(await stores.pages.findPages(site.id, path, "everything")).toEqual([]);
      }
    });

    test("a page of another site does not exist", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "one");
      const other = await addSite(stores.sites, "two");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("guide", "text")]);
      expect(await stores.pages.findPages(other.id, "guide", "everything")).toEqual([]);
      expect(await stores.pages.countPages(other.id)).toEqual({ pages: 0, passages: 0 });
    });

    const LISTED = {
      audience: "everything" as const,
      generation: 1,
      version: "",
      language: "",
      under: "",
      limit: 100,
    };

    test("the visible generation is none before the first one, and then the last", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      expect(await stores.pages.visibleGeneration(site.id)).toBe(0);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("a", "one")]);
      await publishPages(stores.ingest, source, [stagedPage("b", "two")]);
      expect(await stores.pages.visibleGeneration(site.id)).toBe(2);
      expect(await stores.pages.visibleGeneration(999)).toBe(0);
    });

    test("a listed page is as it was staged, and its content is read by its id", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(
        sourceSpec(site.id, { version: "2", language: "de" }),
        TEST_TIME,
      );
      const page = stagedPage("über", "# Größe\n\n\u{1F600}", { title: "Größe", description: "Wie groß" });
      await publishPages(stores.ingest, source, [page]);
      const [listed, ...more] = await stores.pages.listPages({ ...LISTED, siteId: site.id });
      expect(more).toEqual([]);
      const id = listed?.id ?? 0;
      const labels = { version: "2", language: "de", title: "Größe", description: "Wie groß" };
      const { markdown, location } = page;
      expect(listed).toEqual({ id, siteId: site.id, path: "über", location, groups: [], ...labels });
      expect(await stores.pages.contentOf(id)).toEqual({ markdown, location });
      expect(await stores.pages.contentOf(id + 999)).toBeUndefined();
      const { kind, location: place } = source;
      expect(await stores.pages.sourceOf(id)).toEqual({ kind, location: place, hasCredential: false });
      await stores.sources.change(source.id, { options: { authorizationVariable: "TOKEN" } });
      expect(await stores.pages.sourceOf(id)).toEqual({ kind, location: place, hasCredential: true });
      expect(await stores.pages.sourceOf(id + 999)).toBeUndefined();
      const changes = await stores.pages.lastChanges([id, id + 999]);
      expect([...changes]).toEqual([[id, expect.any(Number)]]);
      expect(await stores.pages.lastChanges([])).toEqual(new Map());
    });

    test("pages are listed for menus by id, in parts, with all of their front matter, hidden ones too", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const other = await addSite(stores.sites, "other");
      const source = await stores.sources.open(
        sourceSpec(site.id, { version: "2", language: "de" }),
        TEST_TIME,
      );
      const otherSource = await stores.sources.open(sourceSpec(other.id), TEST_TIME);
      const frontMatter = { sidebar_position: 2, nested: { order: [1, "zwei"] } };
      await publishPages(stores.ingest, source, [
        stagedPage("b", "one", { title: "B", frontMatter }),
        stagedPage("a", "two", { title: "A", hidden: true }),
        stagedPage("c", "gone"),
      ]);
      await publishPages(stores.ingest, otherSource, [stagedPage("b", "of another site")]);
      await publishPages(stores.ingest, source, [stagedPage("d", "three", { title: "D" })], ["c"]);
      const list = async (generation: number, limit: number) => {
        const found = [];
        for (;;) {
          const after = found.at(-1)?.id ?? 0;
          const some = await stores.pages.listNavigation(site.id, generation, after, limit);
          if (some.length === 0) return found.map(({ id: _, sourceId: __, ...entry }) => entry);
          found.push(...some);
        }
      };
      const labels = { version: "2", language: "de", groups: [] };
      const expected = [
        { path: "b", title: "B", hidden: false, frontMatter, ...labels },
        { path: "a", title: "A", hidden: true, frontMatter: {}, ...labels },
        { path: "d", title: "D", hidden: false, frontMatter: {}, ...labels },
      ];
      for (const limit of [1, 2, 100]) expect(await list(2, limit)).toEqual(expected);
      expect((await list(1, 100)).map(({ path }) => path)).toEqual(["b", "a", "c"]);
      expect(await list(0, 100)).toEqual([]);
    });

    test("pages are listed by path, in parts of which each begins behind the one before", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const other = await addSite(stores.sites, "other");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      const otherSource = await stores.sources.open(sourceSpec(other.id), TEST_TIME);
      const paths = ["", "a", "a-b", "a.c", "a/b", "a/b/c", "ab", "\u{10FFFE}", "\uE000"].sort(byBytes);
      await publishPages(
        stores.ingest,
        source,
        paths.toReversed().map((path) => stagedPage(path, `of ${path}`)),
      );
      await publishPages(stores.ingest, otherSource, [stagedPage("a", "of another site")]);
      for (const limit of [1, 2, 100]) {
        const seen: string[] = [];
        for (;;) {
          const listing = { ...LISTED, siteId: site.id, after: seen.at(-1), limit };
          const some = await stores.pages.listPages(listing);
          expect(some.length).toBeLessThanOrEqual(limit);
          if (some.length === 0) break;
          seen.push(...some.map(({ path }) => path));
        }
        expect(seen).toEqual(paths);
      }
    });

    test("below a path are its own page and those behind a slash", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      const paths = ["", "a", "a-b", "a-b/c", "a/b", "a/b/c", "a0", "ab", "b/a/b"];
      await publishPages(
        stores.ingest,
        source,
        paths.map((path) => stagedPage(path, `of ${path}`)),
      );
      const under = async (path: string, after?: string) =>
        (await stores.pages.listPages({ ...LISTED, siteId: site.id, under: path, after })).map(
          (page) => page.path,
        );
      expect(await under("a")).toEqual(["a", "a/b", "a/b/c"]);
      expect(await under("a", "a")).toEqual(["a/b", "a/b/c"]);
      expect(await under("a", "")).toEqual(["a", "a/b", "a/b/c"]);
      expect(await under("a", "b")).toEqual([]);
      expect(await under("a/b/c")).toEqual(["a/b/c"]);
      expect(await under("%")).toEqual([]);
    });

    test("a list shows the generation that it names: neither what came later nor what had gone", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("a", "one"), stagedPage("b", "two")]);
      await publishPages(stores.ingest, source, [stagedPage("b", "new"), stagedPage("c", "three")], ["a"]);
      const { runId } = await stores.ingest.openRun(source, TEST_TIME);
      await stores.ingest.stage(source, runId, [stagedPage("d", "staged")]);
      const listed = async (generation: number) => {
        const entries = await stores.pages.listPages({ ...LISTED, siteId: site.id, generation });
        return Promise.all(
          entries.map(async ({ id, path }) => [path, (await stores.pages.contentOf(id))?.markdown]),
        );
      };
      expect(await listed(0)).toEqual([]);
      expect(await listed(1)).toEqual([
        ["a", "one"],
        ["b", "two"],
      ]);
      expect(await listed(2)).toEqual([
        ["b", "new"],
        ["c", "three"],
      ]);
    });

    test("hidden pages and curated answers are in no list", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [
        stagedPage("hidden", "text", { hidden: true }),
        stagedPage("answers/one", "text", { kind: "answer", passages: [] }),
        stagedPage("shown", "text"),
      ]);
      const listed = await stores.pages.listPages({ ...LISTED, siteId: site.id });
      expect(listed.map(({ path }) => path)).toEqual(["shown"]);
    });

    test("questions out of trackers are left out of a list that asks for docs alone", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [
        stagedPage("a", "text"),
        stagedPage("issues/1", "text", { answered: "2024-05-03" }),
        stagedPage("issues/2", "text", { answered: "" }),
      ]);
      const paths = async (docsOnly?: boolean) =>
        (await stores.pages.listPages({ ...LISTED, siteId: site.id, docsOnly })).map(({ path }) => path);
      expect(await paths(true)).toEqual(["a"]);
      expect(await paths()).toEqual(["a", "issues/1", "issues/2"]);
    });

    test("of several pages of one path the one is listed that a reader would be shown", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      for (const [version, language] of [
        ["1", "en"],
        ["2", "en"],
        ["2", "de"],
        ["1", "de"],
      ] as const) {
        const source = await stores.sources.open(sourceSpec(site.id, { version, language }), TEST_TIME);
        const hidden = version === "1" && language === "de";
        await publishPages(stores.ingest, source, [
          stagedPage("guide", `${version} ${language}`, { hidden }),
        ]);
      }
      const pages = await stores.pages.findPages(site.id, "guide", "everything");
      for (const [version, language] of [
        ["", ""],
        ["2", ""],
        ["", "de"],
        ["2", "de"],
        ["1", "de"],
        ["3", "fr"],
      ] as const) {
        const chosen = choosePage(pages, {}, { version, language });
        const listing = { ...LISTED, siteId: site.id, generation: 4, version, language };
        const listed = (await stores.pages.listPages(listing)).map(({ id }) => id);
        expect(listed).toEqual(chosen && !chosen.hidden ? [chosen.id] : []);
      }
    });

    test("versions and languages of one path stand side by side", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      for (const [version, language] of [
        ["1", "en"],
        ["2", "en"],
        ["2", "de"],
      ]) {
        const source = await stores.sources.open(
          sourceSpec(site.id, { version: version ?? "", language: language ?? "" }),
          TEST_TIME,
        );
        await publishPages(stores.ingest, source, [stagedPage("guide", `text of ${version} ${language}`)]);
      }
      const found = await stores.pages.findPages(site.id, "guide", "everything");
      expect(found.map(({ version, language }) => `${version} ${language}`)).toEqual([
        "1 en",
        "2 en",
        "2 de",
      ]);
      expect(await stores.pages.listScopes(site.id, "everything", 10)).toEqual({
        versions: ["1", "2"],
        languages: ["de", "en"],
      });
      expect((await stores.pages.listScopes(site.id, "everything", 1)).versions).toEqual(["1"]);
      expect(await stores.pages.listScopes(site.id + 1, "everything", 10)).toEqual({
        versions: [],
        languages: [],
      });
    });

    test("a page that names groups is there for these alone, and what stands at its path for the others", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const publish = async (version: string, groups: string[]) => {
        const source = await stores.sources.open(sourceSpec(site.id, { version }), TEST_TIME);
        await publishPages(stores.ingest, source, [stagedPage("guide", `text of ${version}`, { groups })]);
      };
      await publish("1", []);
      await publish("2", ["hr", "it's"]);
      await publish("3", ["(nobody)"]);
      for (const [audience, versions] of [
        [[], ["1"]],
        [["other"], ["1"]],
        [
          ["other", "it's"],
          ["1", "2"],
        ],
        ["everything", ["1", "2", "3"]],
      ] as const) {
        const found = await stores.pages.findPages(site.id, "guide", audience);
        expect(found.map(({ version }) => version)).toEqual([...versions]);
        expect((await stores.pages.listScopes(site.id, audience, 10)).versions).toEqual([...versions]);
        for (const version of ["1", "2", "3"]) {
          const listing = { ...LISTED, siteId: site.id, generation: 3, audience, version };
          const listed = (await stores.pages.listPages(listing)).map((page) => page.version);
          expect(listed).toEqual([versions.find((own) => own === version) ?? "1"]);
        }
      }
      const all = await stores.pages.listNavigation(site.id, 3, 0, 10);
      expect(all.map(({ groups }) => groups)).toEqual([[], ["hr", "it's"], ["(nobody)"]]);
    });
  });
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
