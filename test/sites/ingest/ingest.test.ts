import { describe, expect, test } from "bun:test";
import type { SourceSpec } from "../../../src/reading/source.ts";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { createEmbeddedReader } from "../../../src/sites/ingest/embedded-reader.ts";
import type { IngestRequest } from "../../../src/sites/ingest/run/run.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { expectWhole, indexedPassages } from "../../helpers/ingest-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { memoryReader } from "../../helpers/memory-reader.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { openKeywords, openSearch } from "../../helpers/open-search.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openStorageAt, openTestStorage } from "../../helpers/test-storage.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

type Files = Record<string, string | Error>;

async function opened({ pagesMax = 1000 } = {}) {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const embedder = wordEmbedder();
  const ingest = openIngest(storage, clock, { pagesMax, embedder });
  const search = openSearch(storage, { embedder });
  const generation = async () => (await storage.search.state(site.id)).generation;

  async function run(
    files: Files | SourceReader,
    spec: Partial<SourceSpec> = {},
    change: Partial<IngestRequest> = {},
  ) {
    return ingest.run({
      source: sourceSpec(site.id, spec),
      reader: isReader(files) ? files : memoryReader(files),
      generation: await generation(),
      signal: new AbortController().signal,
      ...change,
    });
  }
  const found = async (text: string, filter = {}) => {
    const { hits } = await search.find({
      audience: "everything",
      siteId: site.id,
      text,
      pageSize: 100,
      filter,
      parts: { nearest: false },
    });
    return [...new Set(hits.map(({ path }) => path))].sort();
  };
  const page = async (path: string) =>
    (await storage.pages.findPages(site.id, path, "everything")).map(({ markdown }) => markdown.trim());
  return {
    storage,
    site,
    ingest,
    search,
    run,
    found,
    page,
    generation,
    frequencies: async (terms: string[]) => {
      const scope = {
        siteId: site.id,
        generation: await generation(),
        audience: "everything" as const,
        filter: {},
      };
      return (await openKeywords(storage).view(scope)).frequencies(terms);
    },
    advance,
    [Symbol.dispose]: storage[Symbol.dispose],
  };
}

const isReader = (files: Files | SourceReader): files is SourceReader => typeof files["list"] === "function";

/** That many pages, each of which has a word of its own and the given one. */
function manyPages(count: number, word: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `page${index}`,
      `# Page ${index}\n\nThe ${word} of animal${index}.`,
    ]),
  );
}

const interruptedAfter = (pages: Record<string, string>, count: number): Files => ({
  ...Object.fromEntries(Object.entries(pages).slice(0, count)),
  failure: new Error("the cable was pulled"),
});

describe("ingest", () => {
  test("pages become findable, with what was said of them", async () => {
    using it = await opened();
    const report = await it.run({
      "": "# Home\n\nWelcome to the zebra.",
      guide: "---\ntitle: The Guide\ndescription: All of it.\n---\n\n## Install\n\nRun the unicorn.\n",
    });
    expect(report).toMatchObject({
      added: 2,
      changed: 0,
      removed: 0,
      unchanged: 0,
      generation: 1,
      resumed: false,
      skipped: [],
    });
    expect(report.passages).toBeGreaterThanOrEqual(2);
    expect(await it.found("unicorn")).toEqual(["guide"]);
    expect(await it.found("zebra")).toEqual([""]);
    expect(await it.storage.pages.findPages(it.site.id, "guide", "everything")).toMatchObject([
      { title: "The Guide", description: "All of it.", hidden: false },
    ]);
  });

  test("a page without a title is called by its path", async () => {
    using it = await opened();
    await it.run({ "": "text", "guide/install": "text" });
    const titles = [
      ...(await it.storage.pages.findPages(it.site.id, "", "everything")),
      ...(await it.storage.pages.findPages(it.site.id, "guide/install", "everything")),
    ];
    expect(titles.map(({ title }) => title)).toEqual(["Home", "install"]);
  });

  test("a second run of the same changes nothing, and says so", async () => {
    using it = await opened();
    const files = manyPages(45, "zebra");
    const first = await it.run(files);
    const before = it.storage.database.query("SELECT * FROM pages").all();
    it.advance(1000);
    const second = await it.run(files);
    expect(second).toEqual({
      added: 0,
      changed: 0,
      removed: 0,
      unchanged: 45,
      passages: 0,
      generation: first.generation,
      resumed: false,
      previewed: false,
      skipped: [],
      faults: [],
      docs: undefined,
      incomplete: undefined,
      signs: undefined,
      addresses: undefined,
      links: undefined,
      published: undefined,
      golden: undefined,
      refused: undefined,
    });
    expect(it.storage.database.query("SELECT * FROM pages").all()).toEqual(before);
    expect(await it.generation()).toBe(1);
    // Nor does it leave a run behind that the next one would take up.
    expect((await it.run(files)).resumed).toBe(false);
  });

  test("a run sees what was added, changed and removed", async () => {
    using it = await opened();
    await it.run({ a: "zebra", b: "lion", c: "horse" });
    const report = await it.run({ a: "zebra", b: "tiger", d: "wolf" });
    expect(report).toMatchObject({ added: 1, changed: 1, removed: 1, unchanged: 1, generation: 2 });
    expect(await it.found("zebra lion tiger horse wolf")).toEqual(["a", "b", "d"]);
    expect([await it.found("lion"), await it.found("horse")]).toEqual([[], []]);
    expect(await it.page("c")).toEqual([]);
  });

  test("a page that was changed and changed back is as it was", async () => {
    using it = await opened();
    await it.run({ a: "zebra" });
    await it.run({ a: "lion" });
    expect(await it.run({ a: "zebra" })).toMatchObject({ changed: 1, generation: 3 });
    expect([await it.found("zebra"), await it.found("lion")]).toEqual([["a"], []]);
  });

  test("a page that is Markdown now and was MDX before is read again", async () => {
    using it = await opened();
    const text = '# Title\n\n{1 + 1} zebra <Card title="x" />';
    const as = (format: "md" | "mdx"): SourceReader => ({
      async *list() {
        yield {
          path: "a",
          location: `a.${format}`,
          found: "test",
          format,
          read: async () => new TextEncoder().encode(text),
        };
      },
    });
    await it.run(as("mdx"));
    expect(await it.run(as("md"))).toMatchObject({ changed: 1, unchanged: 0 });
  });

  test("a source with nothing in it is refused, and what was there stays", async () => {
    using it = await opened();
    await it.run({ a: "zebra" });
    const error = await appErrorOf(() => it.run({}));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain("/docs");
    expect(await it.found("zebra")).toEqual(["a"]);
    expect(await it.run({ a: "zebra" })).toMatchObject({ unchanged: 1, removed: 0 });
  });

  test("as many pages as the limit says are taken, one more is refused", async () => {
    using it = await opened({ pagesMax: 5 });
    await it.run(manyPages(5, "zebra"));
    const error = await appErrorOf(() => it.run(manyPages(6, "zebra")));
    expect([error.code, error.hint]).toEqual(["too_large", expect.stringContaining("pages_per_source")]);
    expect(await it.found("zebra")).toHaveLength(5);
  });

  test("what a source leaves out is reported with its reason", async () => {
    using it = await opened();
    const skipped = [
      { location: "big.md", found: "test", reason: "too_large" as const, detail: "is too large" },
    ];
    expect((await it.run(memoryReader({ a: "zebra" }, skipped))).skipped).toEqual(skipped);
  });

  test("progress comes with every page, whatever becomes of it, never goes back, and ends with all of them", async () => {
    using it = await opened();
    await it.run(manyPages(30, "zebra"));
    const seen: number[] = [];
    const files = { ...manyPages(30, "zebra"), page3: "changed", more: "added" };
    await it.run(files, {}, { onProgress: ({ pages }) => seen.push(pages) });
    expect(seen).toHaveLength(31);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect([seen[0], seen.at(-1)]).toEqual([1, 31]);
  });

  test("bytes that are not valid text are read as far as they can be, and no text at all is left out", async () => {
    using it = await opened();
    const bytes = new Uint8Array([
      0x23,
      0x20,
      0x7a,
      0xff,
      0xfe,
      0x0a,
      0x0a,
      ...new TextEncoder().encode("zebra"),
    ]);
    const pages = {
      a: bytes,
      empty: new Uint8Array(),
      picture: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0]),
    };
    const report = await it.run({
      async *list() {
        for (const [path, content] of Object.entries(pages))
          yield { path, location: `${path}.md`, found: "test", format: "md", read: async () => content };
      },
    });
    expect(await it.found("zebra")).toEqual(["a"]);
    expect(await it.storage.pages.countPages(it.site.id)).toMatchObject({ pages: 2 });
    expect(report.skipped).toMatchObject([{ location: "picture.md", reason: "parse_fault" }]);
  });

  test("hidden pages are read and not found", async () => {
    using it = await opened();
    await it.run({ seen: "zebra", unseen: "---\nhidden: true\n---\n\nzebra" });
    expect(await it.storage.pages.findPages(it.site.id, "unseen", "everything")).toMatchObject([
      { hidden: true },
    ]);
    expect(await it.found("zebra")).toEqual(["seen"]);
  });

  test("pages inside the program are read like any others", async () => {
    using it = await opened();
    await it.run(
      createEmbeddedReader({ "index.md": "zebra", "guide/index.md": "zebra", "guide/a.md": "zebra" }),
      { kind: "demo" },
    );
    expect(await it.found("zebra")).toEqual(["", "guide", "guide/a"]);
  });
});

describe("ingest: versions, languages and sources", () => {
  test("versions and languages of one folder stand side by side, each changed by its own runs", async () => {
    using it = await opened();
    await it.run({ a: "zebra one" }, { version: "1", language: "en" });
    await it.run({ a: "zebra two", b: "zebra" }, { version: "2", language: "en" });
    await it.run({ a: "zebra zwei" }, { version: "2", language: "de" });
    expect((await it.page("a")).sort()).toEqual(["zebra one", "zebra two", "zebra zwei"]);
    expect(await it.run({ a: "zebra two" }, { version: "2", language: "en" })).toMatchObject({
      removed: 1,
      unchanged: 1,
    });
    expect((await it.page("a")).sort()).toEqual(["zebra one", "zebra two", "zebra zwei"]);
    expect(await it.page("b")).toEqual([]);
    expect(await it.found("zebra", { version: "1" })).toEqual(["a"]);
  });

  test("two sources of one site each own their pages", async () => {
    using it = await opened();
    await it.run({ a: "zebra" }, { location: "/one" });
    await it.run({ b: "zebra" }, { location: "/two" });
    expect(await it.found("zebra")).toEqual(["a", "b"]);
    expect(await it.run({ c: "zebra" }, { location: "/two" })).toMatchObject({ added: 1, removed: 1 });
    expect(await it.found("zebra")).toEqual(["a", "c"]);
    expect((await it.storage.sources.list(it.site.id)).map(({ location }) => location)).toEqual([
      "/one",
      "/two",
    ]);
  });

  test("two sources of one site may be read at the same time", async () => {
    using it = await opened();
    const reports = await Promise.all([
      it.run(manyPages(50, "zebra"), { location: "/one" }),
      it.run(manyPages(50, "lion"), { location: "/two" }),
    ]);
    expect(reports.map(({ generation }) => generation).sort()).toEqual([1, 2]);
    expect([await it.found("zebra"), await it.found("lion")].map((paths) => paths.length)).toEqual([50, 50]);
  });

  test("a second run of one source at the same time is refused, also from another process", async () => {
    using it = await opened();
    const other = await openStorageAt(it.storage.directory);
    const there = openIngest(other, () => 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = it.run({
      async *list() {
        await promise;
        yield* memoryReader({ a: "zebra" }).list(listContext());
      },
    });
    const signal = new AbortController().signal;
    const request = {
      source: sourceSpec(it.site.id),
      reader: memoryReader({ a: "lion" }),
      generation: 0,
      signal,
    };
    expect((await appErrorOf(() => it.run({ a: "lion" }))).code).toBe("conflict");
    expect((await appErrorOf(() => there.run(request))).code).toBe("conflict");
    resolve();
    expect((await first).added).toBe(1);
    expect((await there.run(request)).changed).toBe(1);
    other.close();
  });
});

describe("ingest: interrupted runs", () => {
  test("what an interrupted run read is invisible, and the next run goes on where it ended", async () => {
    using it = await opened();
    const before = manyPages(60, "zebra");
    await it.run(before);
    const after = manyPages(60, "lion");
    await expect(it.run(interruptedAfter(after, 45))).rejects.toThrow("the cable was pulled");
    expect(await it.generation()).toBe(1);
    expect([(await it.found("zebra")).length, await it.found("lion")]).toEqual([60, []]);
    expect(await it.page("page0")).toEqual([before["page0"] ?? ""]);
    const staged = it.storage.database.query("SELECT * FROM pages WHERE born = 2 ORDER BY id").all();
    expect(staged).toHaveLength(40);

    const report = await it.run(after);
    expect(report).toMatchObject({
      changed: 60,
      added: 0,
      removed: 0,
      unchanged: 0,
      generation: 2,
      resumed: true,
    });
    expect([await it.found("zebra"), (await it.found("lion")).length]).toEqual([[], 60]);
    // The pages that were read before were not read again.
    expect(
      it.storage.database.query("SELECT * FROM pages WHERE born = 2 ORDER BY id LIMIT 40").all(),
    ).toEqual(staged);
  });

  test("what changed since an interrupted run is as it is now", async () => {
    using it = await opened();
    await it.run({ same: "horse", ...manyPages(25, "zebra") });
    await expect(
      it.run(interruptedAfter({ fresh: "wolf", same: "horse", ...manyPages(25, "lion") }, 25)),
    ).rejects.toThrow();
    // One page went back, one that was new is gone, one changed again.
    const files = {
      ...manyPages(25, "lion"),
      same: "horse",
      page0: manyPages(1, "zebra")["page0"] ?? "",
      page1: "tiger",
    };
    const report = await it.run(files);
    expect(report).toMatchObject({ added: 0, changed: 24, unchanged: 2, removed: 0, resumed: true });
    expect(await it.found("wolf")).toEqual([]);
    expect(await it.found("tiger")).toEqual(["page1"]);
    expect(await it.found("zebra")).toEqual(["page0"]);
    expect((await it.found("lion")).length).toBe(23);
    expectWhole(it.storage);
  });

  test("an interrupted run that turns out to change nothing leaves nothing", async () => {
    using it = await opened();
    const before = manyPages(30, "zebra");
    await it.run(before);
    await expect(it.run(interruptedAfter(manyPages(30, "lion"), 25))).rejects.toThrow();
    expect(await it.run(before)).toMatchObject({ changed: 0, unchanged: 30, generation: 1, resumed: true });
    expect((await it.run(before)).resumed).toBe(false);
    expect(it.storage.database.query("SELECT count(*) AS n FROM pages").get()).toEqual({ n: 30 });
    expectWhole(it.storage);
  });

  test("a first run that is interrupted shows nothing", async () => {
    using it = await opened();
    await expect(it.run(interruptedAfter(manyPages(30, "zebra"), 25))).rejects.toThrow();
    expect([await it.found("zebra"), await it.page("page0"), await it.generation()]).toEqual([[], [], 0]);
    expect(await it.storage.pages.countPages(it.site.id)).toEqual({ pages: 0, passages: 0 });
    expect(await it.run(manyPages(30, "zebra"))).toMatchObject({ added: 30, resumed: true, generation: 1 });
  });

  test("an interrupted run gives its source back", async () => {
    using it = await opened();
    await expect(it.run(interruptedAfter({}, 0))).rejects.toThrow("the cable was pulled");
    expect((await it.run({ a: "zebra" })).added).toBe(1);
  });

  test("a run stops when it is told to", async () => {
    using it = await opened();
    await it.run({ a: "zebra" });
    const abort = new AbortController();
    const files = manyPages(50, "lion");
    const stopped = it.run(files, {}, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(stopped).rejects.toThrow();
    await stopped.catch(() => {});
    expect([await it.found("lion"), await it.found("zebra")]).toEqual([[], ["a"]]);
    expect(await it.run(files)).toMatchObject({ added: 50, removed: 1, resumed: true });
  });
});

describe("ingest: generations", () => {
  test("nothing of a run is visible before all of it is there", async () => {
    using it = await opened();
    await it.run(manyPages(45, "zebra"));
    const seen = new Set<string>();
    await it.run({
      async *list(context) {
        for await (const item of memoryReader(manyPages(45, "lion")).list(context)) {
          seen.add(
            `${(await it.found("zebra")).length} ${(await it.found("lion")).length} ${await it.generation()}`,
          );
          yield item;
        }
      },
    });
    expect([...seen]).toEqual(["45 0 1"]);
    expect([(await it.found("lion")).length, await it.generation()]).toEqual([45, 2]);
  });

  test("the last three generations stay readable, older pages go", async () => {
    using it = await opened();
    for (const word of ["one", "two", "three", "four", "five"])
      await it.run({ a: `zebra ${word}`, b: "horse" });
    const query = { terms: ["zebra"], phrases: [], identifiers: [], prefix: undefined };
    const match = async (generation: number) => {
      const found = await openKeywords(it.storage).match(
        { audience: "everything", siteId: it.site.id, generation, filter: {} },
        query,
        9,
      );
      return it.storage.search.load(found.map(({ passageId }) => passageId));
    };
    const texts = await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => (await match(number)).map(({ text }) => text)),
    );
    expect(texts).toEqual([[], [], ["zebra three"], ["zebra four"], ["zebra five"]]);
    expect(it.storage.database.query("SELECT count(*) AS n FROM pages").get()).toEqual({ n: 4 });
  });

  test("the keyword index has the passages there are, and few that are gone, of which nothing is told", async () => {
    using it = await opened();
    for (const count of [30, 5, 45, 1, 12, 12, 3]) {
      await it.run(manyPages(count, `word${count}`), {}, { force: true });
      expectWhole(it.storage);
      const { n } = it.storage.database
        .query<{ n: number }, []>("SELECT count(*) AS n FROM passages")
        .get() ?? { n: 0 };
      expect(indexedPassages(it.storage.database).length).toBeLessThanOrEqual(n / 0.9);
    }
    const of = await it.frequencies(["word30", "word5", "word3"]);
    expect([of.get("word30"), of.get("word5"), of.get("word3")]).toEqual([undefined, undefined, 3]);
  });

  test("a removed site leaves nothing in the index", async () => {
    using it = await opened();
    await it.run(manyPages(30, "zebra"));
    await it.storage.sites.removeSite(it.site.id);
    expect(indexedPassages(it.storage.database)).toEqual([]);
    for (const table of ["passages", "segments", "segment_rows"])
      expect(it.storage.database.query(`SELECT id FROM ${table}`).all(), table).toEqual([]);
    expect((await it.frequencies(["zebra"])).get("zebra")).toBeUndefined();
  });
});
