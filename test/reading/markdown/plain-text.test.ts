import { describe, expect, test } from "bun:test";
import { decodeEntities, htmlToText } from "../../../src/reading/markdown/html-text.ts";
import { plainInline, plainText, readText } from "../../../src/reading/markdown/plain-text.ts";

describe("plain text", () => {
  const cases: Array<[name: string, markdown: string, text: string]> = [
    [
      "links are their words",
      "see [the *docs*](http://x.y 'title') or <http://z.w>",
      "see the docs or http://z.w",
    ],
    ["images are their description", "![a `b` c](x.png)", "a b c"],
    [
      "emphasis marks go, underscores in words stay",
      "**a** _b_ ***c*** ~~d~~ e_f_g 2*3*4",
      "a b c d e_f_g 234",
    ],
    ["escaped marks are characters", "\\*a\\* \\_b\\_ \\[c\\]", "*a* _b_ [c]"],
    ["inline code is kept without its marks", "run `npm i -g <x>` or ``a`b``", "run npm i -g <x> or a`b"],
    ["code blocks are kept without fences", "```js\nlet a = '<b>';\n```", "let a = '<b>';"],
    ["tags go, their words stay", "a <b>c</b><br/>d", "a c\nd"],
    ["html blocks become words", "<table><tr><td>a</td><td>b</td></tr></table>", "a\nb"],
    [
      "comments, scripts and styles say nothing",
      "a <!-- b -->\n\n<script>\nc\n</script>\n\n<style>d</style>",
      "a",
    ],
    ["entities are characters", "&lt;a&gt; &amp;amp; &copy; &#x41;&#66;", "<a> &amp; © AB"],
    ["lists are lines", "- a\n- b\n  1. c", "a\nb\nc"],
    ["tables are rows", "|a|b|\n|-|-|\n|`c`|d|", "a | b\nc | d"],
    ["breaks are lines", "a  \nb\\\nc", "a\nb\nc"],
    ["less-than is not a tag", "a < b and 3 <4 > 2", "a < b and 3 <4 > 2"],
    ["quotes are their words", "> a\n> > b", "a\nb"],
    [
      "an address between marks loses nothing after it",
      "clone **https://x.y/z.git**. Then\n\nmore",
      "clone https://x.y/z.git. Then\nmore",
    ],
  ];
  test.each(cases)("%s", (_, markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  test("of a heading begins no block", () => {
    expect(plainInline("1. First")).toBe("1. First");
    expect(plainInline("> a")).toBe("> a");
    expect(plainInline("C #")).toBe("C #");
    expect(plainInline("a\nb")).toBe("a b");
    expect(plainInline("")).toBe("");
  });

  test("comes with the languages of its code and its links", () => {
    const { codeLanguages, links } = readText(
      "```JS\na\n```\n- x\n  ```py\n  b\n  ```\n\n[c](d)\n\n```js\n```",
    );
    expect(codeLanguages).toEqual(["js", "py"]);
    expect(links).toEqual(["d"]);
  });
});

describe("html as text", () => {
  test.each([
    ["<p>a</p><p>b</p>", "\na\n\nb\n"],
    ["a<b", "a<b"],
    ["a < b", "a < b"],
    ["<img alt='x > y' src=z>", " x > y "],
    ["<!-- a -- > b", "<!-- a -- > b"],
    ["<script>a", "\n"],
    ["<style>a</style>b", "\n\nb"],
    ["&lt;script&gt;", "<script>"],
  ])("%j says %j", (html, text) => {
    expect(htmlToText(html).replace(/\n+$/, "\n")).toBe(text);
  });

  test("what is no entity stays", () => {
    expect(decodeEntities("&nope; & &; &#; &#xZZ; a&b=c")).toBe("&nope; & &; &#; &#xZZ; a&b=c");
    expect(decodeEntities("&#0;&#x110000;&#55296;")).toBe("\uFFFD\uFFFD\uFFFD");
  });
});
