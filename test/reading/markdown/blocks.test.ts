import { describe, expect, test } from "bun:test";
import { type BlockKind, languageOf, scanBlocks } from "../../../src/reading/markdown/md/blocks.ts";

const kinds = (markdown: string): BlockKind[] => scanBlocks(markdown).map((block) => block.kind);

describe("blocks", () => {
  const cases: Array<[name: string, markdown: string, kinds: BlockKind[]]> = [
    ["paragraphs are cut at blank lines", "a\nb\n\nc", ["paragraph", "paragraph"]],
    ["a fence may hold blank lines and headings", "```js\n# no\n\nb\n```\nc", ["code", "paragraph"]],
    ["a longer fence holds a shorter one", "````md\n```\n# no\n```\n````\nc", ["code", "paragraph"]],
    ["tildes are not closed by backticks", "~~~\n```\n# no\n~~~\n", ["code"]],
    ["an open fence runs to the end", "```\n# no\n\n# no", ["code"]],
    ["a fence ends a paragraph", "a\n```\nb\n```", ["paragraph", "code"]],
    ["a backtick in its info makes a line no fence", "``` a`b\n# yes", ["paragraph", "heading"]],
    ["indented code is code", "a\n\n    # no\n\n    more\n\nb", ["paragraph", "code", "paragraph"]],
    ["an indented line goes on with its paragraph", "a\n    b", ["paragraph"]],
    ["a list keeps its nested blocks", "- a\n\n  ```\n  # no\n  ```\n- b\n\nc", ["list", "paragraph"]],
    ["a list takes lazy lines", "- a\nb\n\nc", ["list", "paragraph"]],
    ["a number other than 1 ends no paragraph", "in\n1984. was", ["paragraph"]],
    ["a heading in a list item is not the page's", "- # no\n\n  ## no\n\n# yes", ["list", "heading"]],
    [
      "a table is one block",
      "text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nc",
      ["paragraph", "table", "paragraph"],
    ],
    ["a quote takes lazy lines", "> a\nb\n> c\n\nd", ["quote", "paragraph"]],
    ["rules are no text", "a\n\n---\n\n* * *\n\nb", ["paragraph", "rule", "rule", "paragraph"]],
    ["html goes to a blank line", "<div>\n# no\n\n# yes\n</div>", ["html", "heading", "html"]],
    ["a comment goes to its end", "<!-- a\n\n# no\n-->\n# yes", ["comment", "heading"]],
    ["words behind a comment are text", "<!-- a --> words", ["html"]],
    ["a script goes to its end", "<script>\n\n# no\n</script>\n# yes", ["html", "heading"]],
    ["link targets are told apart", "[a]: http://x.y\n[^1]: a note", ["definition", "paragraph"]],
    ["directives are told apart", ":::tip[Look]\na\n:::", ["directive", "paragraph", "directive"]],
    ["nothing has no blocks", " \n\t\n", []],
  ];
  test.each(cases)("%s", (_, markdown, expected) => {
    expect(kinds(markdown)).toEqual(expected);
  });

  test("know their source lines and their language", () => {
    expect(scanBlocks("a\n\n```TS title=x\ncode\n```\n")[1]).toEqual({
      kind: "code",
      text: "```TS title=x\ncode\n```",
      startLine: 3,
      endLine: 5,
      language: "ts",
    });
  });

  test.each([
    ["js {1,3}", "js"],
    ["{.python .numberLines}", "python"],
    ["{python}", "python"],
    ["C++", "c++"],
    ["objective-c title='a'", "objective-c"],
    ["", undefined],
    ["{1,3}", undefined],
  ])("the language of %j is %p", (info, language) => {
    expect(languageOf(info)).toBe(language);
  });
});
