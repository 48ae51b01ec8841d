import { describe, expect, test } from "bun:test";
import { openCountDiffering } from "../../../../src/finding/search/meaning/count-differing.ts";
import { createVectorSigns } from "../../../../src/finding/search/meaning/vector-signs.ts";
import type { VectorRow } from "../../../../src/finding/search/search-store.ts";

async function* batchesOf(rows: VectorRow[], size = 7): AsyncGenerator<VectorRow[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const row = (passageId: number, bits: number[] | undefined, pageId = passageId): VectorRow => ({
  passageId,
  pageId,
  bits: bits && new Uint8Array(bits),
  vector: undefined,
});

const indexOf = async (rows: VectorRow[], dimensions = 8) =>
  createVectorSigns(batchesOf(rows), dimensions, await openCountDiffering());

/** A vector with these signs, each of its numbers as large as the others: then the signs alone decide. */
const vectorOf = (bits: number[]) =>
  Float32Array.from({ length: bits.length * 8 }, (_, index) =>
    ((bits[index >> 3] ?? 0) >> (index & 7)) & 1 ? 1 : -1,
  );

const near = async (
  bits: number[],
  given: Awaited<ReturnType<typeof indexOf>>,
  limit = 10,
  allows?: (id: number) => boolean,
) => (await given.nearest(vectorOf(bits), limit, allows)).near;

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
  test("are found, the first ones of several equals, in the order of the vectors", async () => {
    const index = await indexOf([row(5, [0b1111]), row(2, [0b0001]), row(9, [0b0000]), row(3, [0b0010])]);
    expect(await near([0], index)).toEqual([5, 2, 9, 3]);
    expect(await near([0], index, 3)).toEqual([2, 9, 3]);
    expect(await near([0], index, 2)).toEqual([2, 9]);
    expect([await near([0], index, 0), index.size]).toEqual([[], 4]);
  });

  test("are what comparing every one of them finds, at every length of vector", async () => {
    const byte = seededBytes(3);
    for (const dimensions of [8, 24, 32, 40, 64, 100, 256, 384, 1024]) {
      const random = () => Array.from({ length: Math.ceil(dimensions / 8) }, byte);
      const rows = Array.from({ length: 300 }, (_, index) => row(index + 1, random()));
      const index = await indexOf(rows, Math.ceil(dimensions / 8) * 8);
      const wanted = random();
      const expected = rows
        .map(({ passageId, bits }) => [
          passageId,
          differing(bits ?? new Uint8Array(), new Uint8Array(wanted)),
        ])
        .sort(([a = 0, x = 0], [b = 0, y = 0]) => x - y || a - b)
        .slice(0, 20)
        .map(([passageId = 0]) => passageId)
        .sort((a, b) => a - b);
      expect(await near(wanted, index, 20)).toEqual(expected);
    }
  });

  test("are told apart by how much of the question's vector stands behind a sign", async () => {
    const index = await indexOf([row(1, [0b0111]), row(2, [0b1000]), row(3, [0b1111])]);
    // Three signs of little weight differ less than one of much.
    const vector = Float32Array.of(0.1, 0.1, 0.1, 5, -1, -1, -1, -1);
    expect((await index.nearest(vector, 1)).near).toEqual([3]);
    expect((await index.nearest(vector, 2)).near).toEqual([2, 3]);
  });

  test("of pages that may not be found are left out, and others take their places", async () => {
    const rows = [row(1, [0], 10), row(2, [1], 10), row(3, [3], 20), row(4, [7], 30), row(5, [255], 20)];
    const index = await indexOf(rows);
    const asked: number[] = [];
    const allows = (pageId: number) => {
      asked.push(pageId);
      return pageId === 20;
    };
    expect(await near([0], index, 2, allows)).toEqual([3, 5]);
    // Those of one page stand together, and the page is asked after once.
    expect(asked).toEqual([10, 20, 30, 20]);
    expect(await near([0], index, 10, () => false)).toEqual([]);
    expect(await near([0], index, 1)).toEqual([1]);
  });

  test("differing in every sign can still be found", async () => {
    const index = await indexOf([row(1, new Array(32).fill(255), 1)], 256);
    const found = await index.nearest(vectorOf(new Array(32).fill(0)), 1);
    expect([found.near, found.level.typical]).toEqual([[1], -1]);
  });

  test("of none there are none", async () => {
    const index = await indexOf([]);
    expect([index.size, await near([0], index)]).toEqual([0, []]);
  });

  test("of passages without a vector are left out", async () => {
    const index = await indexOf([row(1, undefined), row(2, [1]), row(3, [2]), row(4, undefined)]);
    expect([index.size, await near([0], index)]).toEqual([2, [2, 3]]);
  });

  test("numbers of passages may be larger than 32 bits", async () => {
    const index = await indexOf([row(2 ** 40 + 1, [1], 2 ** 41)]);
    expect(await near([1], index, 1, (pageId) => pageId === 2 ** 41)).toEqual([2 ** 40 + 1]);
  });
});

describe("the signs of very many vectors", () => {
  /** So many that they are compared in three slices, with the nearest at the ends of each. */
  const SIZE = 75_000;
  const NEAREST = [1, 32_768, 32_769, 65_536, 65_537, SIZE];
  const many = indexOf(
    Array.from({ length: SIZE }, (_, index) => row(index + 1, [NEAREST.includes(index + 1) ? 0 : 255])),
  );

  test("are compared in slices, and others run in between", async () => {
    const index = await many;
    const order: string[] = [];
    const search = near([0], index, 6).then((found) => order.push(`found ${found.join(" ")}`));
    for (const name of ["first", "second"]) setImmediate(() => order.push(name));
    await search;
    expect(order).toEqual(["first", "second", `found ${NEAREST.join(" ")}`]);
  });

  test("are not mixed up by questions at the same time", async () => {
    const index = await many;
    const [some, others, allowed] = await Promise.all([
      near([0], index, 6),
      near([255], index, 3),
      near([0], index, 6, (pageId) => pageId > SIZE / 2),
    ]);
    expect([some, others]).toEqual([NEAREST, [2, 3, 4]]);
    expect(allowed.slice(-3)).toEqual([65_536, 65_537, SIZE]);
  });
});
