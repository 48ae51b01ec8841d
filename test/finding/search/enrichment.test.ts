import { describe, expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/keyword-index.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { quietLog } from "../../helpers/test-log.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const { signal } = new AbortController();
const MEASURE = {
  at: TEST_TIME,
  generation: 1,
  written: 1,
  questions: 0,
  better: 0,
  worse: 0,
  ndcgWith: 0,
  ndcgWithout: 0,
  low: 0,
  high: 0,
};

/** A site about widgets, in which a model asked for one page in words that no page has. */
async function opened() {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  const pages = ["spool", "crank", "lever", "gauge"].map((name) =>
    stagedPage(name, `The ${name} of the widget turns, and the widget is fine.`),
  );
  const hidden = stagedPage("staff", "The ledger of the widget is for the staff.", { groups: ["staff"] });
  await publishPages(storage.ingest, source, [...pages, hidden]);
  const search = openSearch(storage);
  const keeper = createIndexKeeper({ store: storage.enrichmentSegments, log: quietLog() });

  async function write(path: string, questions: string[], words: string[] = []) {
    const { passages } = await storage.enrichments.pending(site.id, { after: 0, charactersMin: 1 });
    const passage = passages.find(({ title }) => title === path);
    if (!passage) throw new Error(`nothing is pending of ${path}`);
    const made = { refused: undefined, model: "tiny", madeAt: TEST_TIME };
    await storage.enrichments.put(site.id, passage, { questions, words, ...made });
    await keeper.catchUp(site.id, { signal });
  }
  const find = (text: string, enrichment?: boolean, groups?: string[]) =>
    search.find({
      audience: "everything",
      siteId: site.id,
      text,
      pageSize: 5,
      filter: groups ? { groups } : {},
      parts: { corrections: false, ...(enrichment === undefined ? {} : { enrichment }) },
    });
  return {
    storage,
    site,
    source,
    search,
    write,
    keeper,
    find,
    found: async (...asked: Parameters<typeof find>) => (await find(...asked)).hits.map(({ path }) => path),
    set: (enrichment: "off" | "on") =>
      storage.sites.updateSite(site.id, { settings: { ...site.settings, enrichment } }),
    [Symbol.dispose]: () => storage[Symbol.dispose](),
  };
}

const QUESTION = "bobbin unwinding";

describe("what a model wrote for passages", () => {
  test("finds a passage that has no word of the question, where it is asked for, and not otherwise", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    expect(await it.found(QUESTION)).not.toContain("lever");
    expect(await it.found(QUESTION, false)).not.toContain("lever");
    expect((await it.found(QUESTION, true))[0]).toBe("lever");
  });

  test("counts for readers once it is on and measured, and no more when it is off", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    await it.set("on");
    expect(await it.found(QUESTION)).not.toContain("lever");
    await it.storage.enrichments.putMeasure(it.site.id, MEASURE, true);
    expect((await it.found(QUESTION))[0]).toBe("lever");
    await it.set("off");
    expect(await it.found(QUESTION)).not.toContain("lever");
  });

  test("is in nothing that is shown, and makes a passage as relevant as words of its own", async () => {
    using it = await opened();
    const relevanceOf = async (enrichment: boolean) =>
      (await it.find("lever bobbin", enrichment)).hits.find(({ path }) => path === "lever")?.relevance ?? 0;
    const before = await relevanceOf(false);
    await it.write("lever", ["Why is the bobbin unwinding?"], ["reel"]);
    const { hits } = await it.find(QUESTION, true);
    expect(JSON.stringify(hits)).not.toMatch(/obbin|reel/);
    expect(await relevanceOf(false)).toBe(before);
    expect(await relevanceOf(true)).toBeGreaterThan(before);
  });

  test("counts for the page of its passage, too", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    const { candidates } = await it.search.candidates({
      audience: "everything",
      siteId: it.site.id,
      text: "widget bobbin",
      pageSize: 5,
      parts: { enrichment: true, corrections: false },
    });
    const pageOf = (wanted: string) => candidates.find(({ path }) => path === wanted)?.parts.page ?? 0;
    expect(pageOf("lever")).toBeGreaterThan(pageOf("spool"));
  });

  test("is no phrase, and corrects no word that readers type", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    expect((await it.found('"bobbin unwinding" gauge', true))[0]).toBe("gauge");
    const { corrected } = await it.search.find({
      audience: "everything",
      siteId: it.site.id,
      text: "bobbim",
      pageSize: 5,
      parts: { enrichment: true },
    });
    expect(corrected).toBeUndefined();
  });

  test("counts where the passage has not the word itself, and less as a search word than in a question", async () => {
    using it = await opened();
    const before = (await it.find("lever", false)).hits.map(({ path, score }) => [path, score]);
    await it.write("lever", ["How does the lever turn?"], ["lever"]);
    expect((await it.find("lever", true)).hits.map(({ path, score }) => [path, score])).toEqual(before);
    await it.write("spool", ["How do I wind the bobbin?"]);
    await it.write("crank", ["How do I turn it by hand?"], ["bobbin"]);
    expect((await it.found("bobbin", true)).slice(0, 2)).toEqual(["spool", "crank"]);
  });

  test("is found by nobody who may not read the passage, nor in a generation that has it no more", async () => {
    using it = await opened();
    await it.write("staff", ["Who keeps the bobbin unwinding?"]);
    expect(await it.found(QUESTION, true, ["partners"])).not.toContain("staff");
    expect(await it.found(QUESTION, true, ["staff"])).toContain("staff");
    await publishPages(it.storage.ingest, it.source, [], ["staff"]);
    expect(await it.found(QUESTION, true, ["staff"])).not.toContain("staff");
  });

  test("goes from the index with the passage, or when all is removed", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    await it.storage.enrichments.removeSome(it.site.id, 9);
    await it.keeper.tidy(it.site.id, signal);
    expect(await it.storage.enrichmentSegments.list(it.site.id)).toEqual([]);
    expect(await it.found(QUESTION, true)).not.toContain("lever");
  });

  test("that is damaged takes no part in search, and stops none", async () => {
    using it = await opened();
    await it.write("lever", ["Why is the bobbin unwinding?"]);
    const [segment] = await it.storage.enrichmentSegments.list(it.site.id);
    it.storage.database.run(
      "UPDATE segment_rows SET bytes = zeroblob(length(bytes)) WHERE id / 16777216 = ?",
      [segment?.id ?? 0],
    );
    expect(await it.found("spool widget", false)).toContain("spool");
    // It is told, and a log that takes no warnings ends the search; others go on without it.
    await expect(it.find(QUESTION, true)).rejects.toThrow("cannot be searched");
  });

  test("is found alike when its segments were merged", async () => {
    using it = await opened();
    for (const path of ["spool", "crank", "lever", "gauge"])
      await it.write(path, [`How is the bobbin of the ${path} emptied?`], ["unwinding"]);
    const ranked = async () => (await it.find(QUESTION, true)).hits.map(({ path, score }) => [path, score]);
    const before = await ranked();
    expect(await it.storage.enrichmentSegments.list(it.site.id)).toHaveLength(4);
    await it.keeper.tidy(it.site.id, signal);
    expect(await it.storage.enrichmentSegments.list(it.site.id)).toHaveLength(1);
    expect(await ranked()).toEqual(before);
  });
});
