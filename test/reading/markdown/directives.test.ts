import { describe, expect, test } from "bun:test";
import { unwrapDirectives } from "../../../src/reading/markdown/directives.ts";

/** Without the blank lines, which only set things apart. */
const unwrapped = (markdown: string) =>
  unwrapDirectives(markdown)
    .split("\n")
    .filter((line) => line.trim() !== "");

describe("directives of Sphinx in Markdown", () => {
  test("MyST's callouts become containers, and of others the title and the words stay", () => {
    expect(
      unwrapped(
        "a\n\n:::{note}\nRead *this*.\n:::\n\n::::{dropdown} More\n:animate: fade-in\n\n:::{tip} Title\nWords.\n:::\n\nLast.\n::::\n\nb",
      ),
    ).toEqual([
      "a",
      ":::note",
      "Read *this*.",
      ":::",
      "**More**",
      ":::tip[Title]",
      "Words.",
      ":::",
      "Last.",
      "b",
    ]);
  });

  test("those of reStructuredText lose their names, options and indent, and code stays indented", () => {
    expect(
      unwrapped(
        ".. warning:: Hot.\n\n   It burns.\n\nb\n\n.. click:: a.b:c\n   :prog: a\n   :nested: full\n\n.. figure:: x.svg\n   :alt: X\n\n   A caption.\n\n.. code-block:: sh\n   :caption: x\n\n    run me\n\nc",
      ),
    ).toEqual([":::warning", "Hot.", "It burns.", ":::", "b", "A caption.", "    run me", "c"]);
  });

  test("fences, containers of others and plain text are left as they are", () => {
    const markdown =
      "```rst\n.. note:: in code\n:::{note}\n```\n\n:::tip\nx\n:::\n\nA line of `.. note::` and ... dots.\n\n:::{note}\n```\n:::\n```\ninside\n:::\nend";
    expect(unwrapped(markdown)).toEqual([
      "```rst",
      ".. note:: in code",
      ":::{note}",
      "```",
      ":::tip",
      "x",
      ":::",
      "A line of `.. note::` and ... dots.",
      ":::note",
      "```",
      ":::",
      "```",
      "inside",
      ":::",
      "end",
    ]);
  });

  test("thousands that nobody closes take no longer than their length", () => {
    for (const unit of [":::{a}\n", ".. a::\n", "   .. note:: x\n      :a: b\n"]) {
      const text = unit.repeat(20_000);
      expect(unwrapDirectives(text).length).toBeLessThan(text.length * 3);
    }
  });
});
