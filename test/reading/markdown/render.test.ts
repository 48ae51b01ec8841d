import { describe, expect, test } from "bun:test";
import { readOutline } from "../../../src/reading/markdown/md/md.ts";
import { type RenderOptions, renderHtml } from "../../../src/reading/markdown/render/render.ts";

const ALLOWED_TAGS = new Set(
  "h1 h2 h3 h4 h5 h6 p ul ol li blockquote table thead tbody tr th td pre code a img strong em del br hr input".split(
    " ",
  ),
);
const ALLOWED_ATTRIBUTES = new Set(
  "id href title rel src alt loading class start align type disabled checked".split(" "),
);

test("places that links lead to have their ids, and nothing else of a tag is written", () => {
  expect(renderHtml('<a id="a&amp;b"></a>Words and <a id="c" onclick="x()"></a>more `<a id="d"></a>`')).toBe(
    '<p><a id="a&amp;b"></a>Words and more <code>&lt;a id=&quot;d&quot;&gt;&lt;/a&gt;</code></p>\n',
  );
  expect(renderHtml('<a id="a"></a>Words', { headingIds: false })).toBe("<p>Words</p>\n");
  expect(renderHtml('<a id="~from-1"></a>Words')).toBe("<p>Words</p>\n");
});

/** Reads HTML as a browser would, and returns everything in it that could do harm. */
async function dangers(html: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      if (!ALLOWED_TAGS.has(element.tagName)) found.push(`<${element.tagName}>`);
      for (const [name = "", value = ""] of element.attributes) {
        if (!ALLOWED_ATTRIBUTES.has(name)) found.push(`${element.tagName} ${name}=${value}`);
        if ((name === "href" || name === "src") && !isHarmless(value)) found.push(`${name}=${value}`);
      }
    },
    comments(comment) {
      found.push(`comment ${comment.text}`);
    },
  });
  await rewriter.transform(new Response(html)).text();
  return found;
}

function isHarmless(attribute: string): boolean {
  const url = URL.parse(attribute.replaceAll("&amp;", "&"), "https://docs.test/page");
  return url !== null && ["http:", "https:", "mailto:"].includes(url.protocol);
}

const ATTACKS = [
  "<script>alert(1)</script>",
  "text <script>alert(1)</script> text",
  "<ScRiPt src=//evil.test></sCrIpT>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<object data=javascript:alert(1)>",
  "<embed src=data:text/html,x>",
  "<form action=javascript:alert(1)><button>x</button></form>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<a href='javascript:alert(1)'>x</a>",
  "<div onclick=alert(1)>\nx\n</div>",
  "<base href=//evil.test>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<link rel=stylesheet href=//evil.test>",
  "<style>@import '//evil.test'</style>",
  "<!-- --!><img src=x onerror=alert(1)> -->",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml <img src=x onerror=alert(1)>?>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
  "<br onclick=alert(1)>",
  "<br/onclick=alert(1)/>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<img src=x onerror=alert(1)//>>",
  "<img src=x onerror=alert(1)",
  "&lt;img src=x onerror=alert(1)&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "\\<script>alert(1)\\</script>",
  "`<script>alert(1)</script>`",
  "```\n</code></pre><script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\nx\n```',
  '```js"onmouseover=alert(1)\nx\n```',
  "    </code><script>alert(1)</script>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x]( javascript:alert(1))",
  "[x](<javascript:alert(1)>)",
  "[x](<java\tscript:alert(1)>)",
  "[x](java&#10;script:alert(1))",
  "[x](java&NewLine;script:alert(1))",
  "[x](java&Tab;script:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](javascript&#58;alert(1))",
  "[x](javascript&#x3A;alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](&#x01;javascript:alert(1))",
  "[x](&#8232;javascript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](\u00a0javascript:alert(1))",
  "[x](java\\script:alert(1))",
  "[x](javascript\\:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:msgbox(1))",
  "[x](file:///etc/passwd)",
  "[x](blob:https://x.y/z)",
  "[x](view-source:javascript:alert(1))",
  "[x](//evil.test)",
  "[x](\\\\evil.test)",
  "[x](/\\evil.test)",
  "[x](https:evil.test)",
  "[x](https:/\\evil.test)",
  '[x](/a "\\" onmouseover=alert(1)")',
  "[x](/a '&quot; onmouseover=alert(1) &quot;')",
  '[x](/a"onmouseover="alert(1))',
  "[x](/a&quot;onmouseover=&quot;alert(1))",
  "[x][r]\n\n[r]: javascript:alert(1)",
  '[x][r]\n\n[r]: /a "><script>alert(1)</script>"',
  "<javascript:alert(1)>",
  "<data:text/html,x>",
  'https://x.y/"onmouseover=alert(1)',
  "https://x.y/'onmouseover=alert(1)<script>",
  "![x](javascript:alert(1))",
  "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
  "![x](http://tracker.test/pixel)",
  "![x](//tracker.test/pixel)",
  '![" onerror=alert(1) x="](y)',
  "![<img src=x onerror=alert(1)>](y)",
  "![a ![b](c) `d`](e 'f\" onerror=alert(1)')",
  '# <img src=x onerror=alert(1)> {#"><script>alert(1)</script>}',
  '# x {#a"onclick=alert(1)}',
  "# <a id='\"><img src=x onerror=alert(1)>'></a>x",
  "| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |",
  "- [x] <script>alert(1)</script>",
  "> <script>alert(1)</script>",
  ":::tip[<script>alert(1)</script>]\n:::",
  "\uFDD00\uFDD1<script>alert(1)</script>",
  "# &#xFDD0;0&#xFDD1;<script>alert(1)</script>",
  "<a\0href=javascript:alert(1)>x</a>",
  "<x onmouseover=alert(1)>hover</x>",
  "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
  "<p style='background:url(javascript:alert(1))'>x",
  "<template><script>alert(1)</script></template>",
  "<a href=\"x\" title='\n\n<script>alert(1)</script>'>",
];

describe("attacks", () => {
  test.each(ATTACKS)("%j does no harm", async (markdown) => {
    expect(await dangers(renderHtml(markdown))).toEqual([]);
    expect(await dangers(renderHtml(`para\n\n${markdown}\n\npara`, { headingIds: false }))).toEqual([]);
  });

  test.each(ATTACKS)("%j does no harm when links and images are resolved carelessly", async (markdown) => {
    const careless: RenderOptions = { resolveLink: (href) => href, resolveImage: (src) => src };
    expect(await dangers(renderHtml(markdown, careless))).toEqual([]);
  });

  test("by what resolves links are caught too", () => {
    const html = renderHtml("[a](b) ![c](d)", {
      resolveLink: () => "javascript:alert(1)",
      resolveImage: () => "data:text/html,x",
    });
    expect(html).toBe("<p>a c</p>\n");
  });

  test("are noticed by this test", async () => {
    expect(
      await dangers("<p><a href='javascript:x' onclick=y>z</a><script></script><!-- c --></p>"),
    ).toHaveLength(4);
  });
});

describe("rendered page", () => {
  const cases: Array<[name: string, markdown: string, html: string]> = [
    [
      "paragraphs and emphasis",
      "a **b** *c* ~~d~~ `e<f`",
      "<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f</code></p>\n",
    ],
    ["breaks", "a  \nb<br/>c", "<p>a<br>b<br>c</p>\n"],
    [
      "code with its language",
      "```ts title='x'\na < b\n```",
      '<pre><code class="language-ts">a &lt; b\n</code></pre>\n',
    ],
    [
      "tasks",
      "- [x] a\n- [ ] b",
      '<ul><li><input type="checkbox" disabled checked> a</li>\n<li><input type="checkbox" disabled> b</li>\n</ul>\n',
    ],
    ["lists that start elsewhere", "3. a", '<ol start="3"><li>a</li>\n</ol>\n'],
    [
      "tables",
      "|a|b|\n|:-|-|\n|c|d|",
      '<table><thead><tr><th align="left">a</th><th>b</th></tr>\n</thead>\n<tbody><tr><td align="left">c</td><td>d</td></tr>\n</tbody>\n</table>\n',
    ],
    ["links inside", "[a](/b#c 'd')", '<p><a href="/b#c" title="d">a</a></p>\n'],
    [
      "links outside",
      "[a](https://x.y/?b=1&amp;c=2)",
      '<p><a href="https://x.y/?b=1&amp;c=2" rel="noopener noreferrer">a</a></p>\n',
    ],
    ["mail", "<a@b.c>", '<p><a href="mailto:a@b.c">a@b.c</a></p>\n'],
    [
      "bare addresses",
      "see https://x.y/a_b_(c).",
      '<p>see <a href="https://x.y/a_b_(c)" rel="noopener noreferrer">https://x.y/a_b_(c)</a>.</p>\n',
    ],
    [
      "bare addresses between marks",
      "**https://x.y/z.git**. b\n\nc",
      '<p><strong><a href="https://x.y/z.git" rel="noopener noreferrer">https://x.y/z.git</a></strong>. b</p>\n<p>c</p>\n',
    ],
    ["addresses in code as code", "`https://x.y`", "<p><code>https://x.y</code></p>\n"],
    [
      "images",
      '![a"b](c d.png)\n![e](<f g.png>)',
      '<p>![a&quot;b](c d.png)\n<img src="f%20g.png" alt="e" loading="lazy"></p>\n',
    ],
    [
      "the words of raw HTML",
      "<details>\n<summary>a</summary>\nb &amp; <b>c</b>\n</details>",
      "<p>a</p>\n<p>b &amp; c</p>\n",
    ],
    ["directives as their title", ":::tip[Look]\na\n:::", "<p><strong>Look</strong></p>\n<p>a</p>\n"],
    ["no labels", "(a-label)=\n# A {#x}\n\nb", '<h1 id="x">A</h1>\n<p>b</p>\n'],
    ["no comments", "a <!-- b --> c\n\n<!-- d -->", "<p>a  c</p>\n"],
  ];
  test.each(cases)("shows %s", (_, markdown, html) => {
    expect(renderHtml(markdown)).toBe(html);
  });

  test("gives each heading the anchor that passages cite, and hides chosen ones", () => {
    const page =
      "Setext *one*\n===\n\n## A\n\n## A {#chosen}\n\n## `C++` _d_ & <e>\n\n## A\n\n# 1. List?\n\n- # in a list\n\n" +
      "Two\nlines\n---\n\n```\n# code\n```\n\n## Last ##";
    const html = renderHtml(page);
    const ids = [...html.matchAll(/<h\d id="([^"]*)"/g)].map((match) => match[1]);
    expect(ids).toEqual(readOutline(page).sections.map((section) => section.anchor));
    expect(ids).toEqual(["setext-one", "a", "chosen", "c-d-", "a-1", "1-list", "two-lines", "last"]);
    expect(html).not.toContain("{#");
    expect(html).toContain('<h2 id="chosen">A</h2>');
    expect(html).toContain("<h1>in a list</h1>");
    expect(html).toContain("<code># code\n</code>");
  });

  test("gives headings the anchors of the site's generator", () => {
    expect(renderHtml("# A & B", { anchors: "mintlify" })).toBe('<h1 id="a-&amp;-b">A &amp; B</h1>\n');
  });

  test("asks where links and images lead", () => {
    const html = renderHtml("[a](../b.md) [c](gone) ![d](e.png) ![f](g.png)", {
      resolveLink: (href) => (href === "gone" ? undefined : `/docs/${href.replace("../", "")}`),
      resolveImage: (src) => (src === "g.png" ? undefined : `https://cdn.test/${src}`),
    });
    expect(html).toBe(
      '<p><a href="/docs/b.md">a</a> c <img src="https://cdn.test/e.png" alt="d" loading="lazy"> f</p>\n',
    );
  });

  test("of deep nesting closes what it opens", () => {
    const html = renderHtml(`${">".repeat(5_000)} words`);
    expect(html).toContain("words");
    expect(html.split("<blockquote>").length).toBe(html.split("</blockquote>").length);
    expect(html.split("<blockquote>").length).toBeLessThan(200);
  });
});
