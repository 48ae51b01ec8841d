import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";
import {
  cutPassages,
  DEFAULT_PASSAGE_SIZES,
  type Passage,
} from "../../../src/reading/markdown/passages/passages.ts";
import { placeReferences } from "../../../src/reading/markdown/passages/reference-links.ts";

const { maxTokens, minTokens } = DEFAULT_PASSAGE_SIZES;
const passages = (markdown: string): Passage[] => cutPassages(placeReferences(readOutline(markdown), true));
const sentence = "Every word of this sentence is here to take up room in the passage. ";
const words = (name: string, sentences: number) => `${name}: ${sentence.repeat(sentences).trim()}`;
const places = (markdown: string) =>
  passages(markdown).map(({ anchor, innerHeadings }) => [
    anchor,
    innerHeadings.map((inner) => inner.anchor).join(" "),
  ]);

describe("short sections", () => {
  test("become one passage with their siblings, at the anchor of the first", () => {
    const [passage, ...more] = passages("# A\n\n## B\nb\n\n## C *c*\nc\n\n### D\nd");
    expect(more).toEqual([]);
    expect(passage).toMatchObject({
      headingPath: ["A", "B"],
      anchor: "b",
      markdown: "b\n\n## C *c*\n\nc\n\n### D\n\nd",
      text: "b\nC c\nc\nD\nd",
    });
  });

  test("say where each of their headings is, so that a sentence can be cited there", () => {
    const [passage] = passages("# A\n\n## B\nb\n\n## C\n\n### D\nd");
    expect(passage?.innerHeadings.map(({ anchor, headingPath }) => [anchor, headingPath])).toEqual([
      ["c", ["A", "C"]],
      ["d", ["A", "C", "D"]],
    ]);
    expect(
      passage?.innerHeadings.map(({ offset }) => passage.markdown.slice(offset).split("\n", 1)[0]),
    ).toEqual(["## C", "### D"]);
  });

  test("say where each of them begins in the plain words, whatever else has a heading's words", () => {
    const [passage] = passages(
      "# A\n\n## B\n- C\n- D\n\n[x][y]\n\n## C\n\nC\n\n### `D`\nd\n\n## ![](e.png)\n\n[y]: /z",
    );
    const starts = passage?.innerHeadings.map(({ textOffset }) => textOffset) ?? [];
    expect([0, ...starts].map((start, index) => passage?.text.slice(start, starts[index]))).toEqual([
      "C\nD\nx\n",
      "C\nC\n",
      "D\nd",
    ]);
  });

  test("are joined until they can stand alone, and no further", () => {
    const page = Array.from({ length: 9 }, (_, index) => `## S${index}\n${words("s", 3)}`).join("\n\n");
    const sizes = passages(page).map((passage) => passage.tokensEstimated);
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size).toBeWithin(minTokens, maxTokens);
  });

  test("of an introduction go with what it introduces", () => {
    expect(places(`# A\nintro\n\n## B\n${words("b", 12)}\n\n## C\n${words("c", 12)}`)).toEqual([
      ["a", "b"],
      ["c", ""],
    ]);
  });

  test("between long ones join the lighter neighbour", () => {
    const long = words("long", 18);
    const shorter = words("shorter", 11);
    expect(places(`## A\n${long}\n\n## B\nb\n\n## C\n${shorter}`)).toEqual([
      ["a", ""],
      ["b", "c"],
    ]);
    expect(places(`## A\n${shorter}\n\n## B\nb\n\n## C\n${long}`)).toEqual([
      ["a", "b"],
      ["c", ""],
    ]);
  });

  test("stay alone where every neighbour would become too large", () => {
    const full = words("full", 24);
    expect(passages(full)[0]?.tokensEstimated).toBeWithin(maxTokens - 30, maxTokens);
    expect(places(`## A\n${full}\n\n## B\n${words("b", 2)}\n\n## C\n${full}`)).toEqual([
      ["a", ""],
      ["b", ""],
      ["c", ""],
    ]);
  });

  test("never join what stands under another parent", () => {
    const long = words("long", 12);
    expect(places(`# A\n${long}\n\n## B\n${long}\n\n### C\nc\n\n# D\nd\n\n# E\n${long}`)).toEqual([
      ["a", ""],
      ["b", "c"],
      ["d", "e"],
    ]);
    expect(places("## A\n\n### B\nb\n\n# C\nc")).toEqual([
      ["b", ""],
      ["c", ""],
    ]);
  });

  test("under a heading without words of its own stand beside that heading's siblings", () => {
    const page =
      "# Get\n\n## Inputs\n\n### None\n\nNothing.\n\n## Outputs\n\n### Text\n\nA text.\n\n## Links\n\n- x";
    expect(passages(page)).toMatchObject([
      {
        headingPath: ["Get", "Inputs"],
        anchor: "inputs",
        markdown: "### None\n\nNothing.\n\n## Outputs\n\n### Text\n\nA text.\n\n## Links\n\n- x",
      },
    ]);
    expect(places(page)).toEqual([["inputs", "none outputs text links"]]);
  });

  test("without words at all have no passage of their own, and are shown with the next one, or the last", () => {
    const page = `# A\n\n![](logo.png)\n\n## B\nb\n\n## C\n![](x.png)`;
    expect(places(page)).toEqual([["b", ""]]);
    expect(passages(page)[0]?.markdown).toBe("b\n\n## C");
    const [beside] = passages("# Page\n\n## No: nothing is deleted.\n\n## Yes\n\nAll of it is deleted.");
    expect(beside).toMatchObject({
      headingPath: ["Page", "Yes"],
      anchor: "yes",
      markdown: "## No: nothing is deleted.\n\n## Yes\n\nAll of it is deleted.",
      innerHeadings: [{ anchor: "no-nothing-is-deleted" }, { anchor: "yes" }],
    });
  });

  test("have the targets of their reference links", () => {
    const [passage] = passages("# A\na [x]\n\n## B [y]\nb\n\n[x]: http://x.y\n[y]: http://z.w");
    expect(passage?.markdown).toBe("a [x](http://x.y)\n\n## B [y](http://z.w)\n\nb");
  });
});

test("no page loses a word by joining, nor gains one", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const page = randomPage(seed);
    const found = passages(page);
    const written = found.flatMap((passage) => passage.markdown.match(/w\d+/g) ?? []);
    expect(written).toEqual(page.match(/w\d+/g) ?? []);
    for (const { tokensEstimated } of found) expect(tokensEstimated).toBeLessThanOrEqual(maxTokens + 1);
    const anchors = found.flatMap(({ anchor, innerHeadings }) => {
      const inside = innerHeadings.map((inner) => inner.anchor);
      // Headings without words may stand before the one that a passage is cited by.
      return inside.includes(anchor) ? inside : [anchor, ...inside];
    });
    const own = readOutline(page).sections.map((section) => section.anchor);
    // In the page's own order, so that each leads to where its words are.
    expect(anchors.map((anchor) => own.indexOf(anchor))).toEqual(
      anchors.map((anchor) => own.indexOf(anchor)).toSorted((a, b) => a - b),
    );
  }
});

/** A page of random levels and lengths, each of whose words occurs once. */
function randomPage(seed: number): string {
  let state = seed;
  const random = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  let word = 0;
  const sections = Array.from({ length: 25 }, (_, index) => {
    const count = [0, 3, 30, 100, 150][random(5)] ?? 0;
    const text = Array.from({ length: count }, () => `w${word++}`).join(" ");
    return `${"#".repeat(1 + random(4))} H${index}\n\n${text}`;
  });
  return sections.join("\n\n");
}
