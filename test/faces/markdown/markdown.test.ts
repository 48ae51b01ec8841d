import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { registerDom } from "../../helpers/dom.ts";
import { html, show } from "./show.ts";

const DOCS = join(import.meta.dir, "../../../docs");

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

describe("markdown becomes what it means", () => {
  const CASES: Record<string, [markdown: string, html: string][]> = {
    headings: [
      ["# Hi *there* #", "<h1>Hi <em>there</em></h1>"],
      ["###### six\n####### seven", "<h6>six</h6><p>####### seven</p>"],
      ["#no", "<p>#no</p>"],
      ["One\n===\nTwo\n---", "<h1>One</h1><h2>Two</h2>"],
      ["# C#", "<h1>C#</h1>"],
    ],
    emphasis: [
      ["a **b *c* d** ~~e~~", "<p>a <strong>b <em>c</em> d</strong> <del>e</del></p>"],
      ["***both***", "<p><em><strong>both</strong></em></p>"],
      ["snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"],
      ["__init__ _a_", "<p><strong>init</strong> <em>a</em></p>"],
      ["**open and *crossed** over*", "<p><em><em>open and <em>crossed</em></em> over</em></p>"],
      ["\\*plain\\* about ~5", "<p>*plain* about ~5</p>"],
      ["*a**b*", "<p><em>a**b</em></p>"],
      ["**重要**です", "<p><strong>重要</strong>です</p>"],
      ["これは**「重要」**です", "<p>これは<strong>「重要」</strong>です</p>"],
      ["**注意。**次へ", "<p><strong>注意。</strong>次へ</p>"],
      ["**(중요)**입니다", "<p><strong>(중요)</strong>입니다</p>"],
      ['a**"b"**c', '<p>a**"b"**c</p>'],
    ],
    "formulas in TeX, which stay as they are": [
      ["$x_1 * y_2 * z$ and *b*", "<p>$x_1 * y_2 * z$ and <em>b</em></p>"],
      ["$$\\frac{a_b}{c_d} \\\\ e$$", "<p>$$\\frac{a_b}{c_d} \\\\ e$$</p>"],
      ["\\(a_i b_i\\) is \\*plain\\*", "<p>\\(a_i b_i\\) is *plain*</p>"],
      ["\\[\nx_1 [y]\n\\]", "<p>\\[\nx_1 [y]\n\\]</p>"],
      ["**$5** to *$10*", "<p><strong>$5</strong> to <em>$10</em></p>"],
      ["$5 and _a_ $ b, \\[c\\](d)", "<p>$5 and <em>a</em> $ b, [c](d)</p>"],
      ["`$a_b$`", "<p><code>$a_b$</code></p>"],
    ],
    code: [
      ["`a*b*` `` x`y `` `&amp;`", "<p><code>a*b*</code> <code>x`y</code> <code>&amp;amp;</code></p>"],
      ["`open", "<p>`open</p>"],
      [
        "```ts {1}\nlet a;\n\n\tb\n```\nafter",
        '<div class="code"><pre data-language="ts"><code>let a;\n\n\tb</code></pre></div><p>after</p>',
      ],
      ["~~~\n```\n~~~~", '<div class="code"><pre><code>```</code></pre></div>'],
      ["```\nnever closed", '<div class="code"><pre><code>never closed</code></pre></div>'],
      ["    one\n\n    two\nthen", '<div class="code"><pre><code>one\n\ntwo</code></pre></div><p>then</p>'],
    ],
    lists: [
      [
        "- a\n  - b\n    1. c\n- d",
        "<ul><li><p>a</p><ul><li><p>b</p><ol><li><p>c</p></li></ol></li></ul></li><li><p>d</p></li></ul>",
      ],
      ["3. c\n4. d", '<ol start="3"><li><p>c</p></li><li><p>d</p></li></ol>'],
      ["- a\n\n\n- b\n* c", "<ul><li><p>a</p></li><li><p>b</p></li></ul><ul><li><p>c</p></li></ul>"],
      ["- a\nlazy\n\n  more\n\nout", "<ul><li><p>a\nlazy</p><p>more</p></li></ul><p>out</p>"],
      [
        "1. a\n\n   ```js\n   x\n   ```\n2. b",
        '<ol><li><p>a</p><div class="code"><pre data-language="js"><code>x</code></pre></div></li><li><p>b</p></li></ol>',
      ],
      ["text\n2. no list", "<p>text\n2. no list</p>"],
      ["text\n- list", "<p>text</p><ul><li><p>list</p></li></ul>"],
      ["-\n\n  apart", "<ul><li></li></ul><p>apart</p>"],
      [
        "- [x] done\n- [ ] to do",
        '<ul><li class="task"><p><input type="checkbox" disabled="" checked=""> done</p></li>' +
          '<li class="task"><p><input type="checkbox" disabled=""> to do</p></li></ul>',
      ],
    ],
    tables: [
      [
        "| a | b | c |\n|:--|:-:|--:|\n| 1 | `x\\|y` | **3** |\n| 4 |",
        '<div class="table"><table><thead><tr><th>a</th><th data-align="center">b</th>' +
          '<th data-align="right">c</th></tr></thead><tbody><tr><td>1</td>' +
          '<td data-align="center"><code>x|y</code></td><td data-align="right"><strong>3</strong></td></tr>' +
          "<tr><td>4</td></tr></tbody></table></div>",
      ],
      [
        "a | b\n--|--",
        '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead></table></div>',
      ],
      ["a | b\n--", "<h2>a | b</h2>"],
      ["| a | b |\n|--|", "<p>| a | b |\n|--|</p>"],
    ],
    "quotes, rules and lines": [
      [
        "> q\nlazy\n> - x\n\nout",
        "<blockquote><p>q\nlazy</p><ul><li><p>x</p></li></ul></blockquote><p>out</p>",
      ],
      [
        "> ```\n> code\nout",
        '<blockquote><div class="code"><pre><code>code</code></pre></div></blockquote><p>out</p>',
      ],
      ["a\n\n---\n* * *\n___", "<p>a</p><hr><hr><hr>"],
      ["a  \nb\\\nc\nd", "<p>a<br>b<br>c\nd</p>"],
      ["one\r\ntwo\r\n\r\nthree", "<p>one\ntwo</p><p>three</p>"],
    ],
    links: [
      ['[x *y*](https://a.example/b "t")', '<p><a href="https://a.example/b" title="t">x <em>y</em></a></p>'],
      ["[x](/p) [y](p#q) [z](<a b>)", '<p><a href="/p">x</a> <a href="p#q">y</a> <a href="a%20b">z</a></p>'],
      ["[a](b(c)d)", '<p><a href="b(c)d">a</a></p>'],
      ["[[1]](https://a.example/b#c)", '<p><a href="https://a.example/b#c">[1]</a></p>'],
      [
        "(https://a.example/x(y)), www.no.example",
        '<p>(<a href="https://a.example/x(y)">https://a.example/x(y)</a>), www.no.example</p>',
      ],
      [
        "请见https://a.example/b。然后（https://a.example/c）继续",
        '<p>请见<a href="https://a.example/b">https://a.example/b</a>。然后（<a href="https://a.example/c">https://a.example/c</a>）继续</p>',
      ],
      [
        "<https://a.example/> <me@a.example>",
        '<p><a href="https://a.example/">https://a.example/</a> <a href="mailto:me@a.example">me@a.example</a></p>',
      ],
      ["arr[0](x", "<p>arr[0](x</p>"],
      ["[outer [inner](/i)](/o)", '<p>[outer <a href="/i">inner</a>](/o)</p>'],
      [
        "[ref][1]\n\n[1]: https://a.example",
        "<p>[ref][1]</p><p>[1]: " + '<a href="https://a.example/">https://a.example</a></p>',
      ],
    ],
    images: [
      ["![alt *x*](/i.png)", '<p><img src="/i.png" alt="alt x"></p>'],
      ["[![i](/a.png)](/b)", '<p><a href="/b"><img src="/a.png" alt="i"></a></p>'],
      ["![far](https://far.example/i.png)", '<p><a href="https://far.example/i.png">far</a></p>'],
      ["[![far](https://far.example/i.png)](/b)", '<p><a href="/b">far</a></p>'],
    ],
    "entities and tags": [
      ["&amp; &#x41;&#66; &copy; &bogus; AT&T", "<p>&amp; AB © &amp;bogus; AT&amp;T</p>"],
      ["&#0; &#xD800; &#99999999;", "<p>\ufffd \ufffd &amp;#99999999;</p>"],
      ["<b>x</b> <!-- c -->", "<p>&lt;b&gt;x&lt;/b&gt; &lt;!-- c --&gt;</p>"],
      ["<kbd>Ctrl</kbd>+H<sub>2</sub>O<br>x", "<p><kbd>Ctrl</kbd>+H<sub>2</sub>O<br>x</p>"],
      ["<kbd onclick=x>y</kbd>", "<p>&lt;kbd onclick=x&gt;y&lt;/kbd&gt;</p>"],
    ],
    nothing: [
      ["", ""],
      [" \n\n\t\n", ""],
    ],
  };
  for (const [name, cases] of Object.entries(CASES))
    test(name, () => {
      for (const [markdown, expected] of cases)
        expect({ markdown, html: html(markdown) }).toEqual({ markdown, html: expected });
    });
});

test("pages of documentation read as CommonMark reads them", () => {
  const outline = (container: Element) =>
    [...container.querySelectorAll("h1,h2,h3,li,td,th,pre,a,strong,em,code,blockquote,hr,p")]
      .filter((element) => element.tagName !== "P" || element.parentElement?.tagName !== "LI")
      .map((element) => {
        const href = element.getAttribute("href")?.replace(/\/$/, "") ?? "";
        return `${element.tagName} ${href} ${element.textContent?.replace(/\s+/g, " ").trim()}`;
      });
  for (const file of readdirSync(DOCS).filter((each) => each.endsWith(".md"))) {
    const page = readFileSync(join(DOCS, file), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
    const markdown = page.replace(/^<!--.*-->$/gm, "");
    const expected = document.createElement("div");
    expected.innerHTML = Bun.markdown.html(markdown, { autolinks: { url: true } });
    expect(outline(show(markdown))).toEqual(outline(expected));
  }
});

describe("options", () => {
  test("headings are shown lower, and never below the sixth level", () => {
    expect(html("# a\n## b\n##### c", { headingOffset: 2 })).toBe("<h3>a</h3><h4>b</h4><h6>c</h6>");
  });

  test("links to other origins open elsewhere and say nothing of this page; those to our own open in place", () => {
    const links = (options: Parameters<typeof show>[1]) =>
      [
        ...show("[a](https://docs.example/x) [b](https://far.example) [c](/c)", options).querySelectorAll(
          "a",
        ),
      ].map(({ target, rel }) => [target, rel]);
    const external = ["_blank", "noopener noreferrer"];
    expect(links({ ownOrigins: ["https://docs.example"] })).toEqual([["", ""], external, ["", ""]]);
    expect(links({ externalTarget: "_self" })[1]).toEqual(["_self", "noopener noreferrer"]);
  });

  test("a link is resolved, checked again, and is words where it leads nowhere", () => {
    const resolve = (to: string | undefined) => html("[x](a)", { resolveLink: () => to });
    expect(resolve("https://docs.example/a")).toBe('<p><a href="https://docs.example/a">x</a></p>');
    expect(resolve("javascript:alert(1)")).toBe("<p>x</p>");
    expect(resolve(undefined)).toBe("<p>x</p>");
  });

  test("images are loaded from the origins that are allowed, and no other that looks like one", () => {
    const sources = (markdown: string) =>
      [...show(markdown, { imageOrigins: ["https://docs.example"] }).querySelectorAll("img")].map((image) =>
        image.getAttribute("src"),
      );
    expect(sources("![a](https://docs.example/a.png)")).toEqual(["https://docs.example/a.png"]);
    expect(
      sources("![a](http://docs.example/a) ![a](https://docs.example.evil/a) ![a](mailto:a@b.example)"),
    ).toEqual([]);
  });

  test("a hook is told of each link and each block of code once, when it is whole", () => {
    const told: string[] = [];
    const container = show("See [a](/a) and\n\n```sh\nls\n```\n\n- [b](/b)\n\n  ```\n  c\n  ```", {
      onLink: (link, url) => told.push(`${link.textContent} ${url}`),
      onCode: (pre, code, language) => {
        expect(code.parentElement).toBe(pre);
        told.push(`${language || "plain"}: ${code.textContent}`);
      },
    });
    expect(told).toEqual(["a /a", "sh: ls", "b /b", "plain: c"]);
    expect(container.querySelectorAll("pre")).toHaveLength(2);
  });
});
