import { describe, expect, test } from "bun:test";
import { unwrapIndentedBlocks } from "../../../src/reading/markdown/containers/containers.ts";

/** Blank lines in a row say no more than one. */
const unwrap = (markdown: string) =>
  unwrapIndentedBlocks(markdown)
    .replace(/\n{3,}/g, "\n\n")
    .trim();

describe("an indented block of MkDocs", () => {
  const cases: [name: string, markdown: string, expected: string][] = [
    ["is a container", "a\n\n!!! warning\n\n    b\n\nc", "a\n\n:::warning\n\nb\n\n:::\n\nc"],
    ["is one without blank lines around it", "a\n!!! note\n    b\nc", "a\n\n:::note\n\nb\n\n:::\n\nc"],
    ["may have a title", '!!! tip "Look [here]"\n    b', ":::tip[Look here]\n\nb\n\n:::"],
    ["may have none", '!!! tip ""\n    b', ":::tip\n\nb\n\n:::"],
    ["may have more classes", '!!! danger inline end "Stop"\n    b', ":::danger[Stop]\n\nb\n\n:::"],
    [
      "may be folded",
      '??? info "More"\n    b\n\n???+ info\n    c',
      ":::info[More]\n\nb\n\n:::\n\n:::info\n\nc\n\n:::",
    ],
    [
      "of another kind is its title",
      '!!! example\n    b\n\n??? "Why"\n    c',
      "**Example**\n\nb\n\n**Why**\n\nc",
    ],
    [
      "is a tab",
      '=== "Linux"\n\n    ```sh\n    apt\n    ```\n\n=== "macOS"\n\n    b',
      ":::tab[Linux]\n\n```sh\napt\n```\n\n:::\n\n:::tab[macOS]\n\nb\n\n:::",
    ],
    [
      "may hold others",
      '!!! note\n\n    === "A"\n\n        a\n\n    !!! tip\n        b\n\n    c\n\nd',
      ":::note\n\n:::tab[A]\n\na\n\n:::\n\n:::tip\n\nb\n\n:::\n\nc\n\n:::\n\nd",
    ],
    [
      "keeps lists and code in it",
      "!!! note\n    - a\n        - b\n\n            code\n",
      ":::note\n\n- a\n    - b\n\n        code\n\n:::",
    ],
    [
      "keeps what looks like one in code",
      "!!! note\n    ```\n    !!! tip\n        a\n    ```",
      ":::note\n\n```\n!!! tip\n    a\n```\n\n:::",
    ],
  ];
  test.each(cases)("%s", (_, markdown, expected) => {
    expect(unwrap(markdown)).toBe(expected);
  });

  const others: [name: string, markdown: string][] = [
    ["words that shout", "!!! note\nb"],
    ["a heading", "a\n===\n\n    code"],
    ["code", "```\n!!! note\n    b\n```"],
    ["code that is indented", "    !!! note\n        b"],
  ];
  test.each(others)("is not %s", (_, markdown) => {
    expect(unwrapIndentedBlocks(markdown)).toBe(markdown);
  });

  test.each(["!!! note\n    ", "!!! note\n", '=== "a"\n    a\n', `!!! ${"a ".repeat(50)}\n    a\n`])(
    "of %j without end is read in linear time",
    (unit) => {
      unwrapIndentedBlocks(unit.repeat(Math.ceil(300_000 / unit.length)));
      unwrapIndentedBlocks(
        Array.from({ length: 400 }, (_, depth) => `${"    ".repeat(depth)}!!! note`).join("\n"),
      );
    },
  );
});
