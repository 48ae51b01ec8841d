import { describe, expect, test } from "bun:test";
import { createLocate } from "../../../src/measuring/eval/datasets/set-passages.ts";
import type { Range } from "../../../src/measuring/eval/question.ts";
import { answers, scoreSpans, spanShares, union } from "../../../src/measuring/eval/spans.ts";

const at = (...ranges: Range[]) => ({ path: "page", ranges });

describe("spans", () => {
  test("recall, precision and IoU are shares of characters", () => {
    // 50 of the 100 that answer, in 200 returned.
    expect(spanShares([at([50, 250])], at([0, 100]), 5)).toEqual({
      recall: 0.5,
      precision: 0.25,
      iou: 50 / (100 + 200 - 50),
    });
  });

  test("only the first k count, and only those of the page", () => {
    const returned = [{ path: "other", ranges: [[0, 100] satisfies Range] }, at([0, 100])];
    expect(spanShares(returned, at([0, 100]), 1).recall).toBe(0);
    expect(spanShares(returned, at([0, 100]), 2)).toEqual({ recall: 1, precision: 0.5, iou: 0.5 });
  });

  test("what two passages both hold answers once and is read twice", () => {
    expect(spanShares([at([0, 100]), at([0, 100])], at([0, 100]), 5)).toEqual({
      recall: 1,
      precision: 0.5,
      iou: 0.5,
    });
  });

  test("nothing returned is 0 everywhere", () => {
    expect(spanShares([], at([0, 10]), 5)).toEqual({ recall: 0, precision: 0, iou: 0 });
  });

  test("a passage answers from 30 percent of a stretch on", () => {
    expect(answers(at([70, 200]), at([0, 100]))).toBe(true);
    expect(answers(at([71, 200]), at([0, 100]))).toBe(false);
    expect(answers({ path: "other", ranges: [[0, 100]] }, at([0, 100]))).toBe(false);
  });

  test("a passage that answers and was not returned lowers the score", () => {
    const all = [at([0, 50]), at([50, 100]), at([100, 150])];
    expect(scoreSpans([at([0, 50])], at([0, 100]), all).recall10).toBe(0.5);
    expect(scoreSpans([at([0, 50]), at([50, 100])], at([0, 100]), all).ndcg10).toBe(1);
  });

  test("a passage that was joined of two that answer leaves nothing to find", () => {
    const all = [at([0, 50]), at([50, 100]), at([100, 150])];
    expect(scoreSpans([at([0, 100])], at([0, 100]), all)).toEqual({
      ndcg10: 1,
      recall5: 1,
      recall10: 1,
      mrr10: 1,
      hit1: 1,
    });
  });

  test("ranges are joined where they touch", () => {
    expect(
      union([
        [5, 8],
        [0, 3],
        [3, 4],
        [6, 10],
      ]),
    ).toEqual([
      [0, 4],
      [5, 10],
    ]);
  });
});

describe("finding a passage in its file again", () => {
  const file =
    "# Title\n\nFirst paragraph,\non two lines.\n\n\n- item one of the list\n- item two of the list\n";
  const locate = createLocate(file);
  const shown = (passage: string) => locate(passage).map(([start, end]) => file.slice(start, end));

  test("white space that was changed does not matter", () => {
    expect(shown("First paragraph, on two lines.\n\n- item one")).toEqual([
      "First paragraph,\non two lines.\n\n\n- item one",
    ]);
  });

  test("what was put in by cutting is left out, line by line", () => {
    expect(shown("a repeated head that is not here\n- item two of the list")).toEqual([
      "- item two of the list",
    ]);
  });

  test("what is not there is nowhere", () => {
    expect(locate("quite another text than this one")).toEqual([]);
    expect(locate("")).toEqual([]);
  });
});
