import { describe, expect, test } from "bun:test";
import {
  placeNestedContainers,
  unwrapColumns,
  unwrapMdc,
} from "../../../src/reading/markdown/containers/containers.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

describe("a container", () => {
  const cases: [name: string, markdown: string, placed: string][] = [
    [
      "in a list is a quote of its item",
      "1. a\n\n   :::info[Look]\n\n   b\n\n   ```diff\n   + c\n   :::\n   ```\n\n   :::\n\n2. d",
      "1. a\n\n\n   > [!NOTE] Look\n   > b\n   >\n   > ```diff\n   > + c\n   > :::\n   > ```\n\n\n2. d",
    ],
    ["right below its item, too", "- a\n  :::danger\n  b\n  :::", "- a\n\n  > [!CAUTION]\n  > b\n"],
    [
      "in another one in a list is a quote in it",
      "- a\n\n  ::::note\n  b\n  - c\n    :::tip\n    d\n    :::\n  ::::",
      "- a\n\n\n  > [!NOTE]\n  > b\n  > - c\n  >\n  >   > [!TIP]\n  >   > d\n",
    ],
    [
      "at the margin is closed from behind a list in it",
      ":::info\n\n- a\n- b\n  :::\n\nc",
      ":::info\n\n- a\n- b\n\n:::\n\nc",
    ],
    [
      "in a list may be closed at the margin, as translators do it",
      "- a\n\n  :::note\n\n  b\n\n:::\n\nc",
      "- a\n\n\n  > [!NOTE]\n  > b\n\n\nc",
    ],
    [
      "at the margin is what the margin closes, if one is open there",
      ":::info\n\n- a\n\n  :::note\n\n:::\n\nc",
      ":::info\n\n- a\n\n  :::note\n\n:::\n\nc",
    ],
    [
      "of an image is the image, wherever it stands",
      '- a\n\n  :::image type="complex" source="./b c.png" alt-text="B [1]":::\n    Words.\n  :::image-end:::\n\n::: image source="d.png" :::',
      "- a\n\n  ![B 1](./b%20c.png)\n    Words.\n\n\n![](d.png)",
    ],
    ["that nothing closes stays", "- a\n  :::note\n  b\n\nc", "- a\n  :::note\n  b\n\nc"],
    ["of another kind stays", "- a\n  :::js\n  b\n  :::", "- a\n  :::js\n  b\n  :::"],
    [
      "in code stays",
      "- a\n\n  ```\n  :::note\n  b\n  :::\n  ```",
      "- a\n\n  ```\n  :::note\n  b\n  :::\n  ```",
    ],
    ["in indented code stays", "a\n\n    :::note\n    b\n    :::", "a\n\n    :::note\n    b\n    :::"],
    ["at the margin stays", ":::note\na\n:::\n\n- b", ":::note\na\n:::\n\n- b"],
  ];
  test.each(cases)("%s", (_, markdown, placed) => {
    expect(placeNestedContainers(markdown)).toBe(placed);
  });

  test("that nothing closes stays, however many there are", () => {
    const markdown = `- a\n${"  :::note\n".repeat(20_000)}`;
    expect(placeNestedContainers(markdown)).toBe(markdown);
  });

  test("leaves no marks in passages", () => {
    const body = "# A\n\n- a\n\n  :::tip\n\n  Words in it.\n\n  :::\n";
    for (const format of ["md", "mdx"] as const)
      expect(parsePage(body, { fallbackTitle: "x", format }).passages[0]?.markdown).not.toContain(":::");
  });
});

test("columns of DocFX stand below each other, and what is in them is no code", () => {
  const page =
    'a\n\n:::row:::\n    :::column span="2":::\n        **b**\\\n        c\n\n            d\n    :::column-end:::\n    :::column:::\n        e\n    :::column-end:::\n:::row-end:::\n\nf';
  expect(unwrapColumns(page).replace(/\n{3,}/g, "\n\n")).toBe("a\n\n**b**\\\nc\n\n    d\n\ne\n\nf");
  expect(parsePage(page, { fallbackTitle: "x" }).markdown).not.toContain(":::");
});

test("conditions of DocFX are no words, wherever they stand", () => {
  const page = '1. a\n\n   ::: moniker range=">=x-1"\n\n   b\n\n   ::: moniker-end\n\n```\n::: zone\n```';
  const { markdown } = parsePage(page, { fallbackTitle: "x" });
  expect(markdown.replace(/\n{3,}/g, "\n\n")).toBe("1. a\n\n   b\n\n```\n::: zone\n```");
});

describe("Nuxt Content's Markdown", () => {
  const cases: [name: string, markdown: string, unwrapped: string][] = [
    ["has callouts", "a\n\n::note\nb\n::\n\nc", "a\n\n:::note\n\nb\n\n:::\n\nc"],
    [
      "has callouts that lead somewhere",
      '::note{to="/x"}\nb\n::\n\nc',
      ":::note\n\nb\n\n[/x](/x)\n\n:::\n\nc",
    ],
    ["has typed ones", '::callout{color="warning" title="Look"}\nb\n::', ":::warning[Look]\n\nb\n\n:::"],
    [
      "has components in others, further in",
      "::card-group\n  ::card\n  ---\n  title: A\n  to: /a\n  ---\n  b\n\n  ```ts\n  ::c\n  ```\n  ::\n::\nd",
      "**[A](/a)**\n\nb\n\n```ts\n::c\n```\n\nd",
    ],
    [
      "has more colons further in, and parts with names",
      '::hero\n#title\nWords\n\n:::button{to="/x" label="Go"}\n:::\n\n#description\nMore\n::',
      "Words\n\n**[Go](/x)**\n\nMore",
    ],
    ["has components in lines", 'a :badge[v4]{color="info"} :icon{name="i-x"}, `b`{lang="ts"}', "a v4 , `b`"],
    [
      "has attributes behind words",
      '[a]{.red} [b](/c){target="_blank"} **d**{.x}\n\n::tip\ne\n::',
      "a [b](/c) **d**\n\n:::tip\n\ne\n\n:::",
    ],
    [
      "leaves code and other colons",
      "::tip\n`:a[b]{c}` a::b :smile: {x}\n::",
      ":::tip\n\n`:a[b]{c}` a::b :smile: {x}\n\n:::",
    ],
    [
      "of other makers stays",
      ":::note\na {x} :b[c]\n:::\n\nCode::\n\n    a",
      ":::note\na {x} :b[c]\n:::\n\nCode::\n\n    a",
    ],
    [
      "in indented code alone stays",
      "a\n\n        ::yaml\n        b: c",
      "a\n\n        ::yaml\n        b: c",
    ],
    ["that nothing opens stays", 'a\n\n::\n\n`x`{lang="y"}', "a\n\n::\n\n`x`"],
  ];
  test.each(cases)("%s", (_, markdown, unwrapped) => {
    expect(
      unwrapMdc(markdown)
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
    ).toBe(unwrapped);
  });

  test("keeps code beside components, and runs of backticks that enclose nothing", () => {
    const runs = Array.from({ length: 1_400 }, (_, length) => "`".repeat(length + 1)).join(" {.a} ");
    expect(
      unwrapMdc(`::note\nx\n::\n\n:badge[New]{color="red"} \uE0000\uE001 \`:badge[a]{b}\` ${runs}`),
    ).toEndWith(`New 0 \`:badge[a]{b}\` ${runs}`);
  });
});
