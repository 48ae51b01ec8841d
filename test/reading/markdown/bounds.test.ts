import { describe, expect, test } from "bun:test";
import { ANCHOR_STYLES } from "../../../src/reading/markdown/anchors.ts";
import { htmlToText } from "../../../src/reading/markdown/html-text.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { DEFAULT_PASSAGE_SIZES } from "../../../src/reading/markdown/passages/passages.ts";
import { renderHtml } from "../../../src/reading/markdown/render/render.ts";
import { ownMs } from "../../helpers/own-time.ts";

/** Each is repeated to a length at which what is worse than quadratic would not end: test/growth measures what it takes. */
const GARBAGE = [
  ..."#`~[]()<>*_|&\\-=+!{}:.\"'/ \t\n字。😀",
  ...'# |#\n|[a](|![|[a][|> |- |* a\n  |<a |</|<!--|**a |a\n=\n|&amp;|``` |```\n|`a``b|<a b={|<a b="|{`|{/*'.split(
    "|",
  ),
  ..."<A>\n  |</A>|import {|export const a = (\n|:::a\n|https://|[a]: b\n|# a\n|<script>|<div>\n|<b>x|{#a}".split(
    "|",
  ),
  ..."<h1>\n|<h1>a</h1>\n|<Tooltip tip='x y'>|<code>|<A b={[1,|(a)=\n|(a)=\n# b\n|{frontmatter.|## a {.b #|# a\n\nb\n\n".split(
    "|",
  ),
  "|a",
  "|-\n",
  "a|b\n-|-\n",
];

describe("garbage", () => {
  test.each(GARBAGE)("of %j is read, in passages that are not too long, and shown", (unit) => {
    const source = unit.repeat(Math.ceil(20_000 / unit.length));
    for (const format of ["md", "mdx"] as const) {
      const page = parsePage(source, { fallbackTitle: "", format });
      for (const { tokensEstimated } of page.passages) {
        expect(tokensEstimated).toBeLessThanOrEqual(DEFAULT_PASSAGE_SIZES.hardMaxTokens);
      }
    }
    renderHtml(source);
    htmlToText(source);
  });

  test.each(["#", "`", "["])("of a megabyte of %j is no trouble", (unit) => {
    parsePage(unit.repeat(1_000_000), { fallbackTitle: "" });
    renderHtml(unit.repeat(1_000_000));
  });

  test("of one line of five megabytes is no trouble", () => {
    const page = parsePage("word ".repeat(1_000_000), { fallbackTitle: "" });
    expect(page.passages.length).toBeGreaterThan(2_000);
  });

  test.each([
    ["with words", (index: number) => `${"#".repeat(1 + (index % 6))} h\nw\n`],
    ["without words", (index: number) => `${"#".repeat(1 + (index % 6))} h\n`],
    ["of one name", () => "## `a_1`\n"],
  ])("of thousands of headings %s is no trouble", (_, heading) => {
    const source = `${Array.from({ length: 10_000 }, (_, index) => heading(index)).join("")}\nwords`;
    for (const anchors of ANCHOR_STYLES) {
      const { passages } = parsePage(source, { fallbackTitle: "", anchors });
      expect(passages.length).toBeGreaterThan(0);
    }
  });
});

describe("a line of spaces", () => {
  test.each([
    ["that no keyboard has, in Org", "org", `a${"\u00a0".repeat(80_000)}b`],
    ["behind a div, in Pandoc's Markdown", "qmd", `:::a${" ".repeat(80_000)}b`],
    ["behind a heading, in Pandoc's Markdown", "qmd", `# a${" ".repeat(80_000)}b`],
  ] as const)("%s, takes no time", async (_, format, source) => {
    expect(await ownMs(async () => parsePage(source, { fallbackTitle: "", format }))).toBeLessThan(2_000);
  });
});
