import { expect, test } from "bun:test";
import { isInLanguage, languagesFor } from "../../../src/kernel/text/language-tags.ts";

test.each([
  ["en", "en-US"],
  ["en-US", "en"],
  ["en_US", "en-us"],
  ["zh-Hans", "zh-CN"],
  ["zh-CN", "zh-Hans"],
  ["zh-Hant", "zh-TW"],
  ["zh-TW", "zh-Hant-TW"],
  ["sr-Latn", "sr-Latn-RS"],
  ["Our English", "our english"],
  ["", "de"],
  ["de", ""],
  ["de", undefined],
])("a page in %j is for who asks for %j", (own, asked) => {
  expect(isInLanguage(own, asked)).toBe(true);
});

test.each([
  ["de", "en"],
  ["pt-BR", "pt-PT"],
  ["zh-Hans", "zh-TW"],
  ["zh-Hant", "zh-CN"],
  ["eng", "en"],
  ["en", "e"],
  ["x".repeat(100), "de"],
])("a page in %j is not for who asks for %j", (own, asked) => {
  expect(isInLanguage(own, asked)).toBe(false);
});

test("what is no tag of a language stands for itself", () => {
  expect(languagesFor("not a tag!")).toEqual(["not a tag!"]);
});
