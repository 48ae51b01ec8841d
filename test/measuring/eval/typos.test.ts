import { describe, expect, test } from "bun:test";
import type { EvalQuestion, Ranked, System } from "../../../src/measuring/eval/question.ts";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { withTypos } from "../../../src/measuring/eval/typos/seed-typos.ts";
import { measureTypos, typosTable } from "../../../src/measuring/eval/typos/typos.ts";

const { signal } = new AbortController();
const question = (text: string, gold: string): EvalQuestion => ({
  id: text,
  text,
  subset: "",
  filter: {},
  pages: new Map([[gold, 1]]),
  sections: new Map(),
  spans: undefined,
});
const page = (path: string): Ranked => ({ path, anchors: () => [], relevance: 1, ranges: () => [] });
const system = (rank: (text: string) => string[]): System => ({
  name: "",
  passages: [],
  rank: async ({ text }) => rank(text).map(page),
});

describe("typos", () => {
  const TEXT = 'How do I declare the request body with max_retries in "quoted v1.2"?';

  test("stand in words that say what a question is about, one letter in each", () => {
    const random = seededRandom(1);
    for (let made = 0; made < 500; made++) {
      const text = withTypos(TEXT, 2, random) ?? "";
      const [before, after] = [TEXT.split(" "), text.split(" ")];
      const changed = before.flatMap((word, at) => (word === after[at] ? [] : [word]));
      expect(changed).toHaveLength(2);
      for (const word of changed) expect(["declare", "request", "body", '"quoted']).toContain(word);
      expect(Math.abs(text.length - TEXT.length)).toBeLessThanOrEqual(2);
    }
  });

  test("are none where a question has too few words for them, and the same for the same seed", () => {
    expect(withTypos("How do I do it?", 1, seededRandom(1))).toBeUndefined();
    expect(withTypos("install it", 2, seededRandom(1))).toBeUndefined();
    expect(withTypos(TEXT, 1, seededRandom(4))).toBe(withTypos(TEXT, 1, seededRandom(4)) ?? "");
  });

  test("are measured against the same questions as they are, and against no corrections", async () => {
    const questions = [question("install linux", "a"), question("backup", "b"), question("it", "c")];
    const texts = new Set(questions.map(({ text }) => text));
    const own = system((text) => (texts.has(text) || text.length > 9 ? ["a", "b"] : []));
    const uncorrected = system((text) => (texts.has(text) ? ["b", "a"] : []));
    const report = await measureTypos({ own, uncorrected }, questions, { signal });
    expect(report.untouched).toEqual({ questions: 3, better: 1, worse: 1 });
    expect(report.rows).toEqual([
      { typos: 1, questions: 2, asWritten: 1, misspelled: 0.5, uncorrected: 0 },
      { typos: 2, questions: 1, asWritten: 1, misspelled: 1, uncorrected: 0 },
    ]);
    expect(typosTable(report).rows[0]).toEqual(["1", "2", "1.000", ".500", "50.0 %", ".000"]);
  });
});
