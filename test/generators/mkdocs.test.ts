import { describe, expect, test } from "bun:test";
import { type Files, readPageOf, siteOf } from "./open-files.ts";

/** A site of MkDocs from its files. */
async function docsOf(files: Files) {
  const site = await siteOf(files);
  return { site, read: (location: string) => readPageOf(site, location) };
}

const SNIPPETS = "site_name: x\nmarkdown_extensions: [pymdownx.snippets, admonition, attr_list]\n";

describe("what is included", () => {
  test("a loop of includes ends, and is said", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": SNIPPETS,
      "docs/index.md": '# Home\n\n--8<-- "a.md"\n',
      "a.md": 'A\n\n--8<-- "b.md"\n',
      "b.md": 'B\n\n--8<-- "a.md"\n',
    });
    const { markdown, faults } = await read("docs/index.md");
    expect(markdown).toContain("A\n\nB");
    expect(faults).toEqual(["a.md, which it includes, includes itself"]);
  });

  test("a page that includes itself, and one from the web, are said", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": SNIPPETS,
      "docs/index.md": '# Home\n\n--8<-- "docs/index.md"\n\n--8<-- "https://example.com/a.md"\n',
    });
    expect((await read("docs/index.md")).faults).toEqual([
      "docs/index.md, which it includes, includes itself",
      "https://example.com/a.md, which it includes, is on the web, and is not fetched",
    ]);
  });

  test("a file outside of the source is not read", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": SNIPPETS,
      "docs/index.md": '# Home\n\n--8<-- "../../etc/passwd"\n\nMore.\n',
    });
    const { markdown, faults } = await read("docs/index.md");
    expect(faults).toEqual(["../../etc/passwd, which it includes, is not in this source"]);
    expect(markdown).toContain("More.");
  });

  test("files that include others many times each don't make a page endless", async () => {
    const files: Record<string, string> = { "mkdocs.yml": SNIPPETS, "docs/index.md": '--8<-- "f0.md"\n' };
    for (let depth = 0; depth < 7; depth++)
      files[`f${depth}.md`] = `--8<-- "f${depth + 1}.md"\n`.repeat(30) + "x".repeat(1000);
    files["f7.md"] = "x".repeat(1000);
    const { read } = await docsOf(files);
    const { markdown, faults } = await read("docs/index.md");
    expect(markdown.length).toBeLessThan(6_000_000);
    expect(faults.some((fault) => fault.endsWith("makes the page too long"))).toBe(true);
  });

  test("a section that is not there is said", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": SNIPPETS,
      "docs/index.md": '```py\n--8<-- "a.py:gone"\n```\n',
      "a.py": "print(1)\n",
    });
    expect((await read("docs/index.md")).faults).toEqual([
      "a.py:gone, which it includes, has no such section",
    ]);
  });
});

describe("the configuration", () => {
  test("one that cannot be read is a question, and the pages are read all the same", async () => {
    const { site } = await docsOf({ "mkdocs.yml": "nav: [\n  - : :", "docs/index.md": "# Home\n" });
    expect(site.pages.map(({ path }) => path)).toEqual([""]);
    expect(site.unknowns[0]?.question).toStartWith("mkdocs.yml cannot be read:");
  });

  test("hooks and a parent that is not there are asked about, and nothing is run", async () => {
    const { site } = await docsOf({
      "mkdocs.yml": "INHERIT: ../../base.yml\nhooks: [hooks.py]\nsite_name: x\n",
      "docs/index.md": "# Home\n",
    });
    expect(site.unknowns.map(({ guess }) => guess)).toContain("no");
  });

  test("pages outside of the source are asked about", async () => {
    const { site } = await docsOf({ "mkdocs.yml": "docs_dir: ../other\n", "docs/index.md": "# Home\n" });
    expect(site.pages).toEqual([]);
    expect(site.unknowns).toEqual([
      { question: "Where are the pages? ../other is outside of this source.", guess: "nowhere" },
    ]);
  });

  test("a program that makes ids of headings is asked about", async () => {
    const { site } = await docsOf({
      "mkdocs.yml": "markdown_extensions:\n  - toc:\n      slugify: !!python/name:my.own.slugs\n",
      "docs/index.md": "# Home\n",
    });
    expect(site.unknowns.map(({ question }) => question)).toEqual([
      "How does my.own.slugs make ids of headings? It is a program.",
    ]);
  });

  test("a menu that refers to itself ends", async () => {
    const { site } = await docsOf({
      "mkdocs.yml": "nav: &all\n  - index.md\n  - More: *all\n",
      "docs/index.md": "# Home\n",
    });
    expect(site.pages).toHaveLength(1);
  });
});

describe("markup", () => {
  const MACROS =
    "plugins: [macros]\nextra: {name: Harbour}\nmarkdown_extensions: [admonition, pymdownx.details, attr_list]\n";

  test("what macros compute is left out, and named", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": MACROS,
      "docs/index.md": "# {{ name }}\n\n{{ table('x') }}\n\n{% for a in list %}{{ a }}{% endfor %}After.\n",
    });
    const { markdown, faults, data } = await read("docs/index.md");
    expect(data["title"]).toBe("Harbour");
    expect(markdown).not.toMatch(/\{[{%]/);
    expect(markdown).toContain("After.");
    expect(faults).toEqual([
      "{{ table('x') }} is computed, and left out",
      "{{ for a in list }} is computed, and left out",
    ]);
  });

  test("a callout in a list is a quote there", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": MACROS,
      "docs/index.md": '# Home\n\n- One\n\n    !!! note "Mind"\n\n        Words.\n\n- Two\n',
    });
    const { markdown } = await read("docs/index.md");
    expect(markdown).toContain("    > [!NOTE] Mind\n    >\n");
    expect(markdown).toContain("\n    > Words.");
    expect(markdown).not.toContain("!!!");
    expect(markdown).not.toContain(":::");
  });

  test("a title may have quotes, and a repository's own blocks are callouts", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": "markdown_extensions: [admonition, own.blocks]\n",
      "docs/index.md":
        '# Home\n\n!!!info "the "best" one"\n    Words.\n\n/// version-added | v2\nSince then.\n///\n',
    });
    const { markdown } = await read("docs/index.md");
    expect(markdown).toContain(':::info[the "best" one]');
    expect(markdown).toContain(":::note[version added v2]");
    expect(markdown).not.toContain("///");
  });

  test("callouts nested without an end don't take long", async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `${" ".repeat(4 * index)}!!! note`);
    const { read } = await docsOf({ "mkdocs.yml": MACROS, "docs/index.md": lines.join("\n") });
    expect((await read("docs/index.md")).markdown).toContain(":::note");
  });

  test("code keeps what looks like markup", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": MACROS,
      "docs/index.md": "```yaml title='a.yml'\n!!! note\n    x: {.y} :rocket:\n```\n\n`{ .md-button }`\n",
    });
    const { markdown } = await read("docs/index.md");
    expect(markdown).toContain("**a.yml**\n\n```yaml\n!!! note\n    x: {.y} :rocket:\n```");
    expect(markdown).toContain("`{ .md-button }`");
  });

  test("what a program's documentation is made of keeps its heading, and links to it lead there", async () => {
    const { read } = await docsOf({
      "mkdocs.yml":
        "plugins:\n  - mkdocstrings:\n      handlers:\n        python:\n          options:\n            show_root_heading: true\n",
      "docs/index.md": "# Home\n\nSee [`open`][harbour.Port.open] and [gone][other.thing].\n",
      "docs/api.md": "# API\n\n::: harbour.Port\n    options:\n      members: [open]\n",
    });
    expect((await read("docs/api.md")).markdown).toContain("## `harbour.Port` {#harbour.Port}");
    expect((await read("docs/api.md")).markdown).not.toContain("members");
    expect((await read("docs/index.md")).markdown).toContain("[`open`](/api#harbour.Port.open) and gone.");
  });
});

test("a file without which no page is lost says why it is left out", async () => {
  const { site } = await docsOf({
    "mkdocs.yml": "draft_docs: drafts/\nexclude_docs: |\n  *.tmp.md\n  !kept.tmp.md\n",
    "docs/index.md": "# Home\n",
    "docs/README.md": "# Read me\n",
    "docs/drafts/a.md": "# A\n",
    "docs/b.tmp.md": "# B\n",
    "docs/kept.tmp.md": "# Kept\n",
  });
  expect(site.pages.map(({ location }) => location)).toEqual(["docs/index.md", "docs/kept.tmp.md"]);
  expect(site.leftOut).toEqual([
    { location: "docs/README.md", detail: "is not published: index.md stands for its folder" },
    { location: "docs/b.tmp.md", detail: "is left out by the configuration" },
    { location: "docs/drafts/a.md", detail: "is a draft" },
  ]);
});
