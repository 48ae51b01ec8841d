import { expect, test } from "bun:test";
import openWabt from "wabt";
import { openCountDiffering } from "../../../../src/finding/search/meaning/count-differing.ts";
import { seededRandom } from "../../../../src/measuring/eval/seeded-random.ts";

const SOURCES = new URL("../../../../src/finding/search/meaning/", import.meta.url).pathname;

test("what is run is what its source says", async () => {
  const { parseWat } = await openWabt();
  const file = `${SOURCES}count-differing.wat`;
  const assembled = new Uint8Array(parseWat(file, await Bun.file(file).text()).toBinary({}).buffer);
  expect(await Bun.file(`${SOURCES}count-differing.wasm`).bytes()).toEqual(assembled);
});

test("counts the signs that differ, of any number of vectors of any length, and writes nothing beside", async () => {
  const count = await openCountDiffering();
  const random = seededRandom(5);
  const word = () => Math.floor(random() * 2 ** 32);
  for (const wordsEach of [4, 8, 12, 2048])
    for (const vectors of [0, 1, 3, 2048 + 1, Math.ceil(70_000 / wordsEach)]) {
      const wanted = Uint32Array.from({ length: wordsEach }, word);
      const words = Uint32Array.from({ length: wordsEach * vectors }, word);
      const distances = new Uint16Array(vectors);
      count(words, wanted, distances);
      const expected = Uint16Array.from({ length: vectors }, (_, vector) =>
        wanted.reduce((sum, own, at) => sum + bits((own ^ (words[vector * wordsEach + at] ?? 0)) >>> 0), 0),
      );
      expect(distances).toEqual(expected);
    }
});

test("a process has one, whoever asks for it: each would have a memory of its own", async () => {
  const opened = await Promise.all([openCountDiffering(), openCountDiffering()]);
  expect(await openCountDiffering()).toBe(opened[0]);
  expect(opened[1]).toBe(opened[0]);
});

function bits(word: number): number {
  let count = 0;
  // Takes away the lowest one that is left.
  for (let rest = word | 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}
