import { describe, expect, test } from "bun:test";
import { moveTables, openTables } from "../../src/storage/open-storage.ts";
import { wholeJson, wholeText } from "../../src/storage/whole-text.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { plainPassage, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { addSite } from "../helpers/site-data.ts";
import { quietLog } from "../helpers/test-log.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";
import { addTurn } from "../helpers/turn-data.ts";

const NO_GAIN = { better: 0, worse: 0, ndcgWith: 0, ndcgWithout: 0, low: 0, high: 0 };

const nameOf = (url: string) => new URL(url).pathname.slice(1);

describe("text that every storage can hold", () => {
  test("has another sign for a NUL and for half of a character", () => {
    expect(wholeText("a\0b \ud83d c \u{1F600}")).toBe("a\ufffdb \ufffd c \u{1F600}");
  });

  test.each<unknown>([
    ["a\0b", "\ud83d", "\ude00", "\u{1F600}", "\\u0000", '\\"\\\\ud800', "\u0001\n"],
    { "na\0me": { "\ud800": "value" } },
  ])("is what JSON says, name by name, and stays JSON: %j", (value) => {
    const json = JSON.stringify(value);
    const whole = (each: unknown): unknown =>
      typeof each === "string"
        ? wholeText(each)
        : Array.isArray(each)
          ? each.map(whole)
          : Object.fromEntries(
              Object.entries(Object(each)).map(([name, of]) => [wholeText(name), whole(of)]),
            );
    expect(JSON.parse(wholeJson(json))).toEqual(whole(value));
  });

  test("a pair that is written as escapes stays one", () => {
    expect(wholeJson('["\\ud83d\\ude00", "\\uD83D", "\\\\ud83d"]')).toBe(
      '["\\ud83d\\ude00", "\ufffd", "\\\\ud83d"]',
    );
  });
});

describe.if(hasPostgres)("PostgreSQL", () => {
  test("reads no JSON where somebody's words may break it", async () => {
    using storage = await openTestPostgres();
    const site = await addSite(storage.sites, "docs");
    for (const fp of ["ann", "bob"])
      await addTurn(storage.threads, {
        siteId: site.id,
        id: fp,
        asked: { fp, text: "Shared?", filter: { version: "1" } },
      });
    // As an earlier Docent has stored it.
    queryNow(nameOf(storage.url), `UPDATE turns SET filter_json = '{"version":"\\ud800 \\u0000"}'`, []);
    const bounds = { questionsMax: 9, charactersMax: 60, readersMin: 2, daysMin: 1, limit: 5 };
    const period = { from: TEST_TIME, to: TEST_TIME + 1 };
    expect(await storage.overview.shared(site.id, period, bounds)).toEqual([
      { question: "Shared?", readers: 2 },
    ]);
  });

  test("keeps one of two pages, or places of a run, whose names are the same for it", async () => {
    using storage = await openTestPostgres();
    const site = await addSite(storage.sites, "docs");
    const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
    const image = { reference: "", image: undefined };
    const images = ["a\0.png", "a\ud800.png"].map((reference) => ({ ...image, reference }));
    await publishPages(storage.ingest, source, [
      stagedPage("half\ud800", "one"),
      stagedPage("half\0", "two", { images, passages: [plainPassage("two")] }),
    ]);
    expect(await storage.pages.countPages(site.id)).toEqual({ pages: 1, passages: 1 });
  });

  test("a site's settings with half of a character in them keep nobody from searching", async () => {
    using storage = await openTestPostgres();
    const site = await addSite(storage.sites, "docs");
    const settings = { ...site.settings, phrases: { quoting: "\ud800\0" } };
    await storage.sites.updateSite(site.id, { settings });
    const measure = { at: 1, generation: 1, written: 1, questions: 1, ...NO_GAIN };
    await storage.enrichments.putMeasure(site.id, measure, true);
    expect((await storage.search.state(site.id)).generation).toBe(0);
  });

  test("searches by tags that SQLite had with a NUL or half of a character in them", async () => {
    using before = await openTestStorage();
    const site = await addSite(before.sites, "docs");
    const source = await before.sources.open(sourceSpec(site.id), TEST_TIME);
    await publishPages(before.ingest, source, [
      stagedPage("a", "one", { tags: ["a\0b"] }),
      stagedPage("b", "two", { tags: ["\ud83d"] }),
      stagedPage("c", "three", { tags: ["c"] }),
    ]);
    const url = await newDatabase({ isEmpty: true });
    const options = {
      synchronous: "normal",
      backups: 0,
      locked: true,
      now: TEST_TIME,
      log: quietLog(),
    } as const;
    const { directory } = before;
    const from = await openTables({ ...options, directory, shared: undefined });
    const to = await openTables({
      ...options,
      directory,
      shared: { url, environment: {}, connectionsMax: 2, newId: () => "x" },
    });
    await moveTables(from, to, { signal: new AbortController().signal });
    await Promise.all([from.close(), to.close()]);
    using storage = await openTestPostgres({ url });
    for (const tag of ["a\0b", "\ud83d", "c"])
      expect(
        await storage.search.pageIds({
          audience: "everything",
          siteId: site.id,
          generation: 1,
          filter: { tag },
        }),
      ).toHaveProperty("size", 1);
  });
});
