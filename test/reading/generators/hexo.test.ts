import { describe, expect, test } from "bun:test";
import { hexo } from "../../../src/reading/generators/hexo/hexo.ts";
import { openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const PACKAGE = { "package.json": '{"dependencies": {"hexo": "^7.0.0"}}' };
const open = (files: Record<string, string>, config = "title: Acme\n") =>
  openFiles(hexo, { ...PACKAGE, "_config.yml": config, ...files });
const markdownOf = async (text: string, files: Record<string, string> = {}, config?: string) =>
  (await readPageOf(await open({ "source/a.md": text, ...files }, config), "source/a.md")).markdown;

describe("addresses", () => {
  test("are those of the files in the source, and what begins with an underscore is no page", async () => {
    const site = await siteOf({
      ...PACKAGE,
      "_config.yml": "title: Acme",
      "README.md": "# Repository",
      "source/index.md": "# Home",
      "source/docs/index.md": "# Docs",
      "source/docs/setup.md": "---\ntitle: Setup\n---\n",
      "source/moved.md": "---\npermalink: other/place.html\n---\n",
      "source/_data/x.md": "x",
      "source/_drafts/soon.md": "# Soon",
      "source/hidden.md": "---\npublished: false\n---\n",
    });
    expect(site.generator).toBe("Hexo");
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "",
      "docs",
      "docs/setup.html",
      "other/place.html",
    ]);
    expect(site.leftOut).toContainEqual({ location: "source/_drafts/soon.md", detail: "is a draft" });
    expect(site.leftOut).toContainEqual({ location: "source/hidden.md", detail: "is not published" });
  });

  test("may leave .html out, and begin below a path", async () => {
    const site = await open(
      {
        "pages/guide/a.md": "[b](b.html#x) [c](/base/c) [d](../d.md)",
        "pages/guide/b.md": "",
        "pages/d.md": "",
      },
      "root: /base/\nsource_dir: pages\npretty_urls:\n  trailing_html: false\n",
    );
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["d", "guide/a", "guide/b"]);
    expect((await readPageOf(site, "pages/guide/a.md")).markdown).toBe(
      "[b](/guide/b.html#x) [c](/c) [d](/d)",
    );
  });

  test("of posts follow the pattern, by the day that they or their names say", async () => {
    const site = await open(
      {
        "source/_posts/2024-03-09-first.md": "---\ntitle: First\n---\n",
        "source/_posts/deep/second.md": "title: Second\ndate: 2023-01-02 10:00:00\n---\nText",
        "source/_posts/undated.md": "# Undated",
      },
      'permalink: "news/:year/:i_month/:day/:title/"\nnew_post_name: ":year-:month-:day-:title.md"\n',
    );
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "news/2023/1/02/deep/second",
      "news/2024/3/09/first",
    ]);
    expect(site.leftOut.map(({ location }) => location)).toEqual(["source/_posts/undated.md"]);
    expect((await readPageOf(site, "source/_posts/deep/second.md")).data["title"]).toBe("Second");
  });

  test("what the configuration copies or leaves out is no page", async () => {
    const files = { "source/a.md": "# A", "source/raw/b.md": "# B", "source/old/c.md": "# C" };
    const site = await open(files, 'skip_render: "raw/**"\nexclude:\n  - old/*\n');
    expect(site.pages.map(({ path }) => path)).toEqual(["a.html"]);
  });
});

test("a site of Jekyll, whose configuration has the same name, is none of Hexo's", async () => {
  const site = await recognizeFiles({
    "_config.yml": "title: x",
    "package.json": "{}",
    "index.md": "---\n---\n# A",
  });
  expect(site?.generator).toBe("Jekyll");
});

test("languages are folders that the configuration or the theme names", async () => {
  const files = {
    "themes/acme/languages/en.yml": "",
    "themes/acme/languages/zh-cn.yml": "",
    "themes/acme/languages/default.yml": "",
    "source/docs/a.md": "# A",
    "source/zh-cn/docs/a.md": "# 甲",
    "source/api/b.md": "# B",
  };
  const site = await open(files, "language: en\ntheme: acme\n");
  expect(site.language).toBe("en");
  expect(site.pages.map(({ path, edition }) => [path, edition])).toEqual([
    ["api/b.html", { language: "en", topic: "api/b.html" }],
    ["docs/a.html", { language: "en", topic: "docs/a.html" }],
    ["zh-cn/docs/a.html", { language: "zh-cn", topic: "docs/a.html" }],
  ]);
});

test("headings keep the case of their letters, and repeated ones are numbered from 1", async () => {
  const text = "## Getting Started!\n\n## Été & 安装\n\n## Same\n\n## Same\n\n## Same";
  const ids = async (config?: string) =>
    [...(await markdownOf(text, {}, config)).matchAll(/\{#(.*)\}/g)].map(([, id]) => id);
  expect(await ids()).toEqual(["Getting-Started", "Ete-安装", "Same", "Same-1", "Same-2"]);
  expect((await ids("marked:\n  modifyAnchors: 1\n"))[0]).toBe("getting-started");
});

describe("tags", () => {
  test("around text are code, quotes, notes and tabs of Markdown", async () => {
    const text = [
      "{% codeblock Setup lang:js https://a.example x %}\nlet a;\n{% note %}\n{% endcodeblock %}",
      "{% blockquote Ann, Book %}\nWords.\n{% endblockquote %}",
      '{% note warn "Take care" %}\n\n```js\n{% raw %}\n```\n\n{% endnote %}',
      "{% tabs x %}\n<!-- tab Linux@icon -->\napt\n<!-- endtab -->\n{% endtabs %}",
      "{% raw %}\n{{ shown }}\n{% endraw %}",
    ].join("\n\n");
    const written = (await markdownOf(text)).replace(/\n{2,}/g, "\n\n");
    expect(written).toBe(
      [
        "**Setup**\n\n```js\nlet a;\n{% note %}\n```",
        "> Words.\n>\n> — Ann, Book",
        ":::warning[Take care]\n\n```js\n{% raw %}\n```\n\n:::",
        ":::tab[Linux]\n\napt\n\n:::",
        "{{ shown }}",
      ].join("\n\n"),
    );
  });

  test("in a line are links and pictures, nothing where they show something from elsewhere, and code stays", async () => {
    const files = { "source/_posts/new.md": "---\ntitle: What is new\ndate: 2024-01-01\n---\n" };
    const text =
      "{% post_link new %} {% post_link new 'See [this]' %} {% post_link gone %} {% link Docs https://a.example %} {% youtube xyz %}`{% youtube x %}`";
    expect(await markdownOf(text, files)).toBe(
      "[What is new](/2024/01/01/new) [See \\[this\\]](/2024/01/01/new) gone [Docs](https://a.example) `{% youtube x %}`",
    );
  });

  test("take in code, and say what is missing", async () => {
    const site = await open({
      "source/a.md": "{% include_code Title lang:js x.js %}\n{% include_code gone.js %}\n",
      "source/downloads/code/x.js": "let x;\n",
    });
    const { markdown, faults } = await readPageOf(site, "source/a.md");
    expect(markdown.trim()).toBe("**Title**\n\n```js\nlet x;\n```");
    expect(faults).toEqual(["gone.js, whose code it shows, is not in this source"]);
  });

  test("that are not closed stay harmless", async () => {
    const start = "{% note %}\n".repeat(100_000);
    expect(await markdownOf(`${start}\n${"{% a ".repeat(20_000)}`)).toContain("{% a");
  });
});
