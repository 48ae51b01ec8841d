import { describe, expect, test } from "bun:test";
import { wikijs } from "../../../src/reading/generators/wikijs/wikijs.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

/** What Wiki.js 2 writes above a page. */
const above = (title: string, said = "published: true\n") =>
  `title: ${title}\ndescription: About it\n${said}date: 2024-01-02T03:04:05.000Z\ntags: ops, linux\neditor: markdown\ndateCreated: 2024-01-01T00:00:00.000Z`;

describe("Wiki.js", () => {
  test("has its pages at their own addresses, and what is not published left out", async () => {
    const site = await openFiles(wikijs, {
      "home.md": `---\n${above("Welcome")}\n---\n\n[Setup](/en/guide/setup#a) ![x](/net.png)`,
      "guide/setup.md": `---\n${above("Set up")}\n---\n\n# Tabs {.tabset}\n\n> Careful\n{.is-warning}\n\n[home](/home)`,
      "guide/draft.md": `---\n${above("Draft", "published: false\n")}\n---\n\nText`,
      "old.html": `<!--\n${above("Old page")}\n-->\n\n<h2 id="a">Part</h2><p>Words <a href="/guide/setup">there</a></p>`,
      "net.png": "",
    });
    expect(site.pages).toEqual([
      { location: "guide/setup.md", path: "guide/setup" },
      { location: "home.md", path: "" },
      { location: "old.html", path: "old" },
    ]);
    expect(site.leftOut).toEqual([{ location: "guide/draft.md", detail: "is not published" }]);
    expect(site.menu).toEqual([
      { label: "Welcome", path: "", children: [] },
      { label: "guide", children: [{ label: "Set up", path: "guide/setup", children: [] }] },
      { label: "Old page", path: "old", children: [] },
    ]);
    const home = await readPageOf(site, "home.md");
    expect(home.markdown.trim()).toBe("[Setup](/guide/setup#a) ![x](/net.png)");
    expect(home.data).toEqual({ title: "Welcome", description: "About it", tags: ["ops", "linux"] });
    expect((await readPageOf(site, "guide/setup.md")).markdown.trim()).toBe(
      "# Tabs\n\n> Careful\n\n\n[home](/)",
    );
    expect((await readPageOf(site, "old.html")).markdown).toBe("## Part {#a}\n\nWords [there](/guide/setup)");
  });

  test("is told from other Markdown by what stands above its first page", async () => {
    expect(await recognizeFiles({ "home.md": "---\ntitle: Home\n---\nText", "a.md": "A" })).toBeUndefined();
  });
});
