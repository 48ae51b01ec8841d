import { describe, expect, test } from "bun:test";
import { type FenceOpening, fenceBehind, fenceMarks } from "../../../src/kernel/text/markdown-lines.ts";

/** Which of the lines leave a fence open behind them. */
function openBehind(lines: readonly string[]): boolean[] {
  let fence: FenceOpening | undefined;
  return lines.map((line) => {
    fence = fenceBehind(line, fence);
    return fence !== undefined;
  });
}

describe("a fence", () => {
  test.each<[what: string, lines: string[], open: boolean[]]>([
    [
      "is open up to the line that closes it",
      ["a", "```sh", "b", "```", "c"],
      [false, true, true, false, false],
    ],
    ["is closed by as many marks or more", ["````", "```", "`````"], [true, true, false]],
    ["is not closed by other marks", ["~~~", "```", "~~~"], [true, true, false]],
    ["is not closed by marks with words behind them", ["```", "```js", "```"], [true, true, false]],
    ["does not open where its line has more backticks", ["```code``` in a line", "a"], [false, false]],
    ["that is never closed stays open", ["```", "a"], [true, true]],
  ])("%s", (_, lines, open) => expect(openBehind(lines)).toEqual(open));

  test("is written again with the marks and the indent that it has", () => {
    expect(["  ```sh title=a", "~~~~", "``no", "text"].map(fenceMarks)).toEqual(["  ```", "~~~~", "", ""]);
  });
});
