import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";
import { textToMarkdown } from "../../../src/reading/markdown/txt.ts";

describe("plain text", () => {
  const cases: Array<[name: string, text: string, markdown: string]> = [
    [
      "paragraphs",
      `${"long words ".repeat(8).trim()}\n${"more of them ".repeat(8).trim()}\n\nb`,
      `${"long words ".repeat(8).trim()}\n${"more of them ".repeat(8).trim()}\n\nb`,
    ],
    ["underlined titles", "Title\n=====\n\na\n\nSub\n---\nb", "# Title\n\na\n\n## Sub\n\nb"],
    ["no titles of rules", "a\n\n==========\n\n----------\nb", "a\n\n\\----------\\\nb"],
    ["short lines as they were broken", "Jane\nStreet 1", "Jane\\\nStreet 1"],
    ["lists as lines", "- a\n- b", "\\- a\\\n\\- b"],
    ["what is indented as code", "Run:\n\n    a\n\n      b\n\nc", "Run:\n\n```\na\n\n  b\n```\n\nc"],
    ["columns as code", "a     b\ncc    d\n", "```\na     b\ncc    d\n```"],
    ["drawings as code", "+---+\n| a |\n+---+", "```\n+---+\n| a |\n+---+\n```"],
    ["old line ends", "a\r\n\r\nb\rc", "a\n\nb\\\nc"],
  ];
  test.each(cases)("has %s", (_, text, markdown) => {
    expect(textToMarkdown(text)).toBe(markdown);
  });

  test.each([
    "# a",
    "1. a",
    "> a",
    "*a* _b_",
    "[a](b)",
    "<b>a</b>",
    "&amp;",
    "`a`",
    "---\na: b\n---",
    "snake_case",
    "![a](b)",
    "::: a",
    "[a]: b",
  ])("%j stays words", (text) => {
    const words = text.replaceAll("---\n", "").replaceAll("\n---", "");
    expect(plainText(textToMarkdown(text))).toContain(words);
  });

  test("becomes a page", () => {
    const page = parsePage("The Title\n=========\n\nWords with snake_case.", {
      fallbackTitle: "F",
      format: "txt",
    });
    expect(page.title).toBe("The Title");
    expect(page.passages[0]).toMatchObject({
      text: expect.stringContaining("Words with snake_case."),
      anchor: "the-title",
    });
    expect(parsePage("---\ntitle: no\n---\n\nwords", { fallbackTitle: "F", format: "txt" }).title).toBe("F");
  });

  test.each(["a\n", "a\n=\n", "    a\n", "- ", "a  b   c\n", "|", "+", " ", "\t", "=", "`", "_"])(
    "of %j is read in linear time",
    (unit) => {
      expect(() => textToMarkdown(unit.repeat(200_000 / unit.length))).not.toThrow();
    },
  );
});
