import { describe, expect, test } from "bun:test";
import { docfx } from "../../../src/reading/generators/docfx/docfx.ts";
import type { DocsSite, WantedDocs } from "../../../src/reading/generators/docs-site.ts";
import { openFiles } from "./open-files.ts";

const ALL = { content: [{ files: ["**/*.{md,yml}"] }] };

const open = (
  files: Readonly<Record<string, string>>,
  build: Record<string, unknown> = ALL,
  wanted: WantedDocs = {},
) => openFiles(docfx, { "docfx.json": JSON.stringify({ build }), ...files }, wanted);

async function readAt(site: DocsSite, path: string) {
  const page = site.pages.find((each) => each.path === path);
  if (page === undefined) throw new Error(`there is no page at ${path}`);
  return site.read(page);
}

const read = async (body: string, files: Readonly<Record<string, string>> = {}) =>
  readAt(await open({ "index.md": body, ...files }), "");

describe("configuration", () => {
  test("that does not parse keeps the pages, and is said", async () => {
    const site = await openFiles(docfx, { "docfx.json": '{"build": ', "a.md": "# A" });
    expect(site.pages).toEqual([{ location: "a.md", path: "a.html" }]);
    expect(site.unknowns[0]?.question).toContain("docfx.json cannot be read");
  });

  test("names no files outside of the source", async () => {
    const site = await open({ "a.md": "# A" }, { content: [{ src: "../..", files: ["**"] }, "*.md"] });
    expect(site.pages).toEqual([{ location: "a.md", path: "a.html" }]);
  });

  test("of a site on Microsoft Learn gives addresses without .html", async () => {
    const build = { ...ALL, globalMetadata: { breadcrumb_path: "/b/toc.json" } };
    const site = await open({ "x/a.md": "# A", "x/index.md": "# X" }, build);
    expect(site.pages.map(({ path }) => path)).toEqual(["x/a", "x"]);
    const linking = await open({ "x/a.md": "[a](/windows/b) [b](index.md)", "x/index.md": "# X" }, build);
    expect((await readAt(linking, "x/a")).markdown).toBe(
      "[a](https://learn.microsoft.com/windows/b) [b](/x)",
    );
  });

  test("names files in any case, and with backslashes", async () => {
    const site = await open({
      "toc.yml": "- name: Set up\n  href: Guide/SET-UP.md\n",
      "guide/Set-Up.md": "# Set up\n\n[!INCLUDE [n](../Includes/Note.md)]",
      "includes/note.md": "A note.",
      "a.md": "[a](GUIDE/set-up.md#x) [b](guide\\Set-Up.md) [c](guide/set-up)",
    });
    expect((await readAt(site, "a.html")).markdown).toBe(
      "[a](/guide/Set-Up.html#x) [b](/guide/Set-Up.html) [c](/guide/Set-Up.html)",
    );
    expect((await readAt(site, "guide/Set-Up.html")).markdown).toContain("A note.");
    expect(site.menu).toEqual([{ label: "Set up", path: "guide/Set-Up.html", children: [] }]);
  });

  test("of Microsoft Learn may mean commands whose pages are made from Markdown", async () => {
    const site = await open(
      {
        "ps/Cim/Cim.md": "---\nModule Guid: 1\nModule Name: Cim\n---\n# Cim",
        "ps/Cim/Get-Cim.md": "---\nModule Name: Cim\naliases:\n  - %\n---\n# Get-Cim",
        "ps/Cim/note.md": "# No command",
      },
      {
        content: [{ src: "ps", dest: "module", files: ["**/*.yml"] }],
        globalMetadata: { breadcrumb_path: "/b" },
      },
    );
    expect(site.pages.map(({ path }) => path)).toEqual(["module/Cim", "module/Cim/Get-Cim"]);
  });

  const versions = {
    content: ["5.1", "7.4", "7.10"].map((name) => ({
      src: `v-${name}`,
      files: ["*.md"],
      group: `v-${name}`,
    })),
  };
  const files = { "v-5.1/a.md": "# Five", "v-7.4/a.md": "# Seven", "v-7.10/a.md": "# Ten" };

  test("with several versions at one address takes the latest, or the one that is wanted", async () => {
    expect((await open(files, versions)).pages).toEqual([{ location: "v-7.10/a.md", path: "a.html" }]);
    const wanted = await open(files, versions, { version: "5.1" });
    expect(wanted.pages).toEqual([{ location: "v-5.1/a.md", path: "a.html" }]);
    expect(wanted.leftOut).toHaveLength(2);
    const only = await open({ ...files, "v-5.1/b.md": "[a](a.md)" }, versions);
    expect((await readAt(only, "b.html")).markdown).toBe("[a](/a.html)");
  });
});

describe("menus", () => {
  test("that name each other come to an end", async () => {
    const site = await open({
      "toc.yml": "- name: Sub\n  href: sub/toc.yml\n- name: A\n  href: a.md",
      "sub/toc.yml": "- name: Up\n  href: ../toc.yml\n- href: b.md",
      "a.md": "# A",
      "sub/b.md": "# B",
    });
    expect(site.menu).toEqual([
      { label: "Sub", children: [{ label: "B", path: "sub/b.html", children: [] }] },
      { label: "A", path: "a.html", children: [] },
    ]);
  });

  test("that cannot be read are said", async () => {
    const site = await open({ "toc.yml": "- name: [", "a.md": "# A" });
    expect(site.unknowns[0]?.question).toContain("toc.yml");
  });
});

describe("what a page takes in", () => {
  test("is only from the source, and no loop", async () => {
    const { markdown, faults } = await read(
      "[!INCLUDE [a](../x.md)]\n\n[!INCLUDE [b](part.md)]\n\n[!code-cs[](none.cs)]\n\n[!code-cs[](c.cs#none)]",
      { "part.md": "Part.\n\n[!INCLUDE [b](part.md)]", "c.cs": "class C {}" },
    );
    expect(markdown).toContain("Part.");
    expect(faults).toEqual([
      "../x.md, which it includes, is not in this source",
      "part.md, which it includes, includes itself",
      "none.cs, which it includes, is not in this source",
      "c.cs, which it includes, has no part called none",
    ]);
  });

  test("stays as it is written in code", async () => {
    const body = "```md\n[!INCLUDE [a](x.md)]\n:::row:::\n# [T](#tab/t)\n```\n\n`[!INCLUDE [a](x.md)]`\n";
    expect(await read(body)).toMatchObject({ markdown: body, faults: [] });
  });
});

test("tabs end with a rule, with the next tab, or with the page", async () => {
  const { markdown } = await read(
    "# [A *a*](#tab/a)\n\nOne.\n\n# [B](#tab/b)\n\nTwo.\n\n---\n\nThree.\n\n# [C](#tab/c)\n\nFour.",
  );
  expect(markdown.replace(/\n+/g, "\n").trim()).toBe(
    ":::tab[A *a*]\nOne.\n:::\n:::tab[B]\nTwo.\n:::\nThree.\n:::tab[C]\nFour.\n:::",
  );
});

test("names of things below a page lead to where those are, or are words alone", async () => {
  const { markdown } = await read("[a][1], [b][2] and `[b][2]`.\n\n[1]: xref:M.Get-A\n[2]: xref:None", {
    "get-a.md": "---\nModule Name: M\ntitle: Get-A\n---\n# Get-A",
  });
  expect(markdown.trim()).toBe("[a][1], b and `[b][2]`.\n\n[1]: /get-a.html");
});

test("names of things that nothing here describes are shown, and nobody's mail address is one", async () => {
  const { markdown } = await read(
    "<xref:A.B*>, [words](xref:A.B), <xref href='A.B?text=T'/>, me@home and @unknown.",
  );
  expect(markdown.trim()).toBe("`A.B`, words, T, me@home and @unknown.");
});

describe("pages in YAML", () => {
  test("with questions are articles, with the ids of Microsoft Learn", async () => {
    const site = await open({
      "faq.yml": `### YamlMime:FAQ
metadata:
  title: Short
title: Questions
summary: Read [this](a.md).
sections:
  - name: In general
    questions:
      - question: |
          Can it (the shell) run, or not?
        answer: |
          It can.

          - See [a](a.md).
`,
      "a.md": "# A",
    });
    expect(await readAt(site, "faq.html")).toMatchObject({
      data: { title: "Questions" },
      markdown: [
        "# Questions {#questions}",
        "Read [this](/a.html).",
        "## In general {#in-general}",
        "### Can it (the shell) run, or not? {#can-it--the-shell--run--or-not-}",
        "It can.",
        "- See [a](/a.html).\n",
      ].join("\n\n"),
    });
  });

  test("with links are lists of these below their titles", async () => {
    const site = await open({
      "index.yml": `### YamlMime:Landing
title: Docs
summary: All of it.
metadata:
  title: Docs of it
landingContent:
  - title: Begin
    linkLists:
      - linkListType: overview
        links:
          - text: A
            url: a.md
      - linkListType: concept
        links:
          - text: B
            url: https://example.com/b
`,
      "a.md": "# A",
    });
    expect((await readAt(site, "")).markdown).toBe(
      "# Docs {#docs}\n\nAll of it.\n\n## Begin {#begin}\n\n- [A](/a.html)\n- [B](https://example.com/b)\n",
    );
  });

  test("of other kinds, or that cannot be parsed, are left out with the reason", async () => {
    const site = await open({
      "a.yml": "### YamlMime:FAQ\n: [",
      "b.yml": "### YamlMime:Dashboard\ntitle: B",
      "c.yml": "### YamlMime:FAQ\ntitle: C",
    });
    expect(site.pages).toEqual([]);
    expect(site.leftOut).toHaveLength(3);
  });
});
