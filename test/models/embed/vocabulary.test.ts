import { expect, test } from "bun:test";
import { readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { readHead, readVocabulary } from "../../../src/models/builtin/vector-table.ts";
import { openVocabulary } from "../../../src/models/builtin/wordpiece.ts";

const asset = await readBuiltinAsset(0);
const head = readHead(asset);
const text = readVocabulary(head, asset.subarray(head.vocabularyAt));

test("every entry of the built-in vocabulary has its line's number, whichever way it is asked for", async () => {
  const vocabulary = await openVocabulary(text);
  const wrong = text.split("\n").filter((entry, id) => {
    if (vocabulary.idOf(entry) !== id) return true;
    return entry.startsWith("##") && vocabulary.idOf(entry.slice(2), true) !== id;
  });
  expect(wrong).toEqual([]);
});

test("what is no entry has no number: a beginning, a longer one, one without its mark, nothing", async () => {
  const { idOf } = await openVocabulary("page\n##age\nrésumé");
  expect(["pag", "pages", "age", "", "resume", "page\n##age"].map((each) => idOf(each))).toEqual(
    Array(6).fill(undefined),
  );
  expect([idOf("page"), idOf("age", true), idOf("résumé"), idOf("page", true)]).toEqual([0, 1, 2, undefined]);
});
