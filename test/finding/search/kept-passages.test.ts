import { describe, expect, test } from "bun:test";
import { keepPassages } from "../../../src/finding/search/kept-passages.ts";
import type { Candidate, PassageRun } from "../../../src/finding/search/search-store.ts";

const PAGES = 3;
const PASSAGES = 6;
const ROOM = 1_000_000;

const passageOf = (pageId: number, position: number): Candidate => ({
  passageId: pageId * 100 + position,
  pageId,
  path: `/page-${pageId}`,
  location: `page-${pageId}.md`,
  version: "",
  language: "",
  groups: [],
  title: `Page ${pageId}`,
  headings: [],
  anchor: "",
  innerHeadings: [],
  position,
  markdown: `Text ${position}.`,
  text: `Text ${position}.`,
  lacksWords: false,
});

const ALL = Array.from({ length: PAGES }, (_, page) =>
  Array.from({ length: PASSAGES }, (_, position) => passageOf(page + 1, position)),
).flat();

/** Passages in memory, with the ids that were read in each call. */
function openStore() {
  const calls: number[][] = [];
  const noted = (passages: Candidate[]) => {
    calls.push(passages.map(({ passageId }) => passageId));
    return passages;
  };
  return {
    calls,
    load: async (ids: number[]) => noted(ALL.filter(({ passageId }) => ids.includes(passageId))),
    runs: async (runs: readonly PassageRun[]) =>
      noted(
        ALL.filter(({ pageId, position }) =>
          runs.some((run) => run.pageId === pageId && run.first <= position && position <= run.last),
        ),
      ),
  };
}

const idsOf = (passages: readonly Candidate[]) => passages.map(({ passageId }) => passageId);

describe("passages that were read", () => {
  test("are not read again, and come in the order of a store", async () => {
    const store = openStore();
    const kept = keepPassages(store, ROOM);
    expect(idsOf(await kept.load([203, 101]))).toEqual([101, 203]);
    expect(idsOf(await kept.load([301, 203, 102, 101]))).toEqual([101, 102, 203, 301]);
    expect(idsOf(await kept.load([301, 102]))).toEqual([102, 301]);
    expect(store.calls).toEqual([
      [101, 203],
      [102, 301],
    ]);
  });

  test("stand for a run where all of its places are known, those before and behind a page too", async () => {
    const store = openStore();
    const kept = keepPassages(store, ROOM);
    await kept.load([100, 101]);
    const first = await kept.runs([{ pageId: 1, first: -2, last: 1 }]);
    expect([idsOf(first.passages), first.wereKept]).toEqual([[100, 101], false]);
    const again = await kept.runs([{ pageId: 1, first: -5, last: 1 }]);
    expect([idsOf(again.passages), again.wereKept]).toEqual([[100, 101], true]);
    const longer = await kept.runs([{ pageId: 1, first: 1, last: 9 }]);
    expect([idsOf(longer.passages), longer.wereKept]).toEqual([[101, 102, 103, 104, 105], false]);
    const whole = await kept.runs([
      { pageId: 1, first: 4, last: 9 },
      { pageId: 1, first: 0, last: 4 },
    ]);
    expect([idsOf(whole.passages), whole.wereKept]).toEqual([[100, 101, 102, 103, 104, 105], true]);
    expect(store.calls).toHaveLength(3);
  });

  test("are the same with little memory, or none", async () => {
    for (const bytes of [0, 2000, 10_000]) {
      const kept = keepPassages(openStore(), bytes);
      for (let turn = 0; turn < 2; turn++)
        for (const pageId of [3, 1, 2]) {
          const ids = [pageId * 100 + 5, pageId * 100];
          expect(idsOf(await kept.load(ids))).toEqual(ids.toReversed());
          const { passages } = await kept.runs([{ pageId, first: 2, last: 4 }]);
          expect(idsOf(passages)).toEqual([2, 3, 4].map((position) => pageId * 100 + position));
        }
    }
  });

  test("go where others need the room", async () => {
    const store = openStore();
    const kept = keepPassages(store, 4000);
    await kept.load([100]);
    for (const { passageId } of ALL.slice(1)) await kept.load([passageId]);
    const before = store.calls.length;
    await kept.load([100]);
    expect(store.calls).toHaveLength(before + 1);
  });
});
