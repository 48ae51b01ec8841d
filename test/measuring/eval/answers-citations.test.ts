import { describe, expect, test } from "bun:test";
import { citedSentences } from "../../../src/measuring/eval/answers/citations.ts";

const read = (answer: string) =>
  citedSentences(answer, "en").map(({ sentence, numbers }) => ({ said: sentence.text, numbers }));

describe("what an answer's citations stand behind", () => {
  test("the sentence before them, not the paragraph", () => {
    const answer =
      "Docent runs on Linux and macOS. The binary holds its own database [[1]](/install). The port is 4711 by default [[3]](/serve?until=1&signature=a_-b#port).";
    expect(read(answer)).toEqual([
      { said: "The binary holds its own database.", numbers: [1] },
      { said: "The port is 4711 by default.", numbers: [3] },
    ]);
  });

  test("citations side by side, or with a mark between them, share their sentence", () => {
    const answer =
      "The hourly limit counts by organization [[2]](/a) [[4]](/b), [[1]](/c). More is said elsewhere.";
    expect(read(answer)).toEqual([
      { said: expect.stringContaining("The hourly limit counts by organization"), numbers: [2, 4, 1] },
    ]);
  });

  test("code and quotes are said as they are, without their marks", () => {
    const answer = [
      "The docs say:",
      "> Install it with the tarball script. [[1]](/install)",
      "```sh\ncurl docs | sh\n```\n\n[[1]](/install)",
    ].join("\n\n");
    expect(read(answer)).toEqual([
      { said: "Install it with the tarball script.", numbers: [1] },
      { said: "curl docs | sh", numbers: [1] },
    ]);
  });

  test("other links are no citations", () => {
    expect(read("The [guide](/guide) tells how the binary is installed.")).toEqual([]);
  });

  test("what says nothing by itself needs no support", () => {
    expect(read("To do that, run: [[1]](/a)\n\nWhich port is it? [[2]](/b)")).toEqual([]);
  });
});
