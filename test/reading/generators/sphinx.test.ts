import { describe, expect, test } from "bun:test";
import { readPythonModule } from "../../../src/reading/generators/config/config.ts";
import { sphinx } from "../../../src/reading/generators/sphinx/sphinx.ts";
import { placeMark } from "../../../src/reading/markdown/anchors.ts";
import { openFiles } from "./open-files.ts";

const CONF = 'extensions = ["myst_parser", "nbsphinx"]\nhtml_theme = "basic"\n';
const INDEX = "Home\n====\n";

async function readOnly(files: Record<string, string>, location: string) {
  const site = await openFiles(sphinx, { "conf.py": CONF, "index.rst": INDEX, ...files });
  const page = site.pages.find((each) => each.location === location);
  if (page === undefined) throw new Error(`${location} is no page`);
  return site.read(page);
}

describe("the configuration", () => {
  test("literals, their sums and names of earlier ones are values, and nothing is run", () => {
    const text = [
      "a = \"x\" 'y'",
      'b = f"{a}-1"',
      'c = ["p", os.getenv("Q"), *more]',
      'd = {"k": ("v", None), "n": 1_000}',
      "if True:",
      '    a = "inside"',
      'c += ["r"]',
      'c.append("s")',
      'd["m"] = True',
      "e = run(",
      '  "z")',
      'g = """two',
      'lines"""',
      'h = r"\\d" + "e"',
    ].join("\n");
    const { a, b, c, d, e, g, h } = readPythonModule(text);
    expect({ a, b, d, g, h }).toEqual({
      a: "xy",
      b: "xy-1",
      d: { k: ["v", null], n: 1000, m: true },
      g: "two\nlines",
      h: "\\de",
    });
    expect(Array.isArray(c) && [c[0], c.at(-2), c.at(-1)]).toEqual(["p", "r", "s"]);
    expect(e).toMatchObject({ source: expect.any(String) });
  });

  test("one that is broken or nested without an end is read as far as it goes", () => {
    expect(readPythonModule(`a = 1\nb = ${"[".repeat(100_000)}`)).toMatchObject({ a: 1 });
    expect(readPythonModule('a = "open\nb = 2')).toMatchObject({ b: 2 });
  });

  test("the builder is asked for, with a guess", async () => {
    const site = await openFiles(sphinx, { "conf.py": CONF, "index.rst": INDEX });
    expect(site.unknowns).toEqual([
      { name: "builder", question: expect.stringContaining("dirhtml"), guess: "html" },
    ]);
    const answered = await openFiles(
      sphinx,
      { "conf.py": CONF, "index.rst": INDEX, "guide.rst": INDEX },
      { answers: { builder: "dirhtml" } },
    );
    expect(answered.unknowns).toEqual([]);
    expect(answered.pages.map(({ path }) => path)).toContain("guide");
  });

  test("what says that pages are folders makes them such", async () => {
    const files = { "docs/conf.py": CONF, "docs/index.rst": INDEX, "docs/a.rst": "A\n=\n" };
    const site = await openFiles(sphinx, { ...files, ".readthedocs.yaml": "sphinx:\n  builder: dirhtml\n" });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["", "a"]);
    expect(site.unknowns).toEqual([]);
  });
});

describe("what is included", () => {
  test("a loop of includes ends, and is said", async () => {
    const files = { "a.rst": "A\n=\n\n.. include:: b.txt\n", "b.txt": "Words.\n\n.. include:: b.txt\n" };
    const { markdown, faults } = await readOnly(files, "a.rst");
    expect(markdown).toContain("Words.");
    expect(faults).toEqual(["b.txt, which it includes, includes itself"]);
  });

  test("a file outside of the source is not read", async () => {
    const { faults } = await readOnly({ "a.md": "# A\n\n```{include} ../../etc/passwd\n```\n" }, "a.md");
    expect(faults).toEqual(["../../etc/passwd, which it includes, is not in this source"]);
  });

  test("files that include others many times each don't make a page endless", async () => {
    const files: Record<string, string> = { "a.rst": "A\n=\n\n.. include:: 0.txt\n" };
    for (let depth = 0; depth < 7; depth++)
      files[`${depth}.txt`] = `${"word ".repeat(200)}\n\n${`.. include:: ${depth + 1}.txt\n\n`.repeat(20)}`;
    const { faults } = await readOnly(files, "a.rst");
    expect(faults.some((fault) => fault.includes("makes the page too long"))).toBe(true);
  });

  test("an include that is shown as code is not read", async () => {
    const { markdown, faults } = await readOnly(
      { "a.rst": "A\n=\n\nWrite::\n\n   .. include:: b.txt\n" },
      "a.rst",
    );
    expect(markdown).toContain(".. include:: b.txt");
    expect(faults).toEqual([]);
  });
});

describe("the menu", () => {
  test("toctrees that contain each other end", async () => {
    const tree = (name: string) => `TT\n==\n\n.. toctree::\n\n   ${name}\n`;
    const site = await openFiles(sphinx, {
      "conf.py": CONF,
      "index.rst": tree("a"),
      "a.rst": tree("b"),
      "b.rst": tree("a"),
    });
    expect(site.menu).toEqual([
      { label: "TT", path: "a.html", children: [{ label: "TT", path: "b.html", children: [] }] },
    ]);
  });
});

describe("what programs say of themselves", () => {
  const PROGRAM =
    'class Tide:\n    """A tide of `water`."""\n\n    def rise(self, by=1):\n        """Rise.\n\n        :param by: how far\n        """\n';

  test("stands where a page asks for it, with its parameters", async () => {
    const { markdown, faults } = await readOnly(
      { "api.rst": "API\n===\n\n.. autoclass:: acme.Tide\n   :members:\n", "src/acme.py": PROGRAM },
      "api.rst",
    );
    expect(markdown).toContain("## `acme.Tide` {#acme.Tide}");
    expect(markdown).toContain("### `acme.Tide.rise(by=1)` {#acme.Tide.rise}\n\nRise.\n\n- `by`: how far");
    expect(faults).toEqual([]);
  });

  test("has the sections of docstrings where the extensions are named by a program, and not where others are", async () => {
    const doc = 'def ebb(by):\n    """Fall.\n\n    Arguments:\n        by (int): how far\n    """\n';
    const read = async (conf: string) => {
      const files = {
        "conf.py": conf,
        "api.rst": "API\n===\n\n.. autofunction:: acme.ebb\n",
        "src/acme.py": doc,
      };
      return (await readOnly(files, "api.rst")).markdown;
    };
    const computed = "globals().update(sphinx_acme.build_config(master_doc='index'))\n";
    expect(await read(computed)).toContain("**Arguments**\n\n- `by` (`int`) – how far");
    expect(await read("extensions = ['sphinx.ext.napoleon']\nmaster_doc = 'index'\n")).toContain(
      "- `by` (`int`) – how far",
    );
    expect(await read("extensions = ['sphinx.ext.autodoc']\nmaster_doc = 'index'\n")).not.toContain("- `by`");
  });

  test("may ask for more of it, but not for itself without an end", async () => {
    const words = '"""Of water.\n\n.. automodule:: acme\n   :members:\n\n.. autoclass:: Tide\n"""\n\n';
    const { markdown } = await readOnly(
      { "api.rst": "API\n===\n\n.. automodule:: acme\n", "src/acme.py": `${words}${PROGRAM}` },
      "api.rst",
    );
    expect(markdown).toContain("`acme.Tide` {#acme.Tide}\n\nA tide of `water`.");
  });

  test("is left out where it says that it is private, and not where it says that it is public", async () => {
    const { markdown } = await readOnly(
      {
        "api.rst": "API\n===\n\n.. automodule:: acme\n   :members:\n",
        "src/acme.py":
          'def ebb():\n    """Fall.\n\n    :meta private:\n    """\n\ndef _flow():\n    """Rise.\n\n    :meta public:\n    """\n',
      },
      "api.rst",
    );
    expect(markdown).not.toContain("acme.ebb");
    expect(markdown).toContain("{#acme._flow}");
  });

  test("is that of its own module wherever it stands, once, with the members that several lines ask for", async () => {
    const { markdown } = await readOnly(
      {
        "api.rst":
          "API\n===\n\n.. module:: other\n\n.. autoclass:: acme.Tide\n   :members: rise,\n             fall\n\n.. autoclass:: acme.Tide\n   :inherited-members:\n",
        "src/acme.py": `${PROGRAM}\n    def fall(self):\n        """Fall."""\n`,
      },
      "api.rst",
    );
    const ids = [...markdown.matchAll(/\{#([\w.]+)\}/g)].map(([, id]) => id);
    expect(ids).toEqual(["acme.Tide", "acme.Tide.fall", "acme.Tide.rise", "id0", "id1", "id2"]);
  });

  test("has its module in front once more where an author wrote it there already, as Sphinx does", async () => {
    const { markdown } = await readOnly(
      {
        "api.rst":
          "API\n===\n\n.. currentmodule:: acme\n\n.. data:: acme.globals.tide\n\n.. class:: Pier\n\n   .. method:: Pier.open\n\n.. autofunction:: acme.gone\n",
      },
      "api.rst",
    );
    const ids = [...markdown.matchAll(/\{#([\w.]+)\}/g)].map(([, id]) => id);
    expect(ids).toEqual(["api", "acme.acme.globals.tide", "acme.Pier", "acme.Pier.open", "acme.gone"]);
    expect(markdown).toContain("## `acme.globals.tide` {");
  });

  test("gives its id as a module to a section, unless the words of that are those of a label", async () => {
    const page = (label: string) => `${label}Acme\n====\n\n.. module:: acme.models\n\nWords.\n`;
    const read = async (text: string) => (await readOnly({ "api.rst": text }, "api.rst")).markdown;
    expect(await read(page(".. _start:\n\n"))).toContain("# Acme {#module-acme.models}");
    expect(await read(page(".. _acme:\n\n"))).toContain("# Acme {#acme}");
    // Only the id is the same.
    expect(await read(page(".. _acme!:\n\n"))).toContain("# Acme {#module-acme.models}");
  });

  test("is where a name leads that has a dot in front and leaves out what is before", async () => {
    const { markdown } = await readOnly(
      {
        "api.rst": "API\n===\n\n.. autoclass:: acme.Tide\n   :members:\n",
        "index.rst": `${INDEX}\n:meth:\`.Tide.rise\` :meth:\`~.rise\` :meth:\`rise\` :meth:\`.gone\`\n`,
        "src/acme.py": PROGRAM,
      },
      "index.rst",
    );
    expect(markdown).toContain(
      "[`Tide.rise()`](/api.html#acme.Tide.rise) [`rise()`](/api.html#acme.Tide.rise) `rise()` `gone()`",
    );
  });

  test("attributes in a line of MyST name a place, and are no words", async () => {
    const page = "# A\n\nSee [this *span*]{#here .big}, [B](b.md){#there} and `code`{.python}, `[x]{#y}`.\n";
    const { markdown } = await readOnly({ "a.md": page, "b.md": "# B\n" }, "a.md");
    expect(markdown).toContain(
      `See ${placeMark("here")}this *span*, [B](/b.html)${placeMark("there")} and \`code\`, \`[x]{#y}\`.`,
    );
  });

  test("stands in pages of MyST too, in the module that is named above", async () => {
    const { markdown } = await readOnly(
      {
        "api.md":
          "# API\n\n```{currentmodule} acme\n```\n\n```{eval-rst}\n.. autoclass:: Tide\n   :members:\n```\n\n```{autoclass} Tide\n:no-index:\n```\n\n{meth}`Tide.rise`",
        "src/acme.py": PROGRAM,
      },
      "api.md",
    );
    expect(markdown).toContain("### `acme.Tide.rise(by=1)` {#acme.Tide.rise}\n\nRise.");
    expect(markdown.split("A tide of `water`.")).toHaveLength(3);
    expect(markdown).toContain("[`Tide.rise()`](#acme.Tide.rise)");
  });

  test("has a page for each part that is listed, at the address at which Sphinx makes it", async () => {
    const conf = 'extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]\ntemplates_path = ["_t"]\n';
    const site = await openFiles(sphinx, {
      "conf.py": conf,
      "index.rst": `${INDEX}\n.. currentmodule:: acme\n\n.. autosummary::\n   :toctree: api/\n\n   Tide\n   gone\n   ../../etc\n`,
      "_t/autosummary/class.rst": "{{ objname | escape | underline }}\n",
      "acme.py": PROGRAM,
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["api/acme.Tide.html", ""]);
    expect(site.menu.map(({ label, path }) => [label, path])).toEqual([["Tide", "api/acme.Tide.html"]]);
    const [tide, home] = await Promise.all(site.pages.map((page) => site.read(page)));
    expect(tide?.markdown).toContain("A tide of `water`.");
    expect(home?.markdown).toContain("- [`Tide`](/api/acme.Tide.html#acme.Tide) – A tide of `water`.");
  });

  test("is missed where the program is elsewhere, and that is said", async () => {
    const { markdown, faults } = await readOnly(
      { "api.rst": "API\n===\n\n.. autofunction:: acme.gone\n\n   Written here.\n" },
      "api.rst",
    );
    expect(markdown).toContain("Written here.");
    expect(faults).toEqual(["acme.gone, which it describes, is no program of this source"]);
  });
});

describe("pages", () => {
  test("a directive of nobody keeps its words, and is said", async () => {
    const { markdown, faults } = await readOnly({ "a.md": "# A\n\n```{sparkle} x\nWords.\n```\n" }, "a.md");
    expect(markdown).toContain("Words.");
    expect(faults).toEqual(['the directive "sparkle" is not known: its words are kept']);
  });

  test("a notebook's words, code and text outputs are read, and its pictures are not", async () => {
    const notebook = JSON.stringify({
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "Words."] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [{ text: ["1\n"] }, { data: { "image/png": "aGVsbG8=" } }],
        },
      ],
    });
    const { data, markdown } = await readOnly({ "n.ipynb": notebook }, "n.ipynb");
    expect(data["title"]).toBe("Title");
    expect(markdown).toContain("```python\nprint(1)\n```\n\n```\n1\n```");
    expect(markdown).not.toContain("aGVsbG8");
  });

  test("a notebook that is none is said", async () => {
    const { faults } = await readOnly({ "n.ipynb": "{" }, "n.ipynb");
    expect(faults).toEqual(["n.ipynb is no notebook that can be read"]);
  });

  test("names that begin with low lines are pages", async () => {
    const site = await openFiles(sphinx, { "conf.py": CONF, "index.rst": INDEX, "_thread.rst": "T\n=\n" });
    expect(site.pages.map(({ path }) => path)).toContain("_thread.html");
  });

  test("templates and files that are copied as they are hold no pages", async () => {
    const conf = `${CONF}templates_path = ["_templates"]\nhtml_static_path = ["./static/"]\n`;
    const files = { "_templates/autosummary/base.rst": "{{ name }}\n", "static/a.rst": "A\n=\n" };
    const site = await openFiles(sphinx, { "conf.py": conf, "index.rst": INDEX, ...files });
    expect(site.pages.map(({ path }) => path)).toEqual([""]);
  });

  test("pages may be in a folder below the one of the configuration, and the folder is asked for", async () => {
    const files = { "docs/conf.py": CONF, "docs/user/index.rst": INDEX, "docs/user/a.rst": "A\n=\n" };
    const site = await openFiles(sphinx, { ...files, "docs/dev/index.rst": INDEX });
    expect(site.pages.map(({ path }) => path).sort()).toEqual(["", "a.html"]);
    expect(site.unknowns).toContainEqual({
      question: expect.stringContaining("Which folder holds the pages?"),
      guess: "docs/user",
    });
  });

  test("roles and links of MyST go on in the next line", async () => {
    const page = "# A\n\nThe {ref}`big\nwords <b-label>` and a\n[link\nhere](b.md).\n";
    const { markdown } = await readOnly({ "a.md": page, "b.md": "(b-label)=\n# B\n" }, "a.md");
    expect(markdown).toContain("The [big words](/b.html#b-label) and a\n[link\nhere](/b.html).");
  });

  test("a link of MyST to a name that these docs do not have is words", async () => {
    const page =
      "# A\n\n[`Group`](x.blocks.Group), [more](inv:x#y), [file](a.zip) and [web](https://a.example).\n";
    const { markdown } = await readOnly({ "a.md": page, "a.zip": "" }, "a.md");
    expect(markdown).toContain("`Group`, more, [file](a.zip) and [web](https://a.example).");
  });

  test("a card leads where its link does", async () => {
    const card = ":link: b-label\n:link-type: ref\n\nHead\n^^^\nWords.\n+++\nFoot.";
    const page = `# A\n\n\`\`\`{card}\n${card}\n\`\`\`\n`;
    const { markdown } = await readOnly({ "a.md": page, "b.rst": ".. _b-label:\n\nBoat\n====\n" }, "a.md");
    expect(markdown).toContain("**[Head](/b.html#boat)**\n\nWords.\n\nFoot.");
  });

  test("tabs are in a set, whose tabs may hold others", async () => {
    const set =
      "::::{tab-set}\n:::{tab-item} A\nOne.\n:::\n:::{tab-item} B\n- x\n\n  ```{tab-item} C\n  Two.\n  ```\n:::\n::::";
    const rst = ".. tab-set::\n\n   .. tab-item:: A\n\n      One.\n\n   .. tab-item:: B\n\n      Two.\n";
    const files = { "a.md": `# A\n\n${set}\n`, "b.rst": `B\n=\n\n${rst}` };
    const myst = (await readOnly(files, "a.md")).markdown.replace(/\n+/g, "\n");
    expect(myst).toContain(":::tab[A]\nOne.\n:::\n:::tab[B]\n- x\n  **C**\n  Two.\n:::");
    const { markdown } = await readOnly(files, "b.rst");
    expect(markdown).toContain(":::tab[A]\n\nOne.\n\n:::\n\n:::tab[B]\n\nTwo.\n\n:::");
  });

  test("theorems are called by what they are, and buttons lead where they say", async () => {
    const page = "# A\n\n```{prf:theorem} Sum\nWords.\n```\n\n```{button-ref} b\n:ref-type: doc\nGo\n```\n";
    const { markdown, faults } = await readOnly({ "a.md": page, "b.rst": "Boat\n====\n" }, "a.md");
    expect(markdown).toContain(":::note[Theorem (Sum)]\n\nWords.\n\n:::");
    expect(markdown).toContain("[Go](/b.html)");
    expect(faults).toEqual([]);
  });

  test("a page takes in a long file once", async () => {
    const long = "Words. ".repeat(2_000);
    const page = "A\n=\n\n.. include:: l.txt\n\nB\n-\n\n.. include:: l.txt\n";
    const { markdown, faults } = await readOnly({ "a.rst": page, "l.txt": long }, "a.rst");
    expect(markdown.length).toBeLessThan(long.length * 1.5);
    expect(faults).toEqual([]);
  });
});

describe("where pages were before", () => {
  const redirectsOf = async (conf: string, files: Record<string, string> = {}) => {
    const site = await openFiles(sphinx, {
      "conf.py": CONF + conf,
      "index.rst": INDEX,
      "a/b.rst": INDEX,
      ...files,
    });
    return site.redirects.map(({ from, to }) => `${from} -> ${to}`);
  };

  test("is what sphinx_reredirects is told, as a browser reads it on the old page", async () => {
    const conf = `redirects = {
      "old/page": "../a/b.html#x", "gone": "https://elsewhere.example/", "*": "index.html", "a": "b.html",
    }`;
    expect(await redirectsOf(conf)).toEqual([
      "old/page -> /a/b.html#x",
      "gone -> https://elsewhere.example/",
      "a -> /b.html",
    ]);
  });

  test("is what rediraffe is told, in the configuration or in a file", async () => {
    expect(await redirectsOf('rediraffe_redirects = {"old.rst": "a/b.rst"}')).toEqual(["old -> /a/b"]);
    const files = { "moved.txt": '# moved\n"old page.rst" "a/b.rst"\nold2.md a/b.rst\nalone\n' };
    expect(await redirectsOf('rediraffe_redirects = "moved.txt"', files)).toEqual([
      "old page -> /a/b",
      "old2 -> /a/b",
    ]);
    expect(await redirectsOf('rediraffe_redirects = "../../etc/passwd"')).toEqual([]);
  });
});

describe("a book of Jupyter Book", () => {
  const TOC = [
    "format: jb-book",
    "root: intro",
    "parts:",
    "  - caption: Basics",
    "    chapters:",
    "      - file: basics/a.md",
    "        title: First",
    "        sections:",
    "          - file: basics/b",
    "      - url: https://a.example",
    "        title: Web",
    "  - chapters:",
    "      - glob: more/*",
  ].join("\n");
  const FILES = {
    "book/_toc.yml": TOC,
    "book/_config.yml": "title: Book\nparse:\n  myst_substitutions: {v: '7'}\nexclude_patterns: [old.md]\n",
    "book/intro.md": "# Welcome\n\nSee {doc}`basics/a`.\n",
    "book/basics/a.md": "# A a\n\n{{ v }}\n",
    "book/basics/b.ipynb": JSON.stringify({ cells: [{ cell_type: "markdown", source: "# B b" }] }),
    "book/more/c.md": "# C c\n",
    "book/old.md": "# Old\n",
    "book/unlisted.md": "# Unlisted\n",
  };

  test("has the pages, the addresses and the menu that its table of contents gives it", async () => {
    const site = await openFiles(sphinx, FILES);
    expect(site.generator).toBe("Jupyter Book");
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "basics/a.html",
      "basics/b.html",
      "intro.html",
      "more/c.html",
      "unlisted.html",
    ]);
    expect(site.redirects).toEqual([{ from: "", to: "/intro.html" }]);
    expect(site.menu).toEqual([
      { label: "Welcome", path: "intro.html", children: [] },
      {
        label: "Basics",
        children: [
          {
            label: "First",
            path: "basics/a.html",
            children: [{ label: "B b", path: "basics/b.html", children: [] }],
          },
          { label: "Web", href: "https://a.example", children: [] },
        ],
      },
      { label: "C c", path: "more/c.html", children: [] },
    ]);
    const intro = site.pages.find(({ path }) => path === "intro.html");
    expect(intro && (await site.read(intro)).markdown).toContain("See [A a](/basics/a.html).");
  });

  test("has only the pages that are listed where it says so", async () => {
    const config = "only_build_toc_files: true\n";
    const { pages, leftOut } = await openFiles(sphinx, { ...FILES, "book/_config.yml": config });
    expect(pages.map(({ path }) => path)).not.toContain("unlisted.html");
    expect(leftOut).toContainEqual({
      location: "book/unlisted.md",
      detail: "is not in the table of contents",
    });
  });

  test("of an older version has a list", async () => {
    const toc = "- file: intro\n- part: P\n- file: basics/a\n  sections:\n    - file: basics/b\n";
    const { menu } = await openFiles(sphinx, { ...FILES, "book/_toc.yml": toc });
    expect(menu.map(({ label }) => label)).toEqual(["Welcome", "A a"]);
  });
});

describe("a project of MyST", () => {
  const FILES = {
    "docs/01_Intro & Setup.md": "---\ntitle: Said\n---\n\n# Written\n",
    "docs/index.md":
      "# Home\n\n[](./guide/01-start.md)\n\n```{list-table}\n* - A\n  - [](guide/02_b.ipynb)\n```\n",
    "docs/guide/01-start.md": "# Start\n",
    "docs/guide/02_b.ipynb": JSON.stringify({ cells: [{ cell_type: "markdown", source: "# B b" }] }),
    "docs/more/01-start.md": "# Again\n",
    "docs/other.md": "# Other\n",
  };
  const TOC = [
    "version: 1",
    "project:",
    "  toc:",
    "    - file: index.md",
    "    - title: Guide",
    "      children:",
    "        - file: guide/01-start",
    "        - pattern: guide/*.ipynb",
    "    - file: more/01-start.md",
    "      title: More",
    "    - file: '01_Intro & Setup.md'",
    "    - url: https://a.example",
    "      title: Web",
  ].join("\n");

  test("has short addresses and the menu of its table of contents", async () => {
    const site = await openFiles(sphinx, { ...FILES, "docs/myst.yml": TOC });
    expect(site.generator).toBe("MyST");
    expect(site.leftOut).toEqual([{ location: "docs/other.md", detail: "is not in the table of contents" }]);
    const [home, guide, ...others] = site.menu;
    expect(home).toEqual({ label: "Home", path: "", children: [] });
    expect(guide?.children.map(({ label, path }) => [label, path])).toEqual([
      ["Start", "start"],
      ["B b", "b"],
    ]);
    expect(others.map(({ label, path, href }) => [label, path ?? href])).toEqual([
      ["More", "start-1"],
      ["Said", "intro-and-setup"],
      ["Web", "https://a.example"],
    ]);
    const page = site.pages.find(({ path }) => path === "");
    const { markdown } = page === undefined ? { markdown: "" } : await site.read(page);
    expect(markdown).toContain("[Start](/start)");
    expect(markdown).toContain("| A | [B b](/b) |");
  });

  test("has the addresses of its folders where it says so, and all pages without a table of contents", async () => {
    const config = "version: 1\nproject: {exclude: [more/**]}\nsite: {options: {folders: true}}\n";
    const site = await openFiles(sphinx, { ...FILES, "docs/myst.yml": config });
    expect(site.pages.map(({ path }) => path).sort()).toEqual([
      "",
      "guide/b",
      "guide/start",
      "intro-and-setup",
      "other",
    ]);
    expect(site.menu.map(({ label }) => label)).toEqual(["Home", "Said", "Other", "Guide"]);
  });
});
