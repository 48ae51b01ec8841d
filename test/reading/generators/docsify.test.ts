import { describe, expect, test } from "bun:test";
import type { WantedDocs } from "../../../src/reading/generators/docs-site.ts";
import { docsify } from "../../../src/reading/generators/docsify/docsify.ts";
import { openFiles } from "./open-files.ts";

const page = (config: string) =>
  `<div id="app"></div><script>window.$docsify = ${config}</script><script src="//cdn.example/docsify@5/dist/docsify.min.js"></script>`;

const open = (files: Readonly<Record<string, string>>, config = "{}", wanted: WantedDocs = {}) =>
  openFiles(docsify, { "index.html": page(config), ...files }, wanted);

async function readAt(site: Awaited<ReturnType<typeof open>>, path: string) {
  const found = site.pages.find((each) => each.path === path);
  if (found === undefined) throw new Error(`there is no page at ${path}`);
  return site.read(found);
}

describe("configuration", () => {
  test("of some other page is left alone", async () => {
    const files = { "index.html": "<p>We once used docsify.</p>", "README.md": "# Ours" };
    expect(openFiles(docsify, files)).rejects.toThrow("does not recognize");
  });

  test("loaded from a host of packages by name and version alone makes the ids of that version", async () => {
    const loaded = (name: string) =>
      openFiles(docsify, {
        "index.html": `<div id="app"></div><script src="//cdn.example/npm/${name}"></script>`,
        "README.md": "# Ours\n\n## First - last",
      });
    const [old, recent] = [await loaded("docsify@4"), await loaded("docsify@5")];
    expect((await readAt(old, "")).markdown).not.toBe((await readAt(recent, "")).markdown);
    expect((await readAt(await loaded("docsify"), "")).markdown).toBe((await readAt(recent, "")).markdown);
  });

  test("that does not parse keeps the pages, and is said", async () => {
    const site = await open({ "README.md": "# Ours", "a.md": "# A" }, "{ name: ");
    expect(site.pages.map(({ path }) => path)).toEqual(["", "a"]);
    expect(site.unknowns[0]?.question).toContain("index.html cannot be read");
  });

  test("that is computed is asked for", async () => {
    const site = await open(
      { "README.md": "# Ours" },
      "{ homepage: pick() || 'README.md', basePath: location.host }",
    );
    expect(site.unknowns.map(({ question }) => question)).toContainEqual(
      expect.stringContaining("What is basePath?"),
    );
    expect(site.pages.map(({ path }) => path)).toEqual([""]);
  });

  test("with an alias whose pattern could take without end is not tried", async () => {
    const site = await open({ "README.md": "# A" }, '{ alias: { "/(a+)+b": "/x", "/old/(.*)": "/$1" } }');
    expect(site.unknowns[0]?.question).toContain("(a+)+b");
  });

  test("whose aliases lead to each other comes to an end", async () => {
    const site = await open({ "README.md": "[a](a)" }, '{ alias: { "/a": "/b", "/b": "/a" } }');
    expect((await readAt(site, "")).markdown.trim()).toBe("[a](/a)");
  });
});

describe("the site's URL", () => {
  const question = async (config: string, siteUrl: string) =>
    (await open({ "README.md": "# A" }, config, { siteUrl })).unknowns.map(({ guess }) => guess);

  test("is asked for where citations would not lead to headings", async () => {
    expect(await question("{}", "https://a.dev/docs")).toEqual([
      expect.stringContaining("https://a.dev/docs/#/"),
    ]);
    expect(await question("{ routerMode: 'history' }", "https://a.dev/#")).toEqual([
      expect.stringContaining("https://a.dev/?id="),
    ]);
  });

  test("is not asked for where it is right, or there is none", async () => {
    expect(await question("{}", "https://a.dev/docs/#")).toEqual([]);
    expect(await question("{ routerMode: 'history' }", "https://a.dev/?id=")).toEqual([]);
    expect((await open({ "README.md": "# A" })).unknowns).toEqual([]);
  });
});

describe("pages", () => {
  test("that no address shows are left out, with why", async () => {
    const files = { "README.md": "# A", "start.md": "# Start", "x.md": "", "y.md": "", "_404.md": "" };
    const site = await open(files, '{ homepage: "start.md", notFoundPage: true, alias: { "/x": "/y" } }');
    expect(site.pages).toEqual([
      { location: "start.md", path: "" },
      { location: "y.md", path: "y" },
    ]);
    expect(site.leftOut).toEqual([
      { location: "README.md", detail: "is shown at no address: the first page is start.md" },
      { location: "_404.md", detail: "is shown where there is no page" },
      { location: "x.md", detail: "is shown at no address: an alias puts another page in its place" },
    ]);
    expect(site.redirects).toEqual([{ from: "x", to: "/y" }]);
  });

  test("include nothing from outside of the source, and nothing twice over", async () => {
    const site = await open({
      "README.md":
        "[a](../../a.md ':include')\n\n[b](b.md ':include')\n\n[c](b.md ':include :fragment=none')",
      "b.md": "In b. [b](b.md ':include')",
    });
    const { markdown, faults } = await readAt(site, "");
    expect(faults).toEqual([
      "../../a.md, which it includes, is not in this source",
      "b.md, which it includes, has no part called none",
    ]);
    expect(markdown.match(/In b\./g)).toHaveLength(1);
  });

  test("have tabs and alerts of plugins as plain Markdown", async () => {
    const site = await open({
      "README.md":
        "<!-- tabs:start -->\n\n#### **One**\n\n1\n\n<!-- tab:Two -->\n\n2\n\n<!-- tabs:end -->\n\n> [!TIP|style:flat|label:Good]\n> Text\n\n> [!OWN] Word",
    });
    const { markdown } = await readAt(site, "");
    expect(markdown).toContain("**One**\n\n1\n\n**Two**\n\n2");
    expect(markdown).toContain("> [!TIP] Good\n> Text\n\n> Word");
  });
});
