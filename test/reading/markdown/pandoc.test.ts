import { describe, expect, test } from "bun:test";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { createPandocNames } from "../../../src/reading/markdown/pandoc/identifiers.ts";
import { expandIncludes, pandocToMarkdown } from "../../../src/reading/markdown/pandoc/pandoc.ts";

const read = (source: string) => parsePage(source, { fallbackTitle: "Page", format: "qmd" });
const words = (source: string) =>
  read(source)
    .passages.map(({ text }) => text)
    .join("\n");
const markdown = (source: string) =>
  read(source)
    .markdown.replace(/\n{3,}/g, "\n\n")
    .trim();

describe("ids of headings are those that Pandoc gives", () => {
  // Each as pandoc 2.17 wrote it, in one document.
  const written: [string, string][] = [
    ["ก้าว แรก", "กาว-แรก"],
    ["Héllo “W” -- x ... y", "héllo-w-x-y"],
    ["`a.b()` code_x $x^2$", "a.b-code_x-x2"],
    ["1. First", "first"],
    ["See [@knuth1984] and @sec-x", "see-knuth1984-and-sec-x"],
    ["第一章 ①", "第一章-①"],
    ["First", "first-1"],
    ["123", "section"],
    ["!!", "section-1"],
    ["a [b](c){.x} *d* ~~e~~ H~2~O", "a-b-d-e-h2o"],
    ["T^[note] x[^1]", "t-x1"],
    ['It\'s "q" a---b C++ & <b>x</b> \\& é', "its-q-ab-c-x-é"],
    ["🎉 Emoji :tada:", "emoji-tada"],
  ];

  test("for words of all kinds", () => {
    const nameHeading = createPandocNames();
    for (const [source, id] of written) expect(nameHeading(source, undefined)).toBe(id);
  });

  test("and the id that an author gave is taken before any other", () => {
    const { headings } = pandocToMarkdown("# One {#two .x}\n\n# Two\n\n# Three {-}\n\nText\n----\n");
    expect(headings.map(({ id }) => id)).toEqual(["two", "two-1", "three", "text"]);
  });

  test("a line below several is no underline of them, nor is one in a formula", () => {
    expect(pandocToMarkdown("One\ntwo\n---\n\n$$\n=\n$$\n").headings).toEqual([]);
  });

  test("attributes are no words of a heading", () => {
    const { passages } = read('## Run it {#run .unnumbered data-x="1"}\n\nNow.\n');
    expect(passages.map(({ anchor, headingPath }) => [anchor, headingPath.at(-1)])).toEqual([
      ["run", "Run it"],
    ]);
  });
});

describe("blocks", () => {
  test("callouts keep their titles, by attribute or by heading", () => {
    expect(markdown('::: {.callout-tip collapse="true" title="Save"}\nOften.\n:::\n')).toBe(
      ":::tip[Save]\n\nOften.\n\n:::",
    );
    expect(markdown("::: callout-warning\n## Hot\n\nDon't touch.\n:::\n")).toBe(
      ":::warning[Hot]\n\nDon't touch.\n\n:::",
    );
    expect(markdown("- Step\n\n  ::: {.callout-note}\n  In a list.\n  :::\n")).toContain(
      "> [!NOTE]\n  > In a list.",
    );
  });

  test("headings in a tabset are tabs, and those below them are not", () => {
    const written = markdown(
      "::: {.panel-tabset}\n## R\n\nfor R\n\n### More\n\nof it\n\n## Python\n\nfor Python\n:::\n",
    );
    expect(written).toContain(":::tab[R]");
    expect(written).toContain(":::tab[Python]");
    expect(written).toContain("### More {#more}");
  });

  test("what is for other formats, or for speakers, is left out", () => {
    const text = words(
      [
        '::: {.content-visible when-format="pdf"}\nprinted\n:::',
        '::: {.content-visible when-format="html"}\nshown\n:::',
        '::: {.content-hidden when-format="html"}\nconcealed\n:::',
        '::: {.content-visible unless-format="pdf"}\nalso\n:::',
        "::: {.notes}\nwhispered\n:::",
        "::: {.column-margin}\naside\n:::",
      ].join("\n\n"),
    );
    expect(text).toBe("shown\nalso\naside");
  });

  test("a div that nobody closes, and one that nobody opened, take nothing away", () => {
    expect(words("::: {.callout-note}\nopen\n")).toContain("open");
    expect(words(":::\n\nfree\n\n:::\n\nlast\n")).toBe("free\nlast");
  });

  test("theorems are called so", () => {
    expect(words("::: {#thm-line}\n## Line\n\nIt is straight.\n:::\n")).toBe(
      "Theorem (Line)\nIt is straight.",
    );
  });

  test("drawn tables become tables", () => {
    expect(markdown("Name   Size\n----   ----\na      1\nb      2\n\n: Sizes {#tbl-sizes}\n")).toBe(
      '| Name | Size |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n\n<a id="tbl-sizes"></a>Sizes',
    );
    expect(markdown("+---+---+\n| A | B |\n+===+===+\n| 1 | 2 |\n+---+---+\n")).toBe(
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    );
  });
});

describe("cells", () => {
  test("show their code without options, and what stands below a picture", () => {
    const source = '```{r}\n#| label: fig-cars\n#| fig-cap: "Cars"\nplot(cars)\n```\n\nSee @fig-cars.\n';
    expect(markdown(source)).toBe(
      '```r\nplot(cars)\n```\n\n<a id="fig-cars"></a>Cars\n\nSee [Figure](#fig-cars).',
    );
  });

  test.each([
    "```{r, echo=FALSE}\nsecret\n```",
    "```{r setup, include = F}\nsecret\n```",
    "```{python}\n#| echo: false\nsecret\n```",
    "```{python}\n#| include: false\nsecret\n```",
    "```{ojs}\n//| echo: false\nsecret\n```",
    "```{r}\nknitr::opts_chunk$set(echo = FALSE)\n```\n\n```{r}\nsecret\n```",
    "---\nexecute:\n  echo: false\n---\n\n```{r}\nsecret\n```",
  ])("which the page hides are left out: %j", (source) => {
    expect(words(`${source}\n\nshown\n`)).not.toContain("secret");
  });

  test("that say otherwise than their page are shown", () => {
    const source = "---\nexecute:\n  echo: false\n---\n\n```{python}\n#| echo: true\nshown = 1\n```\n";
    expect(markdown(source)).toBe("```python\nshown = 1\n```");
  });

  test("of raw HTML are words, and of TeX nothing", () => {
    expect(words("```{=html}\n<p>web</p>\n```\n\n```{=latex}\nprint\n```\n\n`a`{=html} `b`{=latex}\n")).toBe(
      "web\na",
    );
  });

  test("may have code in their captions", () => {
    const source = '```{r one, fig.cap = "The `f()` of it", echo = FALSE}\nplot(1)\n```\n\n# After\n';
    expect(markdown(source)).toBe('<a id="fig:one"></a>The f() of it\n\n# After {#after}');
  });
});

describe("words", () => {
  test("have no attributes, shortcodes or labels left in them", () => {
    const source = [
      "---",
      'title: "All {{< meta kind >}}"',
      "kind: of it",
      "---",
      "",
      "Press {{< kbd Ctrl-C >}} on [this key]{.key #key}, `code`{.r}, ![a cat](cat.png){#fig-cat width=50%}.",
      "{{< pagebreak >}}",
      "Of [@knuth1984, p. 3] and x; $x$ is `r 1 + 1`, \\index{x}see \\@ref(end) (\\#eq:x).",
      '{{< video https://example.com/v.mp4 title="A film" >}} {{{< shown >}}}',
      "",
      "# The end {#end}",
    ].join("\n");
    const { title, passages } = read(source);
    const text = passages.map((passage) => passage.text).join("\n");
    expect(title).toBe("All of it");
    expect(text).not.toMatch(/\{[#.]|:::|\\@ref|\]\{|pagebreak|index/);
    expect(text).toContain("Press Ctrl-C on this key, code, a cat.");
    expect(text).toContain("Of (knuth1984, p. 3) and x");
    expect(text).toContain("see The end");
    expect(text).toContain("A film {{< shown >}}");
  });

  test("have values of the front matter in them, also in addresses", () => {
    const source =
      "---\nname: lamp\nnote: '[on]{.x}'\n---\n\n![a]({{< meta name >}}.png){.border} {{< meta note >}} {{< meta gone >}}.\n";
    expect(markdown(source)).toBe("![a](lamp.png) on .");
  });

  test("lead to headings by their words", () => {
    expect(markdown("See [The end].\n\n# The end\n")).toStartWith("See [The end](#the-end).");
  });

  test("that look like those of Quarto stay in code", () => {
    expect(words("`{{< var x >}}` and `a {#b}` and `@sec-x`\n")).toBe("{{< var x >}} and a {#b} and @sec-x");
  });
});

test("a file is taken in by a shortcode, in code too, and as a child document", async () => {
  const source =
    "{{< include a.qmd >}}\n\n```{.r}\n{{< include b.r >}}\n```\n\n```{r, child='c.Rmd'}\n```\nend\n";
  const text = await expandIncludes(source, async (path) => `<${path}>`);
  expect(text).toBe("<a.qmd>\n\n```{.r}\n<b.r>\n```\n\n\n<c.Rmd>\n\nend\n");
});

test("a title may stand below empty lines", () => {
  expect(read("\n\n---\ntitle: Here\n---\n\nText\n").title).toBe("Here");
});

test("front matter may be for web pages alone", () => {
  expect(read("---\ntitle: A\nformat: {html: {title: B}}\n---\n\nText\n").title).toBe("B");
});

test("drafts are hidden", () => {
  expect(read("---\ntitle: Here\ndraft: true\n---\n\nText\n").hidden).toBe(true);
});
