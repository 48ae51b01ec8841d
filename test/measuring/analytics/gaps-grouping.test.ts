import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readQuestion } from "../../../src/answering/curated/questions/questions.ts";
import {
  createQuestionVectors,
  type MeasureQuestions,
} from "../../../src/answering/curated/questions/vectors.ts";
import type { Embedder } from "../../../src/kernel/vectors/embedder.ts";
import { compareForGaps, createGapIndex } from "../../../src/measuring/gaps/likeness.ts";
import { createBuiltinEmbedder, readBuiltinAsset } from "../../../src/models/builtin/builtin.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { testLog } from "../../helpers/test-log.ts";

interface Asked {
  set: string;
  /** Questions that one page would answer. */
  group: string;
  question: string;
}

// The rules were made with `tune`, the words for things of one kind with a look at `held`; `fresh` was written and
// measured when both were done.
const ASKED: Asked[] = readFileSync(join(import.meta.dir, "../../fixtures/gaps/questions.tsv"), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([set = "", group = "", question = ""]) => ({ set, group, question }));

const { signal } = new AbortController();
const measureWith = (embedder: Embedder = createBuiltinEmbedder(readBuiltinAsset)) =>
  createQuestionVectors({ embedder, log: testLog().log, questionMs: 3_600_000 });
const read = (text: string) => readQuestion(text, new Set());

async function groupAll(asked: Asked[], measure: MeasureQuestions): Promise<string[]> {
  const index = createGapIndex();
  const given: string[] = [];
  for (const { question: text } of asked) {
    const question = read(text);
    const gapId = (await index.find(question, measure, signal)) ?? `gap ${given.length}`;
    index.add({ gapId, question });
    given.push(gapId);
  }
  return given;
}

/** Of all pairs of questions that were put together, and of all that belong together. */
async function judge(asked: Asked[], measure = measureWith()) {
  const given = await groupAll(asked, measure);
  const pairs = asked.flatMap((one, a) =>
    asked
      .slice(0, a)
      .map((other, b) => ({ isSame: one.group === other.group, isTogether: given[a] === given[b] })),
  );
  const right = pairs.filter(({ isSame, isTogether }) => isSame && isTogether).length;
  return {
    precision: right / pairs.filter(({ isTogether }) => isTogether).length,
    recall: right / pairs.filter(({ isSame }) => isSame).length,
  };
}

describe("which questions are one gap", () => {
  test("there are enough questions to tell", () => {
    expect(ASKED.length).toBeGreaterThanOrEqual(300);
    expect(ASKED.filter(({ set }) => set === "fresh").length).toBeGreaterThanOrEqual(60);
  });

  for (const [set, precisionMin, recallMin] of [
    ["tune", 0.94, 0.83],
    ["held", 0.94, 0.94],
    ["fresh", 0.86, 0.86],
  ] as const)
    test(`of ${set}, nearly all that are put together belong together, and most that do are`, async () => {
      const asked = ASKED.filter((each) => each.set === set);
      for (const order of [asked, asked.toReversed()]) {
        const { precision, recall } = await judge(order);
        expect(precision).toBeGreaterThanOrEqual(precisionMin);
        expect(recall).toBeGreaterThanOrEqual(recallMin);
      }
    });

  test("without vectors nothing wrong is put together, and more than half is", async () => {
    const { precision, recall } = await judge(ASKED, measureWith(failingEmbedder()));
    expect(precision).toBe(1);
    expect(recall).toBeGreaterThanOrEqual(0.6);
  });

  test("the same questions in the same order give the same gaps", async () => {
    expect(await groupAll(ASKED, measureWith())).toEqual(await groupAll(ASKED, measureWith()));
  });

  for (const [a, b] of [
    ["How do I install it on Linux?", "How do I install it on Windows?"],
    ["export report to pdf", "export report to csv"],
    ["What changed in version 3?", "What changed in version 4?"],
    ["How do I migrate from MySQL to Postgres?", "How do I migrate from Postgres to MySQL?"],
    ["What does --retry do?", "What does --max-retries do?"],
    ["How do I raise the request timeout?", "Why do my requests time out?"],
  ] as const)
    test(`"${a}" is never of one meaning with "${b}"`, () => {
      expect(compareForGaps(read(a), read(b))).toBe(0);
      expect(compareForGaps(read(b), read(a))).toBe(0);
    });

  test("a chain of similar questions does not lead away from the first", async () => {
    const index = createGapIndex();
    for (const text of ["install on linux", "install on linux with docker"])
      index.add({ gapId: "linux", question: read(text) });
    expect(await index.find(read("install on windows with docker"), measureWith(), signal)).toBeUndefined();
    expect(await index.find(read("INSTALL on Linux!"), measureWith(), signal)).toBe("linux");
  });

  test("text of no words is a gap of its own, and the same text joins it", async () => {
    const index = createGapIndex();
    index.add({ gapId: "a", question: read("???") });
    index.add({ gapId: "b", question: read("the of and") });
    expect(await index.find(read("how is it"), measureWith(), signal)).toBeUndefined();
    expect(await index.find(read("the of AND?"), measureWith(), signal)).toBe("b");
  });
});
