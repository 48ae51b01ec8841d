import { expect, test } from "bun:test";
import { pageLabels } from "../../../src/reading/markdown/front-matter.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const labels = (yaml: string) =>
  pageLabels(parsePage(`---\n${yaml}\n---\n`, { fallbackTitle: "" }).frontMatter);
const NONE = { tags: [], keywords: [] };

test.each([
  ["tags: [a, B b, a]", { ...NONE, tags: ["a", "B b"] }],
  ["tags: ' a,b ,, c '", { ...NONE, tags: ["a", "b", "c"] }],
  ["tag: one", { ...NONE, tags: ["one"] }],
  ["tags: [2024, {label: Own, permalink: /own}, [x], null, true]", { ...NONE, tags: ["2024", "Own"] }],
  ['keywords: ["a, b", c]', { ...NONE, keywords: ["a, b", "c"] }],
  ['f1_keywords: ["C2065"]\nhelpviewer_keywords: ["C2065", "x"]', { ...NONE, keywords: ["C2065", "x"] }],
  ["version: 2.0.1\nlang: de", { ...NONE, version: "2.0.1", language: "de" }],
  ["version: 7\nlocale: zh-CN", { ...NONE, version: "7", language: "zh-CN" }],
  ["tags: {a: b}\nlang: ''", NONE],
])("%j are read", (yaml, expected) => {
  expect(labels(yaml)).toEqual(expected);
});

test("labels are bounded in number and length", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `t${index}`);
  expect(pageLabels({ tags: ["x".repeat(101), ...many] }).tags).toEqual(many.slice(0, 50));
});
