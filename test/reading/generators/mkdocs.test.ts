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

  test("code in a tab that nothing closes ends with its tab", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": "site_name: x\nmarkdown_extensions: [pymdownx.tabbed]\n",
      "docs/index.md": '# Home\n\n=== "A"\n\n    ```\n    x\n\n=== "B"\n\n    Words.\n',
    });
    expect((await read("docs/index.md")).markdown.replace(/\n+/g, "\n")).toContain(
      ":::tab[A]\n```\nx\n```\n:::\n:::tab[B]\nWords.\n:::",
    );
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

  test("what a program says of itself is read from it, with what it says of parameters where they are declared", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": "plugins:\n  - mkdocstrings\n",
      "docs/index.md": "# Home\n\n::: harbour.open\n    options:\n      show_root_heading: true\n",
      "src/harbour.py":
        'def open(hour: Annotated[int, Doc("""\n    The hour.\n\n    ```python\n    open(6)\n    ```\n    """)] = 6):\n    """Open the port, as [dawn][sun-rise] comes: x[0][1].\n\n    # Mind\n    """\n',
    });
    const { markdown, faults } = await read("docs/index.md");
    expect(markdown).toContain("## `harbour.open` {#harbour.open}\n\n```python\nopen(hour: int = 6)\n```");
    expect(markdown).toContain("Open the port, as dawn comes: x[0][1].\n\n### Mind {#harbour.open--mind}");
    expect(markdown).toContain("- `hour` – The hour.\n\n  ```python\n  open(6)\n  ```");
    expect(faults).toEqual([]);
  });

  test("filters say which members are shown: the last one that knows a name, and their kind where none does", async () => {
    const program =
      'class Port:\n    """A port."""\n\n    def open(self):\n        """Open."""\n\n    def opened(self):\n        """Whether."""\n\nclass Pier(Port):\n    """A pier."""\n\n    def open(self):\n        pass\n';
    const membersWith = async (filters: string) => {
      const { read } = await docsOf({
        "mkdocs.yml": "plugins:\n  - mkdocstrings\n",
        "docs/index.md": `# Home\n\n::: harbour\n    options:\n      filters: ${filters}\n`,
        "harbour.py": program,
      });
      const { markdown } = await read("docs/index.md");
      return [...markdown.matchAll(/\{#harbour\.([\w.]+)\}/g)].map(([, name]) => name);
    };
    expect(await membersWith('["!^open", "opened"]')).toEqual(["Pier", "Port", "Port.opened"]);
    expect(await membersWith('["^P", "^open$"]')).toEqual(["Pier", "Port", "Port.open"]);
    // What replaces a method and says nothing of itself is not described with the words of the other.
    expect(await membersWith("[]")).toEqual(["Pier", "Port", "Port.open", "Port.opened"]);
  });

  test("lines that only hooks fill are left out, and it is said; a tab may be empty", async () => {
    const page = '# Home\n\n=== "All"\n{{ table.all }}\n\nUse `{{ x }}`.\n\n```\n{{ y }}\n```\n';
    const { read } = await docsOf({
      "mkdocs.yml": "markdown_extensions: [pymdownx.tabbed]\nhooks: [hooks.py]\n",
      "docs/index.md": page,
    });
    const { markdown, faults } = await read("docs/index.md");
    expect(markdown).toContain(":::tab[All]\n");
    expect(markdown).not.toContain("===");
    expect(markdown).not.toContain("table.all");
    expect(markdown).toContain("Use `{{ x }}`.\n\n```\n{{ y }}\n```");
    expect(faults).toEqual(["{{ table.all }} is filled by a program, which is not run"]);
    const plain = await docsOf({ "mkdocs.yml": "site_name: Acme\n", "docs/index.md": page });
    expect((await plain.read("docs/index.md")).markdown).toContain("{{ table.all }}");
  });

  test("links by the name that a module defines lead to where a package's name for it is described", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": "plugins:\n  - mkdocstrings\n",
      "docs/index.md":
        "# Home\n\n[`open`][harbour.port.Port.open], [`Port`][harbour.Port] and [Pier][harbour.port.Pier].\n",
      "docs/api.md": "# API\n\n::: harbour.Port\n",
      "harbour/__init__.py": "from .port import Port\n",
      "harbour/port.py":
        'class Port:\n    """A port."""\n\n    def open(self):\n        """Open."""\n\nclass Pier:\n    """A pier."""\n',
    });
    expect((await read("docs/index.md")).markdown).toContain(
      "[`open`](/api#harbour.Port.open), [`Port`](/api#harbour.Port) and Pier.",
    );
  });

  test("a program that is elsewhere keeps its heading, links to it lead there, and it is said", async () => {
    const { read } = await docsOf({
      "mkdocs.yml":
        "plugins:\n  - mkdocstrings:\n      handlers:\n        python:\n          options:\n            show_root_heading: true\n",
      "docs/index.md": "# Home\n\nSee [`open`][harbour.Port.open] and [gone][other.thing].\n",
      "docs/api.md": "# API\n\n::: harbour.Port\n    options:\n      members: [open]\n",
    });
    expect((await read("docs/api.md")).markdown).toContain("## `harbour.Port` {#harbour.Port}");
    expect((await read("docs/api.md")).markdown).not.toContain("members");
    expect((await read("docs/api.md")).faults).toEqual([
      "harbour.Port, which it describes, is no program of this source",
    ]);
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

describe("menus of awesome-nav", () => {
  const CONFIG = "site_name: x\nplugins: [awesome-nav]\n";
  const menuOf = async (files: Files) => {
    const { site } = await docsOf({ "mkdocs.yml": CONFIG, ...files });
    const shown = (entries: typeof site.menu): unknown[] =>
      entries.map(({ label, path, href, children }) =>
        children.length > 0 ? { [label]: shown(children) } : `${label}: ${path ?? href}`,
      );
    return shown(site.menu);
  };

  test("name pages and folders by their paths, with labels, groups, links and patterns for the rest", async () => {
    const nav = [
      "nav:",
      "  - Start: guide/start.md",
      "  - More:",
      "      - guide/b.md",
      "      - Web: https://a.example",
      "  - API: ref",
      "  - '*'",
    ].join("\n");
    const menu = await menuOf({
      "docs/.nav.yml": nav,
      "docs/index.md": "# Home\n",
      "docs/guide/start.md": "# S\n",
      "docs/guide/b.md": "# B\n",
      "docs/guide/c10.md": "# C10\n",
      "docs/guide/c9.md": "# C9\n",
      "docs/ref/a.md": "# A\n",
    });
    expect(menu).toEqual([
      "Start: guide/start",
      { More: ["B: guide/b", "Web: https://a.example"] },
      { API: ["A: ref/a"] },
      "Home: ",
      { Guide: ["C9: guide/c9", "C10: guide/c10"] },
    ]);
  });

  test("have what folders say of themselves: titles, order, what is hidden or left out", async () => {
    const menu = await menuOf({
      "docs/.nav.yml": "sort: {direction: desc}\nignore: '*.draft.md'\n",
      "docs/a/.nav.yml": "title: Letters\n",
      "docs/a/x.md": "# X\n",
      "docs/a/y.md": "# Y\n",
      "docs/a/z.draft.md": "# Z\n",
      "docs/b/.nav.yml": "hide: true\n",
      "docs/b/h.md": "# H\n",
      "docs/c/.nav.yml": "flatten_single_child_sections: true\n",
      "docs/c/only.md": "# Only\n",
    });
    expect(menu).toEqual(["Only: c/only", { Letters: ["Y: a/y", "X: a/x"] }]);
  });

  test("end where a folder names itself again and again", async () => {
    const nav = `nav:\n${"  - .\n".repeat(30)}`;
    expect(
      await menuOf({ "docs/.nav.yml": nav, "docs/a/.nav.yml": nav, "docs/a/x.md": "# X\n" }),
    ).toBeArray();
  });
});

describe("macros", () => {
  const of = (text: string, files: Files = {}) =>
    docsOf({
      "mkdocs.yml":
        "site_name: x\nplugins:\n  - macros:\n      include_dir: parts\n      include_yaml: [vars.yml]\nextra: {v: '1'}\n",
      "docs/index.md": `# Home\n\n${text}\n`,
      ...files,
    }).then(({ read }) => read("docs/index.md"));

  test("take in templates, which may take in others, and end where these are a loop", async () => {
    const { markdown, faults } = await of('{% include "a.md" %}', {
      "parts/a.md": "A {{ v }}\n\n{% include 'b.md' %}\n",
      "parts/b.md": 'B\n\n{% include "a.md" %}\n',
    });
    expect(markdown).toContain("A 1\n\nB");
    expect(faults).toEqual(["a.md, which it includes, includes itself"]);
  });

  test("know what is set on the page, defaults, and values in files", async () => {
    const text = '{% set w = "v" + v %}{{ w }}, {{ gone | default("usual") }}, {{ deep.key }}.';
    const { markdown, faults } = await of(text, { "vars.yml": "deep: {key: 7}\n" });
    expect(markdown).toContain("v1, usual, 7.");
    expect(faults).toEqual([]);
  });

  test("write loops over values of the configuration, of the page and of files", async () => {
    const text =
      "{% for each in tools %}{% if not loop.first %}, {% endif %}{{ each.name }} ({% for os in each.on %}{{ os }}{% if not loop.last %}/{% endif %}{% endfor %}){% endfor %}; {% for k, n in sizes.items() %}{{ k }}={{ n }} {% endfor %}{% for x in computed() %}no{% endfor %}";
    const { markdown, faults } = await of(text, {
      "vars.yml": "tools: [{name: A, on: [mac, linux]}, {name: B, on: [win]}]\nsizes: {s: 1, m: 2}\n",
    });
    expect(markdown).toContain("A (mac/linux), B (win); s=1 m=2");
    expect(markdown).not.toContain("no");
    expect(faults).toEqual(["{{ for x in computed() }} is computed, and left out"]);
  });

  test("end loops in loops at a bound", async () => {
    const { faults } = await of(`${"{% for i in list %}".repeat(8)}x${"{% endfor %}".repeat(8)}`, {
      "vars.yml": `list: [${"1, ".repeat(200)}1]\n`,
    });
    expect(faults).toEqual(["its loops make too much, and are cut"]);
  });

  test("may have other marks", async () => {
    const { read } = await docsOf({
      "mkdocs.yml":
        "site_name: x\nplugins:\n  - macros:\n      j2_variable_start_string: '{{{'\n      j2_variable_end_string: '}}}'\nextra: {v: '1'}\n",
      "docs/index.md": "# Home\n\n{{{ v }}} and {{ v }}.\n",
    });
    expect((await read("docs/index.md")).markdown).toContain("1 and {{ v }}.");
  });

  test("that indent keep what is included in its tab", async () => {
    const { read } = await docsOf({
      "mkdocs.yml": "site_name: x\nmarkdown_extensions: [pymdownx.tabbed]\nplugins: [macros]\n",
      "docs/index.md":
        '# Home\n\n=== "Tab"\n\n    {% filter indent(width=4) %}{% include "a.md" %}{% endfilter %}\n\nAfter.\n',
      "a.md": "One.\n\nTwo.\n",
    });
    expect((await read("docs/index.md")).markdown).toContain(":::tab[Tab]\n\n\nOne.\n\nTwo.\n\n\n\n:::");
  });
});

test("markdown_include takes in files", async () => {
  const { site, read } = await docsOf({
    "mkdocs.yml": "site_name: x\nmarkdown_extensions: [markdown_include.include]\n",
    "docs/index.md": "# Home\n\n{!docs/a.txt!}\n",
    "docs/a.txt": "Taken in.\n",
  });
  expect((await read("docs/index.md")).markdown).toContain("Taken in.");
  expect(site.unknowns).toEqual([]);
});

test("links and menus that name a page whose address another one has lead to that one", async () => {
  const { site, read } = await docsOf({
    "mkdocs.yml": "site_name: x\nnav:\n  - index.md\n  - A: a.md\n",
    "docs/index.md": "# Home\n\n[a](a.md)\n",
    "docs/a.md": "# A1\n",
    "docs/a/index.md": "# A2\n",
  });
  expect(site.menu.map(({ path }) => path)).toEqual(["", "a"]);
  expect((await read("docs/index.md")).markdown).toContain("[a](/a)");
});

describe("a definition below a heading", () => {
  const PAGE =
    "# Settings\n\n#### [`A=<b>`](#a) {#a}\n\n: What it is for, such as\nmail.\n\n    ```yaml\n    a:\n\n      b: 1\n    ```\n\n    !!! warning\n        Not **twice**.\n\n    > [!NOTE]\n    > Nor *thrice*.\n\n    Defaults to `c`.\n\n#### B\n\n: Two.\n";
  const read = async (extensions: string) => {
    const docs = await docsOf({
      "mkdocs.yml": `site_name: x\nmarkdown_extensions: [attr_list, admonition, pymdownx.superfences${extensions}]\n`,
      "docs/index.md": PAGE,
    });
    return (await docs.read("docs/index.md")).markdown;
  };

  test("is text, with its code, its callouts and its lists, where definition lists are read", async () => {
    const markdown = await read(", def_list");
    expect(markdown).not.toMatch(/^:\s/m);
    for (const block of [
      "What it is for, such as\nmail.",
      "```yaml\na:\n\n  b: 1\n```",
      "> [!WARNING]\n>\n> Not **twice**.\n>",
      "> [!NOTE]\n> Nor *thrice*.",
      "Defaults to `c`.",
    ])
      expect(markdown).toContain(`\n\n${block}\n\n`);
    expect(markdown.trimEnd()).toEndWith("\n\nTwo.");
  });

  test("is left as it is where they are not", async () => {
    expect(await read("")).toContain(": What it is for");
  });
});
