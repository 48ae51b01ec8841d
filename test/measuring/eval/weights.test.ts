import { describe, expect, test } from "bun:test";
import { chooseWeights, type WeighedSet } from "../../../scripts/weights/choose-weights.ts";
import { type RankedAnew, rankedAnew, rankPages, SHIPPED_WEIGHTS } from "../../../scripts/weights/rerank.ts";
import { type MeasuredSet, measureWeights, weightsTables } from "../../../scripts/weights/weights.ts";
import type { RankingParts } from "../../../src/finding/search/search.ts";
import type { EvalQuestion } from "../../../src/measuring/eval/question.ts";
import { scoreIds } from "../../../src/measuring/eval/scores.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const NOTHING: RankingParts = {
  words: 0,
  meaning: 0,
  tracked: 0,
  page: 0,
  headings: 0,
  links: 0,
  path: 0,
  closeness: 0,
  phrases: 0,
  identifiers: 0,
  names: 0,
  verbatim: 0,
  nearness: 0,
  cited: 0,
};

const question = (text: string): EvalQuestion => ({
  id: text,
  text,
  subset: "",
  filter: {},
  pages: new Map([["p7", 1]]),
  sections: new Map(),
  spans: undefined,
});

test("ranked anew by the shipped weights, pages are where the search has them", async () => {
  using storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
  const kinds = ["retry", "policy", "queue", "backup", "token"];
  const pages = Array.from({ length: 120 }, (_, number) => {
    const sections = kinds.filter((_, bit) => (number >> bit) % 2 === 1);
    const text = sections.map((kind) => `## The ${kind}\n\nA ${kind} is said here ${number} times.\n\n`);
    return stagedPage(`p${number}`, `# Page ${number}\n\n${text.join("")}`);
  });
  await publishPages(storage.ingest, source, pages);
  const search = openSearch(storage);
  for (const text of ["retry policy", "what is a backup token for", '"token is said" queue', "p9 queue"]) {
    const asked = { siteId: site.id, audience: "everything" as const, text, pageSize: 10 };
    const { hits } = await search.find(asked);
    const anew = rankedAnew(question(text), await search.candidates(asked));
    expect(anew.candidates.length).toBeGreaterThan(anew.scored);
    const found = [...new Set(hits.map(({ path }) => path))];
    expect(found.length).toBeGreaterThan(1);
    expect(rankPages(anew, SHIPPED_WEIGHTS).slice(0, found.length)).toEqual(found);
  }
});

/** A question whose page is told from another by one part alone, which the other page has of a second part. */
function toldBy(part: keyof RankingParts, other: keyof RankingParts): RankedAnew {
  return {
    golds: new Map([["right", 1]]),
    scored: 70,
    paths: ["wrong", "right"],
    candidates: [
      { page: 0, parts: { ...NOTHING, words: 0.5, [other]: 0.5 }, isNamed: false },
      { page: 1, parts: { ...NOTHING, words: 0.5, [part]: 0.5 }, isNamed: false },
    ],
  };
}

const setOf = (name: string, questions: RankedAnew[]): MeasuredSet => ({
  name,
  questions,
  keywords: { name: "baseline", scores: questions.map(({ golds }) => scoreIds(["wrong"], golds)) },
});

describe("choosing weights", () => {
  test("finds those that put the right pages first", () => {
    const set: WeighedSet = { name: "a", questions: [toldBy("path", "page"), toldBy("meaning", "path")] };
    const { meaning, path, page } = chooseWeights([set]);
    expect(meaning).toBeGreaterThan(path);
    expect(path).toBeGreaterThan(page);
  });

  test("a set counts as much as another with more questions", () => {
    const many = { name: "many", questions: Array.from({ length: 9 }, () => toldBy("path", "page")) };
    const few = [1, 2].map((each) => ({ name: `few ${each}`, questions: [toldBy("page", "path")] }));
    const { path, page } = chooseWeights([many, ...few]);
    expect(page).toBeGreaterThan(path);
  });
});

test("a set is ranked by the weights that the others choose, and compared with plain search", () => {
  const sets = [
    setOf("a", [toldBy("path", "page"), toldBy("path", "page")]),
    setOf("b", [toldBy("path", "page"), toldBy("path", "page")]),
    setOf("odd", [toldBy("page", "path"), toldBy("page", "path")]),
  ];
  const report = measureWeights(sets);
  const [a, , odd] = report.sets;
  // What the others want is wrong here, and nothing of this set says so.
  expect(odd?.chosen.path).toBeGreaterThan(odd?.chosen.page ?? 0);
  expect(odd?.leftOut.hit1).toBe(0);
  expect(odd?.shipped.hit1).toBe(1);
  // By keywords none of the right pages is found, and the shipped weights prefer the page to the path.
  expect(odd?.keywords.shipped.difference).toBeCloseTo(1, 9);
  expect(a?.shipped.hit1).toBe(0);
  const fragile = Object.fromEntries(report.fragility.map(({ part, losses }) => [part, losses]));
  expect(Object.keys(fragile)).toEqual(["words", "page", "path"]);
  expect(weightsTables(report).map(({ rows }) => rows.length)).toEqual([3, 4, 3]);
});
