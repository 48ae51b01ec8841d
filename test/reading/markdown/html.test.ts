import { describe, expect, test } from "bun:test";
import { readHtml } from "../../../src/reading/markdown/html/html.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";

const write = (html: string): string => readHtml(`<main>${html}</main>`).markdown;

describe("HTML", () => {
  const cases: Array<[name: string, html: string, markdown: string]> = [
    ["paragraphs", "<p>a\n  b</p><p>c</p>d", "a b\n\nc\n\nd"],
    ["marks close to their words", "<p>a<b> b </b>c <i>d</i><strong></strong></p>", "a **b** c *d*"],
    ["marks inside marks once", "<b>a <strong>b</strong></b>", "**a b**"],
    ["no marks where a letter follows punctuation", "<p><b>a:</b>b <b>c:</b> d</p>", "a:b **c:** d"],
    ["no marks in the middle of a word", "<p>Java<b>(tm)</b></p>", "Java(tm)"],
    ["line breaks", "<p>a<br>- b<br></p>", "a\\\n\\- b"],
    ["code with backticks", "<p><code>a`b</code> <code>`</code></p>", "``a`b`` `` ` ``"],
    ["code that is a link as one", '<p><code><a href="/a">b</a></code>', "[`b`](/a)"],
    ["code beside code as one", "<p><code>a</code><code>b</code></p>", "`ab`"],
    ["keys and samples as code", "<p><kbd>Ctrl</kbd> <samp>out</samp> <var>x</var></p>", "`Ctrl` `out` x"],
    ["powers", "<p>2<sup>32</sup> and x<sub>i</sub></p>", "2^32 and xi"],
    ["quotations", "<p><q>a</q></p><blockquote><p>b</p><p>c</p></blockquote>", "“a”\n\n> b\n>\n> c"],
    [
      "links",
      '<p><a href="a b.html#c(d)">x</a> <a href="/e?f=1&amp;copy=2">y</a></p>',
      "[x](a%20b.html#c(d)) [y](/e?f=1&copy=2)",
    ],
    [
      "no links that run",
      "<p><a href='javascript:x'>a</a> <a href='data:b'>c</a> <a href='#'>d</a></p>",
      "a c d",
    ],
    ["an exclamation before a link", "<p>Hi!<a href=x>y</a></p>", "Hi\\![y](x)"],
    [
      "images as what they show",
      '<p><img alt="A *chart*" src=a> <img alt="a.png"><img></p>',
      "A \\*chart\\*",
    ],
    ["lists", "<ul><li>a<ul><li>b</ul><li><p>c</ul>", "- a\n  - b\n- c"],
    [
      "ordered lists from their start",
      '<ol start="9"><li>a<li>b<pre>c\nd</pre></ol>',
      "9. a\n\n10. b\n\n    ```\n    c\n    d\n    ```",
    ],
    ["lists of other things than items", "<ul><p>a</p><li>b</li></ul>", "- a\n- b"],
    ["definitions", "<dl><dt>a<dt>b<dd>c<dd><p>d</dl>", "- **a**\\\n  **b**\\\n  c\n\n  d"],
    [
      "definitions that have anchors as headings",
      "<h2>O</h2><dl><div><dt id=o-x><code>-x</code></dt><dd>c</dd></div></dl><p>d",
      "## O\n\n### `-x` {#o-x}\n\nc\n\nd",
    ],
    ["rules as nothing", "<p>a</p><hr><p>b</p>", "a\n\nb"],
    ["cards as links", '<a href="/x"><h3>T</h3><p>Words</p></a>', "[T Words](/x)"],
    [
      "MathML by its TeX",
      '<p><span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x1</span></span></p>',
      "$`x_1`$",
    ],
    ["custom elements as their words", "<my-tabs><my-tab>a</my-tab> b<div>c</div></my-tabs>", "a b\n\nc"],
    ["words outside of every element", "a<div>b</div>c", "a\n\nb\n\nc"],
  ];
  test.each(cases)("has %s", (_, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });

  test.each([
    ["navigation", "<nav>x</nav><div role=navigation>x</div><footer>x</footer><aside>x</aside>"],
    [
      "controls",
      "<button>x</button><select><option>x</select><textarea>x</textarea><form role=search>x</form>",
    ],
    [
      "scripts",
      "<script>x</script><style>x</style><template>x</template><noscript>x</noscript><svg><title>x</title></svg>",
    ],
    [
      "what is hidden",
      "<p hidden>x</p><p aria-hidden=true>x</p><p style='display: none'>x</p><span class=sr-only>x</span>",
    ],
    [
      "furniture",
      "<a href=/e>Edit this page</a><div class=breadcrumbs>x</div><div class=cookie-banner>x</div><div id=toc>x</div>",
    ],
    ["comments", "<!-- x --><![CDATA[x]]><?x?>"],
  ])("leaves out %s", (_, html) => {
    expect(write(`<p>a</p>${html}<p>b</p>`)).toBe("a\n\nb");
  });
});

describe("words that look like Markdown", () => {
  test.each([
    "# a",
    "1. a",
    "12) a",
    "- a",
    "+ a",
    "* a",
    "> a",
    "---",
    "===",
    "a *b* c",
    "__init__",
    "_a_",
    "snake_case_name",
    "`a`",
    "[a](b)",
    "[a][b]",
    "[a]: b",
    "![a](b)",
    "<b>a</b>",
    "<!-- a -->",
    "a < b && c > d",
    "&amp; &#35; &copy;",
    "~~a~~",
    "\\*a\\*",
    "a\\_b",
    "|a|b|",
    "```",
    "~~~",
    ":::tip",
    "a ** b ** c",
    "*args, **kwargs",
    "[ ] todo",
    "{#id}",
    "a{#b}",
    "2 * 3 * 4",
    "C:\\dir\\*.txt",
    "~/.bashrc and ~/b",
    "https://a.b/__c__/d_e",
    "[^1]: a",
    "::",
    "!!! note",
    '=== "Tab"',
  ])("%p stay words", (words) => {
    const escaped = words.replace(/[&<]/g, (mark) => (mark === "&" ? "&amp;" : "&lt;"));
    for (const html of [
      `<p>${escaped}</p>`,
      `<p>x</p><p>a<br>${escaped}</p>`,
      `<ul><li>${escaped}</li></ul>`,
    ]) {
      expect(plainText(write(html))).toEndWith(words);
    }
    expect(plainText(write(`<table><tr><td>a<td>b<tr><td>c<td>${escaped}</table>`))).toEndWith(words);
    expect(
      parsePage(`<main><h2>${escaped}</h2><p>a</main>`, { fallbackTitle: "", format: "html" }).passages[0]
        ?.headingPath,
    ).toEqual([words]);
  });

  test("need no escapes in the middle of a word or between spaces", () => {
    const words = "snake_case a * b a_b_c 1 < 2 x[0] f(x) dict[key]: value ~/a #tag -1 C# 50% a|b";
    expect(write(`<p>${words.replaceAll("<", "&lt;")}</p>`)).toBe(words);
  });
});

describe("code", () => {
  test.each([
    ["", "<pre>x</pre>"],
    ["js", '<pre><code class="language-js">x</code></pre>'],
    ["cpp", '<pre class="brush: c++">x</pre>'],
    ["python", '<div class="highlight-python3 notranslate"><div class=highlight><pre>x</pre></div></div>'],
    ["shell", '<div class="highlight highlight-source-shell"><pre>x</pre></div>'],
    [
      "toml",
      '<div class="sourceCode"><pre class="sourceCode toml"><code class="sourceCode toml">x</code></pre></div>',
    ],
    ["go", '<pre data-lang="go">x</pre>'],
    ["ruby", '<figure data-language="ruby"><pre>x</pre></figure>'],
    ["json", '<pre><code class="hljs json">x</code></pre>'],
    ["c++", '<pre lang="C++">x</pre>'],
    ["", '<pre class="language-text">x</pre>'],
    ["", '<div class="highlight-default"><pre>x</pre></div>'],
  ])("is in %p", (language, html) => {
    expect(write(html)).toBe(`\`\`\`${language === "c++" ? "cpp" : language}\nx\n\`\`\``);
  });

  test.each([
    ["lines", "a\n\n  b\n\tc"],
    ["fences", "```js\na\n```\n`````"],
    ["Markdown", "# a\n\n- *b* _c_ [d](e) | f\n\n    g"],
    ["tags", '<a href="x">&amp;</a> <!-- b -->'],
    ["a prompt", "$ npm i\n# as root\n> x"],
    ["leading spaces", "    a\n  b"],
  ])("with %s is kept letter for letter", (_, code) => {
    const escaped = code.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const spans = code.replace(
      /\w+|[&<]/g,
      (word) => `<span class=k>${word.replace("&", "&amp;").replace("<", "&lt;")}</span>`,
    );
    const lines = escaped.split("\n").map((line) => `<span class="line">${line}</span>`);
    const shapes = [
      escaped,
      spans,
      escaped.replaceAll("\n", "<br>"),
      lines.join("\n"),
      lines.join(""),
      escaped.replaceAll("\n", "\r\n"),
    ];
    for (const shape of shapes) {
      const markdown = write(`<pre><code>${shape}</code></pre>`);
      const fence = /^`+/.exec(markdown)?.[0] ?? "";
      expect(markdown).toBe(`${fence}\n${code}\n${fence}`);
      expect(
        parsePage(`<main><pre>\n${shape}</pre></main>`, { fallbackTitle: "", format: "html" }).passages[0]
          ?.markdown,
      ).toContain(code);
    }
  });

  test("loses its line numbers and buttons", () => {
    const rows = ["a", "b"].map(
      (line, at) => `<tr><td class="hljs-ln-numbers">${at}</td><td class="hljs-ln-code">${line}</td></tr>`,
    );
    expect(
      write(
        `<pre><code class="hljs language-sh"><table class="hljs-ln">${rows.join("")}</table></code><button>Copy</button></pre>`,
      ),
    ).toBe("```sh\na\nb\n```");
    expect(
      write(
        '<div class="highlight"><table class="rouge-table"><tr><td class="rouge-gutter gl"><pre>1\n2</pre></td><td class="rouge-code"><pre>a\nb\n</pre></td></tr></table></div>',
      ),
    ).toBe("```\na\nb\n```");
  });
});

describe("a table", () => {
  const cases: Array<[name: string, rows: string, markdown: string]> = [
    [
      "keeps its head",
      "<thead><tr><th>A<th>B</thead><tbody><tr><td>1<td>2",
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "without a head has its first row for one",
      "<tr><td>1<td>2<tr><td>3<td>4",
      "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |",
    ],
    [
      "escapes bars, and has no line breaks",
      "<tr><th>A<th>B<tr><td>a|b<td><code>c|d</code><br>e<p>f</p><ul><li>g<li>h</ul>",
      "| A | B |\n| --- | --- |\n| a\\|b | `c\\|d` e f g; h |",
    ],
    [
      "sets the items of lists in its cells apart, unless their words do",
      "<tr><th>A<th>B<tr><td><ul><li><p>One</p><li></li><li> <b>two</b>\n<ol><li>three<li>four</ol></li></ul><td>Of: <ul><li>A first. <li><code>b</code>, <li>c</ul> d",
      "| A | B |\n| --- | --- |\n| One; **two** three; four | Of: A first. `b`, c d |",
    ],
    [
      "fills up what spans columns",
      "<tr><th colspan=2>A<th>B<tr><td>1<td>2<td>3",
      "| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
    ],
    [
      "joins the rows of its head",
      "<thead><tr><th>A<th>B<tr><th>C<th>B</thead><tr><td>1<td>2",
      "| A C | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "says its caption",
      "<caption>Cap</caption><tr><th>A<th>B<tr><td>1<td>2",
      "**Cap**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    ["of one column is blocks", "<tr><td><p>a</p><tr><td>b", "a\n\nb"],
    [
      "around a layout is blocks",
      "<tr><td><h2 id=x>a</h2><p>b</p><td><table><tr><td>c<td>d<tr><td>e<td>f</table>",
      "## a {#x}\n\nb\n\n| c | d |\n| --- | --- |\n| e | f |",
    ],
    [
      "with long code is blocks",
      "<tr><td>a<td><pre>b\nc</pre><tr><td>d<td>e",
      "a\n\n```\nb\nc\n```\n\nd\n\ne",
    ],
  ];
  test.each(cases)("%s", (_, rows, markdown) => {
    expect(write(`<table>${rows}</table>`)).toBe(markdown);
  });
});

describe("an anchor", () => {
  const anchorOf = (html: string): string | undefined =>
    parsePage(`<main>${html}<p>words</p></main>`, { fallbackTitle: "", format: "html" }).passages[0]?.anchor;

  test.each([
    ["on the heading", '<h2 id="x">T</h2>'],
    ["on a link in it", '<h2><a id="x"></a>T</h2>'],
    ["on a named link around its words", '<h2><a name="x">T</a></h2>'],
    ["that its permanent link leads to", '<h2>T <a class="headerlink" href="#x">¶</a></h2>'],
    ["on its section", '<section id="x"><span id="old"></span><h2>T</h2>'],
    ["on the block that it begins", '<div id="x"><div><div><h2>T</h2></div></div></div>'],
    ["on an empty link before it", '<a id="x"></a>\n<h2>T</h2>'],
    ["on an empty link in a paragraph before it", '<p><a name="x"></a></p><h2>T</h2>'],
    ["on a definition's term", '<dl><dt id="x">T</dt><dd>words</dd></dl>'],
  ])("%s is the passage's", (_, html) => {
    expect(anchorOf(html)).toBe("x");
  });

  test.each([
    "x",
    "x.y",
    "impl-Thing%3CT,+A%3E",
    "get(int[],java.lang.Object)",
    "a{b}c",
    "{}",
    "operator#",
    "é字",
    "a:b",
    "a/b",
    "<init>",
    "a'b",
    "_top",
    "*",
    "x".repeat(900),
  ])("%p survives as it is", (id) => {
    const escaped = id.replaceAll("<", "&lt;");
    expect(anchorOf(`<h2 id="${escaped}">T {x}</h2>`)).toBe(id);
  });

  test("that no address can name is left out", () => {
    expect(write('<h2 id="a b">T</h2>')).toBe("## T");
    expect(write('<h2 id="">T</h2><div id="wrap">a<h2>U</h2></div>')).toBe("## T\n\na\n\n## U");
  });

  test("of a frame is not the title's", () => {
    expect(write('<div id="app"><div><h1>T</h1></div></div>')).toBe("# T");
  });
});

describe("the main content", () => {
  const words = "Words of the page itself. ".repeat(20).trim();

  test.each([
    ["main", `<div><a href=/>x</a></div><main>${words}</main><div>more</div>`],
    ["role=main", `<div role=main>${words}</div><div>more</div>`],
    ["the largest article", `<article><a href=/>teaser</a></article><article>${words}</article>`],
    ["a container that builders have", `<div>other</div><div class="markdown-body">${words}</div>`],
    ["the block with the words", `<div><a href=/>${words}</a></div><div><div>${words}</div></div>`],
  ])("is %s", (_, body) => {
    expect(readHtml(`<body>${body}</body>`).markdown).toBe(words);
  });

  test("is all articles of a page that has several", () => {
    const markdown = readHtml(`<main><article>${words}</article><article>${words}</article></main>`).markdown;
    expect(markdown).toBe(`${words}\n\n${words}`);
  });

  test("is not an empty main", () => {
    expect(readHtml(`<main></main><div id="content">${words}</div>`).markdown).toBe(words);
  });

  test("of an empty page is empty", () => {
    for (const html of ["", " ", "<html>", "<main></main>", "<body><nav><a href=x>y</a></nav>"]) {
      expect(readHtml(html).markdown).toBe("");
    }
  });
});
