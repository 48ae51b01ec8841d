import { describe, expect, test } from "bun:test";
import { readOrg, withOrgIncludes } from "../../../src/reading/markdown/org/org.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const written = (source: string) => readOrg(source).markdown;

describe("what a page says of itself", () => {
  test("its title and description are plain words, and its keywords are no text", () => {
    const page = readOrg(
      "#+TITLE: The /big/ =guide=\n#+DESCRIPTION: What it is\n#+KEYWORDS: a, b\n#+OPTIONS: toc:nil\nWords.\n",
    );
    expect(page).toEqual({
      title: "The big guide",
      description: "What it is",
      keywords: ["a", "b"],
      isHidden: false,
      markdown: "Words.",
      faults: [],
    });
  });

  test("its subtitle is its first line", () => {
    expect(readOrg("#+TITLE: T\n#+SUBTITLE: Not for *you*\nWords.\n")).toMatchObject({
      title: "T",
      markdown: "**Not for you**\n\nWords.",
    });
  });

  test("without a title, the first heading is one", () => {
    expect(parsePage("* Start\nx\n", { fallbackTitle: "file", format: "org" }).title).toBe("Start");
    expect(written("* Start\n** Below\n")).toBe("# Start\n\n## Below");
    expect(written("#+TITLE: T\n* Start\n")).toBe("## Start");
  });

  test("a page that is not exported is hidden", () => {
    expect(parsePage("#+FILETAGS: :noexport:\nx\n", { fallbackTitle: "x", format: "org" }).hidden).toBe(true);
  });
});

describe("headings", () => {
  test("keywords, priorities, cookies, tags, dates and drawers are no words of them", () => {
    const source =
      "#+TODO: WAIT | GONE\n* TODO [#A] First *one* [1/2]  :tag:other:\nSCHEDULED: <2024-01-01 Mon>\n:PROPERTIES:\n:CUSTOM_ID: first\n:END:\n:LOGBOOK:\nCLOCK: x\n:END:\nWords.\n* WAIT Second\n* TODOs\n";
    expect(written(source)).toBe("# First **one** {#first}\n\nWords.\n\n# Second\n\n# TODOs");
  });

  test("what a drawer of the author's holds is shown", () => {
    expect(written("* A\n:NOTES:\nDo not.\n\n- x\n:END:\nWords.\n")).toBe("# A\n\nDo not.\n\n- x\n\nWords.");
  });

  test("a mark that lacks its colon is words", () => {
    expect(written("Before.\n#+beginsrc sh\n\nls\n")).toContain("beginsrc sh");
  });

  test("what is commented, or not exported, is left out with all below it", () => {
    const source = "* A\n* COMMENT B\n** C\n* D :noexport:\n** E\n* Contents :TOC_3:\n- [[#f][F]]\n* F\n";
    expect(written(source)).toBe("# A\n\n# F");
  });
});

describe("blocks", () => {
  test("code, with its language and without the commas of Org", () => {
    expect(
      written("#+NAME: x\n#+BEGIN_SRC emacs-lisp -n :tangle no\n,* star\n,#+key\n  (a)\n#+END_SRC\n"),
    ).toBe('<a id="x"></a>\n\n```elisp\n* star\n#+key\n  (a)\n```');
    expect(written("#+begin_example\n  two ```\n#+end_example\n: fixed\n:  more\n")).toBe(
      "````\ntwo ```\n````\n\n```\nfixed\n more\n```",
    );
    expect(written("#+BEGIN_SRC sh :exports none\nx\n#+END_SRC\n#+RESULTS:\n: y\n")).toBe("```\ny\n```");
  });

  test("quotes, verse, centred text, HTML, comments and notes", () => {
    expect(written("#+BEGIN_QUOTE\na\n\nb\n#+END_QUOTE\n")).toBe("> a\n>\n> b");
    expect(written("#+BEGIN_VERSE\na\n  /b/\n#+END_VERSE\n")).toBe("> a\\\n> *b*");
    expect(written("#+BEGIN_CENTER\na\n#+END_CENTER\n#+BEGIN_EXPORT html\n<b>c</b>\n#+END_EXPORT\n")).toBe(
      "a\n\n**c**",
    );
    expect(written("#+BEGIN_EXPORT latex\nx\n#+END_EXPORT\n#+BEGIN_COMMENT\nx\n#+END_COMMENT\n# x\n")).toBe(
      "",
    );
    expect(written("#+begin_warning\nMind.\n#+end_warning\n")).toBe(":::warning\n\nMind.\n\n:::");
  });

  test("a mark that is not closed takes nothing with it", () => {
    expect(written("#+BEGIN_SRC\na\n\n:X:\nb\n")).toBe("a\n\nb");
  });

  test("tables, without rulers, widths and formulas", () => {
    expect(
      written("#+CAPTION: Sizes\n| a | *b* |\n|---+---|\n| <l> | <10> |\n| =x= | \\vert |\n#+TBLFM: $1=1\n"),
    ).toBe("**Sizes**\n\n| a | **b** |\n| --- | --- |\n| `x` | \\| |");
  });

  test("lists: nested, numbered, with boxes, and of terms", () => {
    expect(written("- a\n  b\n  - c\n- [X] d\n- [ ] e\n")).toBe("- a b\n  - c\n- [x] d\n- [ ] e");
    expect(written("1. a\n2) b\n   : code\n")).toBe("1. a\n\n2. b\n\n   ```\n   code\n   ```");
    expect(written("- ~--force~ :: Without asking.\n- b :: c\n")).toBe(
      "- **`--force`**\\\n  Without asking.\n- **b**\\\n  c",
    );
  });
});

describe("words", () => {
  test("emphasis, where Org sees it", () => {
    expect(written("*b* /i/ =v*v= ~c~ _u_ +s+ snake_case_name a*b*c 2 * 3 * 4 (*x*)\n")).toBe(
      "**b** *i* `v*v` `c` u ~~s~~ snake_case_name a\\*b\\*c 2 * 3 * 4 (**x**)",
    );
  });

  test("links to headings, ids, files and elsewhere", () => {
    const source =
      "* One\n:PROPERTIES:\n:CUSTOM_ID: o\n:ID: 1-2\n:END:\n[[*One]] [[One][a]] [[#o][b]] [[id:1-2][c]] [[id:9][d]] [[file:x/y.org::*Some Thing][e]] [[./y.org]] [[https://e.com/_a_][f]] [[man:ls][g]] [[nowhere]]\n";
    expect(readOrg(source, (id) => `z.org#${id}`).markdown.split("\n\n")[1]).toBe(
      "[One](#o) [a](#o) [b](#o) [c](#o) [d](z.org#9) [e](x/y.org#some-thing) [./y.org](./y.org) [f](https://e.com/_a_) g nowhere",
    );
    expect(written("[[file:a.png]] [[https://e.com][file:b.png]] [[javascript:x][y]]\n")).toBe(
      "![](a.png) [![](b.png)](https://e.com) y",
    );
    expect(
      written("#+LINK: gh https://github.com/%s\n[[gh:a/b][c]] <https://e.com> https://e.com/a_b_c\n"),
    ).toBe("[c](https://github.com/a/b) [https://e.com](https://e.com) https://e.com/a_b_c");
  });

  test("footnotes", () => {
    expect(written("a[fn:1] b[fn:x:said /here/] c[fn::too]\n\n[fn:1] One\nmore.\n")).toBe(
      "a[^1] b[^x] c[^note-3]\n\n[^1]: One more.\n\n[^x]: said *here*\n\n[^note-3]: too".replaceAll(
        "note-3",
        "note-2",
      ),
    );
  });

  test("macros, entities, formulas, dates and breaks", () => {
    expect(written("#+MACRO: v version $1 ($2)\n{{{v(1,a\\,b)}}} {{{kbd(C-c)}}} \\alpha{}x \\rarr\n")).toBe(
      "version 1 (a,b) `C-c` αx →",
    );
    expect(written("\\(x_1\\) $y$ costs $5 or $6\n\\begin{align}\nz\n\\end{align}\n")).toBe(
      "$`x_1`$ $`y`$ costs $5 or $6\n\n```math\n\\begin{align}\nz\n\\end{align}\n```",
    );
    expect(written("<2024-01-02 Tue>--[2024-01-03 Wed] a\\\\\nb <<here>>\n")).toBe(
      '2024-01-02 Tue – 2024-01-03 Wed a\\\nb <a id="here"></a>',
    );
  });

  test("what would be Markdown stays as it is written", () => {
    expect(written("a `b` <c> [d](e) f__g ~h\n\n# \n> g\n")).toBe(
      "a \\`b\\` \\<c> [d\\](e) f__g ~h\n\n\\> g",
    );
  });
});

describe("files that a page includes", () => {
  const files: Record<string, string> = {
    "part.org": "#+TITLE: Part\n* Deep\nwords\n** Deeper\n* Other\n",
    "code.el": "* star\n(a)\n(b)\n(c)\n",
    "loop.org": '#+INCLUDE: "loop.org"\n#+INCLUDE: "main.org"\nend\n',
  };
  const include = async (target: string) => {
    const text = files[target];
    return text === undefined ? "is not in this source" : { location: target, text };
  };
  const whole = async (source: string) => {
    const { text, faults } = await withOrgIncludes(source, { location: "main.org", include });
    return { markdown: written(text), faults };
  };

  test("headings stand below the one above, and code is code", async () => {
    expect(await whole('* Top\n#+INCLUDE: "part.org"\n')).toEqual({
      markdown: "# Top\n\n## Deep\n\nwords\n\n### Deeper\n\n## Other",
      faults: [],
    });
    expect((await whole('#+INCLUDE: "part.org::*Other" :minlevel 3\n')).markdown).toBe("### Other");
    expect((await whole('#+INCLUDE: "code.el" src emacs-lisp :lines "2-4"\n')).markdown).toBe(
      "```elisp\n(a)\n(b)\n```",
    );
    expect((await whole('#+INCLUDE: "code.el" example\n')).markdown).toBe("```\n* star\n(a)\n(b)\n(c)\n```");
  });

  test("a circle ends, and what is missing or elsewhere is said", async () => {
    expect(
      await whole('#+INCLUDE: "loop.org"\n#+INCLUDE: "../secret.org"\n#+INCLUDE: "https://e.com/a.org"\n'),
    ).toEqual({
      markdown: "end",
      faults: [
        "loop.org, which it includes, includes itself",
        "main.org, which it includes, is not in this source",
        "../secret.org, which it includes, is not in this source",
        "https://e.com/a.org, which it includes, is elsewhere, and nothing is fetched",
      ],
    });
  });

  test("no page includes more than a few hundred files", async () => {
    const { faults } = await whole('#+INCLUDE: "part.org"\n'.repeat(500));
    expect(faults).toEqual(["part.org, which it includes, is one of too many"]);
  });
});

describe("texts that nobody writes", () => {
  const hostile: Record<string, string> = {
    "macros of themselves": `#+MACRO: x {{{x}}}{{{x}}}\n${"{{{x}}}".repeat(2_000)}`,
    "openings of links": "[[a][".repeat(20_000),
    "openings of blocks": "#+BEGIN_QUOTE\n".repeat(10_000),
    "a deep list": Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
    "openings of formulas": "\\begin{a}\n".repeat(10_000),
    stars: "*".repeat(100_000),
  };
  for (const [name, source] of Object.entries(hostile))
    test(name, () => {
      expect(written(source).length).toBeLessThan(2_000_000);
    });
});
