import { describe, expect, test } from "bun:test";
import { gitWiki } from "../../../src/reading/generators/git-wiki/git-wiki.ts";
import { openFiles, readPageOf, recognizeFiles } from "./open-files.ts";

describe("a wiki in git", () => {
  test("of GitHub or Gitea has the menu of its sidebar, and its parts left out", async () => {
    const site = await openFiles(gitWiki, {
      "Home.md": "# Welcome",
      "Set-up-guide.md": "Words",
      "Other.md": "Words",
      "_Sidebar.md": "### Guides\n\n- [[Set up|Set up guide]]\n- [Home](Home)",
      "_Footer.md": "Footer",
    });
    expect(site.pages).toEqual([
      { location: "Home.md", path: "" },
      { location: "Other.md", path: "other" },
      { location: "Set-up-guide.md", path: "set-up-guide" },
    ]);
    expect(site.leftOut.map(({ location }) => location)).toEqual(["_Footer.md", "_Sidebar.md"]);
    expect(site.menu).toEqual([
      {
        label: "Guides",
        children: [
          { label: "Set up", path: "set-up-guide", children: [] },
          { label: "Home", path: "", children: [] },
        ],
      },
      { label: "Other", path: "other", children: [] },
    ]);
  });

  test("of GitHub may have pages in Org", async () => {
    const site = await openFiles(gitWiki, {
      "Home.org": "#+TITLE: Welcome\nSee [[Set up]] and [[Set up][how]], [[file:Set-up.org::#a][a]].\n",
      "Set-up.org": "* Part\nWords\n",
      "_Sidebar.md": "- [[Set up]]",
    });
    expect(site.pages).toEqual([
      { location: "Home.org", path: "" },
      { location: "Set-up.org", path: "set-up" },
    ]);
    const { data, markdown } = await readPageOf(site, "Home.org");
    expect(data["title"]).toBe("Welcome");
    expect(markdown).toBe("See [Set up](/set-up) and [how](/set-up), [a](/set-up#a).");
  });

  test("has links to pages both ways round, and images", async () => {
    const upload = `uploads/${"a1".repeat(16)}/net.png`;
    const site = await openFiles(gitWiki, {
      "home.md":
        "[[Set up]] [[label|Set up]] [[guides/deep page|deep]] [[Gone]] [md](Set-up#Part-A) [deep](guides/deep-page) `[[code]]` [[#A b|here]]",
      "Set-up.md": `---\ntitle: Setting up\n---\n![net](${upload})`,
      "guides/deep-page.md": "[[home]] [up](../Set-up) [[logo.png|alt=Our logo]]",
      "logo.png": "",
      [upload]: "",
    });
    expect((await readPageOf(site, "home.md")).markdown).toBe(
      "[Set up](/set-up) [label](/set-up) [deep](/guides/deep-page) Gone [md](/set-up#Part-A) [deep](/guides/deep-page) `[[code]]` [here](#a-b)",
    );
    expect((await readPageOf(site, "guides/deep-page.md")).markdown).toBe(
      "[home](/) [up](/set-up) ![Our logo](/logo.png)",
    );
    expect((await readPageOf(site, "Set-up.md")).data["title"]).toBe("Setting up");
  });

  test("without parts is known by its links, and other docs are not taken for one", async () => {
    const known = await recognizeFiles({ "Home.md": "See [[Other page]]", "Other-page.md": "Words" });
    expect(known?.generator).toBe("Git wiki");
    expect(await recognizeFiles({ "Home.md": "See [other](Other.md)", "Other.md": "Words" })).toBeUndefined();
    expect(
      await recognizeFiles({ "Home.md": "[[Other]]", "Other.md": "a", "README.md": "a" }),
    ).toBeUndefined();
  });
});
