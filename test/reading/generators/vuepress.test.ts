import { describe, expect, test } from "bun:test";
import { vuepress } from "../../../src/reading/generators/vuepress/vuepress.ts";
import { openFiles, readPageOf, siteOf } from "./open-files.ts";

const CONFIG = "docs/.vuepress/config.ts";
const open = (files: Record<string, string>) =>
  openFiles(vuepress, { [CONFIG]: "export default {}", ...files });

describe("addresses", () => {
  test("a page ends in .html, and README or index of any case is its folder", async () => {
    const site = await open({
      "docs/README.md": "# Home",
      "docs/guide/readme.md": "# Guide",
      "docs/api/index.md": "# API",
      "docs/api/README-old.md": "# Old",
      "docs/.vuepress/notes.md": "# Notes",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["", "api/README-old.html", "api", "guide"]);
  });

  test("a permalink of a page is its address, and links to its file lead there", async () => {
    const site = await open({
      "docs/a.md": "---\npermalink: /moved/here/\n---\n# A",
      "docs/b.md": "[A](./a.md#x) [C](./c/README.md) [C](./c/) [same](#y)",
      "docs/c/README.md": "# C",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["moved/here", "b.html", "c"]);
    const { markdown } = await readPageOf(site, "docs/b.md");
    expect(markdown).toBe("[A](/moved/here#x) [C](/c) [C](/c) [same](#y)");
  });

  test("patterns that leave files out are kept to", async () => {
    const site = await open({
      [CONFIG]: "export default { pagePatterns: ['**/*.md', '!drafts/**'] }",
      "docs/a.md": "# A",
      "docs/drafts/b.md": "# B",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["a.html"]);
    expect(site.leftOut.map(({ location }) => location)).toEqual(["docs/drafts/b.md"]);
  });

  test("a pattern for all addresses is asked about", async () => {
    const site = await open({ [CONFIG]: "export default { permalinkPattern: ':year/:slug.html' }" });
    expect(site.unknowns.map(({ question }) => question)).toEqual([expect.stringContaining(":year/:slug")]);
  });
});

describe("headings", () => {
  const PAGE = "# Same\n\n## Same\n\n## Same\n\n## Same 2\n\n### Ünïcode й ガ 한 & 1\n\n## 1st";
  const idsOf = async (files: Record<string, string>) => {
    const { markdown } = await readPageOf(await open({ "docs/a.md": PAGE, ...files }), "docs/a.md");
    return [...markdown.matchAll(/\{#(.*)\}/g)].map(([, id]) => id);
  };

  test("of version 1 are numbered from 2, whatever else there is, and lose the accents of Latin letters alone", async () => {
    const ids = ["same", "same-2", "same-3", "same-2", "unicode-й-ガ-한-1", "_1st"];
    for (const wanted of [
      '{"devDependencies":{"vuepress":"^1.8.3"}}',
      '{"dependencies":{"@vuepress/core":"1.9"}}',
    ])
      expect(await idsOf({ "package.json": wanted })).toEqual(ids);
    // Without a package, what only version 1 is set by.
    expect(await idsOf({ [CONFIG]: "module.exports = { themeConfig: { nav: [] } }" })).toEqual(ids);
  });

  test("of version 2 are numbered from 1, and no two are the same", async () => {
    const ids = ["same", "same-1", "same-2", "same-2-1"];
    expect((await idsOf({})).slice(0, 4)).toEqual(ids);
    const files = {
      "package.json": '{"devDependencies":{"vuepress":"2.0.0-rc.2"}}',
      [CONFIG]: "module.exports = { themeConfig: {} }",
    };
    expect((await idsOf(files)).slice(0, 4)).toEqual(ids);
  });

  test("have ids at the levels that the configuration names", async () => {
    const from2 = "module.exports = { markdown: { anchor: { level: 2 } } }";
    expect((await idsOf({ [CONFIG]: from2 })).slice(0, 3)).toEqual(["", "same", "same-1"]);
    const listed = "module.exports = { markdown: { anchor: { level: [1, 3] } } }";
    expect(await idsOf({ [CONFIG]: listed })).toEqual(["same", "", "", "", expect.any(String), ""]);
  });
});

test("definition lists are read where the configuration uses the plugin for them", async () => {
  const page = "# A\n\nPort\n:   Where it listens.\n\n    ::: tip\n    Open it.\n    :::\n";
  const config =
    "module.exports = { markdown: { extendMarkdown: (md) => md.use(require('markdown-it-deflist')) } }";
  const read = async (text: string) =>
    (await readPageOf(await open({ [CONFIG]: text, "docs/a.md": page }), "docs/a.md")).markdown;
  expect(await read(config)).toMatch(/^- \*\*Port\*\*\\\n {2}Where it listens\.\n+ {2}Open it\.$/m);
  expect(await read("module.exports = {}")).toContain("Port\n:   Where");
});

describe("the menu", () => {
  const files = {
    "docs/README.md": "# Home",
    "docs/guide/README.md": "---\ntitle: The guide\n---\n",
    "docs/guide/start.md": "# Getting *started*",
    "docs/de/guide/README.md": "# Handbuch",
  };

  test("of version 2: theme called with locales, children, prefixes, and entries named by their pages", async () => {
    const site = await open({
      ...files,
      [CONFIG]: `import { defaultTheme } from "@vuepress/theme-default";
        import { de } from "./de.js";
        export default defineUserConfig({
          locales: { "/": { lang: "en-US" }, "/de/": { lang: "de-DE" } },
          theme: defaultTheme({ locales: {
            "/": { selectLanguageName: "English", sidebar: { "/guide/": [{ text: "Guide", prefix: "/guide/", children: ["README.md", "start"] }] } },
            "/de/": { selectLanguageName: "Deutsch", sidebar: de } } }) })`,
      "docs/.vuepress/de.ts": `export const de = ["/de/guide/"];`,
    });
    expect(site.menu).toEqual([
      {
        label: "English",
        language: "en-US",
        children: [
          {
            label: "Guide",
            children: [
              { label: "The guide", path: "guide", children: [] },
              { label: "Getting started", path: "guide/start.html", children: [] },
            ],
          },
        ],
      },
      {
        label: "Deutsch",
        language: "de-DE",
        children: [{ label: "Handbuch", path: "de/guide", children: [] }],
      },
    ]);
    expect(site.pages.find(({ path }) => path === "de/guide")?.edition).toEqual({
      language: "de-DE",
      topic: "guide",
    });
  });

  test("of version 1: themeConfig with titles, paths, pairs, and paths below the folder of a sidebar", async () => {
    const site = await open({
      ...files,
      "docs/.vuepress/config.js": `module.exports = { themeConfig: { sidebar: {
        "/guide/": ["", ["start", "First steps"], { title: "More", path: "/", children: ["/de/guide/"] }] } } }`,
      [CONFIG]: "",
    });
    expect(site.menu).toEqual([
      { label: "The guide", path: "guide", children: [] },
      { label: "First steps", path: "guide/start.html", children: [] },
      { label: "More", path: "", children: [{ label: "Handbuch", path: "de/guide", children: [] }] },
    ]);
  });

  test("without a sidebar it is the bar at the top", async () => {
    const site = await open({
      ...files,
      [CONFIG]: `export default { theme: hopeTheme({ sidebar: "structure", navbar: ["/", { text: "Guide", link: "/guide/start.md" }] }) }`,
    });
    expect(site.menu).toEqual([
      { label: "Home", path: "", children: [] },
      { label: "Guide", path: "guide/start.html", children: [] },
    ]);
  });
});

describe("what only its Markdown has", () => {
  const read = async (markdown: string, files: Record<string, string> = {}) =>
    readPageOf(await open({ ...files, "docs/page.md": markdown }), "docs/page.md");

  test("tabs and code groups", async () => {
    const tabs = await read(
      "::: code-tabs#shell\n\n@tab:active npm\n\n```sh\nnpm i\n```\n\n@tab yarn#y\n\n```sh\nyarn\n```\n\n:::",
    );
    expect(tabs.markdown).not.toMatch(/@tab|code-tabs|#y/);
    expect(tabs.markdown).toMatch(/npm[\s\S]*npm i[\s\S]*yarn[\s\S]*yarn/);
    const group = await read(":::: code-group\n::: code-group-item NPM:active\n```sh\nnpm i\n```\n:::\n::::");
    expect(group.markdown).toContain("NPM");
    expect(group.markdown).not.toMatch(/code-group|:active/);
  });

  test("code from other files, whole or some lines of it", async () => {
    const page = await read("@[code](../code/a.js)\n\n@[code{2-3} js:no-line-numbers](../code/a.js)\n", {
      "code/a.js": "one\ntwo\nthree\nfour\n",
    });
    expect(page.markdown).toContain("```js\none\ntwo\nthree\nfour\n```");
    expect(page.markdown).toContain("```js\ntwo\nthree\n```");
  });

  test("a home page says what it shows", async () => {
    const page = await read(
      "---\nhome: true\nheroText: Acme\ntagline: Does it all\nactions:\n  - text: Start\n    link: /guide/\nfeatures:\n  - title: Fast\n    details: Very\n---\n",
    );
    expect(page.markdown).toContain("**Acme**");
    expect(page.markdown).toContain("Does it all");
    expect(page.markdown).toContain("[Start](/guide)");
    expect(page.markdown).toContain("**Fast**: Very");
  });

  test("anchors are VuePress's", async () => {
    const page = await read("## 1. Über uns!\n\n## 1. Über uns!\n");
    expect(page.markdown).toContain("{#_1-uber-uns}");
    expect(page.markdown).toContain("{#_1-uber-uns-1}");
  });
});

test("a repository of VuePress is recognized", async () => {
  const site = await siteOf({ "docs/.vuepress/config.js": "module.exports = {}", "docs/README.md": "# A" });
  expect(site.generator).toBe("VuePress");
});
