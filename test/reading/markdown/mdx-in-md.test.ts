import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";
import { isMdx } from "../../../src/reading/markdown/mdx/is-mdx.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const parse = (markdown: string) => parsePage(markdown, { fallbackTitle: "T", format: "md" });

describe("a page of Markdown is MDX", () => {
  test.each([
    ["with a comment of JavaScript in braces", "## Usage {/*usage*/}\n\nwords"],
    ["with an attribute that is an expression", "A <CodeStep step={1}>value</CodeStep> is returned."],
    ["with components on lines of their own", "<Intro>\n\nWords.\n\n</Intro>\n\n<Sandpack />"],
  ])("%s", (_, markdown) => {
    expect(isMdx(markdown)).toBe(true);
  });

  test.each([
    ["with a comment in code", "Write `{/*id*/}`:\n\n```md\n## T {/*id*/}\n```"],
    ["with code that is indented", "For example:\n\n    <Route path={path}>\n    </Route>\n"],
    ["with names of types", "A Map<String> and a List<Key>.\n\n<Name>\nis what you choose."],
    ["with values of a template", "<Tabs>\n\n{{ value }}\n\n</Tabs>"],
    ["with components that cross", "<A>\n<B>\n</A>\n</B>"],
    ["without any", "# T\n\nif a < b and {c}"],
  ])("and is none %s", (_, markdown) => {
    expect(isMdx(markdown)).toBe(false);
  });
});

test("the id of a heading stands in a comment of its own, and others are no ids", () => {
  const { markdown } = parse(
    "## Usage {/*how-to-use*/}\n\na\n\n## Next {/* to be written */}\n\nb {/*c*/}\n",
  );
  const { sections } = readOutline(markdown);
  expect(sections.filter(({ level }) => level > 0).map(({ anchor }) => anchor)).toEqual([
    "how-to-use",
    "next",
  ]);
  expect(markdown).not.toContain("/*");
});

test("components leave their words, and code stays as it is", () => {
  const { markdown } = parse(
    "<Intro>\nWords.\n</Intro>\n\nReturns a <CodeStep step={2}>value</CodeStep>.\n\n```js\n<A b={c} />\n```\n",
  );
  expect(markdown.trim()).toBe("Words.\n\nReturns a value.\n\n```js\n<A b={c} />\n```");
});

test("a long page of open brackets is looked at in time that grows with it", () => {
  expect(isMdx("<A ".repeat(100_000))).toBe(false);
  expect(isMdx("{/*".repeat(100_000))).toBe(false);
  expect(isMdx("<A>\n".repeat(100_000))).toBe(false);
});
