import { describe, expect, test } from "bun:test";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import { createVectors, textToEmbed } from "../../../src/sites/ingest/vectors.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { addSite } from "../../helpers/site-data.ts";
import { testLog } from "../../helpers/test-log.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

type IngestSite = Awaited<ReturnType<typeof openIngestSite>>;

const signal = new AbortController().signal;

/** A page of several passages: each section is long enough to stand alone. */
function sections(...words: string[]): string {
  return words.map((word) => `## The ${word}\n\n${`Some ${word} is said here. `.repeat(60)}`).join("\n\n");
}

/** Pages that are found by their vectors alone. */
async function nearest(it: IngestSite, text: string, embedder: Embedder): Promise<string[]> {
  const search = openSearch(it.storage, { embedder, questionVectorSeconds: 60 });
  const found = await search.find({
    audience: "everything",
    siteId: it.site.id,
    text,
    pageSize: 100,
    parts: { keyword: false },
  });
  return [...new Set(found.hits.map(({ path }) => path))].sort();
}

const identityOf = async (it: IngestSite) => (await it.storage.search.state(it.site.id)).embedder?.identity;

const vectorsBy = (it: IngestSite) =>
  it.storage.database
    .query<{ identity: string; count: number }, []>(
      `SELECT identity, count(*) AS count FROM passage_vectors
       JOIN embedders ON embedders.id = embedder_id GROUP BY 1 ORDER BY 1`,
    )
    .all()
    .map(({ identity, count }) => `${identity} ${count}`);

/** Passages of every kept generation that have no vector of the site's embedder. */
const bare = (it: IngestSite) =>
  it.storage.database
    .query<{ count: number }, []>(
      `SELECT count(*) AS count FROM passages JOIN sites ON sites.id = site_id
       WHERE NOT EXISTS (SELECT 1 FROM passage_vectors
                         WHERE passage_id = passages.id AND embedder_id = sites.embedder_id)`,
    )
    .get()?.count;

describe("vectors", () => {
  test("an embedder is shown the page, the headings and the text, no heading twice", () => {
    expect(textToEmbed({ title: "Guide", headings: ["Guide", "Install"], text: "Run it." })).toBe(
      "Guide > Install\nRun it.",
    );
    expect(textToEmbed({ title: "Guide", headings: [], text: "Run it." })).toBe("Guide\nRun it.");
  });

  test("are there with the pages, and what no embedder knows is left out of the search, not asked for again", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ zebra: "the zebra runs", "1234": "5678 90" });
    expect([await nearest(it, "zebra runs", embedder), bare(it)]).toEqual([["zebra"], 0]);
    const { generation, embedder: own } = await it.storage.search.state(it.site.id);
    const scope = { siteId: it.site.id, generation, filter: {} };
    const vectors = await Array.fromAsync(
      it.storage.search.vectors(scope, { embedderId: own?.id ?? 0, isEnriched: false }),
    );
    expect(vectors.flat()).toHaveLength(1);
    embedder.texts.length = 0;
    await it.run({ zebra: "the zebra sleeps", "1234": "5678 90" });
    expect(embedder.texts).toEqual(["zebra\nthe zebra sleeps"]);
  });

  test("of passages that a change left alone are taken over, not made again", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ a: sections("zebra", "lion", "horse"), b: sections("wolf") });
    expect(embedder.texts.length).toBe(4);
    embedder.texts.length = 0;
    await it.run({ a: sections("zebra", "tiger", "horse"), b: sections("wolf") });
    expect(embedder.texts.map((text) => text.split("\n")[0])).toEqual(["a > The tiger"]);
    expect([await nearest(it, "tiger horse", embedder), bare(it)]).toEqual([["a", "b"], 0]);
  });

  test("are made anew where the page's title has changed: it is part of what is embedded", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ a: `---\ntitle: One\n---\n\n${sections("zebra", "lion")}` });
    embedder.texts.length = 0;
    await it.run({ a: `---\ntitle: Two\n---\n\n${sections("zebra", "lion")}` });
    expect(embedder.texts.map((text) => text.split("\n")[0])).toEqual(["Two > The zebra", "Two > The lion"]);
  });

  test("an unchanged run asks the embedder for nothing", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ a: "zebra" });
    embedder.texts.length = 0;
    await it.run({ a: "zebra" });
    expect(embedder.texts).toEqual([]);
  });

  test("progress counts the passages", async () => {
    using it = await openIngestSite();
    const seen: number[] = [];
    const pages = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`page${index}`, `zebra ${index}`]),
    );
    await it.run(pages, {}, { onEmbedding: (passages) => seen.push(passages) });
    expect(seen).toEqual([256, 300]);
  });
});

describe("an embedder that fails", () => {
  test("ends the run with nothing visible, and the next run goes on where it ended", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ a: "zebra" });
    const before = it.content();
    const pages = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`page${index}`, `lion ${index}`]),
    );
    const error = await appErrorOf(() => it.run(pages, {}, {}, failingEmbedder({ batches: 1 })));
    expect(error.message).toBe("The embedding model does not answer.");
    expect(it.content()).toEqual(before);
    expect(await it.lastRun()).toMatchObject({ outcome: "failed", message: error.message });
    embedder.texts.length = 0;
    expect(await it.run(pages)).toMatchObject({ added: 300, removed: 1, resumed: true, generation: 2 });
    expect([embedder.texts.length, bare(it)]).toEqual([44, 0]);
  });

  test("while nothing has changed leaves the old vectors in use", async () => {
    const embedder = wordEmbedder("old");
    const { log, lines } = testLog();
    using it = await openIngestSite({ embedder, log });
    await it.run({ a: "zebra" });
    expect(await it.run({ a: "zebra" }, {}, {}, failingEmbedder({ name: "new" }))).toMatchObject({
      unchanged: 1,
    });
    expect(lines).toMatchObject([{ level: "warn", reason: "The embedding model does not answer." }]);
    expect([await identityOf(it), await nearest(it, "zebra", embedder)]).toEqual(["test:old", ["a"]]);
    expect(await it.run({ a: "zebra" })).toMatchObject({ unchanged: 1, generation: 1 });
  });
});

describe("another embedder", () => {
  test("makes its vectors beside the old ones, which are used until the swap and then go", async () => {
    const old = wordEmbedder("old");
    const next = wordEmbedder("new");
    using it = await openIngestSite({ embedder: old });
    await it.run({ a: "zebra", b: "lion" });
    const during: unknown[] = [];
    const watched: Embedder = {
      isInstant: false,
      describe: next.describe,
      async embed(...given) {
        during.push(await identityOf(it), await nearest(it, "zebra", old), vectorsBy(it));
        return next.embed(...given);
      },
    };
    expect(await it.run({ a: "zebra", b: "lion" }, {}, {}, watched)).toMatchObject({
      unchanged: 2,
      generation: 1,
    });
    expect(during).toEqual(["test:old", ["a", "b"], ["test:old 2"]]);
    expect([await identityOf(it), vectorsBy(it), bare(it)]).toEqual(["test:new", ["test:new 2"], 0]);
    // A server that still has the old one searches by keywords.
    expect([await nearest(it, "zebra", old), await nearest(it, "zebra", next)]).toEqual([[], ["a", "b"]]);
  });

  test("makes those of all kept generations: going back finds them", async () => {
    const next = wordEmbedder("new");
    using it = await openIngestSite({ embedder: wordEmbedder("old") });
    for (const text of ["zebra", "lion"]) await it.run({ a: text });
    await it.run({ a: "lion" }, {}, {}, next);
    await it.generations.rollBack(it.site.id);
    expect([await it.page("a"), bare(it), await nearest(it, "zebra", next)]).toEqual([["zebra"], 0, ["a"]]);
  });

  test("of one site leaves the vectors of others as they are", async () => {
    const old = wordEmbedder("old");
    using it = await openIngestSite({ embedder: old });
    await it.run({ a: "zebra" });
    const other = await addSite(it.storage.sites, "other");
    await it.run({ b: "lion" }, { siteId: other.id });
    const store = it.storage.passageVectors;
    await createVectors({ store, embedder: wordEmbedder("new") }).complete(it.site.id, { signal });
    expect(vectorsBy(it)).toEqual(["test:new 1", "test:old 1"]);
    expect((await it.storage.search.state(other.id)).embedder?.identity).toBe("test:old");
  });

  test("that is stopped half way goes on from there", async () => {
    using it = await openIngestSite({ embedder: wordEmbedder("old") });
    await it.run(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`page${index}`, `lion ${index}`])),
    );
    const store = it.storage.passageVectors;
    const stopped = createVectors({ store, embedder: failingEmbedder({ batches: 1, name: "new" }) });
    await appErrorOf(() => stopped.complete(it.site.id, { signal }));
    expect([await identityOf(it), vectorsBy(it)]).toEqual(["test:old", ["test:new 256", "test:old 300"]]);
    const next = wordEmbedder("new");
    await createVectors({ store, embedder: next }).complete(it.site.id, { signal });
    expect([next.texts.length, vectorsBy(it), bare(it)]).toEqual([44, ["test:new 300"], 0]);
  });
});

describe("two runs at once", () => {
  test("one that another server removed meanwhile is made again, before search uses them", async () => {
    using it = await openIngestSite();
    await it.run({ a: "# A\n\nzebra", b: "# B\n\nlion" });
    const { passageVectors: store, database } = it.storage;
    let removals = 1;
    const vectors = createVectors({
      store: {
        ...store,
        async missing(siteId, embedderId, after, limit) {
          if (after > 0 && removals-- > 0) database.run("DELETE FROM passage_vectors WHERE passage_id = 1");
          return store.missing(siteId, embedderId, after, limit);
        },
      },
      embedder: wordEmbedder("new"),
    });
    await vectors.complete(it.site.id, { signal });
    expect([removals, await identityOf(it), bare(it)]).toEqual([-1, "test:new", 0]);
  });

  test("a passage that goes while its vector is made disturbs nobody", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    await it.run({ a: "zebra" }, { location: "/one" });
    // Another run has staged a page, and takes it back while this one makes vectors for all that is there.
    const other = await it.sourceOf({ location: "/two" });
    const { runId } = await it.storage.ingest.openRun(other, it.clock());
    await it.storage.ingest.stage(other, runId, [stagedPage("x", "cat"), stagedPage("y", "dog")]);
    const meanwhile: Embedder = {
      isInstant: false,
      describe: embedder.describe,
      async embed(...given) {
        await it.storage.ingest.drop(other, runId, ["x"]);
        return embedder.embed(...given);
      },
    };
    expect(await it.run({ a: "lion" }, { location: "/one" }, {}, meanwhile)).toMatchObject({ changed: 1 });
    expect([await it.page("a"), bare(it)]).toEqual([["lion"], 0]);
  });

  test("of two sources give each its own vectors", async () => {
    const embedder = wordEmbedder();
    using it = await openIngestSite({ embedder });
    const pages = (word: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${word}${index}`, `${word} ${index}`]));
    const reports = await Promise.all([
      it.run(pages("zebra"), { location: "/one" }),
      it.run(pages("lion"), { location: "/two" }),
    ]);
    expect(reports.map(({ added, generation }) => [added, generation]).sort()).toEqual([
      [60, 1],
      [60, 2],
    ]);
    expect([bare(it), vectorsBy(it)]).toEqual([0, ["test:words 120"]]);
  });
});
