import { describe, expect, test } from "bun:test";
import type { SignRow } from "../../src/search/search-store.ts";
import { createVectorSigns } from "../../src/search/vector-signs.ts";

async function* batchesOf(rows: SignRow[], size = 7): AsyncGenerator<SignRow[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const row = (passageId: number, bits: number[] | undefined, pageId = passageId): SignRow => ({
  passageId,
  pageId,
  bits: bits && new Uint8Array(bits),
});

const indexOf = (rows: SignRow[], { dimensions = 8, capacity = rows.length } = {}) =>
  createVectorSigns(batchesOf(rows), { dimensions, capacity });

const near = (
  bits: number[],
  given: Awaited<ReturnType<typeof indexOf>>,
  limit = 10,
  allows?: (id: number) => boolean,
) =>
  given
    .nearest(new Uint8Array(bits), limit, allows)
    .near.map(({ passageId, differing }) => [passageId, differing]);

/** Numbers from 0 to 255 that are the same in every run. */
function seededBytes(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

function differing(a: Uint8Array, b: Uint8Array): number {
  return a.reduce(
    (sum, byte, index) => sum + (byte ^ (b[index] ?? 0)).toString(2).replaceAll("0", "").length,
    0,
  );
}

describe("the nearest signs", () => {
  test("come first, those equally near in the order of their numbers", async () => {
    const index = await indexOf([row(5, [0b1111]), row(2, [0b0001]), row(9, [0b0000]), row(3, [0b0010])]);
    expect(near([0], index)).toEqual([
      [9, 0],
      [2, 1],
      [3, 1],
      [5, 4],
    ]);
    expect(near([0], index, 2)).toEqual([
      [9, 0],
      [2, 1],
    ]);
    expect([near([0], index, 0), index.size]).toEqual([[], 4]);
  });

  test("are what comparing every one of them finds, at every length of vector", async () => {
    const byte = seededBytes(3);
    for (const dimensions of [8, 24, 32, 40, 64, 100, 256, 384, 1024]) {
      const random = () => Array.from({ length: Math.ceil(dimensions / 8) }, byte);
      const rows = Array.from({ length: 300 }, (_, index) => row(index + 1, random()));
      const index = await indexOf(rows, { dimensions: Math.ceil(dimensions / 8) * 8 });
      const wanted = random();
      const expected = rows
        .map(({ passageId, bits }) => [
          passageId,
          differing(bits ?? new Uint8Array(), new Uint8Array(wanted)),
        ])
        .sort(([a = 0, x = 0], [b = 0, y = 0]) => x - y || a - b)
        .slice(0, 50);
      expect(near(wanted, index, 50)).toEqual(expected);
    }
  });

  test("of pages that may not be found are left out, and others take their places", async () => {
    const rows = [row(1, [0], 10), row(2, [1], 10), row(3, [3], 20), row(4, [7], 30), row(5, [255], 20)];
    const index = await indexOf(rows);
    const asked: number[] = [];
    const allows = (pageId: number) => {
      asked.push(pageId);
      return pageId === 20;
    };
    expect(near([0], index, 2, allows)).toEqual([
      [3, 2],
      [5, 8],
    ]);
    // Those of one page stand together, and the page is asked after once.
    expect(asked).toEqual([10, 20, 30, 20]);
    expect(near([0], index, 10, () => false)).toEqual([]);
    expect(near([0], index, 1)).toEqual([[1, 0]]);
  });

  test("differing in every sign can still be found", async () => {
    const index = await indexOf([row(1, [255, 255], 1)], { dimensions: 16 });
    expect(near([0, 0], index)).toEqual([[1, 16]]);
  });

  test("of none there are none", async () => {
    const index = await indexOf([]);
    expect([index.size, near([0], index)]).toEqual([0, []]);
  });

  test("of passages without a vector are left out, and more than there is room for are too", async () => {
    const index = await indexOf([row(1, undefined), row(2, [1]), row(3, [2]), row(4, [3])], { capacity: 2 });
    expect([index.size, near([0], index)]).toEqual([
      2,
      [
        [2, 1],
        [3, 1],
      ],
    ]);
  });

  test("numbers of passages may be larger than 32 bits", async () => {
    const index = await indexOf([row(2 ** 40 + 1, [1], 2 ** 41)]);
    expect(near([1], index, 1, (pageId) => pageId === 2 ** 41)).toEqual([[2 ** 40 + 1, 0]]);
  });
});
