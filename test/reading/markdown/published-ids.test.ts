import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const read = (source: string, headings: [string, string][], places: string[] = []) => {
  const published = { headings: headings.map(([text, id]) => ({ text, id })), places };
  return parsePage(source, { fallbackTitle: "", published });
};
const anchors = (...given: Parameters<typeof read>) => read(...given).anchors;

describe("ids of the published page", () => {
  test("take the place of those that a page has, or is thought to have", () => {
    const source = "# Top\n\nWords.\n\nRed\n---\n\nWords.\n\n## Blue {#mine}\n\nWords.";
    const { markdown, passages, headings } = read(source, [
      ["Top", "t"],
      ["Red", "r_1"],
      ["Blue", "b_1"],
    ]);
    expect(markdown).toBe("# Top {#t}\n\nWords.\n\n## Red {#r_1}\n\nWords.\n\n## Blue {#b_1}\n\nWords.");
    expect(passages[0]?.innerHeadings.map(({ anchor }) => anchor)).toEqual(["r_1", "b_1"]);
    expect(headings.map(({ id }) => id)).toEqual(["t", "r_1", "b_1"]);
  });

  test("that are the same leave the page as it is", () => {
    const source = "# Top\n\nWords.\n\n## `code` & *more*\n\nWords.";
    expect(
      read(source, [
        ["Top", "top"],
        ["code & more", "code--more"],
      ]).markdown,
    ).toBe(source);
  });

  test("a heading that the page does not have there has none, unless its id is that of another place", () => {
    const source = "# Top\n\nA.\n\n## New\n\nA.\n\n## Kept\n\nA.";
    expect(
      anchors(source, [
        ["Top", "t"],
        ["Kept", "k"],
      ]),
    ).toEqual(["t", "", "k"]);
    expect(
      anchors(
        source,
        [
          ["Top", "t"],
          ["Kept", "k"],
        ],
        ["new"],
      ),
    ).toEqual(["t", "new", "k"]);
  });

  test("a place that is published under the id of a heading stays one", () => {
    expect(anchors("# Top {#label}\n\nA.", [["Top", "top-of-it"]], ["label"])).toEqual([
      "top-of-it",
      "label",
    ]);
  });

  test("of a page that has hardly a heading in common count for nothing", () => {
    const source = "# A\n\nA.\n\n## B\n\nB.\n\n## C\n\nC.";
    expect(anchors(source, [["Loading", "x"]])).toEqual(["a", "b", "c"]);
    expect(
      anchors(source, [
        ["X", "x"],
        ["Y", "y"],
        ["A", "z"],
      ]),
    ).toEqual(["a", "b", "c"]);
    // Of one that shows a part, that part counts.
    expect(anchors(source, [["A", "z"]])).toEqual(["z", "b", "c"]);
  });

  test("leave headings in code alone", () => {
    const source = "# Top\n\n```md\n# Top\n```";
    expect(read(source, [["Top", "t"]]).markdown).toBe("# Top {#t}\n\n```md\n# Top\n```");
  });
});
