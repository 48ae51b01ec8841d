import { describe, expect, test } from "bun:test";
import { SEGMENT_REVISION } from "../../../../src/finding/search/keyword-index/keyword-index.ts";
import { ageOf, isReadable } from "../../../../src/finding/search/keyword-index/revision.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";
import { appErrorOf } from "../../../helpers/rejection.ts";
import { openIndex, pagesOf, randomPassage, randomQuery, SITE, signal } from "./random-passages.ts";

const [ANALYZER = 0, FORMAT = 0] = SEGMENT_REVISION.split(".").map(Number);
/** Of an older analyzer, an older format, and the same of newer ones. */
const OLDER = `${ANALYZER - 1}.${FORMAT}`;
const UNREADABLE = `${ANALYZER - 1}.${FORMAT - 1}`;
const NEWER = `${ANALYZER + 1}.${FORMAT}`;
const NEWER_UNREADABLE = `${ANALYZER}.${FORMAT + 1}`;

/** An index of four segments, of which three could be merged with one more. */
async function opened() {
  const random = seededRandom(23);
  const passages = new Map<number, ReturnType<typeof randomPassage>>();
  const it = openIndex(passages, () => pagesOf(passages));
  for (let id = 1; id <= 120; id++) {
    passages.set(id, randomPassage(random, id));
    if (id % 30 === 0) await it.keeper.catchUp(SITE, { signal });
  }
  const revisions = async () => (await it.store.list(SITE)).map(({ revision }) => revision);
  const counts = async () => (await it.store.list(SITE)).map((each) => each.passages);
  const ids = async () => (await it.store.list(SITE)).map(({ id }) => id);
  /** As one that was built anew answers, hit for hit. */
  async function expectAsAnew() {
    const anew = openIndex(passages, () => pagesOf(passages));
    await anew.keeper.catchUp(SITE, { signal });
    const [view, fresh] = [await it.view(), await anew.view()];
    expect(view.passages).toBe(passages.size);
    for (let asked = 0; asked < 20; asked++) {
      const query = randomQuery(random);
      expect(await view.match(query, 50)).toEqual(await fresh.match(query, 50));
    }
  }
  return { ...it, passages, random, revisions, counts, ids, expectAsAnew };
}

test("revisions are told apart by their two numbers; one that makes no sense is an older one", () => {
  const ages = [
    SEGMENT_REVISION,
    OLDER,
    UNREADABLE,
    NEWER,
    NEWER_UNREADABLE,
    `${ANALYZER - 1}.${FORMAT + 1}`,
  ];
  expect(ages.map(ageOf)).toEqual(["current", "older", "older", "newer", "newer", "newer"]);
  expect(ages.map(isReadable)).toEqual([true, true, false, true, false, false]);
  for (const odd of ["", "older", "x.y"]) expect([ageOf(odd), isReadable(odd)]).toEqual(["older", false]);
});

describe("an index that an older version made", () => {
  test("is not merged, so that nothing of it passes for what this version makes", async () => {
    for (const revision of [OLDER, UNREADABLE, NEWER, NEWER_UNREADABLE]) {
      const it = await opened();
      it.setRevision(revision);
      const before = await it.ids();
      await it.keeper.tidy(SITE, signal);
      expect([await it.ids(), new Set(await it.revisions())]).toEqual([before, new Set([revision])]);
    }
  });

  test("is made anew, whether it can be read or not, and nothing of it stays", async () => {
    for (const revision of [OLDER, UNREADABLE]) {
      const it = await opened();
      it.setRevision(revision, (await it.ids()).slice(0, 3));
      expect(await it.keeper.lacks(SITE, signal)).toMatchObject({ outdated: 3, newer: 0, missing: 0 });
      await it.keeper.complete(SITE, signal);
      expect(new Set(await it.revisions())).toEqual(new Set([SEGMENT_REVISION]));
      expect((await it.counts()).reduce((sum, count) => sum + count)).toBe(120);
      expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: 0, newer: 0, missing: 0 });
      await it.expectAsAnew();
    }
  });

  test("has each passage once for readers while it is made anew", async () => {
    for (const revision of [OLDER, UNREADABLE]) {
      const it = await opened();
      it.setRevision(revision);
      const { finish } = it.store;
      const seen: number[] = [];
      it.store.finish = async (...given) => {
        await finish(...given);
        seen.push((await it.view()).passages);
      };
      await it.keeper.complete(SITE, signal);
      expect(new Set(seen)).toEqual(new Set([120]));
      expect(seen.length).toBeGreaterThan(revision === OLDER ? 3 : 0);
    }
  });

  test("loses what is gone from its passages, and gains what none had", async () => {
    const it = await opened();
    it.setRevision(OLDER);
    for (let id = 1; id <= 50; id++) it.passages.delete(id);
    for (let id = 200; id < 210; id++) it.passages.set(id, randomPassage(it.random, id));
    expect(await it.keeper.lacks(SITE, signal)).toMatchObject({ missing: 10 });
    await it.keeper.complete(SITE, signal);
    expect((await it.counts()).reduce((sum, count) => sum + count, 0)).toBe(80);
    await it.expectAsAnew();
  });

  test("goes on from what was done where it is cut short", async () => {
    const it = await opened();
    it.setRevision(OLDER);
    const stop = new AbortController();
    const { finish } = it.store;
    let finished = 0;
    it.store.finish = async (...given) => {
      await finish(...given);
      if (++finished === 2) stop.abort(new Error("killed"));
    };
    await expect(it.keeper.complete(SITE, stop.signal)).rejects.toThrow("killed");
    expect(await it.keeper.lacks(SITE, signal)).toMatchObject({ outdated: 2, missing: 0 });
    await it.keeper.complete(SITE, signal);
    await it.expectAsAnew();
  });

  test("is made anew by a run that cannot read it, and read by one that can", async () => {
    for (const [revision, left] of [
      [OLDER, 4],
      [UNREADABLE, 0],
    ] as const) {
      const it = await opened();
      it.setRevision(revision);
      it.passages.set(300, randomPassage(it.random, 300));
      await it.keeper.catchUp(SITE, { signal });
      expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: left, newer: 0, missing: 0 });
      await it.expectAsAnew();
    }
  });

  test("is not taken for damaged, and repair makes it anew, too", async () => {
    const it = await opened();
    it.setRevision(UNREADABLE);
    for (const id of await it.ids()) it.damage(id, 0, 5);
    expect(await it.keeper.findDamaged(SITE, signal)).toEqual([]);
    expect(await it.keeper.repair(SITE, signal)).toBe(4);
    await it.expectAsAnew();
  });
});

describe("an index that a newer version made", () => {
  test("is left as it is by an older server beside it; repair alone makes it anew", async () => {
    const it = await opened();
    it.setRevision(NEWER);
    const before = await it.ids();
    expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: 0, newer: 4, missing: 0 });
    await it.keeper.complete(SITE, signal);
    expect(await it.ids()).toEqual(before);
    expect(await it.keeper.repair(SITE, signal)).toBe(4);
    expect(new Set(await it.revisions())).toEqual(new Set([SEGMENT_REVISION]));
  });

  test("is written to by nobody who cannot read it", async () => {
    const it = await opened();
    const before = await it.ids();
    it.setRevision(NEWER_UNREADABLE, before.slice(0, 1));
    it.setRevision(OLDER, before.slice(1));
    it.passages.set(300, randomPassage(it.random, 300));
    const attempts = [() => it.keeper.complete(SITE, signal), () => it.keeper.catchUp(SITE, { signal })];
    for (const attempt of attempts)
      expect(await appErrorOf(attempt)).toMatchObject({
        code: "conflict",
        hint: expect.stringContaining("docent index repair"),
      });
    expect(await it.ids()).toEqual(before);
  });
});

test("passages that no segment has are counted, and repair indexes them", async () => {
  const it = await opened();
  const [first = 0] = await it.ids();
  await it.store.remove([first]);
  expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: 0, newer: 0, missing: 30 });
  expect(await it.keeper.repair(SITE, signal)).toBe(0);
  expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: 0, newer: 0, missing: 0 });
  await it.expectAsAnew();
});

test("segments that are merged while it is looked for what is missing are no loss", async () => {
  const it = await opened();
  const { list } = it.store;
  let looks = 0;
  it.store.list = async (siteId) => {
    const all = await list(siteId);
    if (++looks === 1) await it.keeper.tidy(SITE, signal);
    return all;
  };
  expect(await it.keeper.lacks(SITE, signal)).toEqual({ outdated: 0, newer: 0, missing: 0 });
  expect(await it.counts()).toEqual([120]);
});
