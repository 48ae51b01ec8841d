import { expect, test } from "bun:test";
import type { Enrichment } from "../../../src/faces/dashboard/replies.ts";
import { enrichmentLines } from "../../../src/faces/dashboard/settings/enrichment-card.tsx";

const STATE: Enrichment = {
  mode: "on",
  passages: 1200,
  written: 812,
  refused: 0,
  minutesToday: 12.5,
  minutesPerDay: 120,
  isCounted: true,
  questionsMin: 20,
  measure: {
    measuredAt: "2026-01-02T03:04:05.000Z",
    generation: 3,
    written: 800,
    questions: 40,
    better: 12,
    worse: 3,
    ndcgWith: 0.75,
    ndcgWithout: 0.7,
    low: 0.01,
    high: 0.09,
  },
  samples: [],
};

function measure(change: Partial<NonNullable<Enrichment["measure"]>>): Enrichment {
  return { ...STATE, measure: STATE.measure && { ...STATE.measure, ...change } };
}

test("an owner reads how much was written, what it is worth, and whether it is used", () => {
  const lines = enrichmentLines({ ...STATE, refused: 4 });
  expect(lines).toContain("Of 40 kept questions, 12 find their pages higher with them, and 3 lower.");
  expect(lines).toContain("Of 4 the model wrote nothing that can be used.");
  expect(lines.at(-1)).toBe("Search uses them.");
  expect(enrichmentLines({ ...STATE, isCounted: false }).at(-1)).toBe("Search does not use them.");
});

test("what few questions show, or none, is said to be little", () => {
  expect(enrichmentLines(measure({ questions: 8, better: 1, worse: 0 }))).toContain(
    "Fewer than 20 questions show little.",
  );
  expect(enrichmentLines(measure({ questions: 0 })).join()).toContain("is not known");
  expect(enrichmentLines({ ...STATE, measure: null })).toContain("Not measured yet.");
});
