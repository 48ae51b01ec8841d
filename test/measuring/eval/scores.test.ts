import { describe, expect, test } from "bun:test";
import { canonicalPath } from "../../../src/measuring/eval/question.ts";
import {
  compare,
  hit,
  mean,
  meanScores,
  ndcg,
  percentile,
  recall,
  reciprocalRank,
  scoreIds,
  standardError,
} from "../../../src/measuring/eval/scores.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";

test.each([
  "guide/install",
  "guide/install.md",
  "guide/install.rst",
  "guide/install.txt",
  "guide/install/index.html",
])("an expected page is found by its path and by its file: %s", (named) =>
  expect(canonicalPath(named)).toBe("guide/install"),
);

const golds = (entries: Record<string, number>) => new Map(Object.entries(entries));

describe("scores", () => {
  test("one gold in the third place is worth 1/log2(4), a third of a rank, and all of the recall", () => {
    expect(scoreIds(["a", "b", "gold", "c"], golds({ gold: 1 }))).toEqual({
      ndcg10: 0.5,
      recall5: 1,
      recall10: 1,
      mrr10: 1 / 3,
      hit1: 0,
    });
  });

  test("grades weigh: the better page second and the lesser one first is less than the best order", () => {
    // (1/1 + 3/log2(3)) / (3/1 + 1/log2(3))
    const expected = (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3));
    expect(scoreIds(["less", "more"], golds({ more: 3, less: 1 })).ndcg10).toBeCloseTo(expected, 12);
    expect(scoreIds(["more", "less"], golds({ more: 3, less: 1 })).ndcg10).toBe(1);
  });

  test("several passages of one page count once, where the first of them stands", () => {
    const scores = scoreIds(["x", "x", "x", "x", "x", "gold"], golds({ gold: 1 }));
    expect(scores.recall5).toBe(1);
    expect(scores.mrr10).toBe(0.5);
  });

  test("what stands behind the cut does not count", () => {
    const eleventh = [...Array.from({ length: 10 }, (_, index) => `x${index}`), "gold"];
    expect(scoreIds(eleventh, golds({ gold: 1 }))).toEqual({
      ndcg10: 0,
      recall5: 0,
      recall10: 0,
      mrr10: 0,
      hit1: 0,
    });
    expect(recall([0, 0, 0, 0, 0, 1], [1], 5)).toBe(0);
    expect(reciprocalRank([0, 1], 1)).toBe(0);
    expect(hit([0, 1], 1)).toBe(0);
    expect(hit([0, 1], 2)).toBe(1);
  });

  test("half of two golds found is half of the recall", () => {
    expect(recall([1, 0, 0], [1, 1], 10)).toBe(0.5);
  });

  test("with more golds than places, filling all places is perfect", () => {
    const all = Array.from({ length: 12 }, () => 1);
    expect(ndcg(all.slice(0, 10), all, 10)).toBe(1);
  });

  test("nothing to find, or nothing returned, is 0 and not a division by zero", () => {
    expect(scoreIds(["a"], golds({})).ndcg10).toBe(0);
    expect(scoreIds(["a"], golds({})).recall10).toBe(0);
    expect(scoreIds([], golds({ gold: 1 })).mrr10).toBe(0);
  });

  test("means, errors and percentiles are those of the textbook", () => {
    expect(mean([1, 2, 3])).toBe(2);
    // Deviations -1, 0, 1: variance 1 over three values.
    expect(standardError([1, 2, 3])).toBeCloseTo(1 / Math.sqrt(3), 12);
    expect(standardError([1])).toBeNaN();
    expect(percentile([5, 1, 3, 2, 4], 50)).toBe(3);
    expect(percentile([5, 1, 3, 2, 4], 99)).toBe(5);
    const one = { ndcg10: 1, recall5: 1, recall10: 1, mrr10: 1, hit1: 1 };
    const none = { ndcg10: 0, recall5: 0, recall10: 0, mrr10: 0, hit1: 0 };
    expect(meanScores([one, none]).mrr10).toBe(0.5);
  });
});

describe("comparing two systems", () => {
  const random = seededRandom(7);
  const base = Array.from({ length: 200 }, () => random());

  test("a small gain on every question is told from noise, however much the questions differ", () => {
    const better = compare(
      base.map((value) => value + 0.01 + random() * 0.001),
      base,
    );
    expect(better.verdict).toBe("better");
    expect(better.difference).toBeGreaterThan(0.01);
    expect(better.low).toBeGreaterThan(0);
  });

  test("gains and losses that cancel out are no difference", () => {
    const noisy = compare(
      base.map((value, index) => value + (index % 2 === 0 ? 0.2 : -0.2)),
      base,
    );
    expect(noisy.verdict).toBe("no difference shown");
    expect(noisy.low).toBeLessThan(0);
    expect(noisy.high).toBeGreaterThan(0);
  });

  test("a loss is a loss, and the same answers are no difference", () => {
    const worse = compare(
      base.map((value) => value - 0.1),
      base,
    );
    expect(worse.verdict).toBe("worse");
    expect(compare(base, base)).toEqual({
      difference: 0,
      low: 0,
      high: 0,
      verdict: "no difference shown",
    });
  });

  test("the interval is the same every time", () => {
    const other = base.map((value, index) => value + Math.sin(index));
    expect(compare(other, base)).toEqual(compare(other, base));
  });

  test("systems that answered different questions are not compared", () => {
    expect(() => compare([1], [1, 2])).toThrow("same questions");
  });
});
