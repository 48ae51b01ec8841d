import { describe, expect, test } from "bun:test";
import { placeMark } from "../../../src/reading/markdown/anchors.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const page = (markdown: string) => parsePage(markdown, { fallbackTitle: "Manual", format: "document" });
const at = (number: number) => placeMark(`page=${number}`);
const words = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");

describe("a passage of a document is cited by the place where it begins", () => {
  test("with its heading's place where it has one, and that of its own words where the section goes on", () => {
    const { passages } = page(
      [
        at(1),
        "# Manual",
        words(100, "first"),
        at(2),
        "## Setup",
        words(300, "setup"),
        `${words(20, "before")} ${at(3)}${words(300, "after")}`,
        at(4),
        words(300, "last"),
      ].join("\n\n"),
    );
    const pages = { first: 1, setup: 2, before: 2, after: 3, last: 4 };
    const begun = passages.map(({ anchor, text }) => [/^[a-z]+/.exec(text)?.[0] ?? "", anchor] as const);
    expect(new Set(begun.map(([word]) => word))).toEqual(new Set(Object.keys(pages)));
    for (const [word, anchor] of begun)
      expect([word, anchor]).toEqual([word, `page=${new Map(Object.entries(pages)).get(word)}`]);
  });

  test("and its words hold none of the marks", () => {
    const { passages } = page(
      `${at(1)}\n\nOne word${at(2)}s of two pages.\n\n| a | b |\n| --- | --- |\n| ${at(3)}c | d |`,
    );
    expect(passages.map(({ markdown }) => markdown).join()).not.toMatch(/<a |\p{Co}/u);
    expect(passages[0]?.text).toContain("words of two pages");
  });

  test("the headings inside it lead to their own places", () => {
    const { passages } = page([at(1), "## One", "A few words.", at(7), "## Two", "Some more."].join("\n\n"));
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatchObject({ anchor: "page=1", innerHeadings: [{ anchor: "page=7" }] });
  });

  test("words before any place are cited as the whole of it", () => {
    expect(page("Words without a place.").passages).toMatchObject([{ anchor: "" }]);
  });

  test("what looks like a generator's markup is words", () => {
    const { markdown } = page("Use ::: and {{ braces }} and !!! note\n\nimport x from 'y'");
    expect(markdown).toContain("{{ braces }}");
    expect(markdown).toContain("import x");
  });
});
