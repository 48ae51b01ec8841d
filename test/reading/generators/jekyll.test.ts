import { describe, expect, test } from "bun:test";
import { type Files, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const GEMS = 'gem "jekyll"\n';

const jekyllSite = (files: Files) => siteOf({ "_config.yml": "title: T\n", Gemfile: GEMS, ...files });

/** What becomes of a page's body. */
async function read(body: string, files: Record<string, string> = {}) {
  const site = await jekyllSite({ ...files, "page.md": `---\ntitle: Page\n---\n${body}` });
  const page = site.pages.find(({ path }) => path === "page.html");
  if (page === undefined) throw new Error("the page is not published");
  const { markdown, faults } = await site.read(page);
  return { markdown: markdown.trim(), faults };
}

describe("a page", () => {
  test("has Just the Docs' callouts, and none of kramdown's marks", async () => {
    const config = "title: T\ncallouts: {odd: {title: Odd}}\n";
    const { markdown } = await read(
      "{: .odd }\nWords.\n\n{: .warning-title }\n> A title\n>\n> More.\n\n[x](y){: .btn }\n\n1. TOC\n{:toc}\n\nLast\n{: .fs-6 }",
      { "_config.yml": config },
    );
    expect(markdown).toBe(
      ":::note[Odd]\n\nWords.\n\n:::\n\n\n:::warning[A title]\n\nMore.\n\n:::\n\n\n[x](/y)\n\n\nLast",
    );
  });

  test.each([
    [
      "the line below the head has fewer columns than it, and a row has more",
      "A | B `|` b | C\n:--- | ---:\n1 | 2 | 3 | 4\n5",
      "|A | B `|` b | C| |\n|:---|---:|---|---|\n1 | 2 | 3 | 4\n5",
    ],
    ["there is no head", "## H\na | b |\nc | d", "## H {#h}\n| | |\n|---|---|\na | b |\nc | d"],
  ])("has kramdown's tables where %s", async (_, table, written) => {
    expect((await read(`Words.\n\n${table}`)).markdown).toBe(`Words.\n\n${written}`);
  });

  test.each([
    "| A | B |\n|---|---|\n| 1 | 2 |",
    "A bar | in words.",
    "A bar | in words.\nAnd two | of | them.",
    "```\na | b\nc | d\n```",
    "- a | b\n- c | d",
    "`a | b`\n`c | d`",
  ])("keeps what is a table in Markdown, or none at all: %j", async (body) => {
    expect((await read(`Words.\n\n${body}`)).markdown).toBe(`Words.\n\n${body}`);
    const config = { "_config.yml": "markdown: CommonMark\n" };
    expect((await read("A | B | C\n--- | ---\n1 | 2", config)).markdown).toBe("A | B | C\n--- | ---\n1 | 2");
  });

  test.each([
    ["a tag of several lines", '<div dir="rtl"\n  lang="ar"\n  markdown="1">\n## H\nWords.\n</div>'],
    ["a section of any name", "<article markdown=1>\n## H\nWords.\n</article>"],
    ["a tag with words behind it", '<div markdown="1">## H\nWords.</div>'],
    ["one line", '<div markdown="1">## H</div>\n<div markdown="block">Words.</div>'],
    ["another", '<div markdown="1">\n<main markdown="1">\n## H\nWords.\n</main>\n</div>'],
    ["any box, where the page says so", '{::options parse_block_html="true" /}\n<div>\n## H\nWords.\n</div>'],
  ])("has as Markdown what is in a box that says so: %s", async (_, body) => {
    const { markdown } = await read(`${body}\n## After\n`);
    expect(markdown.replace(/\n{2,}/g, "\n")).toBe("## H {#h}\nWords.\n## After {#after}");
  });

  test("has as Markdown what is in any box where its configuration says so, and in none that says that it is not", async () => {
    const config = { "_config.yml": "kramdown: {parse_block_html: true}\n" };
    const { markdown } = await read('<div>\n## H\n</div>\n\n<div markdown="0">\n## No\n</div>\n', config);
    expect(markdown.replace(/\n{2,}/g, "\n")).toBe('## H {#h}\n<div markdown="0">\n## No\n</div>');
    expect((await read("<div>\n## H\n</div>")).markdown).toBe("<div>\n## H\n</div>");
    const code = '```html\n<div\n  markdown="1">\n</div>\n```';
    expect((await read(code)).markdown).toBe(code);
  });

  test("has what unfolds as Markdown below its title", async () => {
    const { markdown } = await read(
      '<details markdown="1"><summary>More</summary>\n## H\nWords.\n</details>\n## After',
    );
    expect(markdown.replace(/\n{2,}/g, "\n")).toBe(
      "<details><summary>More</summary>\n## H {#h}\nWords.\n</details>\n## After {#after}",
    );
  });

  test("keeps Liquid that is shown, and writes out what is known", async () => {
    const { markdown, faults } = await read(
      "{% raw %}{{ x }}{% endraw %} {{ site.title }} {{ page.title | upcase }} {{ none | default: 'else' }}{% comment %}no{% endcomment %}",
    );
    expect(markdown).toBe("{{ x }} T PAGE else");
    expect(faults).toEqual([]);
  });

  test("with kramdown's own ids has those", async () => {
    const { markdown } = await read("## 1. Num\n\n## 中文\n\n## 中文", {
      "_config.yml": "kramdown: {input: kramdown}\n",
    });
    expect(markdown).toBe("## 1. Num {#num}\n\n## 中文 {#section}\n\n## 中文 {#section-1}");
  });

  test("takes in files whose names are values, whole or in part", async () => {
    const { markdown, faults } = await read(
      "{% assign kind = 'note' %}{% include {{ kind }}.md %} {% include parts/{{ kind | append: '-2' }}.md x=\"1\" %} {% include by.md file=\"note.md\" %} {% include {{ page.gone }} %}",
      {
        "_includes/note.md": "One",
        "_includes/parts/note-2.md": "Two {{ include.x }}",
        "_includes/by.md": "By {% include {{ include.file }} %}",
      },
    );
    expect(markdown).toBe("One Two 1 By One");
    expect(faults).toEqual(["the file that {% include {{ page.gone }} %} names is not known"]);
  });

  test("has what loops over lists make, of its front matter and of files of data", async () => {
    const site = await jekyllSite({
      "_data/names.yml": "list:\n  - {id: a, name: One}\n  - {id: b, name: Two}\n",
      "page.md":
        "---\ntitle: Page\nitems: [x, y]\nempty: []\n---\n{% for n in site.data.names.list %}{% if n.id == 'a' and forloop.first %}[{{ n.name }}]{% elsif n.id == 'b' %}({{ n.name }}){% else %}no{% endif %}{% endfor %} {% for i in page.items %}{% case i %}{% when 'z', 'x' %}zx{% else %}{{ i }}{% endcase %}{% endfor %} {% for i in page.empty %}{% else %}none{% endfor %}",
    });
    const page = site.pages.find(({ path }) => path === "page.html");
    const { markdown, faults } = page === undefined ? { markdown: "", faults: [] } : await site.read(page);
    expect(markdown.trim()).toBe("[One](/Two) zxy none");
    expect(faults).toEqual([]);
  });

  test("ends loops in loops at a bound", async () => {
    const list = JSON.stringify(Array.from({ length: 200 }, (_, index) => index));
    const site = await jekyllSite({
      "page.md": `---\ntitle: Page\nlist: ${list}\n---\n${"{% for i in page.list %}".repeat(8)}x${"{% endfor %}".repeat(8)}`,
    });
    const [page] = site.pages;
    const { faults } = page === undefined ? { faults: [] } : await site.read(page);
    expect(faults).toContain("its loops make too much, and are cut");
  });

  test("has what included HTML shows, with the code in it", async () => {
    const { markdown } = await read("{% include tabs.html code='a < b' %}\nNext.", {
      "_includes/tabs.html":
        "<div>\n\n    <p>Tab</p>\n\n    {% highlight js %}{{ include.code }}\nsecond{% endhighlight %}\n</div>\n",
    });
    expect(markdown).toBe(
      '<div> <p>Tab</p> <pre><code class="language-js">a &lt; b&#10;second</code></pre> </div>\n\n\nNext.',
    );
  });

  test("says loops, tags that are not known, and includes that cannot be had", async () => {
    const { markdown, faults } = await read(
      [
        "{% for x in site.pages %}{{ x.title }}{% endfor %}",
        "{% odd thing %}",
        "{% include loop.md %}",
        "{% include gone.md %}",
        "{% include ../../../etc/passwd %}",
        "{% link gone.md %}",
      ].join("\n\n"),
      { "_includes/loop.md": "Once {% include loop.md %}" },
    );
    expect(markdown.replace(/\s+/g, " ")).toBe("Once /gone.md");
    expect(faults).toHaveLength(6);
  });

  test("of includes that multiply ends at a bound", async () => {
    const files: Record<string, string> = { "_includes/f5.md": "x".repeat(100_000) };
    for (let depth = 0; depth < 5; depth++)
      files[`_includes/f${depth}.md`] = `{% include f${depth + 1}.md %} `.repeat(20);
    const { markdown, faults } = await read("{% include f0.md %}", files);
    expect(markdown.length).toBeLessThan(30_000_000);
    expect(faults.join()).toContain("too large");
  });

  test("with tags without an end, or nested without end, is read", async () => {
    const { markdown } = await read(
      `${"{% if x %}".repeat(20_000)}${"{{ ".repeat(20_000)}${"{% ".repeat(20_000)}\n\n## Last`,
    );
    expect(markdown).toEndWith("## Last {#last}");
    const { faults } = await read(`${"{% if true %}".repeat(2_000)}x${"{% endif %}".repeat(2_000)}`);
    expect(faults).toEqual(["its tags are nested too deeply: the inmost are left out"]);
  });
});

describe("a site", () => {
  test("on GitHub Pages publishes files without front matter, and README for its folder", async () => {
    const files = {
      "_config.yml": "title: T\n",
      "index.md": "# Home",
      "docs/README.md": "# Docs",
      "docs/a.md": "# A",
    };
    const github = await recognizeFiles(files);
    expect(github?.pages.map(({ path }) => path)).toEqual(["docs", "docs/a.html", ""]);
    const own = await jekyllSite({ ...files, "b.md": "---\n---\n" });
    expect(own.pages.map(({ path }) => path)).toEqual(["b.html"]);
    expect(own.leftOut.map(({ location }) => location)).toEqual(["docs/README.md", "docs/a.md", "index.md"]);
  });

  test("with a configuration that does not parse is read with the defaults, and asks", async () => {
    const site = await jekyllSite({ "_config.yml": "a: [\n", "a.md": "---\ntitle: A\n---\n" });
    expect(site.pages.map(({ path }) => path)).toEqual(["a.html"]);
    expect(site.unknowns[0]?.question).toContain("_config.yml cannot be read");
  });

  test("whose pages are their own parents has a menu that ends", async () => {
    const site = await jekyllSite({
      "a.md": "---\ntitle: A\nnav_order: 1\n---\n",
      "b.md": "---\ntitle: B\nparent: B\n---\n",
      "c.md": "---\ntitle: C\nparent: D\n---\n",
      "d.md": "---\ntitle: D\nparent: C\n---\n",
    });
    expect(site.menu.map(({ label }) => label)).toEqual(["A"]);
  });

  test("is neither a Jupyter Book nor a README with a theme", async () => {
    expect(
      await recognizeFiles({ "_config.yml": "x: 1", "_toc.yml": "y: 1", "index.md": "# A" }),
    ).toBeUndefined();
    expect(await recognizeFiles({ "_config.yml": "theme: x", "README.md": "# A" })).toBeUndefined();
  });
});

test("a site with menus of its own has their collections below its own pages, each with its first page", async () => {
  const site = await jekyllSite({
    "_config.yml":
      "remote_theme: pmarsceill/just-the-docs\ncollections: {one: {output: true, permalink: '/:collection/:path/'}, two: {output: true, permalink: '/:collection/:path/'}, three: {output: true}}\nfirst_menu: {collections: {one: {name: The first}}}\nother_menu: {collections: {two: {name: The second}, three: {name: Third, nav_exclude: true}}}\nnot_a_menu: {collections: {unknown: {name: X}}}\n",
    "_one/index.md": "---\ntitle: Index\nnav_exclude: true\npermalink: /one/\n---\n",
    "_one/b.md": "---\ntitle: B\nnav_order: 2\n---\n",
    "_one/a.md": "---\ntitle: A\nnav_order: 3\n---\n",
    "_two/c.md": "---\ntitle: C\n---\n",
    "_three/d.md": "---\ntitle: D\n---\n",
  });
  expect(site.menu).toEqual([
    {
      label: "The first",
      path: "one",
      children: [
        { label: "B", path: "one/b", children: [] },
        { label: "A", path: "one/a", children: [] },
      ],
    },
    { label: "The second", children: [{ label: "C", path: "two/c", children: [] }] },
  ]);
});

test("a page of Just the Docs ends in a list of the pages below it, unless it says that it has none", async () => {
  const site = await siteOf({
    "_config.yml": "theme: just-the-docs\n",
    "index.md": "---\ntitle: Home\n---\n",
    "guide.md": "---\ntitle: Guide\n---\nWords.\n",
    "b.md": "---\ntitle: B\nparent: Guide\nnav_order: 2\nsummary: About b\n---\n",
    "a.md": "---\ntitle: A\nparent: Guide\nnav_order: 1\nnav_exclude: true\n---\n",
    "quiet.md": "---\ntitle: Quiet\nhas_toc: false\n---\nWords.\n",
    "c.md": "---\ntitle: C\nparent: Quiet\n---\n",
  });
  expect((await readPageOf(site, "guide.md")).markdown.trim()).toBe(
    "Words.\n\n**Table of contents**\n\n- [A](/a.html)\n- [B](/b.html) - About b",
  );
  expect((await readPageOf(site, "quiet.md")).markdown.trim()).toBe("Words.");
});

test("posts have the addresses that their collection gives them, on the day that it is where the site is", async () => {
  const site = await jekyllSite({
    "_config.yml":
      "timezone: America/Los_Angeles\npermalink: pretty\ncollections: {posts: {permalink: '/news/:year/:month/:day/:title/'}}\n",
    "_posts/2018-02-24-late.md": "---\ntitle: Late\ndate: 2018-02-24 22:58:41 -0800\n---\n",
    "_posts/2018-02-26-early.md": "---\ntitle: Early\n---\n",
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["news/2018/02/24/late", "news/2018/02/26/early"]);
});

test("a page that only leads elsewhere, and one for addresses that do not exist, are none of the docs", async () => {
  const site = await jekyllSite({
    "index.md": "---\ntitle: Home\n---\n",
    "pages/404.html": "---\npermalink: /404.html\n---\n",
    "issues.md": "---\npermalink: /issues.html\nredirect_to: https://example.org/issues\n---\n",
  });
  expect(site.pages.map(({ path }) => path)).toEqual([""]);
  expect(site.leftOut).toContainEqual({ location: "issues.md", detail: "only leads to another address" });
});

test("what an include puts at the end of a heading joins the last word of its id", async () => {
  const { markdown } = await read("## Filter {%- include badge.html version='4.0' -%}", {
    "_includes/badge.html": '<span class="badge" title="since">{{ include.version }}</span>\n',
  });
  expect(markdown).toContain("{#filter40}");
});
