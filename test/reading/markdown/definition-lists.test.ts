import { describe, expect, test } from "bun:test";
import { readHtml } from "../../../src/reading/markdown/html/html.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { renderHtml } from "../../../src/reading/markdown/render/render.ts";
import { unwrapDefinitionLists } from "../../../src/reading/markdown/unwrap-definitions.ts";

const READING = {
  linkHere: "",
  taskDone: "",
  taskOpen: "",
  callouts: { note: "", tip: "", important: "", warning: "", caution: "" },
};
const read = (markdown: string) => renderHtml(markdown, { reading: READING });

describe("a definition list in Markdown", () => {
  const LISTS: [string, string, string][] = [
    ["of terms close to each other", "A\n: one\nB\n: two", "- **A**\\\n  one\n- **B**\\\n  two"],
    [
      "with several terms and definitions",
      "A\n`B`\n\n:   one\n    more\n\n:   two\nlazy",
      "- **A**\\\n  **`B`**\\\n  one\n  more\n\n  two\n  lazy",
    ],
    [
      "with blocks",
      "A\n:   one:\n\n    ```js\n    x\n      y\n    ```\n\n    - b\n\nB\n: c",
      "- **A**\\\n  one:\n\n  ```js\n  x\n    y\n  ```\n\n  - b\n\n- **B**\\\n  c",
    ],
  ];
  for (const [name, markdown, written] of LISTS)
    test(`${name} is a list whose items begin with the term`, () =>
      expect(unwrapDefinitionLists(`Text.\n\n${markdown}\n\nEnd.`)).toBe(`Text.\n\n\n${written}\n\n\nEnd.`));

  test("whose definitions are long, or no words, is terms above what they mean", () => {
    const long = "word ".repeat(900).trim();
    expect(unwrapDefinitionLists(`A\n: ${long}\n\nB\n: c`)).toBe(`\n**A**\n\n${long}\n\n**B**\n\nc\n`);
  });

  test("may follow a heading, which is its term, where the program takes it so", () => {
    const afterHeadings = true;
    expect(
      unwrapDefinitionLists(
        "#### [A=<b>](#a) {#a}\n\n: One\nmore.\n\n    - b\n\n    ```sh\n    x\n\n      y\n    ```\n\n    > [!NOTE]\n    > c\n\n    Defaults to y.\n\n#### B\n: two\n\n: three\n\nText.\n\n: four",
        { afterHeadings },
      ),
    ).toBe(
      "#### [A=<b>](#a) {#a}\n\n\nOne\nmore.\n\n- b\n\n```sh\nx\n\n  y\n```\n\n> [!NOTE]\n> c\n\nDefaults to y.\n\n\n#### B\n\ntwo\n\nthree\n\n\n\n- **Text.**\\\n  four\n",
    );
    for (const left of ["```\n# A\n: b\n```", "# A\n\n```\nx\n```\n\n: b", "# A\n\n- b\n\n: c", ": alone"])
      expect(unwrapDefinitionLists(left, { afterHeadings })).toBe(left);
  });

  const LEFT = [
    "# Heading\n: text",
    "- item\n: text",
    "```\nA\n: b\n```",
    ": alone",
    "A\n:no space",
    "| a |\n|---|\n: b",
    "A paragraph\nof many\nlines\nthat\ngoes\non\nand on\n: text",
    `${"long ".repeat(100)}\n: text`,
  ];
  for (const page of LEFT)
    test(`is not: ${page.slice(0, 40)}`, () => expect(unwrapDefinitionLists(page)).toBe(page));

  test("is only one where the generator has them", () => {
    const { markdown } = parsePage("A\n: one", { fallbackTitle: "x" });
    expect(markdown).toBe("A\n: one");
  });

  test("of a megabyte is read at once", () => {
    for (const piece of ["A\n: b\n", "A\n\n: b\n\n", ": b\n", "A\n", "A\n: b\n\n    c\n\n", "# A\n\n: b\n\n"])
      expect(unwrapDefinitionLists(piece.repeat(100_000), { afterHeadings: true }).length).toBeGreaterThan(0);
  });
});

describe("a definition list in the reader", () => {
  test("is one of HTML, with what is nested in it", () => {
    expect(read("- **A**\\\n  **B**\\\n  one `x`\n- **C**\\\n  two\n  - **D**\\\n    three")).toBe(
      "<dl><dt>A</dt>\n<dt>B</dt>\n<dd>one <code>x</code></dd>\n<dt>C</dt>\n<dd>two\n<dl><dt>D</dt>\n<dd>three</dd>\n</dl>\n</dd>\n</dl>\n".replace(
        "two\n",
        "two",
      ),
    );
    expect(read("- **A**\\\n  one\n\n  ```\n  x\n  ```\n\n- **B**")).toBe(
      '<dl><dt>A</dt>\n<dd><p>one</p>\n<pre tabindex="0"><code>x\n</code></pre>\n</dd>\n<dt>B</dt>\n</dl>\n',
    );
  });

  test("is none where items only begin with strong words", () => {
    for (const list of [
      "- **A** one\n- **B** two",
      "- **A**\n- **B**",
      "- **A**\\\n  one\n- two",
      "- [ ] **A**\\\n  b",
    ])
      expect(read(list)).toStartWith("<ul>");
  });
});

test("a term stays with its definition when a list is cut", () => {
  const entry = (name: string) => `${name}\n: ${`What ${name} means. `.repeat(12)}`;
  const names = Array.from({ length: 40 }, (_, index) => `Term${index}`);
  const markdown = unwrapDefinitionLists(`# T\n\n${names.map(entry).join("\n\n")}`);
  const { passages } = parsePage(markdown, { fallbackTitle: "x" });
  expect(passages.length).toBeGreaterThan(3);
  for (const name of names)
    expect(passages.filter(({ text }) => text.includes(`${name}\nWhat ${name} means.`))).toHaveLength(1);
});

test("terms of HTML that share a description keep a place each", () => {
  const read = (list: string) =>
    readHtml(`<main><h1>T</h1><p>Words of the page.</p>${list}</main>`, { keepsPlaces: true }).markdown;
  expect(read('<dl><dt id="a">-a</dt><dt id="all">--all</dt><dd><p>Shows all.</p></dd></dl>')).toEndWith(
    '## -a {#a}\n\n<a id="all"></a>**--all**\n\nShows all.',
  );
  const signatures =
    '<dl><dt class="sig" id="m.open">open(path)</dt><dt class="sig" id="m.open2">open(path, how)</dt><dd>Opens.</dd></dl>';
  expect(read(signatures)).toEndWith(
    '## `open(path)` {#m.open}\n\n<a id="m.open2"></a>`open(path, how)`\n\nOpens.',
  );
});
