import { describe, expect, test } from "bun:test";
import { rspress } from "../../../src/reading/generators/rspress/rspress.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

const CONFIG = 'import { defineConfig } from "@rspress/core";\nexport default defineConfig({});\n';
const withConfig = (inside: string) =>
  `import * as path from "node:path";\nexport default defineConfig({ ${inside} });\n`;
const open = (files: Record<string, string>, config = CONFIG, wanted = {}) =>
  openFiles(rspress, { "rspress.config.ts": config, ...files }, wanted);
const pathsOf = async (files: Record<string, string>, config?: string) =>
  (await open(files, config)).pages.map(({ path }) => path).sort();
const pageOf = async (
  text: string,
  files: Record<string, string> = {},
  config?: string,
  name = "docs/a.mdx",
) => {
  const { markdown, faults, data } = await readPageOf(await open({ [name]: text, ...files }, config), name);
  return { markdown: markdown.trim(), faults, data };
};

describe("addresses", () => {
  test("are those of files in docs, with .html unless they are clean", async () => {
    const files = {
      "docs/index.md": "",
      "docs/guide/index.mdx": "",
      "docs/guide/start.md": "",
      "docs/guide/_part.mdx": "",
      "docs/guide/__kept.md": "",
      "docs/public/x.md": "",
      "docs/theme.tsx": "",
      "docs/404.md": "",
      "README.md": "",
    };
    expect(await pathsOf(files)).toEqual(["", "guide", "guide/__kept.html", "guide/start.html"]);
    expect(await pathsOf(files, withConfig("route: { cleanUrls: true, exclude: ['guide/st*'] }"))).toEqual([
      "",
      "guide",
      "guide/__kept",
    ]);
  });

  test("begin in the folder that the configuration says, and it is asked for where that is computed", async () => {
    const files = { "site/a.md": "", "docs/b.md": "" };
    expect(await pathsOf(files, withConfig("root: 'site'"))).toEqual(["a.html"]);
    expect(await pathsOf(files, withConfig("root: path.join(__dirname, 'site')"))).toEqual(["a.html"]);
    const site = await open(files, withConfig("root: compute(where)"));
    expect(site.pages.map(({ path }) => path)).toEqual(["b.html"]);
    expect(site.unknowns.map(({ name }) => name)).toEqual(["root"]);
    const answered = await open(files, withConfig("root: compute(where)"), { answers: { root: "site" } });
    expect(answered.pages.map(({ path }) => path)).toEqual(["a.html"]);
  });

  const editions = {
    "docs/v1/en/a.md": "[b](/b) [c](/zh/b)",
    "docs/v1/en/b.md": "",
    "docs/v1/zh/b.md": "[b](/b)",
    "docs/v2/en/a.md": "[b](/b)",
    "docs/v2/en/b.md": "",
  };
  const several =
    "lang: 'en', locales: [{ lang: 'en' }, { lang: 'zh' }], multiVersion: { default: 'v1', versions: ['v1', 'v2'] }, route: { cleanUrls: true }";

  test("of the main language and version begin with neither", async () => {
    const site = await open(editions, withConfig(several));
    expect(site.language).toBe("en");
    expect(
      site.pages.map(({ path, edition }) => [path, edition?.language, edition?.version, edition?.topic]),
    ).toEqual([
      ["a", "en", "v1", "a"],
      ["b", "en", "v1", "b"],
      ["zh/b", "zh", "v1", "b"],
    ]);
    expect((await readPageOf(site, "docs/v1/en/a.md")).markdown).toBe("[b](/b) [c](/zh/b)");
    expect((await readPageOf(site, "docs/v1/zh/b.md")).markdown).toBe("[b](/zh/b)");
  });

  test("of another version begin with it, and so do its links", async () => {
    const site = await open(editions, withConfig(several), { version: "v2" });
    expect(site.pages.map(({ path, edition }) => [path, edition?.version])).toEqual([
      ["v2/a", "v2"],
      ["v2/b", "v2"],
    ]);
    expect((await readPageOf(site, "docs/v2/en/a.md")).markdown).toBe("[b](/v2/b)");
  });

  test("that were others lead to pages, if they are no patterns", async () => {
    const plugins =
      "plugins: [pluginClientRedirects({ redirects: [{ from: ['/old', '^/x'], to: '/a' }, { from: '/y', to: '/gone' }] })]";
    expect((await open({ "docs/a.md": "" }, withConfig(plugins))).redirects).toEqual([
      { from: "old", to: "a.html" },
    ]);
  });
});

test("a configuration without pages is no site", async () => {
  expect(await recognizeFiles({ "rspress.config.ts": CONFIG })).toBeUndefined();
});

describe("the menu", () => {
  test("is all that is there, where nothing lists it: the folder's page first, then by names", async () => {
    const site = await open({
      "docs/zebra.md": "# Zebra",
      "docs/index.md": "# Home",
      "docs/inner/index.md": "# Inner",
      "docs/inner/one.md": "# One",
      "docs/same.md": "# Same",
      "docs/same/two.md": "# Two",
      "docs/empty/x.png": "",
    });
    expect(site.menu).toEqual([
      { label: "Home", path: "", children: [] },
      { label: "Inner", path: "inner", children: [{ label: "One", path: "inner/one.html", children: [] }] },
      { label: "Same", path: "same.html", children: [{ label: "Two", path: "same/two.html", children: [] }] },
      { label: "Zebra", path: "zebra.html", children: [] },
    ]);
  });

  test("is what files list, in the parts of their titles, with words of the interface", async () => {
    const site = await open({
      "docs/_nav.json":
        '[{ "text": "nav", "link": "/guide/a" }, { "text": "Out", "link": "https://example.org" }]',
      "docs/guide/_meta.json":
        '["a", { "type": "section-header", "label": "First" }, "b", { "type": "dir-section-header", "name": "deep", "label": "Deep" }, { "type": "file", "name": "gone" }]',
      "docs/guide/a.md": "# A",
      "docs/guide/b.md": "# B",
      "docs/guide/deep/c.md": "# C",
      "docs/other/d.md": "# D",
      "i18n.json": '{ "nav": { "en": "The guide" } }',
    });
    expect(site.menu).toEqual([
      {
        label: "The guide",
        path: "guide/a.html",
        children: [
          { label: "A", path: "guide/a.html", children: [] },
          { label: "First", children: [{ label: "B", path: "guide/b.html", children: [] }] },
          { label: "Deep", children: [{ label: "C", path: "guide/deep/c.html", children: [] }] },
        ],
      },
      { label: "Out", href: "https://example.org", children: [] },
      { label: "other", children: [{ label: "D", path: "other/d.html", children: [] }] },
    ]);
  });

  test("of the configuration goes before files", async () => {
    const theme =
      "themeConfig: { nav: [{ text: 'Guide', link: '/guide/a' }], sidebar: { '/guide/': [{ text: 'Group', items: ['/guide/a', { text: 'B!', link: '/guide/b' }] }], '/x/': [{ text: 'X', link: '/x' }] } }";
    const site = await open(
      { "docs/guide/a.md": "# A", "docs/guide/b.md": "", "docs/x.md": "" },
      withConfig(theme),
    );
    expect(site.menu).toEqual([
      {
        label: "Guide",
        path: "guide/a.html",
        children: [
          {
            label: "Group",
            children: [
              { label: "A", path: "guide/a.html", children: [] },
              { label: "B!", path: "guide/b.html", children: [] },
            ],
          },
        ],
      },
      { label: "X", path: "x.html", children: [] },
    ]);
  });

  test("that a folder lists in itself, and often, is not endless", async () => {
    const itself = Array(40).fill({ type: "dir", name: "", label: "Again" });
    const site = await open({ "docs/_meta.json": JSON.stringify([...itself, "a"]), "docs/a.md": "# A" });
    const countOf = (menu: typeof site.menu): number =>
      menu.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
    expect(countOf(site.menu)).toBeLessThan(51_000);
  });
});

describe("markup", () => {
  test("ids are GitHub's or given, without components, and a title alone is a heading", async () => {
    expect(
      (await pageOf("---\ntitle: T\n---\n## A \\{#own}\n\n## A <Badge text='new' />\n\n## A")).markdown,
    ).toBe("# T {#t}\n\n## A {#own}\n\n## A {#a}\n\n## A {#a-1}");
    expect((await pageOf("# B {#b2}", {}, CONFIG, "docs/a.md")).data["title"]).toBe("B");
  });

  test("containers have their titles in all forms", async () => {
    const text =
      ':::tip{title="One"}\na\n:::\n\n::: warning Two\nb\n:::\n\n:::details\nc\n:::\n\n:::other\nd\n:::';
    expect((await pageOf(text, {}, CONFIG, "docs/a.md")).markdown).toBe(
      ":::tip[One]\na\n:::\n\n:::warning[Two]\nb\n:::\n\n:::note[Details]\nc\n:::\n\n:::other\nd\n:::",
    );
  });

  test("code of other files, and parts by the names that TypeScript has, are taken in", async () => {
    const files = {
      "docs/code.ts": "one();\n",
      "docs/shared/_part.mdx": "Part.",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@s/*": ["./docs/shared/*"] } } } // comment',
      "root.js": "two();",
    };
    const text =
      'import Part from "@s/_part.mdx";\n\n<Part />\n\n```ts title="x.ts" file="/code.ts"\n```\n\n```js file="<root>/root.js"\n```\n\n```js file="./gone.js"\n```';
    const { markdown, faults } = await pageOf(text, files);
    expect(markdown).toBe("Part.\n\n**x.ts**\n\n```ts\none();\n```\n\n```js\ntwo();\n```\n\n```js\n```");
    expect(faults).toEqual(["./gone.js, whose code it shows, is not in this source"]);
  });

  test("links lead to pages by files and by addresses, and others stay", async () => {
    const files = { "docs/b/index.md": "", "docs/b/c.mdx": "" };
    const text =
      "[1](./b/c.mdx#x) [2](/b/c.html) [3](b/) [4](/base/b/c) [5](/x.png) [6](#y) [7](https://example.org)";
    const { markdown } = await pageOf(text, files, withConfig("base: '/base/'"));
    expect(markdown).toBe(
      "[1](/b/c.html#x) [2](/b/c.html) [3](/b) [4](/b/c.html) [5](/x.png) [6](#y) [7](https://example.org)",
    );
  });
});
