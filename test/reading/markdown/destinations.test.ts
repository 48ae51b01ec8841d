import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { relativeDestinations, rewriteDestinations } from "../../../src/reading/markdown/destinations.ts";
import { toElement, walkMarkdown } from "../../../src/reading/markdown/tree.ts";

const rewrite = (markdown: string) =>
  rewriteDestinations(
    markdown,
    relativeDestinations(markdown).map((found) => ({ ...found, href: `https://d.example/${found.href}` })),
  );

/** `@` stands before each destination that is to be rewritten. */
const expected = (marked: string) => marked.replaceAll("@", "https://d.example/");
const plain = (marked: string) => marked.replaceAll("@", "");

describe("relative destinations", () => {
  test.each([
    ["links", "See [a](@../config.md), [b](@install.md#linux), [c](@/guide/x) and [d](@#anchor)."],
    ["a query", "[a](@x.md?tab=one&page=2#y)"],
    ["titles", `[a](@x.md "A (title)") [b](@y 'it\\'s') [c]( @z\n  (more) )`],
    ["angle brackets", "[a](<@x.md>) [b]( <@y.md> 'title')"],
    ["parentheses", "[a](@x_(y).md) and ([b](@z.md))."],
    ["pictures", '![a](@a.png) ![b](<@b.png> "B")'],
    ["a picture in a link", '[![a](@a.png "A")](@b.md "B")'],
    ["brackets and code in a link's words", "[a [b] `]` c](@x.md)"],
    ["emphasis", "**[a](@x)**_[b](@y)_~~[c](@z)~~"],
    ["a heading", "# [a](@x)\n\n[b](@y)\n======"],
    ["a table", "| [a](@x) | ![b](@y) |\n|---|---|\n| [c](@z 'T') | `[d](w)` |"],
    ["lists and quotes", "- [ ] [a](@x)\n  1. [b](@y)\n\n     > [c](@z)\n     > [d](\n     > @w)"],
    [
      "definitions",
      '[a][one], [Two][], ![three]\n\n[one]: @../y.md\n[two]: <@z> "T"\n\n> [three]:\n> @t.png',
    ],
    [
      "raw HTML",
      `<a class=x href="@x.md">a</a> <img alt='a > b' src='@b.png'/> <video poster="@p.png"\nsrc="@v.mp4">`,
    ],
    ["blocks of raw HTML", '<div>\n  <p><a href="@x.md">a</a>\n  <img src="@b.png">\n</div>'],
    ["a tag in a link", '[<img src="@a.png">](@b.md)'],
  ])("%s are rewritten where they stand", (_, marked) => {
    expect(rewrite(plain(marked))).toBe(expected(marked));
  });

  test.each([
    ["a code span", "`[a](x)` ``[b](y) ` <a href='z'>``"],
    ["a fence", '```md\n[a](x)\n<a href="y">\n[b]: z\n```\n\n~~~\n[never closed](x)'],
    ["a fence in a list", "- a\n\n  ~~~sh\n  [a](x)\n  ~~~"],
    ["a fence in a quote", "> ```\n> [a](x)\n> ```"],
    ["indented code", "a\n\n    [a](x)\n\n- b\n\n      [c](y) <img src='z'>"],
    [
      "a comment",
      'a <!-- [a](x) <a href="y"> --> b\n\n<!--\n<img src="x">\n-->\n\n<p>\n<!-- <a href="z"> -->\n</p>',
    ],
    ["a script", "<script>\nadd('<a href=\"x\">');\n</script>"],
    ["what is escaped", '\\[a](x) [b\\](x) \\<a href="y">'],
    ["a definition of nothing", "[a]: x.md\n\n[^1]: ../y.md and words"],
    ["words", "see (x.md), a[0](y z), `code`](x) and f](y)"],
    ["Markdown in a block of raw HTML", "<pre>\n[a](x)\n</pre>"],
    ["other attributes", '<div data-src="x" id="y" onclick="href=\'z\'">a</div>'],
    ["full addresses", "[a](https://x.example) <https://y.example> <a@b.example> [c](mailto:a@b.example)"],
    ["other schemes", '[a](tel:1) [b](javascript:x) ![c](data:image/png;base64,AA) <a href="vscode:x">'],
    ["nothing", "[a]() [b](<>) ![]() <a href=''>"],
  ])("%s stays as it is", (_, markdown) => {
    expect(relativeDestinations(markdown)).toEqual([]);
    expect(rewrite(markdown)).toBe(markdown);
  });

  test("they are read decoded, and written so that they are read the same", () => {
    const markdown = "[a](<x y.md>) [b](x\\_y&amp;z) <a href='x?a=1&amp;b=2'> <a href=q>";
    const found = relativeDestinations(markdown);
    expect(found.map(({ href }) => href)).toEqual(["x y.md", "x_y&z", "x?a=1&b=2", "q"]);
    const odd = found.map((each) => ({ ...each, href: `/a b)"'&lt;${each.href}` }));
    expect(rewriteDestinations(markdown, odd)).toBe(
      "[a](</a%20b%29\"'&amp;lt;x%20y.md>) [b](/a%20b%29\"'&amp;lt;x_y&z) " +
        "<a href='/a b)&quot;&#39;&amp;lt;x?a=1&amp;b=2'> <a href=\"/a b)&quot;&#39;&amp;lt;q\">",
    );
  });

  test("a picture is told from a link, of a definition too", () => {
    const found = relativeDestinations("[a](1) ![b](2) ![c]\n\n<a href=3> <img src=4>\n\n[c]: 5");
    expect(found.map(({ href, kind }) => [href, kind])).toEqual([
      ["1", "link"],
      ["2", "picture"],
      ["3", "link"],
      ["4", "picture"],
      ["5", "picture"],
    ]);
  });

  test("whatever the page is, the parser finds the same in it but for destinations", () => {
    const random = seededRandom(7);
    const pieces = (
      "[a](b) ![c](d 'e') [f][g] [g]: <x> > - 1. # \n \n\n ` `` ``` ~~~ | |---| <a href='h'> </a> <div> " +
      "<img src=i> <!-- --> <pre> </pre> ( ) [ ] ]( ]: ! \\ * ** _ & &amp; : j.md #k <"
    ).split(" ");
    const blanks = ["", " ", "\n", "    ", "\n\n"];
    for (let round = 0; round < 3000; round++) {
      const some = Array.from({ length: 12 }, () => {
        const piece = pieces[Math.floor(random() * pieces.length)] ?? "";
        return piece + (blanks[Math.floor(random() * blanks.length)] ?? "");
      });
      const markdown = some.join("");
      const written = rewrite(markdown);
      expect(shapeOf(written), JSON.stringify(markdown)).toEqual(shapeOf(markdown));
    }
  });

  test("a page of nothing but what begins a link stays as it is, however long", () => {
    for (const piece of ["](", "]:\n", "[a](<", "<a ", '<a href="', "<a b=\"<a b='", "![", "[a](b", "<!--"]) {
      const markdown = piece.repeat(100_000 / piece.length);
      expect(rewrite(markdown) === markdown, piece).toBe(true);
    }
  });
});

/** Everything that the parser finds in Markdown, without where links lead. */
function shapeOf(markdown: string): unknown[] {
  const shape: unknown[] = [];
  walkMarkdown(markdown, {
    text: (text) => shape.push(text.replace(/\b(href|src)=(?:"[^"]*"|'[^']*'|[^\s>"']+)/g, "$1")),
    enter(element) {
      shape.push(element.type, element.props["alt"], element.props["title"], toElement(element)?.type);
      return true;
    },
    leave: ({ type }) => shape.push(`/${type}`),
  });
  return shape;
}
