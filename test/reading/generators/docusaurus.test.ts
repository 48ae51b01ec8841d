import { describe, expect, test } from "bun:test";
import { docusaurus } from "../../../src/reading/generators/docusaurus/docusaurus.ts";
import { openFiles } from "./open-files.ts";

const FILES = {
  "docusaurus.config.js": "module.exports = { presets: [['classic', {}]] };",
  "versions.json": '["2.0", "1.0"]',
  "docs/a.md": "# A of what comes next",
  "versioned_docs/version-2.0/a.md": "# A of 2",
  "versioned_docs/version-1.0/a.md": "# A of 1",
};
const open = (files: Record<string, string>, version?: string) => openFiles(docusaurus, files, { version });
const pathsIn = async (version?: string) =>
  (await open(FILES, version)).pages.map(({ location, path }) => `${location} ${path}`);

describe("Docusaurus", () => {
  test("of several versions the latest is read, and another where it is asked for", async () => {
    expect(await pathsIn()).toEqual(["versioned_docs/version-2.0/a.md docs/a"]);
    expect(await pathsIn("1.0")).toEqual(["versioned_docs/version-1.0/a.md docs/1.0/a"]);
    expect(await pathsIn("current")).toEqual(["docs/a.md docs/next/a"]);
    expect(await pathsIn("no such version")).toEqual(await pathsIn());
    expect((await open(FILES)).leftOut).toContainEqual({
      location: "versioned_docs/version-1.0/a.md",
      detail: "is of version 1.0, and not of 2.0: a source with --version 1.0 reads it",
    });
  });

  test("a partial is imported from the site's root by a path that begins with a slash", async () => {
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/page.mdx": 'import Soon from "/docs/_soon.mdx";\n\n# Page\n\n<Soon />\n',
      "docs/_soon.mdx": "In progress.",
    });
    const page = site.pages.find(({ location }) => location === "docs/page.mdx");
    if (page === undefined) throw new Error("the page is not published");
    expect(await site.read(page)).toMatchObject({
      markdown: expect.stringContaining("In progress."),
      faults: [],
    });
  });

  test("MDX in a fence of its own is read as if it stood in the page, and as code where an example shows it", async () => {
    const shown = "````md\n```mdx-code-block\n<Later />\n```\n````";
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/page.md": `# Page\n\n\`\`\`mdx-code-block\nimport Soon from "./_soon.md";\n\n<Soon />\n\`\`\`\n\n${shown}\n`,
      "docs/_soon.md": "```ts\nlet soon;\n```",
    });
    const { markdown, faults } = await site.read({ location: "docs/page.md", path: "docs/page" });
    expect(faults).toEqual([]);
    expect(markdown).toContain("```ts\nlet soon;\n```");
    expect(markdown).not.toContain("import Soon");
    expect(markdown).toContain(shown);
  });

  test("what imports and shows partials as an example stays code", async () => {
    const example = "```mdx\nimport Soon from './_soon.md';\nimport Gone from './_gone.md';\n\n<Soon />\n```";
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/page.mdx": `# Page\n\nimport Soon from "./_soon.md";\n\n${example}\n\n<Soon />\n`,
      "docs/_soon.md": "In progress.",
    });
    const { markdown, faults } = await site.read({ location: "docs/page.mdx", path: "docs/page" });
    expect(faults).toEqual([]);
    expect(markdown).toContain(example);
    expect(markdown.split("In progress.")).toHaveLength(2);
  });

  test("MDX in a fence of its own in a partial is read as MDX, too", async () => {
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/page.mdx": `import Soon from "./_soon.md";\n\n# Page\n\n<Soon />\n`,
      "docs/_soon.md": 'Now.\n\n```mdx-code-block\nimport Late from "./_late.md";\n\n<Late />\n```\n',
      "docs/_late.md": "Later.",
    });
    const { markdown, faults } = await site.read({ location: "docs/page.mdx", path: "docs/page" });
    expect(faults).toEqual([]);
    expect(markdown.trim().split(/\n+/)).toEqual(["# Page {#}", "Now.", "Later."]);
  });

  test("a partial that imports itself, one outside of the source, and a missing one are said", async () => {
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/a.mdx": [
        "import Self from './_self.mdx';",
        "import Out from '../../../etc/passwd.md';",
        "import Gone from '@site/gone.mdx';",
        "",
        "<Self />",
        "<Out />",
        "<Gone />",
        "Words.",
      ].join("\n"),
      "docs/_self.mdx": "import Self from './_self.mdx';\n\nOnce.\n\n<Self />",
    });
    const [page] = site.pages;
    const { markdown, faults } = await site.read(page ?? { location: "", path: "" });
    expect(markdown).toContain("Once.");
    expect(markdown).toContain("Words.");
    expect(markdown).not.toContain("<");
    expect(faults).toEqual([
      "./_self.mdx, which it imports, imports itself, or is nested too deeply",
      "../../../etc/passwd.md, which it imports, is not in this source",
      "@site/gone.mdx, which it imports, is not in this source",
    ]);
  });

  const readPage = async (site: Awaited<ReturnType<typeof open>>, location: string) =>
    site.read(site.pages.find((page) => page.location === location) ?? { location: "", path: "" });

  test("a partial is found although its name is written with escapes", async () => {
    const site = await open({
      "docusaurus.config.js": FILES["docusaurus.config.js"],
      "docs/page.mdx": "import Soon from './\\_soon.mdx';\n\n# Page\n\n<Soon />\n",
      "docs/_soon.mdx": "In progress.",
    });
    expect(await readPage(site, "docs/page.mdx")).toMatchObject({
      markdown: expect.stringContaining("In progress."),
      faults: [],
    });
  });

  test("an address that begins with the site's own base leads to its page, in the text and in the menu", async () => {
    const site = await open({
      "docusaurus.config.js":
        "const base = '/project'; module.exports = { baseUrl: base + '/', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };",
      "sidebars.js":
        "module.exports = { all: ['a', { type: 'link', label: 'B', href: '/project/docs/b' }, { type: 'link', label: 'Play', href: '/play' }] };",
      "docs/a.md": "# A\n\n[B](/project/docs/b#x), [too](/docs/b), [host](/other)",
      "docs/b.md": "# B",
    });
    expect((await readPage(site, "docs/a.md")).markdown).toContain(
      "[B](/docs/b#x), [too](/docs/b), [host](/other)",
    );
    expect(site.menu).toEqual([
      { label: "A", path: "docs/a", children: [] },
      { label: "B", path: "docs/b", children: [] },
      { label: "Play", href: "/play", children: [] },
    ]);
  });

  test("links to addresses are relative to a folder where all addresses end in a slash", async () => {
    const markdownWith = async (setting: string) => {
      const site = await open({
        "docusaurus.config.js": `module.exports = { ${setting} presets: [["classic", {}]] };`,
        "docs/a/index.md": "# A",
        "docs/a/b.md": "# B\n\n[C](c)",
        "docs/given/index.md": "---\nslug: /x/y\n---\n\n[C](c)",
      });
      return Promise.all(
        ["docs/a/b.md", "docs/given/index.md"].map(async (file) => (await readPage(site, file)).markdown),
      );
    };
    expect(await markdownWith("")).toEqual([
      expect.stringContaining("(/docs/a/c)"),
      expect.stringContaining("(/docs/x/c)"),
    ]);
    expect(await markdownWith("trailingSlash: true,")).toEqual([
      expect.stringContaining("(/docs/a/b/c)"),
      expect.stringContaining("(/docs/x/y/c)"),
    ]);
  });

  test("redirects that the plugin for them lists are known, and those that a program makes asked for", async () => {
    const site = await open({
      "docusaurus.config.js": `module.exports = {
        presets: [['classic', {}]],
        plugins: [['@docusaurus/plugin-client-redirects', {
          redirects: [{ from: ['/old', '/older'], to: '/docs/a' }, { from: '/b', to: '/docs/a' }],
          createRedirects(path) { return [path + '.html']; },
        }]],
      };`,
      "docs/a.md": "# A",
    });
    expect(site.redirects.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "/old /docs/a",
      "/older /docs/a",
      "/b /docs/a",
    ]);
    expect(site.unknowns).toEqual([
      { question: "Which redirects does createRedirects make? It is a program.", guess: "none" },
    ]);
  });

  test("what a configuration computes is asked for, with what was taken", async () => {
    const files = {
      ...FILES,
      "docusaurus.config.js":
        "const path = process.env.DOCS ?? 'docs'; module.exports = { presets: [['classic', { docs: { path, routeBasePath: base() } }]] };",
    };
    expect((await open(files)).unknowns).toEqual([
      {
        name: "path",
        question: 'What is path? The configuration computes it: process.env.DOCS ?? "docs"',
        guess: "docs",
      },
      {
        name: "routeBasePath",
        question: "What is routeBasePath? The configuration computes it: base(…)",
        guess: "docs",
      },
    ]);
    const { unknowns, pages } = await openFiles(docusaurus, files, { answers: { routeBasePath: "/" } });
    expect(unknowns.map(({ name }) => name)).toEqual(["path"]);
    expect(pages.some(({ path }) => path.startsWith("docs"))).toBe(false);
  });
});

test("a category without pages has no page of its own, and one that repeats an address leaves it to the first", async () => {
  const site = await openFiles(docusaurus, {
    "docusaurus.config.js":
      "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };",
    "sidebars.js": `module.exports = { all: [
      { type: "category", label: "Empty", link: { type: "generated-index" }, items: [] },
      { type: "category", label: "Guides", link: { type: "generated-index", slug: "/a" }, items: ["b"] },
      { type: "category", label: "Same", link: { type: "generated-index" }, items: ["b"] },
      { type: "category", label: "Same", link: { type: "generated-index" }, items: ["b"] },
    ] };`,
    "docs/a.md": "# Written",
    "docs/b.md": "---\ndescription: About *b*.\n---\n\n# B\n\nSee [the category](/docs/category/same).",
  });
  expect(site.pages.map(({ path }) => path)).toEqual([
    "docs/a",
    "docs/b",
    "docs/category/same",
    "docs/category/same-1",
  ]);
  expect(new Set(site.pages.map(({ location }) => location)).size).toBe(4);
  const page = site.pages.find(({ path }) => path === "docs/category/same");
  if (page === undefined) throw new Error("there is no page of the category");
  const { data, markdown } = await site.read(page);
  expect(data).toEqual({ title: "Same" });
  expect(markdown).toBe("# Same {#}\n\n- [B](</docs/b>): About \\*b\\*.");
});

describe("the languages of Docusaurus", () => {
  const FRENCH = "i18n/fr/docusaurus-plugin-content-docs";
  const config = (i18n: string) =>
    `module.exports = { baseUrl: "/project/", i18n: ${i18n}, presets: [["classic", {}]] };`;
  const TWO = config('{ defaultLocale: "en", locales: ["en", "fr"] }');

  test("a translation stands below its language, and what nobody translated is read once", async () => {
    const site = await open({
      "docusaurus.config.js": TWO,
      "docs/a.md": "# A",
      "docs/b.md": "# B",
      [`${FRENCH}/current/a.md`]:
        "# A en français\n\n[B](/docs/b#x) [lui](/project/fr/docs/a) [file](./b.md)",
      [`${FRENCH}/current/gone.md`]: "# Perdu",
    });
    expect(site.pages.map(({ path, edition }) => [path, edition?.language])).toEqual([
      ["docs/a", "en"],
      ["docs/b", "en"],
      ["fr/docs/a", "fr"],
    ]);
    expect(site.redirects).toEqual([{ from: "fr/docs/b", to: "docs/b" }]);
    expect(site.leftOut).toEqual([
      { location: `${FRENCH}/current/gone.md`, detail: "translates docs/gone.md, which is not there" },
    ]);
    const page = site.pages.find(({ path }) => path === "fr/docs/a") ?? { location: "", path: "" };
    const { markdown } = await site.read(page);
    expect(markdown).toContain("[B](/docs/b#x) [lui](/fr/docs/a) [file](/docs/b)");
  });

  test("a translation that has another address is still that of its page", async () => {
    const site = await open({
      "docusaurus.config.js": TWO,
      "docs/a.md": "# A",
      [`${FRENCH}/current/a.md`]: "---\nslug: z\n---\n\n# Z",
    });
    expect(new Set(site.pages.map(({ edition }) => edition?.topic)).size).toBe(1);
  });

  test("of the latest version alone translations are read, unless another is asked for", async () => {
    const files = {
      ...FILES,
      "docusaurus.config.js": TWO,
      [`${FRENCH}/current/a.md`]: "# A",
      [`${FRENCH}/version-2.0/a.md`]: "# A",
      [`${FRENCH}/version-1.0/a.md`]: "# A",
    };
    const french = async (version?: string) =>
      (await open(files, version)).pages.filter(({ location }) => location.startsWith("i18n"));
    expect(await french()).toMatchObject([{ location: `${FRENCH}/version-2.0/a.md`, path: "fr/docs/a" }]);
    expect(await french("1.0")).toMatchObject([
      { location: `${FRENCH}/version-1.0/a.md`, path: "fr/docs/1.0/a" },
    ]);
    expect((await open(files)).leftOut.map(({ location }) => location)).toContain(
      `${FRENCH}/version-1.0/a.md`,
    );
  });

  test("those that a configuration computes are taken from the folders, with a question", async () => {
    const site = await open({
      "docusaurus.config.js": config("{ defaultLocale: 'en', locales: pick() }"),
      "docs/a.md": "# A",
      [`${FRENCH}/current/a.md`]: "# A",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["docs/a", "fr/docs/a"]);
    expect(site.unknowns.map(({ guess }) => guess)).toEqual(["en, fr"]);
  });

  test("one that has another host, or no translations, is none of the site's", async () => {
    const site = await open({
      "docusaurus.config.js": config(
        '{ defaultLocale: "en", locales: ["en", "fr", "de"], localeConfigs: { fr: { url: "https://fr.example.org" } } }',
      ),
      "docs/a.md": "# A",
      [`${FRENCH}/current/a.md`]: "# A",
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["docs/a"]);
    expect(site.menu).toEqual([{ label: "A", path: "docs/a", children: [] }]);
  });
});
