import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";

const outline = (markdown: string) =>
  readOutline(markdown).sections.map(({ level, heading, anchor }): [number, string, string] => [
    level,
    heading,
    anchor,
  ]);

describe("sections", () => {
  test("begin at each heading and carry the path to it", () => {
    const sections = readOutline("intro\n\n# A\na\n\n## B\nb\n\n#### C\nc\n\n## D\nd\n# E").sections;
    expect(sections.map(({ headingPath, markdown }) => [headingPath.join(" > "), markdown])).toEqual([
      ["", "intro"],
      ["A", "a"],
      ["A > B", "b"],
      ["A > B > C", "c"],
      ["A > D", "d"],
      ["E", ""],
    ]);
    expect(sections.map((section) => section.startLine)).toEqual([1, 3, 6, 9, 12, 14]);
  });

  test("before the first heading belong to the page, and are left out when empty", () => {
    expect(outline("words")).toEqual([[0, "", ""]]);
    expect(outline("\n\n# A")).toEqual([[1, "A", "a"]]);
    expect(outline("")).toEqual([]);
  });

  const headings: Array<[name: string, markdown: string, sections: Array<[number, string, string]>]> = [
    [
      "closing marks are no words",
      "## A ##\n## B#\n## #\n",
      [
        [2, "A", "a"],
        [2, "B#", "b"],
        [2, "", ""],
      ],
    ],
    ["a mark without a space is no heading", "#a\n\n####### b", [[0, "", ""]]],
    ["four spaces make no heading", "    # a", [[0, "", ""]]],
    ["a tab after the marks is a space", "#\ta", [[1, "a", "a"]]],
    [
      "underlines make headings",
      "A\n===\n\nB\nb\n---\n",
      [
        [1, "A", "a"],
        [2, "B b", "b-b"],
      ],
    ],
    ["a rule under a list or quote is no underline", "- a\n---\n\n> b\n---\n", [[0, "", ""]]],
    ["code is no heading", "```\n# a\n```\n~~~sh\n# b\n~~~\n\n    # c\n", [[0, "", ""]]],
    [
      "comments hold no headings",
      "<!--\n# a\n-->\n# b",
      [
        [0, "", ""],
        [1, "b", "b"],
      ],
    ],
    [
      "marks in a heading are not its words",
      "# `code` *and* [a link](x) ![pic](y)",
      [[1, "code and a link pic", "code-and-a-link-pic"]],
    ],
    [
      "words in snake case stay whole",
      "# use my_long_name and __dunder__",
      [[1, "use my_long_name and dunder", "use-my_long_name-and-dunder"]],
    ],
    ["a number begins no list in a heading", "# 1. Install", [[1, "1. Install", "1-install"]]],
    ["entities are characters", "# A &amp; B &lt;c&gt;", [[1, "A & B <c>", "a--b-c"]]],
    ["tags and comments are not its words", "# A <kbd>b</kbd><!-- c -->", [[1, "A b", "a-b"]]],
    ["reference links are resolved", "# [1.0][rel]\n\n[rel]: http://x.y", [[1, "1.0", "10"]]],
    [
      "every space counts in an anchor, and is one in the words",
      "# a  b\n\n# c\u00a0: d",
      [
        [1, "a b", "a--b"],
        [1, "c : d", "c-d"],
      ],
    ],
    [
      "same words are numbered",
      "# A\n# A\n# A",
      [
        [1, "A", "a"],
        [1, "A", "a-1"],
        [1, "A", "a-2"],
      ],
    ],
  ];
  test.each(headings)("%s", (_, markdown, expected) => {
    expect(outline(markdown)).toEqual(expected);
  });

  test.each([
    ["# A {#chosen}", "A", "chosen"],
    ["# A { #chosen .wide }", "A", "chosen"],
    ["# A {: #chosen }", "A", "chosen"],
    ['# A {.wide #chosen data-x="1 2"}', "A", "chosen"],
    ["# A {: key=value .wide #chosen }", "A", "chosen"],
    ["# A {or #b}", "A {or #b}", "a-or-b"],
    ["# A {/* #chosen */}", "A", "chosen"],
    ["# A {/*chosen-too*/}", "A", "chosen-too"],
    ["# A {#}", "A", ""],
    ["# A {#chosen} ##", "A", "chosen"],
    ["A {#chosen}\n===", "A", "chosen"],
    ['# <a id="chosen"></a> A', "A", "chosen"],
    ["# <a class='x' name='chosen'/> A", "A", "chosen"],
    ['# <a id="other"></a> A {#chosen}', "A", "chosen"],
    ["# A {not an id}", "A {not an id}", "a-not-an-id"],
    ["# A {}", "A {}", "a-"],
  ])("%j has the anchor that its author chose", (markdown, heading, anchor) => {
    expect(outline(markdown)).toEqual([[1, heading, anchor]]);
  });

  test("have the anchors of the site's generator", () => {
    const anchors = (style: "mintlify" | "mkdocs") =>
      readOutline("# A & B\n# A & B\n# C {#d}", style).sections.map((section) => section.anchor);
    expect(anchors("mintlify")).toEqual(["a-&-b", "a-&-b-2", "d"]);
    expect(anchors("mkdocs")).toEqual(["a-b", "a-b_1", "d"]);
  });

  test("have the name that MyST gives them in the line before, unless they say their own", () => {
    expect(outline("# A\n\n(The_Chosen one)=\n## B\n\n(other)=\n\n## C {#own}")).toEqual([
      [1, "A", "a"],
      [2, "B", "the-chosen-one"],
      [2, "C", "own"],
    ]);
  });

  test("are not named by a label that stands elsewhere", () => {
    expect(outline("(x)=\n\ntext\n\n# A\n\n(y)=")).toEqual([
      [0, "", ""],
      [1, "A", "a"],
    ]);
  });

  test("agree with Bun's own parser about what is a heading", () => {
    const page =
      "# A\n\ntext\n- x\n  # in list\n\ntext\n=\n> # in quote\n\n```\n# code\n```\n### B ###\n<div>\n# c\n\n## D\n";
    const theirs: number[] = [];
    const heading = (_: string, { level }: { level: number }) => {
      theirs.push(level);
      return "";
    };
    Bun.markdown.render(page, { heading });
    const own = readOutline(page).sections.map((section) => section.level);
    // Theirs has the two in the list and the quote too: those belong to the list and the quote.
    expect(own).toEqual([1, 1, 3, 2]);
    expect(theirs).toEqual([1, 1, 1, 1, 3, 2]);
  });
});
