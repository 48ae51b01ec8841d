import { expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { HEADER_BYTES, readHead, readVocabulary } from "../../../src/models/builtin/vector-table.ts";

const asset = await readBuiltinAsset(0);

function readWhole(whole: Uint8Array): string[] {
  const head = readHead(whole);
  return readVocabulary(head, whole.subarray(head.vocabularyAt)).split("\n");
}

test("each entry of the vocabulary has a row, and none is there twice", () => {
  const vocabulary = readWhole(asset);
  const { dimensions, vocabularyBytes } = readHead(asset);
  expect(vocabulary.length * dimensions).toBe(asset.length - HEADER_BYTES - vocabularyBytes);
  expect(new Set(vocabulary).size).toBe(vocabulary.length);
});

test("an asset is read wherever it lies in memory", () => {
  const shifted = new Uint8Array(asset.length + 3);
  shifted.set(asset, 3);
  expect(readHead(shifted.subarray(3))).toEqual(readHead(asset));
});

test.each([
  ["nothing", () => new Uint8Array(0)],
  ["another file", () => new TextEncoder().encode("x".repeat(200))],
  ["one that is cut short", () => asset.subarray(0, asset.length - 1)],
  ["one of another version", () => asset.with(4, 9)],
  ["one whose vocabulary has another number of entries", () => asset.with(asset.length - 2, 10)],
])("%s is refused", (_, make) => {
  expect(() => readWhole(make())).toThrow(AppError);
});
