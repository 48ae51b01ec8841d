import { describe, expect, test } from "bun:test";
import { renderHtml } from "../../../src/reading/markdown/render/render.ts";

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

  const tab = (label: string, text: string) => `:::tab[${label}]\n\n${text}\n\n:::\n\n`;

  test("has tabs that a browser opens one at a time", () => {
    expect(reading(`a\n\n${tab("npm", "b")}${tab("`x` & y", "c")}d`)).toBe(
      [
        "<p>a</p>\n",
        '<div class="tabs"><details class="tab" name="tabs-1" open><summary>npm</summary>\n',
        '<div class="tab-panel"><p>b</p>\n</div>\n</details>\n',
        '<details class="tab" name="tabs-1"><summary><code>x</code> &amp; y</summary>\n',
        '<div class="tab-panel"><p>c</p>\n</div>\n</details>\n',
        "</div>\n<p>d</p>\n",
      ].join(""),
    );
  });

  test("begins other tabs with a label that was there", () => {
    const html = reading(tab("A", "a") + tab("B", "b") + tab("A", "c") + tab("B", "d"));
    expect(html.match(/name="[^"]*"( open)?/g)).toEqual([
      'name="tabs-1" open',
      'name="tabs-1"',
      'name="tabs-2" open',
      'name="tabs-2"',
    ]);
  });

  test("keeps the place of a tab inside of it, so that a link there opens it", () => {
    const html = reading(`${tab("A", "a")}<a id="b"></a>\n\n${tab("B", "b")}<a id="c"></a>\n\nc`);
    expect(html).toContain('<summary>B</summary>\n<div class="tab-panel"><p><a id="b"></a></p>\n<p>b</p>');
    expect(html).toEndWith('</div>\n<p><a id="c"></a></p>\n<p>c</p>\n');
  });

  test("shows a tab that stands alone as its label and its content", () => {
    expect(reading(tab("A", "a"))).toBe("<p><strong>A</strong></p>\n<p>a</p>\n");
  });

  test("has tabs within tabs, and in callouts", () => {
    const html = reading(`:::note\n\n${tab("A", `${tab("C", "c")}${tab("D", "d")}`)}${tab("B", "b")}:::`);
    expect(html).toStartWith('<div class="callout note" role="note">');
    expect(html.match(/<summary>\w/g)).toEqual(["<summary>A", "<summary>C", "<summary>D", "<summary>B"]);
    expect(html.match(/<div class="tabs">/g)).toHaveLength(2);
    expect(html).not.toContain(":::");
  });

  test("has the title of code on it, where a line in strong type is above it", () => {
    expect(reading("**a.js**\n\n```js\nx\n```")).toStartWith('<p class="code-title">a.js</p>\n<pre');
    expect(reading("**a.js** is it\n\n```js\nx\n```")).toStartWith("<p><strong>a.js</strong> is it</p>");
    expect(reading("**a.js**\n\nwords")).toStartWith("<p><strong>a.js</strong></p>");
  });

  test.each([
    () => ":::tab[a]\n",
    () => ":::tab[a]\n:::\n",
    (number: number) => `:::tab[${number}]\n\n:::\n\n`,
    () => "> [!tab] a\n\n",
    () => '<a id="x"></a>\n\n',
  ])("shows tabs without end in linear time (%#)", (part) => {
    const many = Array.from({ length: 5_000 }, (_, number) => part(number)).join("");
    expect(reading(many).length).toBeLessThan(many.length * 20);
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
