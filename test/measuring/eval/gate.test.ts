import { describe, expect, test } from "bun:test";
import { calibrate, gateReport } from "../../../src/measuring/eval/gate/gate.ts";
import type { EvalQuestion, System } from "../../../src/measuring/eval/question.ts";

const question = (text: string, gold: string): EvalQuestion => ({
  id: text,
  text,
  subset: "",
  filter: {},
  pages: new Map([[gold, 1]]),
  sections: new Map(),
  spans: undefined,
});

describe("calibrating the gate", () => {
  test("relevances that never overlap are told apart perfectly, between them", () => {
    const report = gateReport([0.8, 0.9, 0.7], [0.1, 0.2, 0.3], []);
    expect(report.auc).toBe(1);
    expect(report.best.balancedAccuracy).toBe(1);
    expect(report.best.threshold).toBeGreaterThan(0.3);
    expect(report.best.threshold).toBeLessThanOrEqual(0.7);
    expect(report.steps.find(({ threshold }) => threshold === 0.5)).toEqual({
      threshold: 0.5,
      answered: 1,
      unanswerable: 0,
    });
  });

  test("the same relevances are chance", () => {
    const report = gateReport([0.2, 0.5], [0.2, 0.5], []);
    expect(report.auc).toBe(0.5);
    expect(report.best.balancedAccuracy).toBe(0.5);
  });

  test("AUC counts pairs: three of four right, with a tie as half", () => {
    // .9 over both; .4 over .3 and beside .4.
    expect(gateReport([0.9, 0.4], [0.3, 0.4], []).auc).toBe((1 + 1 + 1 + 0.5) / 4);
  });

  test("each word of the setting is shown with both kinds of mistakes, and with everyday questions", () => {
    const { choices } = gateReport([0.2, 0.4, 0.6, 0.8], [0.1, 0.4, 0.4, 0.9], [0, 0.1, 0.35, 0.6]);
    expect(choices).toEqual([
      { answerWhen: "cautious", wronglyDeclined: 0.75, wronglyAnswered: 0.25, everydayAnswered: 0 },
      { answerWhen: "balanced", wronglyDeclined: 0.5, wronglyAnswered: 0.25, everydayAnswered: 0.25 },
      { answerWhen: "eager", wronglyDeclined: 0.25, wronglyAnswered: 0.75, everydayAnswered: 0.5 },
    ]);
  });

  test("a question without an answer is one whose page was taken out", async () => {
    const system: System = {
      name: "test",
      passages: [],
      rank: async () =>
        [
          { path: "gold", relevance: 0.9 },
          { path: "gold", relevance: 0.8 },
          { path: "other", relevance: 0.3 },
        ].map((each) => ({ ...each, anchors: () => [], ranges: () => [] })),
    };
    const report = await calibrate(system, [question("q", "gold")], { signal: new AbortController().signal });
    const half = report.steps.find(({ threshold }) => threshold === 0.5);
    expect(half).toEqual({ threshold: 0.5, answered: 1, unanswerable: 0 });
    expect(report.steps.find(({ threshold }) => threshold === 0.3)?.unanswerable).toBe(1);
  });
});
