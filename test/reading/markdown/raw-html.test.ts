import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";
import { unwrapRawHtml } from "../../../src/reading/markdown/raw-html.ts";

const unwrapped = (markdown: string) =>
  unwrapRawHtml(markdown)
    .replace(/\n{3,}/g, "\n\n")
    .trim();

describe("raw HTML in Markdown", () => {
  test("becomes the marks, links, code and pictures that Markdown has", () => {
    const page =
      'A <b>bold</b>, <em>light</em> <a href="/x?a=1&amp;b=2">link</a>, <kbd>Ctrl</kbd>, <img src="a.png" alt="A [plan]">.';
    expect(unwrapped(page)).toBe("A **bold**, *light* [link](/x?a=1&b=2), `Ctrl`, ![A \\[plan\\]](a.png).");
  });

  test("leaves its words where Markdown has nothing for a tag", () => {
    expect(unwrapped('<span id="x">Quality</span> of H<sub>2</sub>O<a name="here"></a><br/>next')).toBe(
      '<a id="x"></a>Quality of H2O<a id="here"></a> next',
    );
  });

  test("loses no word that only looks like a tag: in code, or behind a backslash", () => {
    expect(unwrapped("a <code>&lt;arch&gt;&lt;sub&gt;-x</code> b")).toBe("a `<arch><sub>-x` b");
    expect(unwrapped("of \\<sub> and \\<b>, <i>not</i> of these")).toBe(
      "of \\<sub> and \\<b>, *not* of these",
    );
  });

  test("keeps the places that links lead to, and no others", () => {
    expect(unwrapped('<a id="a&amp;b" href="/x">Link</a>, <div id="c">words\n\n`<a id="d">`')).toBe(
      '<a id="a&amp;b"></a>[Link](/x), <a id="c"></a> words\n\n`<a id="d">`',
    );
    expect(unwrapped('<a id="~note"></a>one <a id="two words"></a>two <a name="">three</a>')).toBe(
      "one two three",
    );
    expect(
      unwrapped('<table><tr id="r"><td id="c">A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>'),
    ).toBe('| <a id="r"></a><a id="c"></a>A | B |\n| --- | --- |\n| 1 | 2 |');
  });

  test("gives the last of the places above a heading to it, and keeps the others", () => {
    expect(unwrapped('<a name="old"></a><a name="new"></a>\n\n## Words')).toBe(
      '<a id="old"></a>\n\n## Words {#new}',
    );
  });

  test("shows DocFX' names of things, where nothing says what they lead to", () => {
    expect(
      unwrapped(
        "## <xref:System.String>\n\n<xref:System.Collections.Generic.List%601>, <xref:A.B.C%2A?displayProperty=nameWithType>, [words](xref:A.B), `<xref:code>`",
      ),
    ).toBe("## `System.String`\n\n`System.Collections.Generic.List`, `B.C`, words, `<xref:code>`");
  });

  test("becomes a table where it is one", () => {
    const table = `Before.

<table>
<thead><tr class="header"><th><strong>Name</strong></th><th>Purpose</th></tr></thead>
<tbody><tr><td>a | b</td><td><p>One</p><p>two</p></td></tr></tbody>
</table>

After.`;
    expect(unwrapped(table)).toBe(
      "Before.\n\n| Name | Purpose |\n| --- | --- |\n| a \\| b | One two |\n\nAfter.",
    );
  });

  test("becomes one table where blank lines and comments lie in it", () => {
    const table =
      "<table>\n<tr><th>Field</th><th>Says</th></tr>\n\n   \n<tr><td><code>a</code> <B>[Required]</B><br/>\nbool</td>\n\n<td><p>x=<!-- raw HTML omitted -->.</p></td></tr>\n</table>\n\nAfter.";
    expect(unwrapped(table)).toBe(
      "| Field | Says |\n| --- | --- |\n| `a` **[Required]** bool | x=. |\n\nAfter.",
    );
  });

  test("of what unfolds becomes Markdown with or without empty lines, and stays folded", () => {
    expect(unwrapped("<details><summary>More</summary>\n## H\n\n**b** <b>c</b>\n</details>\nAfter.")).toBe(
      "<details>\n<summary>More</summary>\n\n## H\n\n**b** **c**\n\n</details>\n\nAfter.",
    );
    const code = "```sh\na <b>\n  c\n```";
    const indented = code.replace(/^/gm, "  ");
    expect(unwrapped(`<details open>\n  <summary>More</summary>\n${indented}\n</details>`)).toBe(
      `<details open>\n<summary>More</summary>\n\n${code}\n\n</details>`,
    );
    const table = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>";
    expect(
      unwrapped(`<details>\n<summary>More</summary>\n${table}\n<p>One <i>two</i>.</p>\n</details>`),
    ).toBe(
      "<details>\n<summary>More</summary>\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nOne *two*.\n\n</details>",
    );
    expect(unwrapped("<details>\n<summary>Not\n\nended")).toBe("<details>\n<summary>Not\n\nended");
  });

  test("says nothing of styles and scripts, which a blank line does not end", () => {
    const page =
      "<div>\n<style scoped>\n  .a {\n  }\n\n  .b { }\n</style>\n<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n</div>\n\n<script>\nlet a;\n\nlet b;\n</script>\n\nWords.";
    expect(unwrapped(page)).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |\n\nWords.");
  });

  test("that is closed only after Markdown leaves the Markdown as it is", () => {
    const page = '<div align="center">\n\n**Inside** `<b>`\n\n- item\n\n</div>';
    expect(unwrapped(page)).toBe("**Inside** `<b>`\n\n- item");
  });

  test("stays in code, wherever that is", () => {
    const page =
      "`<b>x</b>`\n\n```html\n<b>x</b>\n```\n\n- item\n  ```html\n  <b>x</b>\n  ```\n- ```\n  <i>y</i>\n  ```\n\nWords:\n\n    <b>x</b>";
    expect(unwrapRawHtml(page)).toBe(page);
  });

  test("keeps what is no tag of HTML: a place to fill in, a type, a comparison, a target", () => {
    const page =
      "Run `x` <your-name>, a List<T>, 1 < 2 and <https://docs.test/>, [y](<a b.md>) ![z]( <i j.png>).";
    expect(unwrapRawHtml(page)).toBe(page);
  });

  test("opens no section where it has no id, and headings of Markdown keep the ids in their tags", () => {
    const page = '# Page\n\n<h2>Dressed</h2>\n\nWords.\n\n## <a id="own"></a>Real\n\nMore.';
    const { sections } = readOutline(unwrapRawHtml(page));
    expect(sections.map(({ heading, anchor }) => [heading, anchor])).toEqual([
      ["Page", "page"],
      ["Real", "own"],
    ]);
  });

  test("opens a section where it is a heading with an id, which links lead to", () => {
    const page =
      '<h2 id="passkeys">How to enable <code>y</code>? <a class="anchor" href="#passkeys" title="Permalink">¶</a></h2>\n\nSet it.\n\n<div><h2 id="in-a-box">Box</h2></div>\n\nMore.\n\n<h3 id="deeper">\nDeeper\n</h3>\n\nLast.';
    const { sections } = readOutline(unwrapRawHtml(page));
    expect(sections.map(({ level, heading, anchor }) => [level, heading, anchor])).toEqual([
      [2, "How to enable y?", "passkeys"],
      [3, "Deeper", "deeper"],
    ]);
  });

  test("gives a heading the id that stands before it, unless it has its own", () => {
    const page =
      '<a name="retrieving"></a>\n## Retrieving / Counting\n\n<a id="one"></a>\n<a id="two"></a>\n\n## Two\n\n<a name="x"></a>\n## Own {#own}\n\n<a name="y"></a> Words.\n## None';
    const { sections } = readOutline(unwrapRawHtml(page));
    expect(sections.map(({ anchor }) => anchor).filter((anchor) => anchor !== "")).toEqual([
      "retrieving",
      "two",
      "own",
      "none",
    ]);
  });

  test("leaves no tag in a heading that gives it its id", () => {
    expect(unwrapped('## <a name="_core"></a> Joining **two** <em>strings</em>')).toBe(
      "## Joining **two** *strings* {#_core}",
    );
  });

  test("takes time linear in its length, however broken", () => {
    for (const broken of ["<a ", "<b>", "`<b>", "<a x='", "<p><table>", '<a href="x">', "<div\n", "- <b>\n"])
      expect(unwrapRawHtml(broken.repeat(20_000)).length).toBeGreaterThanOrEqual(0);
  });
});

describe("images in raw HTML", () => {
  test("are Markdown's, among words and in blocks, with the width that they are given", () => {
    expect(unwrapped('Words <img src="a b.png" alt="A [b]" width="20"> on')).toBe(
      "Words ![A \\[b\\]](a%20b.png#width=20) on",
    );
    expect(unwrapped('<p align="center">\n  <img width="30px" src="a.png">\n  <img src="b.png">\n</p>')).toBe(
      "![](a.png#width=30) ![](b.png)",
    );
    expect(unwrapped('<table><tr><td><img src="a.png" alt="A" width="50%"></td></tr></table>')).toContain(
      "![A](a.png)",
    );
  });

  test("stay words where they have no address", () => {
    expect(unwrapped('<p><img alt="A"></p>')).toBe("A");
  });
});
