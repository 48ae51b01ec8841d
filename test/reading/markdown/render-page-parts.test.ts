import { describe, expect, test } from "bun:test";
import { type ReadingWords, renderHtml } from "../../../src/reading/markdown/render/render.ts";

// What pages have besides Markdown proper, where they are read on their own.

const reading: ReadingWords = {
  linkHere: "Link",
  callouts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
  taskDone: "done",
  taskOpen: "open",
};
const read = (markdown: string) => renderHtml(markdown, { reading });

describe("footnotes", () => {
  test("stand behind the page in the order in which it names them, with links both ways", () => {
    const html = read(
      "One[^b], two[^a], one again[^b].\n\n[^a]: Second *note*.\n[^b]: First note\n  goes on.\n\n    And has more.\n\nText.",
    );
    expect(html).toBe(
      [
        '<p>One<sup class="footnote"><a id="~from-1" href="#~note-1">1</a></sup>, ',
        'two<sup class="footnote"><a id="~from-2" href="#~note-2">2</a></sup>, ',
        'one again<sup class="footnote"><a href="#~note-1">1</a></sup>.</p>\n<p>Text.</p>\n',
        '<section class="footnotes"><ol>',
        '<li id="~note-1"><p>First note\ngoes on.</p>\n<p>And has more. <a href="#~from-1" aria-label="1">↩</a></p></li>\n',
        '<li id="~note-2"><p>Second <em>note</em>. <a href="#~from-2" aria-label="2">↩</a></p></li>\n',
        "</ol></section>\n",
      ].join(""),
    );
  });

  test("that nothing names are kept; those in code, or without a note, are words", () => {
    expect(read("[^1]: Alone.")).toContain('<li id="~note-1"><p>Alone. </p></li>');
    expect(read("A [^x] and `[^1]`.\n\n```\n[^1]: code\n```")).not.toContain("footnote");
    expect(read("A `[^1]`.\n\n[^1]: Note.")).toContain("<code>[^1]</code>");
  });

  test("of one word are no links to that word, and have no notes of their own", () => {
    const html = read("A[^1].\n\n[^1]: word [^2]\n\n    [^2]: inner");
    expect(html).not.toContain('href="word"');
    expect(html.match(/class="footnotes"/g)).toHaveLength(1);
  });

  test("whatever a label or a note holds is text", () => {
    const html = read(`A[^"><b>].\n\n[^"><b>]: <script>alert(1)</script> [x](javascript:alert(1))`);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<a");
    expect(html).not.toContain("<b>");
  });

  test("of a hundred thousand are written at once", () => {
    const page = `${"[^1]: a\n".repeat(100_000)}\n${"[^1] ".repeat(100_000)}`;
    expect(read(page).length).toBeGreaterThan(1000);
  });

  test("stay as they are where a page is not read on its own", () => {
    expect(renderHtml("A[^1].\n\n[^1]: Two words.")).not.toContain("<sup");
  });
});

describe("what is folded", () => {
  test("can be opened, with Markdown in it", () => {
    expect(
      read("<details>\n<summary>More &amp; <b>more</b></summary>\n\n**Inside**\n\n</details>\n\nAfter"),
    ).toBe(
      "<details><summary>More &amp; more</summary>\n<p><strong>Inside</strong></p>\n</details>\n<p>After</p>\n",
    );
    expect(read("<details open class='x' onclick='a()'><summary>S</summary>Words</details>")).toBe(
      "<details open><summary>S</summary>\n<p>Words</p>\n</details>\n",
    );
  });

  test("is closed where it was opened, whatever the page leaves open or closes twice", () => {
    const balanced = (html: string) => html.match(/<details/g)?.length === html.match(/<\/details>/g)?.length;
    for (const page of [
      "<details><summary>S",
      "- a\n\n  <details>\n\n  b\n\n- c\n\n</details>",
      "> <details>\n\nOut",
      "<details>\n\n<details>\n\na\n\n</details>",
      "<summary>No fold</summary>",
      "<details>".repeat(100),
    ])
      expect(balanced(`${read(page)}<details></details>`), page).toBe(true);
    expect(read("</details></details>Words")).toBe("<p>Words</p>\n");
    expect(read("<summary>No fold</summary>")).toBe("<p>No fold</p>\n");
  });
});

describe("a diagram", () => {
  test("is its text in a figure's frame", () => {
    expect(read("```mermaid\ngraph TD; A-->B;\n```")).toBe(
      '<figure class="diagram"><figcaption>Mermaid</figcaption><pre tabindex="0"><code>graph TD; A--&gt;B;\n</code></pre></figure>\n',
    );
  });
});
