import { expect, test } from "bun:test";
import { createIndexKeeper } from "../../../src/finding/search/keyword-index/index-keeper.ts";
import {
  createKeywordIndex,
  SegmentDamaged,
} from "../../../src/finding/search/keyword-index/keyword-index.ts";
import { openSiteIndex } from "../../../src/running/app/site-index.ts";
import { flipBit, segmentRows } from "../../helpers/damage-segments.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { quietLog, testLog } from "../../helpers/test-log.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `page-${index}`,
    `# Zebra ${index}\n\nThe zebra of lion ${index}.`,
  ]),
);
const signal = new AbortController().signal;

type Change = Partial<Parameters<typeof openSiteIndex>[0]>;

/** A site with an index, and a question that reads all rows from the disk each time. */
async function opened(change: Change = {}) {
  const it = await openIngestSite();
  await it.run(PAGES);
  const { segments, search } = it.storage;
  const keeper = createIndexKeeper({ store: segments, log: quietLog() });
  let repairs = 0;
  const { log, lines } = testLog();
  const index = openSiteIndex({
    keeper: {
      ...keeper,
      repair(...given) {
        repairs++;
        return keeper.repair(...given);
      },
    },
    domainOf: async () => "docs",
    waitMs: Number.POSITIVE_INFINITY,
    isReadOnly: false,
    log,
    ...change,
  });
  const ask = () =>
    index.reading(it.site.id, async () => {
      const { generation, segments: ids } = await search.state(it.site.id);
      const fresh = createKeywordIndex({ segments, pageIds: (scope) => search.pageIds(scope), bytesMax: 0 });
      const view = await fresh.open(
        { audience: "everything", siteId: it.site.id, generation, filter: {} },
        ids,
      );
      return view.match({ terms: ["zebra", "lion"], phrases: [["zebra", "of"]], prefix: "li" }, 100);
    });
  return {
    ...it,
    index,
    ask,
    repairs: () => repairs,
    errors: () => lines.filter(({ level }) => level === "error"),
    rows: () => segmentRows(it.storage.database),
    /** Damages a row that every question reads. */
    damage() {
      for (const row of segmentRows(it.storage.database)) flipBit(it.storage.database, row, 77);
    },
    async heal() {
      await keeper.repair(it.site.id, signal);
    },
  };
}

test("a question that meets damage is answered from what was made anew, and the log says where it was", async () => {
  using it = await opened();
  const before = await it.ask();
  expect(before).toHaveLength(40);
  for (const { id } of it.rows()) {
    const row = it.rows().find((each) => each.id % 2 ** 24 === id % 2 ** 24);
    if (row === undefined) throw new Error("the index made anew has another number of rows");
    flipBit(it.storage.database, row, 1000);
    expect(await it.ask()).toEqual(before);
  }
  expect(it.errors().length).toBe(it.repairs());
  expect(it.repairs()).toBeGreaterThan(2);
  expect(it.errors()[0]).toMatchObject({ site: "docs", segment: 1 });
  await it.heal();
});

test("whoever asks what the index lacks hears of damage, and the log says where it is, once", async () => {
  using it = await opened();
  it.damage();
  for (let asked = 0; asked < 2; asked++)
    await expect(it.index.lacks(it.site.id, signal)).rejects.toThrow(SegmentDamaged);
  expect(it.errors()).toMatchObject([{ site: "docs", segment: 1 }]);
  await it.heal();
});

test("a row that is gone is damage as well", async () => {
  using it = await opened();
  const before = await it.ask();
  it.storage.database.run("DELETE FROM segment_rows WHERE id % 16777216 = 2");
  expect(await it.ask()).toEqual(before);
});

test("questions that meet the same damage wait for one repair, and it is said once", async () => {
  using it = await opened();
  const before = await it.ask();
  it.damage();
  const all = await Promise.all(Array.from({ length: 10 }, () => it.ask()));
  expect(all).toEqual(all.map(() => before));
  expect([it.repairs(), it.errors().length, it.index.damages()]).toEqual([1, 1, 1]);
});

test("a reader who would wait too long is told to come again, and the repair goes on", async () => {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  using it = await opened({
    waitMs: 1,
    async repairApart(domain) {
      begun.push(domain);
      await gate.promise;
      await it.heal();
    },
  });
  const before = await it.ask();
  it.damage();
  for (let asked = 0; asked < 3; asked++) {
    const error = await appErrorOf(it.ask);
    expect([error.code, error.retryAfterSeconds]).toEqual(["unavailable", 5]);
  }
  gate.resolve();
  while ((await it.index.findDamaged(it.site.id, signal)).length > 0) await Bun.sleep(1);
  expect(await it.ask()).toEqual(before);
  expect(begun).toEqual(["docs"]);
});

test("a repair that fails is said, nothing is served, and the next question tries again", async () => {
  let failures = 2;
  using it = await opened({
    async repairApart() {
      if (failures-- > 0) throw new Error("no room");
      await it.heal();
    },
  });
  const before = await it.ask();
  it.damage();
  for (let asked = 0; asked < 2; asked++) expect((await appErrorOf(it.ask)).code).toBe("unavailable");
  expect(it.errors().map(({ event }) => event)).toEqual([
    "a part of a site's keyword index is damaged",
    "a site's keyword index could not be made anew",
    "a site's keyword index could not be made anew",
  ]);
  expect(await it.ask()).toEqual(before);
});

test("where nothing can be written, damage is said with what to do, and nothing of it is served", async () => {
  using it = await opened({ isReadOnly: true });
  it.damage();
  const error = await appErrorOf(it.ask);
  expect([error.code, error.hint]).toEqual(["unavailable", expect.stringContaining("docent index repair")]);
  expect(it.repairs()).toBe(0);
  await it.heal();
});

test("a run that meets damage makes it anew, and goes on", async () => {
  using it = await opened();
  it.damage();
  await it.index.catchUp(it.site.id, { signal });
  expect([it.repairs(), await it.index.findDamaged(it.site.id, signal)]).toEqual([1, []]);
  it.damage();
  await it.index.tidy(it.site.id, signal);
  expect([it.repairs(), await it.index.findDamaged(it.site.id, signal)]).toEqual([2, []]);
});
