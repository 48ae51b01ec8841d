import { describe, expect, test } from "bun:test";
import { starlight } from "../../../src/reading/generators/starlight/starlight.ts";
import { openFiles } from "./open-files.ts";

const config = (options: string, more = "") =>
  `import starlight from "@astrojs/starlight"; import { defineConfig } from "astro/config";
   export default defineConfig({ ${more} integrations: [other(), starlight({ title: "T", ${options} })] });`;
const DOCS = "src/content/docs";
const open = (files: Record<string, string>) => openFiles(starlight, files);
const page = (title: string, body = "") => `---\ntitle: ${title}\n---\n\n${body}`;

test("a configuration of Astro without Starlight is none of its sites", async () => {
  const files = { "astro.config.mjs": "export default {}", [`${DOCS}/a.md`]: page("A") };
  expect(open(files)).rejects.toThrow("does not recognize");
});

describe("a source without the configuration", () => {
  test("is read all the same, with a question", async () => {
    const site = await open({ [`${DOCS}/b/c.md`]: page("C"), [`${DOCS}/a.md`]: page("A") });
    expect(site.pages.map(({ path }) => path)).toEqual(["a", "b/c"]);
    expect(site.unknowns).toHaveLength(1);
  });

  test("has the languages that its folders are named for, and English is the main one", async () => {
    const site = await open({
      [`${DOCS}/de/a.md`]: page("A auf Deutsch", "[B](/de/b/)"),
      [`${DOCS}/en/a.md`]: page("A"),
      [`${DOCS}/en/b.md`]: page("B"),
    });
    expect(site.menu.map(({ label }) => label)).toEqual(["English", "Deutsch"]);
    expect(site.redirects).toEqual([{ from: "de/b", to: "en/b" }]);
    const { markdown } = await site.read({ location: `${DOCS}/de/a.md`, path: "de/a" });
    expect(markdown.trim()).toBe("[B](/en/b)");
  });
});

test("addresses end in .html where the configuration says so, and begin below its base", async () => {
  const site = await open({
    "astro.config.mjs": config("", `base: "/docs", build: { format: "file" },`),
    [`${DOCS}/index.md`]: page("Home", "[B](/docs/a/b.html#x) [Outside](/blog)"),
    [`${DOCS}/a/b.md`]: page("B"),
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["a/b.html", ""]);
  const { markdown } = await site.read({ location: `${DOCS}/index.md`, path: "" });
  expect(markdown.trim()).toBe("[B](/a/b.html#x) [Outside](/blog)");
});

test("a menu that is computed is asked for, and the folders make it", async () => {
  const site = await open({
    "astro.config.mjs": config("sidebar: await makeMenu()"),
    [`${DOCS}/a.md`]: page("A"),
  });
  expect(site.unknowns.map(({ guess }) => guess)).toEqual(["the order of the folders"]);
  expect(site.menu).toEqual([{ label: "A", path: "a", children: [] }]);
});

test("redirects are known, from plain addresses and from those that stand for many", async () => {
  const redirects = `redirects: { "/old/": "/a/", "/gone": { status: 302, destination: "/a" }, "/x/[...all]": "/y/[...all]" },`;
  const site = await open({ "astro.config.mjs": config("", redirects), [`${DOCS}/a.md`]: page("A") });
  expect(site.redirects).toEqual([
    { from: "old", to: "a" },
    { from: "gone", to: "a" },
    { from: "x/[...all]", to: "y/[...all]" },
  ]);
});

describe("what is taken from other files", () => {
  const read = async (markdown: string, files: Record<string, string> = {}) => {
    const location = `${DOCS}/page.mdx`;
    const site = await open({ ...files, [location]: page("Page", markdown) });
    return site.read({ location, path: "page" });
  };

  test("partials that import each other end, with a fault", async () => {
    const { markdown, faults } = await read("import A from './_a.mdx'\n\n<A />", {
      [`${DOCS}/_a.mdx`]: "import B from './_b.mdx'\n\nA\n\n<B />",
      [`${DOCS}/_b.mdx`]: "import A from './_a.mdx'\n\nB\n\n<A />",
    });
    expect(markdown.split(/\s+/).filter(Boolean)).toEqual(["A", "B"]);
    expect(faults).toEqual(["./_a.mdx, which it imports, imports itself, or is nested too deeply"]);
  });

  test("code of a file outside of the source is not read, and said to be missing", async () => {
    const { markdown, faults } = await read(
      "import code from '../../../../../etc/passwd?raw'\n\n<Code code={code} lang='txt' />\n",
    );
    expect(markdown).not.toContain("root");
    expect(faults).toEqual(["../../../../../etc/passwd, whose code it shows, is not in this source"]);
  });

  test("code that a component is given may have quotes, braces and several lines", async () => {
    const { markdown } = await read(
      '<Code\n  code={`## It\'s\n\nconst a = { b: \\`x\\` };`}\nlang="js"\n/>\n\n## Next',
    );
    expect(markdown.trim()).toBe("```js\n## It's\n\nconst a = { b: `x` };\n```\n\n## Next {#next}");
  });

  test("tabs of package managers are named by their slots", async () => {
    const { markdown } = await read(
      '<PackageManagerTabs>\n  <Fragment slot="npm">\n  With npm.\n  </Fragment>\n</PackageManagerTabs>',
    );
    expect(markdown.trim()).toBe(":::tab[npm]\n\nWith npm.\n\n:::");
  });

  test("a comment that names the file of code is its title", async () => {
    const { markdown } = await read("```ts {1}\n// src/a.ts\n\nconst a = 1;\n```");
    expect(markdown.trim()).toBe("**src/a.ts**\n\n```ts\nconst a = 1;\n```");
  });

  test("an example of a component in code stays as it is written", async () => {
    const { markdown } = await read(
      "## `<LinkButton>` props\n\n```mdx\n<LinkButton href='/x'>X</LinkButton>\n```",
    );
    expect(markdown).toContain("## `<LinkButton>` props {#linkbutton-props}");
    expect(markdown).toContain("<LinkButton href='/x'>X</LinkButton>");
  });
});
