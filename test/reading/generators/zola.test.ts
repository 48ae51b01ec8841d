import { describe, expect, test } from "bun:test";
import { zola } from "../../../src/reading/generators/zola/zola.ts";
import { openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const CONFIG = 'base_url = "https://docs.example"\n';
const open = (files: Record<string, string>, config = CONFIG) =>
  openFiles(zola, { "zola.toml": config, ...files });
const pathsOf = async (files: Record<string, string>, config?: string) =>
  (await open(files, config)).pages.map(({ path }) => path).sort();
const page = (front = "", body = "") => `+++\n${front}\n+++\n${body}`;
const markdownOf = async (text: string, files: Record<string, string> = {}, config?: string) =>
  (await readPageOf(await open({ "content/a.md": page("", text), ...files }, config), "content/a.md"))
    .markdown;

describe("addresses", () => {
  test("are those of the files in content, of index.md its folder's, and of _index.md a section's", async () => {
    const site = await siteOf({
      "config.toml": CONFIG,
      "README.md": "# Repository",
      "content/_index.md": page(),
      "content/about.md": page(),
      "content/guide/_index.md": page('title = "Guide"'),
      "content/guide/Set Up_now.md": `\n${page('title = "Set up"')}`,
      "content/guide/shots/index.md": page(),
      "templates/page.html": "<p></p>",
    });
    expect(site.generator).toBe("Zola");
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "",
      "about",
      "guide",
      "guide/set-up-now",
      "guide/shots",
    ]);
  });

  test("may be given, and leave the day of a name out", async () => {
    const files = {
      "content/a.md": page('slug = "Other Name"'),
      "content/deep/b.md": page('path = "/whole/place/"'),
      "content/news/2024-05-06-release.md": page(),
      "content/news/2024-05-07.md": page(),
      "content/été.md": page(),
    };
    expect(await pathsOf(files)).toEqual([
      "ete",
      "news/2024-05-07",
      "news/release",
      "other-name",
      "whole/place",
    ]);
    const safe = `${CONFIG}[slugify]\npaths = "safe"\npaths_keep_dates = true\n`;
    expect(await pathsOf(files, safe)).toEqual([
      "Other Name",
      "news/2024-05-06-release",
      "news/2024-05-07",
      "whole/place",
      "été",
    ]);
  });

  test("of translations begin with their language", async () => {
    const site = await open(
      {
        "content/guide/_index.md": page(),
        "content/guide/_index.fr.md": page(),
        "content/guide/a.md": page(),
        "content/guide/a.fr.md": page(),
        "content/guide/v1.2.md": page(),
      },
      `${CONFIG}default_language = "de"\n[languages.fr]\n`,
    );
    expect(site.language).toBe("de");
    expect(site.pages.map(({ path, edition }) => [path, edition?.language, edition?.topic]).sort()).toEqual([
      ["fr/guide", "fr", "guide/_index"],
      ["fr/guide/a", "fr", "guide/a"],
      ["guide", "de", "guide/_index"],
      ["guide/a", "de", "guide/a"],
      ["guide/v1-2", "de", "guide/v1.2"],
    ]);
  });

  test("of drafts, of what is below one, and of what its section cannot sort, there are none", async () => {
    const site = await open({
      "content/a.md": page("draft = true"),
      "content/b.md": page("render = false"),
      "content/soon/_index.md": page("draft = true"),
      "content/soon/deep/c.md": page(),
      "content/docs/_index.md": page('sort_by = "weight"\nrender = false'),
      "content/docs/d.md": page(),
      "content/docs/e.md": page("weight = 1"),
      "content/news/_index.md": page('sort_by = "date"'),
      "content/news/f.md": page(),
      "content/news/2020-01-02-g.md": page(),
      "content/news/h.md": page("date = 2020-01-02"),
    });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["docs/e", "news", "news/g", "news/h"]);
    expect(site.leftOut).toContainEqual({ location: "content/soon/deep/c.md", detail: "is a draft" });
    expect(site.leftOut).toContainEqual({
      location: "content/docs/d.md",
      detail: "has no weight, by which its section is sorted",
    });
  });

  test("that pages had before lead to them, and sections that send their readers on do", async () => {
    const site = await open({
      "content/a.md": page('aliases = ["/old/a/", "older/a.html", []]', "[docs](@/docs/_index.md#x)"),
      "content/docs/_index.md": page('redirect_to = "docs/start"'),
      "content/docs/start.md": page(),
    });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["a", "docs/start"]);
    expect(site.redirects).toEqual([
      { from: "old/a", to: "a" },
      { from: "older/a.html", to: "a" },
      { from: "docs", to: "docs/start" },
    ]);
    expect((await readPageOf(site, "content/a.md")).markdown).toBe("[docs](/docs#x)");
  });
});

test("a site of Hugo, whose configuration may have the same name, is none of Zola's", async () => {
  const site = await recognizeFiles({
    "config.toml": 'baseURL = "https://docs.example"\n',
    "content/a.md": page('title = "A"'),
  });
  expect(site?.generator).toBe("Hugo");
});

test("the menu has the pages of a section in its order, and its subsections by weight", async () => {
  const site = await open({
    "content/_index.md": page(),
    "content/docs/_index.md": page('title = "Docs"\nsort_by = "weight"'),
    "content/docs/b.md": page('title = "B"\nweight = 10'),
    "content/docs/c.md": page('title = "C"\nweight = 2'),
    "content/docs/late/_index.md": page('title = "Late"\nweight = 5\nsort_by = "title"\nrender = false'),
    "content/docs/late/x.md": page('title = "Part 10"'),
    "content/docs/late/y.md": page('title = "Part 9"'),
    "content/docs/early/_index.md": page('title = "Early"\nweight = 1'),
    "content/docs/early/z.md": page('title = "Z"'),
  });
  expect(site.menu).toEqual([
    {
      label: "Docs",
      path: "docs",
      children: [
        { label: "C", path: "docs/c", children: [] },
        { label: "B", path: "docs/b", children: [] },
        { label: "Early", path: "docs/early", children: [] },
        {
          label: "Late",
          children: [
            { label: "Part 9", path: "docs/late/y", children: [] },
            { label: "Part 10", path: "docs/late/x", children: [] },
          ],
        },
      ],
    },
  ]);
});

test("headings have Zola's ids", async () => {
  const headings = [
    "## Something exciting!",
    "## Something exciting!",
    "## `code_name` & <b>more</b>",
    "## Größe",
    "## Own {#something-exciting-1}",
    "## 日本",
    "## Thanks 🎁",
    "## “Quoted” — a → b™",
  ];
  const ids = (markdown: string) => [...markdown.matchAll(/\{#([^}]*)\}/g)].map(([, id]) => id ?? "");
  expect(ids(await markdownOf(headings.join("\n\n")))).toEqual([
    "something-exciting",
    "something-exciting-2",
    "code-name-more",
    "grosse",
    "something-exciting-1",
    "",
    "",
    "quoted-a-btm",
  ]);
  const safe = `${CONFIG}[slugify]\nanchors = "safe"\n`;
  expect(ids(await markdownOf("## Set up (now)\n\n## 日本", {}, safe))).toEqual(["Set_up_(now)", "日本"]);
});

test("links lead to pages by their files, and from a page's own address", async () => {
  const site = await open(
    {
      "content/guide/a.md": page(
        "",
        "[b](@/guide/b.md#x) [c](../c/) [root](/base/c) [no](@/no.md) ![i](i.png) [s](#s)",
      ),
      "content/guide/b.md": page(),
    },
    'base_url = "https://docs.example/base/"\n',
  );
  expect((await readPageOf(site, "content/guide/a.md")).markdown).toBe(
    "[b](/guide/b#x) [c](/guide/c) [root](/c) [no](@/no.md) ![i](i.png) [s](#s)",
  );
});

describe("shortcodes", () => {
  test("are what their templates write, of the site before its theme", async () => {
    const files = {
      "templates/shortcodes/hello.md": "{# who #}Hello **{{ name }}**",
      "themes/plain/templates/shortcodes/hello.md": "theirs",
      "themes/plain/templates/shortcodes/aside.html": "<aside>{{ body | markdown | safe }}</aside>",
    };
    const config = `${CONFIG}theme = "plain"\n`;
    expect(await markdownOf("{{ hello(name=\"}} you\") }} and {{ hello(name='me') }}", files, config)).toBe(
      "Hello **}} you** and Hello **me**",
    );
    // What a template computes would be left as it is written.
    const computing = {
      "templates/shortcodes/shot.html": '<img src="{{ get_url(path=src) }}">{{ config.title }}',
    };
    expect(await markdownOf('{{ shot(src="a.png", alt="A") }}', computing)).toBe("![A](<a.png>)");
    expect(await markdownOf("{% aside() %}\n- one\n- two\n{% end %}", files, config)).toBe(
      "<aside>\n\n- one\n- two\n\n</aside>",
    );
  });

  test("without a template that can be read are the words that they have", async () => {
    expect(
      (await markdownOf('{% warning(title="Careful") %}\nHot.\n\n```sh\nrm\n```\n{% end %}')).trim(),
    ).toBe(":::warning[Careful]\n\nHot.\n\n```sh\nrm\n```\n\n:::");
    expect((await markdownOf('{% admonition(type="tip") %}\nDo.\n{% end %}')).trim()).toBe(
      ":::tip\n\nDo.\n\n:::",
    );
    expect((await markdownOf('{{ alert(danger=true, text="No.") }}')).trim()).toBe(":::danger\n\nNo.\n\n:::");
    expect(await markdownOf('{{ figure(src="a.png", alt="An [a]", caption="Shown") }}')).toBe(
      "![An \\[a\\]](<a.png>)\n\nShown",
    );
    expect(await markdownOf('a{{ youtube(id="x") }}b')).toBe("ab");
    expect(await markdownOf('{% columns() %}\nOne {{ x(text="two") }}\n{% end %}')).toBe("\nOne two\n");
  });

  test("may be written as tags, and text may be left as it is", async () => {
    expect(await markdownOf('{{<img src="a.svg" alt="A" page={page} />}}')).toBe("![A](<a.svg>)");
    expect((await markdownOf('{% <note title="T"> %}\nN\n{% </note> %}')).trim()).toBe(
      ":::note[T]\n\nN\n\n:::",
    );
    expect(await markdownOf("{% raw %}{{ x(a=1) }}{% endraw %}")).toBe("{{ x(a=1) }}");
    expect(await markdownOf("```md\n{{/* x(a=1) */}}\n{%/* y() */%}\n```\n`{{ z() }}`")).toBe(
      "```md\n{{ x(a=1) }}\n{% y() %}\n```\n`{{ z() }}`",
    );
  });

  test("that are not closed are text, and any number of them takes no longer than as much text", async () => {
    expect(await markdownOf("{% note() %}\nOpen")).toBe("{% note() %}\nOpen");
    for (const hostile of ["{{ a(", "{% a() %}", '{{ a(b="', "{{/*", "{% end %}", "{{<a b={", "{%"]) {
      const text = hostile.repeat(20_000);
      expect(await markdownOf(`${text}\n\nthe end`)).toEndWith("the end");
    }
  });
});
