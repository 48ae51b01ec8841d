import { describe, expect, test } from "bun:test";
import { eleventy } from "../../../src/reading/generators/eleventy/eleventy.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

const CONFIG = "export default function (config) {}\n";
const open = (files: Record<string, string>, config = CONFIG) =>
  openFiles(eleventy, { "eleventy.config.js": config, ...files });
const pathsOf = async (files: Record<string, string>, config?: string) =>
  (await open(files, config)).pages.map(({ path }) => path).sort();
const page = (front: string, body = "") => `---\n${front}\n---\n${body}`;
const pageOf = async (text: string, files: Record<string, string> = {}, config?: string) => {
  const { markdown, faults, data } = await readPageOf(await open({ "a.md": text, ...files }, config), "a.md");
  return { markdown: markdown.trim(), faults, data };
};
const withEngine = (engine: string, more = "") =>
  `module.exports = function (eleventyConfig) {\n${more}\nreturn { markdownTemplateEngine: ${engine} };\n};\n`;

describe("addresses", () => {
  const files = {
    "docs/index.md": "",
    "docs/a.md": "",
    "docs/deep/deep.md": "",
    "docs/2024-01-02-day.md": "",
    "docs/_includes/part.md": "",
    "docs/x.njk": "",
    "README.md": "",
  };
  const expected = ["", "2024-01-02-day", "a", "deep", "x"];

  test("are those of files below the folder that the configuration names, in all the ways that there are", async () => {
    expect(await pathsOf(files, 'module.exports = (c) => ({ dir: { input: "docs" } });')).toEqual(expected);
    expect(await pathsOf(files, 'export default (c) => { c.setInputDirectory("docs"); };')).toEqual(expected);
    expect(await pathsOf(files, `${CONFIG}export const config = { dir: { input: "./docs" } };`)).toEqual(
      expected,
    );
    const json = '{ "scripts": { "build": "NODE_ENV=production eleventy --quiet --input=docs" } }';
    expect(await pathsOf({ ...files, "package.json": json })).toEqual(expected);
  });

  test("are given by front matter, by files of data, by layouts and by the configuration, the nearest first", async () => {
    const data = {
      "_includes/base.njk": page("permalink: /layout/{{ page.fileSlug }}/"),
      "a.md": page("layout: base.njk"),
      "t/t.json": '{ "permalink": "/t/{{ title | slugify }}.html" }',
      "t/b.md": page("title: Über Ä & Bé"),
      "t/c.md": page("title: C"),
      "t/c.11tydata.js": 'module.exports = { permalink: "/own/" };',
      "t/d.md": page('permalink: "{{ page.filePathStem }}/index.html"\nlayout: base.njk'),
      "e.md": page("eleventyComputed:\n  permalink: /computed/{{ n or 'none' }}/\nn: 5"),
    };
    const config = 'export default (c) => { c.addGlobalData("permalink", "/global/{{ page.fileSlug }}/"); };';
    expect(await pathsOf({ ...data, "f.md": "" }, config)).toEqual([
      "computed/5",
      "global/f",
      "layout/a",
      "own",
      "t/d",
      "t/ueber-ae-and-be.html",
    ]);
  });

  test("that only JavaScript tells are not guessed", async () => {
    const site = await open(
      {
        "a.md": page('permalink: "/{{ title | own }}/"\ntitle: A'),
        "b.md": page('permalink: "/{{ nothing }}/"'),
        "c.md": page("x: 1"),
        "c.11tydata.js": "module.exports = { permalink: (data) => compute(data) };",
        "d.md": page("permalink: false"),
        "e.md": page("pagination:\n  data: things\n  size: 1"),
        "f.md": page("permalink: /f.txt"),
        "g.md": page("draft: true"),
        "h.md": "",
      },
      'module.exports = (c) => { c.addFilter("own", (x) => x); c.addPreprocessor("drafts", "*", (d) => !d.draft); };',
    );
    expect(site.pages.map(({ path }) => path)).toEqual(["h"]);
    expect(site.leftOut.map(({ location, detail }) => `${location} ${detail}`)).toEqual([
      "a.md has an address that only Eleventy can tell",
      "b.md has an address that only Eleventy can tell",
      "c.md has an address that only Eleventy can tell",
      "d.md is not published by its front matter",
      "e.md stands for pages that are made of data",
      "g.md is a draft",
    ]);
  });

  test("of what is ignored there are none", async () => {
    const config = 'module.exports = (c) => { c.ignores.add("old/**"); c.setTemplateFormats("md"); };';
    const files = {
      "a.md": "",
      "old/b.md": "",
      "drafts/c.md": "",
      "node_modules/x/d.md": "",
      "e.html": "",
      ".eleventyignore": "# those\ndrafts/\n",
    };
    expect(await pathsOf(files, config)).toEqual(["a"]);
  });

  test("of translations are in the folders of their languages", async () => {
    const config = 'module.exports = (c) => { c.addPlugin(EleventyI18nPlugin, { defaultLanguage: "en" }); };';
    const site = await open({ "en/a.md": "", "de/a.md": "", "index.md": "" }, config);
    expect(site.language).toBe("en");
    expect(site.pages.map(({ path, edition }) => [path, edition?.language, edition?.topic])).toEqual([
      ["de/a", "de", "a"],
      ["en/a", "en", "a"],
      ["", "en", ""],
    ]);
  });
});

test("a configuration without pages is no site", async () => {
  expect(await recognizeFiles({ ".eleventy.js": CONFIG })).toBeUndefined();
});

test("the menu is that of the plugin: by keys, pinned first, then by order", async () => {
  const nav = (key: string, more = "") => page(`eleventyNavigation:\n  key: ${key}\n  ${more}`);
  const site = await open({
    "a.md": nav("Late"),
    "b.md": nav("Two", "order: 2"),
    "c.md": nav("Pinned", "pinned: true"),
    "d.md": nav("Child", "parent: Two\n  title: The child"),
    "e.md": nav("Out", "url: https://example.org"),
    "f.md": "",
    "g.md": nav("Circle", "parent: Circle"),
    "h.md": nav("Orphan", "parent: Nowhere"),
  });
  expect(site.menu).toEqual([
    { label: "Pinned", path: "c", children: [] },
    { label: "Two", path: "b", children: [{ label: "The child", path: "d", children: [] }] },
    { label: "Late", path: "a", children: [] },
    { label: "Out", href: "https://example.org", children: [] },
    { label: "Nowhere", children: [{ label: "Orphan", path: "h", children: [] }] },
  ]);
});

test("a menu in which each key is that of many pages ends", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => {
      const level = index % 6;
      const parent = level === 0 ? "" : `\n  parent: k${level - 1}`;
      return [`p${index}.md`, page(`eleventyNavigation:\n  key: k${level}${parent}`)];
    }),
  );
  const site = await open(files);
  const countOf = (menu: typeof site.menu): number =>
    menu.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
  expect(countOf(site.menu)).toBe(50_000);
});

describe("templates", () => {
  test("are written out where that needs no program, in code too", async () => {
    const text = page(
      "list: [one, two]\nyes: true",
      "{% if yes and list.length %}y{% else %}n{% endif %}{% unless yes %}no{% endunless %}\n\n{% for x in list %}- {{ x | upcase }}\n{% endfor %}\n`{% raw %}{{ x }}{% endraw %}`\n{% assign a = 'A' %}{% capture b %}{{ a }}B{% endcapture %}\n```\n{{ b }}\n```\n{% comment %}gone{% endcomment %}{% highlight js %}\nlet a;\n{% endhighlight %}",
    );
    expect((await pageOf(text)).markdown).toBe(
      "y\n\n- ONE\n- TWO\n\n`{{ x }}`\n\n```\nAB\n```\n\n```js\nlet a;\n```",
    );
  });

  test("that are code by the plugin for that are code", async () => {
    const text =
      '{% set code %}\nlet a = 1;\n{% endset %}\n<div>\n{{ code | highlight("js") | safe }}\n</div>';
    expect((await pageOf(text)).markdown).toContain("```js\nlet a = 1;\n```");
  });

  test("that only a program tells leave nothing, and say so; ids and links with them are not guessed", async () => {
    const config = "module.exports = (c) => { c.addPlugin(IdAttributePlugin); };";
    const { markdown, faults } = await pageOf(
      "## Since {% version %}\n\n## Plain\n\n[to](/x/{{ where }}/) {{ a | own }} {% for x in collections.all %}{{ x }}{% endfor %}{% if env.x %}y{% endif %}",
      {},
      config,
    );
    expect(markdown).toBe("## Since {#}\n\n## Plain {#plain}\n\nto");
    expect(faults).toEqual([
      "what {% version %} shows is not known",
      "what {{ where }} shows is not known",
      "what {{ a | own }} shows is not known",
      "what {% for x in collections.all %} goes over is not known",
      "whether {% if env.x %} holds is not known",
    ]);
  });

  test("that hold words are those words, and callouts if they are called so", async () => {
    const text =
      '{% warning "Hot" %}\n{% callout "tip" %}\nCold\n{% endcallout %}\n{% fancy %}Plain{% endfancy %}';
    expect((await pageOf(text)).markdown).toBe(
      ":::warning\n\nHot\n\n:::\n\n\n\n\n:::tip\n\nCold\n\n:::\n\n\nPlain",
    );
  });

  test("of other files are taken in, but not for ever", async () => {
    const files = { "_includes/b.liquid": "{{ who }} {% include 'b' %}" };
    const { markdown, faults } = await pageOf("{% include 'b', who: 'B' %}{% include 'gone' %}", files);
    expect(markdown).toBe("B");
    expect(faults).toEqual([
      "b, which it includes, includes itself",
      "gone, which it includes, is not in this source",
    ]);
  });

  test("are none where the site has no engine for Markdown, and comments only in Nunjucks", async () => {
    expect((await pageOf("{{ a }} {# b #}", {}, withEngine("false"))).markdown).toBe("{{ a }} {# b #}");
    expect((await pageOf("a {# b #}", {}, withEngine('"njk"'))).markdown).toBe("a");
    expect((await pageOf("a {# b #}")).markdown).toBe("a {# b #}");
  });

  test("without their ends are no endless work", async () => {
    expect((await pageOf("{% a %}".repeat(20_000))).markdown).toBe("");
    for (const piece of ['{% "a', "{{ 'a' \"b", "{% if a ", "{% if ", "{# ", '{% x "%}"'])
      expect((await pageOf(piece.repeat(20_000))).markdown.length).toBeGreaterThanOrEqual(0);
    expect(
      (await pageOf(`{% if a %}${"{% for b in ".repeat(20_000)}{% endif %}`)).faults.length,
    ).toBeLessThan(51);
  });

  test("end where their marks do, and not in quotes", async () => {
    expect(
      (await pageOf('{{ "%} }}" }} {{ \'a"b\' }}{% assign x = "%}" %} {{ x }} it{{ "\'" }}s')).markdown,
    ).toBe("%} }} a\"b %} it's");
  });
});

describe("ids of headings", () => {
  const ids = async (headings: string, config: string, files: Record<string, string> = {}) =>
    [...(await pageOf(headings, files, config)).markdown.matchAll(/\{#([^}]*)\}/g)].map(([, id]) => id);
  const anchor = (options: string, more = "") =>
    `import anchor from "markdown-it-anchor";\n${more}\nexport default (c) => { c.amendLibrary("md", (md) => md.use(anchor, ${options})); };`;

  test("there are none where no plugin makes them", async () => {
    expect(await ids("## A", CONFIG)).toEqual([""]);
  });

  test("of markdown-it-anchor are its own, or of the function that it is given", async () => {
    const headings = "# It's (A)\n\n## B `c`\n\n## B `c`";
    expect(await ids(headings, anchor("{ level: 2 }"))).toEqual(["", "b-c", "b-c-1"]);
    expect(await ids(headings, anchor("{}"))).toEqual(["it's-(a)", "b-c", "b-c-1"]);
    const github = anchor("{ slugify: (s) => slug(s) }", 'import { slug } from "github-slugger";');
    expect(await ids(headings, github)).toEqual(["its-a", "b-c", "b-c-1"]);
    expect(await ids(headings, anchor('{ slugify: c.getFilter("slugify") }'))).toEqual([
      "its-a",
      "b-c",
      "b-c-1",
    ]);
  });

  test("of a function that is a program are asked about", async () => {
    const site = await open({ "a.md": "" }, anchor("{ slugify: (s) => s.replace(/x/, 'y') }"));
    expect(site.unknowns.map(({ question }) => question).join()).toContain("How does slugify make ids");
  });

  test("given by attributes are those, and other attributes are not shown", async () => {
    const config = anchor("{}", 'import attrs from "markdown-it-attrs";');
    const { markdown } = await pageOf("## A {#own}\n\n## B {.x}\n\nText {.y}", {}, config);
    expect(markdown).toBe("## A {#own}\n\n## B {#b}\n\nText");
  });
});

test("a page whose front matter is in JSON that cannot be read, and names groups, is for nobody", async () => {
  const { data, faults } = await pageOf('---json\n{ "groups": ["hr" }\n---\nPay');
  expect(data["groups"]).toEqual({});
  expect(faults).toEqual(["front matter is not valid JSON"]);
  expect((await pageOf('---json\n{ "groups": ["hr"] }\n---\nPay')).data["groups"]).toEqual(["hr"]);
  expect((await pageOf("---js\nconst groups = who();\n---\nPay")).data["groups"]).not.toEqual([]);
});

test("containers of no callout are only what is in them", async () => {
  expect((await pageOf("::: tip\nA\n:::\n\n::: box\nB\n:::")).markdown).toBe(":::tip\nA\n:::\n\n\nB");
});
