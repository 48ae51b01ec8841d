import { describe, expect, test } from "bun:test";
import { includedLines, readAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";

const read = (source: string, files: Readonly<Record<string, string>> = {}) =>
  readAsciidoc(source, {
    location: "docs/page.adoc",
    async include(target, from) {
      const location = new URL(target, `file:///${from}`).pathname.slice(1);
      const text = files[location];
      return text === undefined ? "is not in this source" : { location, text };
    },
  });

const markdownOf = async (source: string, files?: Readonly<Record<string, string>>) =>
  (await read(source, files)).markdown;

describe("a page", () => {
  test("has the title, description and keywords of its header, and its front matter", async () => {
    const page = await read(
      "---\ntags: [a]\n---\n= The *title* of `it`\nAn Author <a@example.com>\n:description: What it says.\n:keywords: one, two\n\nWords.",
    );
    expect({ ...page.data }).toEqual({
      tags: ["a"],
      title: "The title of it",
      description: "What it says.",
      keywords: ["one", "two"],
    });
    expect(page.markdown).toBe("Words.");
    expect(page.faults).toEqual([]);
  });

  test("has headings with the ids that Asciidoctor gives them", async () => {
    const markdown = await markdownOf(
      "= T\n\n== Über uns: v2.0!\n\n=== Same\n\n=== Same\n\n[#own]\n== Given\n\n[[old]]\n== Older\n\n[discrete]\n=== Apart\n",
    );
    const sections = readOutline(markdown).sections.filter(({ level }) => level > 0);
    expect(sections.map(({ level, anchor, heading }) => [level, anchor, heading])).toEqual([
      [2, "_über_uns_v2_0", "Über uns: v2.0!"],
      [3, "_same", "Same"],
      [3, "_same_2", "Same"],
      [2, "own", "Given"],
      [2, "old", "Older"],
      [3, "_apart", "Apart"],
    ]);
  });

  test("has headings without ids where it asks for that", async () => {
    const { sections } = readOutline(await markdownOf("= T\n:!sectids:\n\n== One\n"));
    expect(sections.at(-1)).toMatchObject({ heading: "One", anchor: "" });
  });

  test("has attributes resolved, also those that it changes half way", async () => {
    expect(await markdownOf(":v: 1\n\nThe {v}.\n\n:v: 2\n\nThe {v}. The {gone}.")).toBe(
      "The 1.\n\nThe 2. The {gone}.",
    );
  });

  test("has conditions decided", async () => {
    expect(await markdownOf(":a:\n\nifdef::a[]\nYes\nendif::[]\nifndef::a[No]\n")).toBe("Yes");
  });
});

describe("blocks", () => {
  test("of advice are callouts, within a list as a quote", async () => {
    expect(await markdownOf(".Mind\nWARNING: Hot.\n")).toBe(":::warning[Mind]\n\nHot.\n\n:::");
    expect(await markdownOf("[TIP]\n====\nOne.\n\nTwo.\n====\n")).toBe(":::tip\n\nOne.\n\nTwo.\n\n:::");
    expect(await markdownOf("* a\n+\nNOTE: b\n")).toBe("- a\n\n  > [!NOTE]\n  > b");
  });

  test("of code keep their language, their title and the numbers of their callouts", async () => {
    expect(await markdownOf(".app.rb\n[source,ruby]\n----\na < b # <1>\nc && d\n----\n<1> Compares.\n")).toBe(
      "**app.rb**\n\n```ruby\na < b # (1)\nc && d\n```\n\n1. Compares.",
    );
    expect(await markdownOf("....\n*as* it is\n....\n")).toBe("```\n*as* it is\n```");
  });

  test("of terms, tabs and quotes keep who says what", async () => {
    expect(await markdownOf("a:: b\nc::\n+\n--\nd\n--\n")).toBe("- **a**\\\n  b\n- **c**\\\n  d");
    expect(await markdownOf("[tabs]\n====\nJava::\n+\n[source,java]\n----\nint x;\n----\n====\n")).toBe(
      ":::tab[Java]\n\n```java\nint x;\n```\n\n:::",
    );
    expect(await markdownOf("[quote,Someone,A book]\n____\nWords\n____\n")).toBe(
      "> Words\n>\n> — Someone, A book",
    );
  });

  test("of tables are tables, and those with code in a cell its blocks", async () => {
    expect(await markdownOf(".T\n|===\n|A |B\n\n|1 |*x*\n|2 a|* y\n|===\n")).toBe(
      "**T**\n\n| A | B |\n| --- | --- |\n| 1 | **x** |\n| 2 | y |",
    );
    expect(await markdownOf("|===\n|A |B\n\n|1 a|\n[source,sh]\n----\nls\ncd\n----\n|===\n")).toContain(
      "```sh\nls\ncd\n```",
    );
  });

  test("that are lists keep their order, their numbers and their checks", async () => {
    expect(await markdownOf("* a\n** b\n. c\n")).toBe("- a\n  - b\n    1. c");
    expect(await markdownOf("[start=4]\n. a\n. b\n")).toBe("4. a\n5. b");
    expect(await markdownOf("* [x] a\n* [ ] b\n")).toBe("- [x] a\n- [ ] b");
  });

  test("that are images are said by their description", async () => {
    expect(await markdownOf(".Fig\nimage::a.png[What it shows]\n")).toBe("![What it shows](a.png)\n\nFig");
    expect(await markdownOf(":imagesdir: pictures\n\nimage::a b.png[]\n")).toBe("![](pictures/a%20b.png)");
  });

  test("of raw HTML are words, without scripts", async () => {
    expect(await markdownOf("++++\n<b>a</b><script>b()</script>\n++++\n")).toBe("**a**");
  });
});

describe("a line", () => {
  test("has its marks, its links, its formulas and its footnotes", async () => {
    expect(
      await markdownOf(
        "== S\n\n*a* _b_ `c` 2 * 3 <<_s>> xref:other.adoc#x[Other] https://example.com[E] stem:[x^2].footnote:[Why _so_.]",
      ),
    ).toBe(
      "## S {#_s}\n\n**a** *b* `c` 2 * 3 [S](#_s) [Other](other.adoc#x) [E](https://example.com) `x^2`.[^1]\n\n[^1]: Why *so*.",
    );
  });

  test("has no link that runs something", async () => {
    expect(await markdownOf("link:javascript:alert(1)[Click] me")).toBe("Click me");
  });
});

describe("what a page includes", () => {
  test("is read from beside the file that names it, with its level and its tag", async () => {
    const { markdown, faults } = await read(
      ":leveloffset: 0\n\ninclude::part/a.adoc[leveloffset=+1]\n\n----\ninclude::a.rb[tag=x]\n----\n",
      {
        "docs/part/a.adoc": "= A\n\ninclude::b.adoc[]\n",
        "docs/part/b.adoc": "B\n",
        "docs/a.rb": "one\n# tag::x[]\ntwo\n# end::x[]\n",
      },
    );
    expect(markdown).toBe("## A {#_a}\n\nB\n\n```\ntwo\n```");
    expect(faults).toEqual([]);
  });

  test("is nothing from elsewhere, and never itself", async () => {
    const { markdown, faults } = await read(
      "A\n\ninclude::/etc/passwd[]\n\ninclude::https://example.com/x.adoc[]\n\ninclude::self.adoc[]\n\ninclude::gone.adoc[opts=optional]\n",
      { "docs/page.adoc": "", "docs/self.adoc": "B\n\ninclude::self.adoc[]\n\ninclude::page.adoc[]\n" },
    );
    expect(markdown).toBe("A\n\nB");
    expect(faults).toEqual([
      "/etc/passwd, which it includes, is not in this source",
      "https://example.com/x.adoc, which it includes, is elsewhere, and nothing is fetched",
      "self.adoc, which it includes, includes itself",
      "page.adoc, which it includes, includes itself",
    ]);
  });

  test("is bounded, however often files include each other", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `docs/f${at}.adoc`,
        `${"x ".repeat(500)}\n${`include::f${at + 1}.adoc[]\n`.repeat(20)}`,
      ]),
    );
    const { markdown, faults } = await read("include::f0.adoc[]\n", files);
    expect(markdown.length).toBeLessThan(600_000);
    expect(faults.length).toBeGreaterThan(0);
  });
});

test.each([
  ["1..2;4", ["a", "b", "d"]],
  ["3..", ["c", "d"]],
  ["2..-1", ["b", "c", "d"]],
  ["9..100000000000", []],
])("lines %s of a file are those", (lines, expected) => {
  expect(includedLines("a\nb\nc\nd\n", { lines }).lines).toEqual(expected);
});

test.each([
  ["x", ["b"]],
  ["x;y", ["b", "d"]],
  ["!x", ["a", "c", "d", "e"]],
  ["*", ["b", "d"]],
  ["**", ["a", "b", "c", "d", "e"]],
  ["**;!y", ["a", "b", "c", "e"]],
  ["!*", ["a", "c", "e"]],
])("tags %s of a file are those lines", (tags, expected) => {
  const text = "a\n// tag::x[]\nb\n// end::x[]\nc\n// tag::y[]\nd\n// end::y[]\ne\n";
  expect(includedLines(text, { tags }).lines).toEqual(expected);
});

test("a tag that is not there is named", async () => {
  const { faults } = await read("----\ninclude::a.rb[tag=gone]\n----\n", { "docs/a.rb": "x\n" });
  expect(faults).toEqual(["a.rb, which it includes, has no part that is tagged gone"]);
});

test("a page of more than half a million characters is read", async () => {
  const section = (at: number) => `== Function ${at}\n\n_Returns_ \`${at}\`: ${"word ".repeat(200)}\n\n`;
  const { markdown, faults } = await read(Array.from({ length: 550 }, (_, at) => section(at)).join(""));
  expect(faults).toEqual([]);
  expect(markdown).toContain("## Function 549 {#_function_549}\n\n*Returns* `549`:");
});

test("keys, buttons and menus are read although nothing turns them on", async () => {
  expect(await markdownOf("Press kbd:[Ctrl+c], btn:[OK] and menu:File[Save].")).toBe(
    "Press `Ctrl`+`c`, **OK** and **File** **›** **Save**.",
  );
});

describe("a hostile page", () => {
  test.each([
    ["cells without number", "|===\n100000000*|a\n|===", "too many cells that are given thousands of times"],
    ["columns without number", '[cols="99999999*"]\n|===\n|a\n|===', "too many columns"],
    [
      "references to attributes",
      "{a}".repeat(3000).concat("\n").repeat(5),
      "too many references to attributes",
    ],
    ["open brackets", "xref:a[\n".repeat(5000), "too many brackets that are not closed"],
    ["open emphasis", "_a\n".repeat(30_000), "too many marks that are not closed"],
    ["open bold words", "*a\n".repeat(30_000), "too many marks that are not closed"],
    ["open code", "`${\n".repeat(30_000), "too many marks that are not closed"],
    ["a long line", "x".repeat(20_000), "a line of more than 10000 characters"],
    ["headings", "== a\n\n".repeat(5000), "too many headings"],
    ["breaks", "a +\n".repeat(50_000), "too many breaks of lines"],
    ["passages left alone", "+a+ +b+\n".repeat(10_000), "too many passages that are left alone"],
    ["text", "word\n".repeat(200_001), "more than 1000000 characters"],
  ])("with %s is read as plain words, and says so", async (_, source, why) => {
    const { markdown, faults } = await read(source);
    expect(faults[0]).toContain(why);
    expect(markdown.length).toBeLessThan(source.length * 3);
  });

  test("cannot make an attribute grow without bound", async () => {
    const doubling = Array.from({ length: 60 }, (_, at) => `:a${at + 1}: {a${at}}{a${at}}`);
    const { markdown } = await read([":a0: 0123456789", ...doubling, "", "{a60}"].join("\n"));
    expect(markdown.length).toBeLessThan(10_000);
  });

  test("with blocks and lists in each other a hundred times is read to its words", async () => {
    const lists = Array.from({ length: 100 }, (_, at) => `${"*".repeat(at + 1)} word${at}`).join("\n");
    expect(await markdownOf(lists)).toContain("word99");
    const fences = Array.from({ length: 100 }, (_, at) => "=".repeat(4 + at));
    const nested = [...fences, "word", ...fences.toReversed()].join("\n");
    expect(await markdownOf(nested)).toContain("word");
  });
});
