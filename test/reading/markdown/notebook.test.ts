import { describe, expect, test } from "bun:test";
import { notebookToMarkdown } from "../../../src/reading/markdown/notebook.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const notebook = (cells: object[], metadata: object = { kernelspec: { language: "julia" } }) =>
  JSON.stringify({ nbformat: 4, metadata, cells });
const code = (source: string | string[], more: object = {}) => ({ cell_type: "code", source, ...more });
const markdown = (source: string | string[], more: object = {}) => ({
  cell_type: "markdown",
  source,
  ...more,
});
const read = (cells: object[]) => notebookToMarkdown(notebook(cells)).markdown;
const printed = (...outputs: object[]) =>
  read([code("x", { outputs })])
    .replace("```julia\nx\n```", "")
    .trim();

describe("a notebook's page", () => {
  test("has its title, headings, and code in the kernel's language with what it printed", () => {
    const cells = [
      markdown(["# Zebras\n", "\n", "They graze."]),
      code(["count(zebras)\n"], { outputs: [{ output_type: "stream", name: "stdout", text: ["12\n"] }] }),
      markdown("## Lions"),
    ];
    const page = parsePage(notebook(cells), { fallbackTitle: "n", format: "ipynb" });
    expect(page.title).toBe("Zebras");
    expect(page.markdown).toBe(
      "# Zebras\n\nThey graze.\n\n```julia\ncount(zebras)\n```\n\n```\n12\n```\n\n## Lions",
    );
    expect(page.faults).toEqual([]);
  });

  test("has the front matter of a raw cell at its top, and no other raw cell but Markdown", () => {
    const cells = [
      { cell_type: "raw", source: "---\ntitle: From above\n---" },
      { cell_type: "raw", source: "\\newpage" },
      { cell_type: "raw", source: "kept *words*", metadata: { raw_mimetype: "text/markdown" } },
    ];
    const page = parsePage(notebook(cells), { fallbackTitle: "n", format: "ipynb" });
    expect([page.title, page.markdown.trim()]).toEqual(["From above", "kept *words*"]);
  });

  test("is the file's name where no heading gives it one", () => {
    const page = parsePage(notebook([markdown("words")]), { fallbackTitle: "lions", format: "ipynb" });
    expect(page.title).toBe("lions");
  });

  test("is read in the format's old form, too", () => {
    const cells = [
      { cell_type: "heading", level: 2, source: ["Old"] },
      { cell_type: "code", input: ["1"] },
    ];
    const text = JSON.stringify({ worksheets: [{ cells }], metadata: {} });
    expect(notebookToMarkdown(text).markdown).toBe("## Old\n\n```python\n1\n```");
  });
});

describe("what an author does not publish is left out", () => {
  const tagged = (tag: string) =>
    read([code("x", { metadata: { tags: [tag] }, outputs: [{ text: "out" }] }), markdown("after")]);
  test.each([
    ["remove-cell", "after"],
    ["remove_cell", "after"],
    ["remove-input", "```\nout\n```\n\nafter"],
    ["remove-output", "```julia\nx\n```\n\nafter"],
    ["hide-input", "```julia\nx\n```\n\n```\nout\n```\n\nafter"],
  ])("by the tag %s", (tag, expected) => {
    expect(tagged(tag)).toBe(expected);
  });

  test("by nbsphinx", () => {
    expect(read([markdown("gone", { metadata: { nbsphinx: "hidden" } })])).toBe("");
  });

  test.each([
    ["#| include: false\nx", ""],
    ["#|hide\nx", ""],
    ["#| echo: false\n#| label: fig\nx", "```\nout\n```"],
    ["#| output: false\nx", "```julia\nx\n```"],
    ["#| label: fig\nx\n#| y", "```julia\nx\n#| y\n```\n\n```\nout\n```"],
  ])("by a line at the top of the code: %j", (source, expected) => {
    expect(read([code(source, { outputs: [{ text: "out" }] })])).toBe(expected);
  });
});

describe("of what code printed", () => {
  test("words stay, and pictures and names of objects go", () => {
    expect(
      printed(
        { data: { "image/png": "aGVsbG8=", "text/plain": "<Figure size 640x480 with 1 Axes>" } },
        { data: { "text/html": "<table></table>", "text/plain": ["a  b\n", "1  2"] } },
      ),
    ).toBe("```\na  b\n1  2\n```");
  });

  test("Markdown is Markdown", () => {
    expect(printed({ data: { "text/markdown": "**bold**", "text/plain": "<Markdown object>" } })).toBe(
      "**bold**",
    );
  });

  test("an error is its name and its words", () => {
    expect(
      printed({ output_type: "error", ename: "KeyError", evalue: "'z'", traceback: ["\u001b[31m"] }),
    ).toBe("```\nKeyError: 'z'\n```");
  });

  test("lines are as a terminal shows them", () => {
    expect(printed({ text: "10%\r50%\r100%\n\u001b[1;31mred\u001b[0m\r\n" })).toBe("```\n100%\nred\n```");
  });

  test("only the first screens of a cell are kept", () => {
    const text = printed({ text: "z".repeat(100_000) }, { text: "later" });
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain("z\n…\n```");
    expect(text).not.toContain("later");
  });
});

test("a cell in another language says which", () => {
  expect(read([code("%%bash\nls")])).toBe("```bash\n%%bash\nls\n```");
  expect(read([code("x", { metadata: { vscode: { languageId: "csharp" } } })])).toBe("```csharp\nx\n```");
  expect(notebookToMarkdown(notebook([code("x")], { language_info: { name: "a\nb" } })).markdown).toBe(
    "```\nx\n```",
  );
});

test("pictures inside the notebook leave their descriptions", () => {
  const source =
    '![A zebra](attachment:z.png "t") ![](data:image/png;base64,aGVsbG8=) <img alt="Lion" src="data:image/png;base64,aGVs"> ![far](z.png)';
  expect(read([markdown(source)])).toBe('A zebra  <img alt="Lion"> ![far](z.png)');
});

describe("what is no notebook says so", () => {
  test.each(["", "{", "[]", "null", "{}", '{"cells": 3}', '{"cells": [{"cell_type": "markd'])(
    "%j",
    (text) => {
      const page = parsePage(text, { fallbackTitle: "n", format: "ipynb" });
      expect([page.markdown, page.faults]).toEqual(["", ["is no notebook that can be read"]]);
    },
  );

  test("one that is too long, whatever it holds", () => {
    expect(notebookToMarkdown(" ".repeat(20_000_001)).fault).toContain("too long");
  });

  test("cells of any shape do no harm", () => {
    const cells = [null, 3, [], { cell_type: 4 }, { cell_type: "code", source: [1, null], outputs: {} }];
    expect(notebookToMarkdown(JSON.stringify({ cells })).markdown).toBe("");
  });
});
