import { expect, test } from "bun:test";
import { alike, sketchOf } from "../../../src/measuring/check/sketch.ts";

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(" ");
const things = (...texts: string[]) => texts.map((text, name) => ({ name, sketch: sketchOf(text) }));
const pairs = (...texts: string[]) =>
  [...alike(things(...texts), 0.8)].map(({ thing, twin }) => [twin.name, thing.name]);

test("texts that share most of their runs of words are alike, whatever stands around the words", () => {
  expect(pairs(words(0, 300), `# ${words(0, 300).toUpperCase()}!`)).toEqual([[0, 1]]);
  expect(pairs(words(0, 300), words(10, 300))).toEqual([[0, 1]]);
});

test("texts that share half of them, or words in another order, are not", () => {
  expect(pairs(words(0, 300), words(150, 300))).toEqual([]);
  expect(pairs(words(0, 300), words(0, 300).split(" ").toReversed().join(" "))).toEqual([]);
});

test("texts too short to be compared are like nothing", () => {
  expect(sketchOf(words(0, 39))).toBeUndefined();
  expect(pairs(words(0, 39), words(0, 39))).toEqual([]);
});

test("the estimate of how alike long texts are is near what it is", () => {
  const [pair] = [...alike(things(words(0, 4000), words(400, 4000)), 0.1)];
  // 3,600 of 4,400 words are in both.
  expect(pair?.share).toBeWithin(0.7, 0.93);
});
