import { describe, expect, test } from "bun:test";
import { renderHtml } from "../../src/markdown/render/render.ts";

const reading = (markdown: string) =>
  renderHtml(markdown, {
    reading: {
      linkHere: `Link "here"`,
      taskDone: "Done",
      taskOpen: "Not done",
      callouts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
    },
    resolveImage: () => undefined,
  });

describe("a page that is read on its own", () => {
  test("has links at its headings, but not at its title", () => {
    expect(reading("# Title\n\n## Größe & 1 < 2\n\n## `code`")).toBe(
      [
        '<h1 id="title">Title</h1>\n',
        '<div class="heading"><h2 id="größe--1--2">Größe &amp; 1 &lt; 2</h2>',
        '<a class="heading-link" href="#gr%C3%B6%C3%9Fe--1--2" aria-label="Link &quot;here&quot;"></a></div>\n',
        '<div class="heading"><h2 id="code"><code>code</code></h2>',
        '<a class="heading-link" href="#code" aria-label="Link &quot;here&quot;"></a></div>\n',
      ].join(""),
    );
  });

  test("has none where a heading has no anchor", () => {
    expect(reading("## !!!")).toBe("<h2>!!!</h2>\n");
  });

  test("says of its tasks whether they are done", () => {
    expect(reading("- [x] a\n- [ ] b")).toBe(
      '<ul><li><input type="checkbox" disabled checked aria-label="Done"> a</li>\n<li><input type="checkbox" disabled aria-label="Not done"> b</li>\n</ul>\n',
    );
  });

  test("can be scrolled by keyboard where it is wide", () => {
    expect(reading("| a |\n|---|\n| b |")).toStartWith('<div class="table" tabindex="0"><table>');
    expect(reading("| a |\n|---|\n| b |")).toEndWith("</table></div>\n");
    expect(reading(`| a | **${"b ".repeat(20)}c** |\n|---|---:|\n| b | c |`)).toContain(
      `<th>a</th><th align="right" class="long"><strong>`,
    );
    expect(reading("```js\nlet a;\n```")).toBe(
      '<pre tabindex="0"><code class="language-js">let a;\n</code></pre>\n',
    );
  });

  test("says a picture that is not shown in words that can be told from the text", () => {
    expect(reading('![A <b>plan</b>](x.png "t")')).toBe(
      '<p><span class="picture">A &lt;b&gt;plan&lt;/b&gt;</span></p>\n',
    );
    expect(reading("![](x.png)")).toBe("<p></p>\n");
  });
});
