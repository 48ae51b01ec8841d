import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";
import { rstToMarkdown } from "../../../src/reading/markdown/rst/rst.ts";

describe("reStructuredText", () => {
  const cases: Array<[name: string, rst: string, markdown: string]> = [
    [
      "titles by the order of their lines",
      "=====\nTitle\n=====\n\nSub\n===\n\nLow\n---\n\nSub2\n====",
      "# Title {#title}\n\n## Sub {#sub}\n\n### Low {#low}\n\n## Sub2 {#sub2}",
    ],
    [
      "anchors as docutils makes them",
      "What's *new* in 3.2?\n====================\n\nÜber\n====\n\n世界\n====",
      "# What's *new* in 3.2? {#what-s-new-in-3-2}\n\n# Über {#uber}\n\n# 世界",
    ],
    [
      "labels before titles",
      ".. _My_Label:\n\nTitle\n=====\n\n.. _b:\n\nwords\n\nNext\n====",
      '# Title {#my-label}\n\n<a id="b"></a>words\n\n# Next {#next}',
    ],
    ["paragraphs", "a\nb\n\nc", "a b\n\nc"],
    ["marks", "**a** *b* ``c*d`` `e` a*b x_ \\*f\\* g\\ h", "**a** *b* `c*d` `e` a\\*b x\\_ \\*f\\* gh"],
    [
      "links",
      "`a <https://b.c>`_ and `d`_ and e_ and `f g <d_>`__\n\n.. _d: https://d.e\n.. _E: f.html",
      "[a](https://b.c) and [d](https://d.e) and [e](f.html) and [f g](https://d.e)",
    ],
    [
      "roles",
      ":ref:`a <b>` :func:`~os.path.join` :class:`!C` :doc:`d </e>` :term:`f` :pep:`8` :math:`x_1` :guilabel:`Save`",
      "a `join` `C` [d](/e) f PEP 8 $`x_1`$ Save",
    ],
    [
      "a project's own directives of code",
      ".. click:example::\n\n    @click.command()\n    def cli(map={'a': 1}):\n        pass",
      "```\n@click.command()\ndef cli(map={'a': 1}):\n    pass\n```",
    ],
    [
      "roles of pages without words, and escapes in roles",
      ":doc:`/validation/custom_constraint`, :doc:`../setup/index`, :class:`A\\\\B\\\\C`",
      "[custom constraint](/validation/custom_constraint), [setup](../setup/index), `A\\B\\C`",
    ],
    [
      "substitutions and footnotes",
      "|v| and |w| [1]_\n\n.. |v| replace:: *3.2*\n.. [1] Foot.",
      "*3.2* and w [^1]\n\n[^1]: Foot.",
    ],
    [
      "footnotes that it numbers itself, and citations",
      "a [#]_ b [#x]_ c [#]_ d [7]_ [CIT]_\n\n.. [#] One.\n.. [#x] X\n   on.\n.. [#] Two.\n.. [CIT] Book.",
      "a [^note-1] b [^x] c [^note-2] d \\[7\\] \\[CIT\\]\n\n[^note-1]: One.\n\n[^x]: X on.\n\n[^note-2]: Two.\n\n[CIT] Book.",
    ],
    [
      "literal blocks",
      "Run::\n\n  a\n    b\n\n  c\n\nd ::\n\n  e\n\n::\n\n  f",
      "Run:\n\n```\na\n  b\n\nc\n```\n\nd\n\n```\ne\n```\n\n```\nf\n```",
    ],
    [
      "code",
      ".. highlight:: sh\n\n.. code-block:: Python\n   :linenos:\n   :caption: f.py\n\n   def f():\n\n       ```\n\n.. code::\n\n   ls",
      "**f.py**\n\n````python\ndef f():\n\n    ```\n````\n\n```sh\nls\n```",
    ],
    ["doctests", ">>> a\nb\n\nc", "```pycon\n>>> a\nb\n```\n\nc"],
    [
      "notes",
      ".. note:: a\n   b\n\n   c\n\n.. admonition:: T\n\n   d\n\n.. seealso::\n\n   e",
      "**Note**\n\na b\n\nc\n\n**T**\n\nd\n\n**See also**\n\ne",
    ],
    [
      "versions",
      ".. versionadded:: 1.2\n   A thing.\n.. deprecated:: 2.0",
      "**New in version 1.2**\n\nA thing.\n\n**Deprecated since version 2.0**",
    ],
    [
      "images",
      ".. image:: a.png\n   :alt: A b\n\n.. figure:: c.png\n   :alt: D\n\n   Caption.\n\n.. image:: e.png",
      "![A b](a.png)\n\n![D](c.png)\n\nCaption.\n\n![](e.png)",
    ],
    [
      "options that go on below",
      ".. figure:: c.png\n   :alt: D\n     and more\n   :width: 10\n\n   Caption.",
      "![D and more](c.png#width=10)\n\nCaption.",
    ],
    [
      "addresses below the names of links, and names that mean the same",
      "See `A b`_, a2_, a3_. Ends in a4_.\n\n.. _`A b`:\n   https://a.example/\n   b\n\n.. _a2: `A b`_\n.. _a3:\n.. _a4: https://c.example",
      "See [A b](https://a.example/b), [a2](https://a.example/b), [a3](https://c.example). Ends in [a4](https://c.example).",
    ],
    [
      "links without names, in order",
      "See `A b`__ and c__.\n\n__ https://a.example\n.. __: https://c.example",
      "See [A b](https://a.example) and [c](https://c.example).",
    ],
    ["substitutions of several lines", "|a|!\n\n.. |a| replace:: x\n   y\n\n.. |i| image:: a.png", "x y!"],
    [
      "grids and cards without how they look",
      ".. grid:: 1 1 2 2\n   :gutter: 2\n\n   .. grid-item-card:: Title\n      :link: https://a.example\n\n      Words.\n\n   .. grid-item-card::\n\n      Head\n      ^^^\n      Body.\n      +++\n      Foot.",
      "**[Title](https://a.example)**\n\nWords.\n\n**Head**\n\nBody.\n\nFoot.",
    ],
    [
      "images, for light pages where there is one for dark ones beside it",
      ".. image:: a.png\n   :alt: A b\n\n.. figure:: c.png\n   :alt: D\n\n   Caption.\n\n.. image:: e f.png\n   :alt: E\n     f\n   :width: 20px\n\n.. image:: d.png\n   :class: only-dark\n\n|g|\n\n.. |g| image:: /h.png\n   :alt: G",
      "![A b](a.png)\n\n![D](c.png)\n\nCaption.\n\n![E f](ef.png#width=20)\n\n![G](/h.png)",
    ],
    [
      "no machinery",
      ".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\n.. comment\n   more\n\n.. raw:: html\n\n   <b>\n\n..\n   c\n\nd",
      "d",
    ],
    ["no fields for the builder", ":orphan:\n:author: x\n\na", "a"],
    ["bullets", "* a\n  b\n* c\n\n  * d\n\n- e", "- a b\n\n- c\n\n  - d\n\n- e"],
    ["numbers", "3. a\n4. b\n\n#. c\n\n   d", "3. a\n\n4. b\n\n5. c\n\n   d"],
    ["no list of an initial", "A. Einstein was\nborn.", "A. Einstein was born."],
    [
      "definitions",
      "term : kind\n  what\n\n  it is\nother\n  b",
      "- **term, kind**\\\n  what\n\n  it is\n\n- **other**\\\n  b",
    ],
    [
      "options",
      "-a, --all=X  take all\n--force\n    do it",
      "**`-a, --all=X`**\n\ntake all\n\n**`--force`**\n\ndo it",
    ],
    [
      "fields",
      "a\n\n:param int x: the x\n   more\n:returns: b",
      "a\n\n- `int x`: the x more\n- **returns**: b",
    ],
    ["quotations", "a\n\n    b\n    c\n\nd", "a\n\n> b c\n\nd"],
    ["lines", "| a\n| - b", "a\\\n\\- b"],
    [
      "grid tables",
      "+---+-----+\n| A | B   |\n+===+=====+\n| 1 | a   |\n|   | b|c |\n+---+-----+",
      "| A | B |\n| --- | --- |\n| 1 | a b\\|c |",
    ],
    [
      "cells of blocks",
      "+---+--------+\n| A | B      |\n+===+========+\n| 1 | W::    |\n|   |        |\n|   |   x y  |\n|   |     z  |\n+---+--------+\n| 2 | * a    |\n|   | * b    |\n+---+--------+",
      "| A | B |\n| --- | --- |\n| 1 | W:<br>`x y`<br>`z` |\n| 2 | - a<br>- b |",
    ],
    [
      "cells that span columns",
      "+---+---+\n| A | B |\n+---+---+\n| a b   |\n+---+---+",
      "| A | B |\n| --- | --- |\n| a b |",
    ],
    [
      "descriptions in cells and items, where no heading can stand",
      "+----------------+-----+\n| A              | B   |\n+================+=====+\n| .. c:macro:: X | yes |\n+----------------+-----+\n\n- New:\n\n  .. method:: add(queue)\n\n     Adds.",
      "| A | B |\n| --- | --- |\n| `X` | yes |\n\n- New:\n\n  `add(queue)`\n\n  Adds.",
    ],
    [
      "lists and code in the cells of list tables",
      ".. list-table::\n\n   * - A\n     - B\n   * - 1\n     - - a\n       - b\n   * - .. code:: m\n\n          x\n          y\n     - W\n       v",
      "| A | B |\n| --- | --- |\n| 1 | - a<br>- b |\n| `x`<br>`y` | W v |",
    ],
    [
      "simple tables",
      "===  ===\nA    B\n===  ===\n1    ``|``\n     c\n2    d\n===  ===\n\ne",
      "| A | B |\n| --- | --- |\n| 1 | `\\|` c |\n| 2 | d |\n\ne",
    ],
    [
      "list tables",
      ".. list-table:: T\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - c\n       d",
      "**T**\n\n| A | B |\n| --- | --- |\n| 1 | c d |",
    ],
    [
      "comma-separated tables",
      '.. csv-table::\n   :header: "A", B\n\n   "a, ""b""", c\n   , d',
      '| A | B |\n| --- | --- |\n| a, "b" | c |\n|  | d |',
    ],
    [
      "what Python describes",
      ".. module:: os\n\n.. class:: Path(*a)\n   :module: x\n\n   The class.\n\n   .. method:: join(b)\n               join(c)\n\n      Joins.\n\nafter",
      "## `x.Path(*a)` {#x.Path}\n\nThe class.\n\n### `x.Path.join(b)` {#x.Path.join}\n\n`x.Path.join(c)`\n\nJoins.\n\nafter",
    ],
    [
      "what a class does, without a title that would take what follows",
      ".. class:: Path\n\n   .. describe:: x == y\n                 x != y\n\n      Compares.\n\n   Of files.\n\n.. describe:: PATH\n\n   Set.",
      "## `Path` {#Path}\n\n`x == y`\\\n`x != y`\n\nCompares.\n\nOf files.\n\n## `PATH` {#path}\n\nSet.",
    ],
    [
      "what is generated",
      ".. autofunction:: a.b\n   :members:\n\n.. option:: --foo <bar>\n\n   Foo.",
      "## `a.b` {#a.b}\n\n## `--foo <bar>` {#foo-bar}\n\nFoo.",
    ],
    [
      "tabs",
      ".. tabs::\n\n   .. tab:: Linux\n\n      apt\n\n   .. code-tab:: bash macOS\n\n      brew",
      ":::tab[Linux]\n\napt\n\n:::\n\n:::tab[macOS]\n\n```bash\nbrew\n```\n\n:::",
    ],
    ["words of what nobody knows", ".. frobnicate:: x/y\n   :opt: z\n\n   words *here*", "words *here*"],
    ["no rules", "a\n\n-----\n\nb", "a\n\nb"],
    ["tabs as spaces", "a::\n\n\tb", "a:\n\n```\nb\n```"],
  ];
  test.each(cases)("has %s", (_, rst, markdown) => {
    expect(rstToMarkdown(rst)).toBe(markdown);
  });

  test("becomes a page with its anchors", () => {
    const page = parsePage(
      ".. _top:\n\nTitle\n=====\n\nwords\n\nA sub\n-----\n\n.. code-block:: js\n\n   x()\n",
      { fallbackTitle: "", format: "rst" },
    );
    expect(page.title).toBe("Title");
    expect(page.passages.map(({ anchor }) => anchor)).toContain("top");
    expect(page.passages.flatMap(({ codeLanguages }) => codeLanguages)).toEqual(["js"]);
  });

  test.each([
    "a **b",
    "a ``b",
    "a `b",
    "a :c:`b",
    ".. x::\n words",
    ".. list-table::\n\n   b",
    "+--+\n| words",
    "=== ===\nwords",
    "words\n=",
    "* *words",
    "|words",
    ".. |x| words",
  ])("does not end at broken markup: %j", (rst) => {
    expect(() => rstToMarkdown(`${rst}\n\nlast words`)).not.toThrow();
    expect(plainText(rstToMarkdown(`${rst}\n\nlast words`))).toEndWith("last words");
  });

  const garbage = [
    "a\n",
    "a\n=\n",
    "  a\n",
    "- ",
    "a::\n\n  ",
    "*a ",
    "`a ",
    "``",
    ":a:`b",
    "|a",
    "a_ ",
    "[a]_",
    "+---+\n|",
    "=== ===\na\n",
    ".. a::\n   ",
    '.. csv-table::\n\n   ",',
    ":a: b\n",
    "-a  b\n",
    "a\n  b\n",
    "#. ",
    "\\",
    ".. |a| replace:: |a|\n|a| ",
  ];
  test.each(garbage)("of %j is read in linear time", (unit) => {
    expect(() => rstToMarkdown(unit.repeat(50_000 / unit.length))).not.toThrow();
  });

  test("of lists two thousand deep keeps the words", () => {
    const rst = Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}- a${depth}`).join("\n");
    expect(rstToMarkdown(rst)).toContain("a1999");
  });
});
