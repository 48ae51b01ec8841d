import { expect, test } from "bun:test";
import { nuxtContent } from "../../../src/reading/generators/nuxt-content/nuxt-content.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

const CONFIG = 'export default defineNuxtConfig({ modules: ["@nuxt/content"] });';
const version = (of: string) => JSON.stringify({ dependencies: { "@nuxt/content": of } });

test("Nuxt without Nuxt Content is left alone", async () => {
  const files = { "nuxt.config.ts": "export default defineNuxtConfig({});", "content/index.md": "# Hello" };
  expect(await recognizeFiles(files)).toBeUndefined();
});

test("Nuxt Content 3 without collections takes all of content, in the order of its database", async () => {
  const site = await openFiles(nuxtContent, {
    "nuxt.config.ts": CONFIG,
    "package.json": version("^3.1.0"),
    "content/index.md": "# Home",
    "content/2.two.md": "# Two",
    "content/10.ten.md": "# Ten",
    "content/3.not-yet.md": "---\ndraft: true\n---\n",
  });
  expect(site.generator).toBe("Nuxt Content");
  expect(site.menu.map(({ label }) => label)).toEqual(["Ten", "Two", "Home"]);
  expect(site.leftOut).toEqual([{ location: "content/3.not-yet.md", detail: "is a draft" }]);
});

test("Nuxt Content 2 has numbers in order, _dir.yml, drafts by name and parts", async () => {
  const site = await openFiles(nuxtContent, {
    "nuxt.config.ts": CONFIG,
    "package.json": version("^2.13.0"),
    "content/2.guide/_dir.yml": "title: The guide\nnavigation.icon: book",
    "content/2.guide/2.two.md": "# Two",
    "content/2.guide/10.ten.md": "# Ten",
    "content/2.guide/3.later.draft.md": "# Later",
    "content/2.guide/_part.md": "A part.",
    "content/3.private/_dir.yml": "navigation: false",
    "content/3.private/1.page.md": "# Not in the menu",
  });
  expect(site.generator).toBe("Nuxt Content (Nuxt Content 2)");
  expect(site.pages.map(({ path }) => path)).toEqual(["guide/two", "guide/ten", "private/page"]);
  expect(site.menu).toEqual([
    {
      label: "The guide",
      children: [
        { label: "Two", path: "guide/two", children: [] },
        { label: "Ten", path: "guide/ten", children: [] },
      ],
    },
  ]);
  expect(site.leftOut.map(({ detail }) => detail).sort()).toEqual([
    "is a draft",
    "is a part of pages by its name",
  ]);
});

test("Docus is known by its package, and shows the folder docs as its menu", async () => {
  const site = await openFiles(nuxtContent, {
    "package.json": JSON.stringify({ dependencies: { docus: "^5.0.0" } }),
    "content/index.md": "# Home",
    "content/docs/1.start/1.install.md": "# Install",
    "content/other/page.md": "# In no collection",
  });
  expect(site.generator).toBe("Docus");
  expect(site.pages.map(({ path }) => path)).toEqual(["docs/start/install", ""]);
  expect(site.menu).toEqual([
    { label: "Start", children: [{ label: "Install", path: "docs/start/install", children: [] }] },
  ]);
});

test("UnDocs has its pages beside its configuration", async () => {
  const site = await openFiles(nuxtContent, {
    "docs/package.json": JSON.stringify({ devDependencies: { undocs: "^0.4.0" } }),
    "docs/.config/docs.yaml": "redirects:\n  /old: /guide",
    "docs/1.guide/1.index.md": "# Guide",
    "docs/.docs/2.hidden.md": "# Hidden",
  });
  expect(site).toMatchObject({
    generator: "UnDocs",
    root: "docs",
    redirects: [{ from: "/old", to: "/guide" }],
  });
  expect(site.pages).toEqual([{ location: "docs/1.guide/1.index.md", path: "guide" }]);
});

test("collections that are computed are asked for, and all of content is taken", async () => {
  const site = await openFiles(nuxtContent, {
    "content.config.ts": `import { make } from "somewhere";
      export default defineContentConfig({ collections: { docs: defineCollection({ type: "page", source: make() }) } });`,
    "content/1.page.md": "# Page",
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["page"]);
  expect(site.unknowns).toEqual([
    { question: "Which files are in docs? content.config.ts computes it.", guess: "all of content/" },
  ]);
});

test("a configuration that does not parse is asked about, and the pages are read", async () => {
  const site = await openFiles(nuxtContent, {
    "nuxt.config.ts": "export default {{{",
    "package.json": version("^3.0.0"),
    "content/1.page.md": "# Page",
  });
  expect(site.unknowns[0]?.question).toContain("nuxt.config.ts cannot be read");
  expect(site.pages.length).toBe(1);
});

test("components become words and links, names of code stand above it", async () => {
  const site = await openFiles(nuxtContent, {
    "nuxt.config.ts": CONFIG,
    "content/1.page.md": [
      "# Page",
      ':read-more{to="/other" title="More"}',
      "```ts [app.ts]",
      "// ## none",
      "```",
      "[file](2.other.md#part)",
    ].join("\n\n"),
    "content/2.other.md": "# Other",
  });
  const { markdown } = await readPageOf(site, "content/1.page.md");
  expect(markdown).toContain("**[More](/other)**");
  expect(markdown).toContain("**app.ts**");
  expect(markdown).toContain("[file](/other#part)");
});

test("a callout that leads somewhere keeps the link, and a name for the menu may be abbreviated", async () => {
  const files = {
    "nuxt.config.ts": CONFIG,
    "package.json": version("^3.1.0"),
    "content/a.md":
      '---\nnavigation.title: Short\n---\n\n# A page\n\n::tip{to="/b#x"}\nSee it.\n::\n\n::note\nNo link.\n::\n',
    "content/b.md": "# B",
  };
  const site = await openFiles(nuxtContent, files);
  expect(site.menu.map(({ label }) => label)).toEqual(["Short", "B"]);
  const { markdown } = await readPageOf(site, "content/a.md");
  expect(markdown).toContain("See it.\n\n[/b#x](/b#x)\n\n:::");
  expect(markdown).toContain("No link.\n\n:::");
});
