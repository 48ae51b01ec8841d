import { expect, test } from "bun:test";
import { fuseResults } from "../../../src/answering/answer/rewriting/rewriting.ts";
import type { Hit, SearchResult } from "../../../src/finding/search/search.ts";

const hit = (name: string, relevance = 0.5): Hit => ({
  passageId: name.charCodeAt(0),
  pageId: name.charCodeAt(0),
  path: name,
  location: `${name}.md`,
  version: "",
  language: "",
  groups: [],
  title: name,
  headings: [],
  headingsAbove: [],
  anchorAbove: name,
  anchor: name,
  innerHeadings: [],
  position: 0,
  markdown: name,
  text: name,
  lacksWords: false,
  score: 0,
  relevance,
  hasWords: true,
  snippet: name,
  href: `/${name}`,
});
const found = (names: string, generation = 1): SearchResult => ({
  generation,
  hits: [...names].map((name) => hit(name)),
  corrected: undefined,
  spelled: undefined,
  isAgreed: false,
});
const order = (asAsked: SearchResult, ...rewritten: SearchResult[]) =>
  fuseResults(asAsked, rewritten, 10)
    .hits.map(({ path }) => path)
    .join("");

test("what both wordings find comes first, and what a model's finds before what the question's does", () => {
  expect(order(found("ab"), found("cb"))).toBe("bca");
});

test("of several questions each has its first among the first, however near something is to all of them", () => {
  expect(order(found("xyz"), found("ax"), found("bx")).slice(0, 2)).toBe("ab");
});

test("a section is as relevant as to the wording that it answers best, and there are no more than asked for", () => {
  const asked = { ...found(""), hits: [hit("a", 0.2), hit("b", 0.9)] };
  const anew = { ...found(""), hits: [hit("a", 0.8), hit("c", 0.1)] };
  const { hits } = fuseResults(asked, [anew], 2);
  expect(hits.map(({ path, relevance }) => [path, relevance])).toEqual([
    ["a", 0.8],
    ["c", 0.1],
  ]);
});

test("a list of an earlier state of the index is left out", () => {
  expect(order(found("ab"), found("c", 2))).toBe("c");
});
