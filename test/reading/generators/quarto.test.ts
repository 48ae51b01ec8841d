import { describe, expect, test } from "bun:test";
import { type Files, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const WEBSITE = "project:\n  type: website\n";

async function site(files: Files, config = WEBSITE) {
  const found = await siteOf({ "_quarto.yml": config, ...files });
  return { ...found, text: (location: string) => readPageOf(found, location) };
}

const paths = ({ pages }: { pages: { location: string; path: string }[] }) =>
  Object.fromEntries(pages.map(({ location, path }) => [location, path]));

describe("which files are pages", () => {
  test("all that are no parts, under the addresses that Quarto gives them", async () => {
    const found = await site({
      "index.qmd": "---\ntitle: Home\n---\n",
      "guide/index.qmd": "# Guide\n",
      "guide/setup.Rmd": "# Setup\n",
      "guide/other.qmd": "---\noutput-file: named\n---\n# Other\n",
      "notes.md": "# Notes\n",
      "run.ipynb": JSON.stringify({ cells: [{ cell_type: "markdown", source: "# Run" }] }),
      "_part.qmd": "x",
      "_site/old.md": "x",
      "README.md": "# Repository",
      "draft.qmd": "---\ndraft: true\n---\n",
      "inner/_quarto.yml": "project:\n  type: book\n",
      "inner/own.qmd": "# Own",
    });
    expect(paths(found)).toEqual({
      "guide/index.qmd": "guide",
      "guide/other.qmd": "guide/named.html",
      "guide/setup.Rmd": "guide/setup.html",
      "index.qmd": "",
      "notes.md": "notes.html",
      "run.ipynb": "run.html",
    });
    expect(found.leftOut).toEqual([
      { location: "README.md", detail: "is not rendered by the project" },
      { location: "_part.qmd", detail: "is a part of other pages" },
      { location: "_site/old.md", detail: "is a part of other pages" },
      { location: "draft.qmd", detail: "is a draft" },
      { location: "inner/own.qmd", detail: "belongs to another project" },
    ]);
  });

  test("those that the project lists, without those that it excludes", async () => {
    const found = await site(
      {
        "a.qmd": "# A",
        "b.qmd": "# B",
        "docs/c.qmd": "# C",
        "docs/no.qmd": "# No",
        "docs/deep/d.qmd": "# D",
      },
      'project:\n  type: website\n  render: ["a.qmd", "docs/**", "!docs/no.qmd"]\n',
    );
    expect(Object.values(paths(found)).sort()).toEqual(["a.html", "docs/c.html", "docs/deep/d.html"]);
  });

  test("of a book its chapters alone", async () => {
    const config = [
      "project:\n  type: book",
      "book:",
      "  title: B",
      "  chapters:",
      "    - index.qmd",
      "    - part: Basics",
      "      chapters: [one.qmd, {file: two.qmd, text: Second}]",
      "    - part: more.qmd",
      "      chapters: [three.qmd]",
      "  appendices: [tools.qmd]",
    ].join("\n");
    const found = await site(
      {
        "index.qmd": "# Preface {.unnumbered}\n",
        "one.qmd": "# One {#sec-one}\n\n![x](y.png){#fig-x}\n",
        "two.qmd": "# Two\n\nSee @sec-one, @fig-x and [](one.qmd#sec-one).\n",
        "more.qmd": "# More\n",
        "three.qmd": "---\ntitle: Three\n---\n",
        "tools.qmd": "# Tools\n",
        "unlisted.qmd": "# U\n",
      },
      config,
    );
    expect(found.menu).toEqual([
      { label: "Preface", path: "", children: [] },
      {
        label: "Basics",
        children: [
          { label: "One", path: "one.html", children: [] },
          { label: "Second", path: "two.html", children: [] },
        ],
      },
      { label: "More", path: "more.html", children: [{ label: "Three", path: "three.html", children: [] }] },
      { label: "Appendices", children: [{ label: "Tools", path: "tools.html", children: [] }] },
    ]);
    expect(found.leftOut).toEqual([{ location: "unlisted.qmd", detail: "is no chapter of the book" }]);
    expect((await found.text("two.qmd")).markdown).toContain(
      "See [One](/one.html), [Figure](/one.html#fig-x) and [](/one.html#sec-one).",
    );
  });
});

describe("the menu of a website", () => {
  const pages = {
    "index.qmd": "---\ntitle: Home\n---\n",
    "a/index.qmd": "---\ntitle: All of A\n---\n",
    "a/two.qmd": "---\ntitle: Two\norder: 2\n---\n",
    "a/one.qmd": "---\ntitle: One\norder: 1\n---\n",
    "b.qmd": "# B\n",
  };

  test("has its sections, and what lies in folders", async () => {
    const found = await site(
      pages,
      `${WEBSITE}website:\n  sidebar:\n    contents:\n      - index.qmd\n      - section: Letters\n        contents:\n          - b.qmd\n          - text: Elsewhere\n            href: https://example.com\n      - auto: "a/*"\n`,
    );
    expect(found.menu).toEqual([
      { label: "Home", path: "", children: [] },
      { label: "Letters", children: [{ label: "B", path: "b.html", children: [] }] },
      { label: "One", path: "a/one.html", children: [] },
      { label: "Two", path: "a/two.html", children: [] },
      { label: "All of A", path: "a", children: [] },
    ]);
  });

  test("has the sidebars below the entries of the bar", async () => {
    const config = `${WEBSITE}website:\n  navbar:\n    left:\n      - text: Letter A\n        href: a/index.qmd\n      - b.qmd\n  sidebar:\n    - id: a\n      contents: [a/index.qmd, a/one.qmd]\n`;
    expect((await site(pages, config)).menu).toEqual([
      {
        label: "Letter A",
        path: "a",
        children: [
          { label: "All of A", path: "a", children: [] },
          { label: "One", path: "a/one.html", children: [] },
        ],
      },
      { label: "B", path: "b.html", children: [] },
    ]);
  });

  test("has a sidebar below the entry of a menu in the bar", async () => {
    const config = `${WEBSITE}website:\n  navbar:\n    left:\n      - text: More\n        menu: [a/index.qmd, b.qmd]\n  sidebar:\n    - contents: [a/index.qmd, a/one.qmd]\n`;
    const [more] = (await site(pages, config)).menu;
    expect(more?.children.map(({ path, children }) => [path, children.length])).toEqual([
      ["a", 2],
      ["b.html", 0],
    ]);
  });

  test("is that of other files, where the configuration names these", async () => {
    const config = `${WEBSITE}metadata-files: [menu.yml]\n`;
    const found = await site(
      { ...pages, "menu.yml": "website:\n  sidebar:\n    contents: [b.qmd]\n" },
      config,
    );
    expect(found.menu).toEqual([{ label: "B", path: "b.html", children: [] }]);
  });
});

describe("pages", () => {
  test("have what they take in: files, variables, metadata, sources", async () => {
    const found = await site(
      {
        "_variables.yml": "version: {major: 2}\n",
        "docs/_metadata.yml": "product: Lamp\n",
        "docs/a.qmd":
          "---\nbibliography: s.bib\n---\n# A\n\n{{< include _p.qmd >}}\n\nFor {{< var version.major >}} of {{< meta product >}} [@k].\n\n{{< include /all.qmd >}}\n",
        "docs/_p.qmd": "Part, [on](b.qmd#x)\n",
        "docs/b.qmd": "# B\n",
        "docs/s.bib": "@book{k,\n author = {Knuth, Donald},\n year = {1984}\n}\n",
        "all.qmd": "Shared\n",
      },
      WEBSITE,
    );
    const { markdown, faults } = await found.text("docs/a.qmd");
    expect(faults).toEqual([]);
    expect(markdown).toContain("Part, [on](/docs/b.html#x)");
    expect(markdown).toContain("For 2 of Lamp (Knuth 1984).");
    expect(markdown).toContain("Shared");
  });

  test("say which files they could not take in, and why", async () => {
    const found = await site({
      "a.qmd":
        "# A\n\n{{< include _b.qmd >}}\n\n{{< include ../../secret.qmd >}}\n\n{{< include /../secret.qmd >}}\n\n{{< include gone.qmd >}}\n",
      "_b.qmd": "B\n\n{{< include a.qmd >}}\n",
    });
    const { markdown, faults } = await found.text("a.qmd");
    expect(markdown).toContain("B");
    expect(faults).toEqual([
      "a.qmd, which it includes, includes itself",
      "../../secret.qmd, which it includes, is not in this source",
      "/../secret.qmd, which it includes, is not in this source",
      "gone.qmd, which it includes, is not in this source",
    ]);
  });

  test("are led to from where they were", async () => {
    const found = await site({
      "docs/a.qmd": '---\naliases: ["/old/a.html", "b.html", "/elsewhere/"]\n---\n# A\n',
    });
    expect(found.redirects).toEqual([
      { from: "old/a", to: "docs/a.html" },
      { from: "docs/b", to: "docs/a.html" },
      { from: "elsewhere", to: "docs/a.html" },
    ]);
  });
});

test("programs that make pages are asked about", async () => {
  const { unknowns } = await site(
    { "a.qmd": "# A" },
    `${WEBSITE}  pre-render: make.py\nquartodoc:\n  package: x\n`,
  );
  expect(unknowns.map(({ question }) => question).join()).toMatch(/make\.py.*quartodoc/);
});

test("nbdev's notebooks have no numbers in their addresses", async () => {
  const notebook = JSON.stringify({ cells: [{ cell_type: "markdown", source: "# Core" }] });
  const found = await siteOf({
    "settings.ini": "",
    "nbs/_quarto.yml": WEBSITE,
    "nbs/00_Core.ipynb": notebook,
  });
  expect(found.generator).toBe("nbdev");
  expect(paths(found)).toEqual({ "nbs/00_Core.ipynb": "core.html" });
});

test("a configuration of anything does no harm", async () => {
  for (const config of [
    "",
    "[]",
    "project: 3",
    "website: [1]\nbook: x",
    "project: {render: {a: 1}}",
    "a: [",
    "website: {sidebar: [[], 3, {contents: {auto: 7}}]}",
  ])
    await expect(recognizeFiles({ "_quarto.yml": config, "a.qmd": "# A" })).resolves.toBeDefined();
});

test("nbdev describes what its cells export, and shows no code of it", async () => {
  const cell = (source: string, type = "code") => ({ cell_type: type, source });
  const notebook = JSON.stringify({
    cells: [
      cell("# Core\n\n> What is used\n\n## helpers -", "markdown"),
      cell("#|default_exp core"),
      cell('#|export\ndef add(a:int, # one\n        b=")"): \n    "Adds `a` and `b`"\n    return secret'),
      cell("#| export\n@patch\ndef half(self:Sum, n): return secret\n\ndef _own(): pass\nclass Sum: pass"),
      cell("show_doc(Sum.all)"),
      cell("add(1, 2)"),
    ],
  });
  const found = await siteOf({
    "settings.ini": "",
    "nbs/_quarto.yml": WEBSITE,
    "nbs/00_core.ipynb": notebook,
  });
  const { data, markdown } = await readPageOf(found, "nbs/00_core.ipynb");
  expect(data).toMatchObject({ title: "Core", description: "What is used" });
  expect(markdown.match(/^#+ .*/gm)).toEqual([
    "### add {#add}",
    "#### Sum.half {#sum.half}",
    "### Sum {#sum}",
    "#### Sum.all {#sum.all}",
  ]);
  expect(markdown).toContain("Adds `a` and `b`");
  expect(markdown).toContain("```python\nadd(1, 2)\n```");
  expect(markdown).not.toMatch(/secret|_own|helpers/);
  expect(found.menu).toEqual([{ label: "Core", path: "core.html", children: [] }]);
});
