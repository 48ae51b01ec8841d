import { describe, expect, test } from "bun:test";
import { vitepress } from "../../../src/reading/generators/vitepress/vitepress.ts";
import { openFiles } from "./open-files.ts";

const CONFIG = "docs/.vitepress/config.ts";
const open = (files: Record<string, string>) =>
  openFiles(vitepress, { [CONFIG]: "export default {}", ...files });

describe("configuration that cannot be known", () => {
  test("a menu that a package makes is asked for, and the bar at the top stands in for it", async () => {
    const site = await open({
      [CONFIG]: `import { generateSidebar } from "vitepress-sidebar";
        export default { themeConfig: { nav: [{ text: "Start", link: "/start" }], sidebar: generateSidebar({ root: "docs" }) } }`,
      "docs/start.md": "# Start",
    });
    expect(site.unknowns).toEqual([
      {
        question: "Which pages are in the menu? The configuration computes it: generateSidebar(…)",
        guess: "what the bar at the top leads to",
      },
    ]);
    expect(site.menu).toEqual([{ label: "Start", path: "start.html", children: [] }]);
  });

  test("a menu that helpers of the site's own make is what they are given, and is asked about", async () => {
    const site = await open({
      [CONFIG]: `function group(text, base, items) { if (!items) throw Error(); return { text, base, items }; }
        const root = (items) => { for (const each of items) each.collapsed = false; return items; };
        export default { themeConfig: { sidebar: { "/guide/": root([group("Guide", "/guide/", [imported("Start", "start.md")])]) } } }`,
      "docs/guide/start.md": "# Start",
    });
    expect(site.menu).toEqual([
      { label: "Guide", children: [{ label: "Start", path: "guide/start.html", children: [] }] },
    ]);
    expect(site.unknowns.map(({ question, guess }) => [question, guess])).toContainEqual([
      expect.stringContaining("What else is in the menu? The configuration computes it:"),
      "what its arguments say",
    ]);
  });

  test("one that does not parse is asked about, and the pages are published all the same", async () => {
    const site = await open({ [CONFIG]: "export default {", "docs/a/b.md": "# B" });
    expect(site.unknowns[0]?.question).toStartWith(`${CONFIG} cannot be read: `);
    expect(site.pages.map(({ path }) => path)).toEqual(["a/b.html"]);
  });

  test("an entry of the menu whose words are computed is named by its address", async () => {
    const site = await open({
      [CONFIG]: "export default { themeConfig: { sidebar: [{ text: name(), link: '/to-v2' }] } }",
      "docs/to-v2.md": "# To v2",
    });
    expect(site.menu).toEqual([{ label: "To v2", path: "to-v2.html", children: [] }]);
  });

  test("rewrites by a function are asked about", async () => {
    const site = await open({ [CONFIG]: "export default { rewrites: (id) => id.replace('x/', '') }" });
    expect(site.unknowns).toHaveLength(1);
  });
});

test("with clean addresses pages have no extension, and links to files of other kinds stay as they are", async () => {
  const site = await open({
    [CONFIG]: "export default { cleanUrls: true }",
    "docs/guide/index.md": "[A](./a.md#x) [B](../b.html) [C](./c.pdf)",
    "docs/guide/a.md": "# A",
    "docs/b.md": "# B",
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["b", "guide/a", "guide"]);
  const [, , index] = site.pages;
  const { markdown } = await site.read(index ?? { location: "", path: "" });
  expect(markdown).toBe("[A](/guide/a#x) [B](/b) [C](./c.pdf)");
});

describe("what is taken from other files", () => {
  const read = async (markdown: string, files: Record<string, string> = {}) => {
    const site = await open({ ...files, "docs/page.md": markdown });
    return site.read({ location: "docs/page.md", path: "page.html" });
  };

  test("a file outside of the source is not read, and said to be missing", async () => {
    const { markdown, faults } = await read(
      "a\n\n<!--@include: ../../../etc/passwd-->\n\n<<< ../../../etc/passwd",
    );
    expect(markdown).not.toContain("@include");
    expect(faults).toEqual([
      "../../../etc/passwd, which it includes, is outside of this source",
      "../../../etc/passwd, whose code it shows, is outside of this source",
    ]);
  });

  test("files that include each other end, with a fault", async () => {
    const { markdown, faults } = await read("<!--@include: ./a.md-->", {
      "docs/a.md": "A <!--@include: ./b.md-->",
      "docs/b.md": "B <!--@include: ./a.md-->",
    });
    expect(markdown.trim()).toBe("A B");
    expect(faults).toEqual(["./a.md, which it includes, includes itself"]);
  });

  test("an example of an include in code stays as it is written", async () => {
    const { markdown, faults } = await read("```md\n<!--@include: ./none.md-->\n```");
    expect(markdown).toContain("<!--@include: ./none.md-->");
    expect(faults).toEqual([]);
  });

  test("code of a group is in tabs, and elsewhere below its label", async () => {
    const code = "```js [a.js]\nx\n```\n";
    const { markdown } = await read(`::: code-group\n\n${code}\n<<< ./y.js [b.js]\n\n:::\n\n${code}`, {
      "docs/y.js": "y",
    });
    expect(markdown.replace(/\n+/g, "\n").trim()).toBe(
      ":::tab[a.js]\n```js\nx\n```\n:::\n:::tab[b.js]\n```js\ny\n```\n:::\n**a.js**\n```js\nx\n```",
    );
  });

  test("a region that is not there is said, and all of the file is shown", async () => {
    const { markdown, faults } = await read("<<< ./x.js#part", { "docs/x.js": "1;\n2;" });
    expect(markdown).toContain("```js\n1;\n2;\n```");
    expect(faults).toEqual(["./x.js, whose code it shows, has no region part: all of it is shown"]);
  });

  test("what only a run would compute is left out, and said", async () => {
    const { markdown, faults } = await read("At {{ new Date().getFullYear() }} of {{ 1 + 1 }}.");
    expect(markdown).toBe("At  of 2.");
    expect(faults).toEqual(["what it computes is left out: {{ new Date().getFullYear() }}"]);
  });

  test("attributes at the end of a block are no words, and no sets of braces are", async () => {
    const { markdown } = await read(
      "![a](/a.png) {.light-only}\n![b](/b.png) {.dark-only width=300}\n\nWords `c` {.wide}\n\nA set {a, b} and {.}\n\n`{.code}` {x}\n\n## H {#h .x}",
    );
    expect(markdown).toBe(
      "![a](/a.png)\n![b](/b.png)\n\nWords `c`\n\nA set {a, b} and {.}\n\n`{.code}` {x}\n\n## H {#h}",
    );
  });

  test("attributes on a line of their own mark the place that they name, and are no words", async () => {
    const { markdown } = await read("A\n\n{#place .wide}\n\n```\n{#code}\n```\n\n{.wide}\n- b");
    expect(markdown).toBe('A\n\n<a id="place"></a>\n\n```\n{#code}\n```\n\n\n- b');
  });

  test("a container without an end ends with the page", async () => {
    expect((await read("::: tip\nWords")).markdown.trim()).toBe(":::tip\n\nWords\n\n:::");
  });
});

test("a file that stands for pages that a script lists has a line of its own", async () => {
  const site = await open({
    "docs/[pkg].md": "# One of many",
    "docs/[pkg].paths.ts": "export default { paths: async () => (await fetch('x')).json() }",
  });
  expect(site.leftOut).toEqual([
    {
      location: "docs/[pkg].md",
      detail: "stands for pages that a script lists when the site is built",
    },
  ]);
});

test("a menu that doubles with each line of a script ends", async () => {
  const lines = Array.from({ length: 40 }, (_, level) =>
    level === 0
      ? 'const m0 = [{ text: "A", link: "/a" }];'
      : `const m${level} = [{ text: "L", items: m${level - 1} }, { text: "R", items: m${level - 1} }];`,
  );
  const site = await open({
    [CONFIG]: `${lines.join("\n")}\nexport default { themeConfig: { sidebar: m18 } };`,
    "docs/a.md": "# A",
  });
  const count = (entries: typeof site.menu): number =>
    entries.reduce((sum, { children }) => sum + 1 + count(children), 0);
  expect(count(site.menu)).toBeLessThanOrEqual(20_000);
});
