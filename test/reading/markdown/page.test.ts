import { describe, expect, test } from "bun:test";
import { type ParsedPage, parsePage } from "../../../src/reading/markdown/page.ts";

const parse = (source: string): ParsedPage => parsePage(source, { fallbackTitle: "Fallback" });

describe("page", () => {
  test.each([
    ["front matter's title", "---\ntitle: Given\n---\n# Heading", "Given"],
    ["tags that the page is about", "---\ntitle: <Fragment> (<>...</>)\n---\n", "<Fragment> (<>...</>)"],
    ["one of HTML", "---\ntitle: <select>\n---\n", "<select>"],
    ["tags in code", "---\ntitle: 'The `<b>` tag'\n---\n", "The <b> tag"],
    ["tags that only dress it", "---\ntitle: 'A <em>fine</em> <code>x</code><br>day'\n---\n", "A fine x day"],
    ["a number in front matter", "---\ntitle: 2024\n---\n", "2024"],
    ["plain words of a marked title", "---\ntitle: '`code` and *more*'\n---\n", "code and more"],
    ["its first top heading", "## Sub\n\n# The `main` one\n\n# Other", "The main one"],
    ["the fallback", "## Sub\n\ntext", "Fallback"],
    ["the fallback where the title is not a text", "---\ntitle: [a]\n---\n", "Fallback"],
    ["its name in the menu where nothing else is said", "---\nsidebarTitle: Short\n---\ntext", "Short"],
    ["its heading rather than its name in the menu", "---\nsidebar_label: Short\n---\n# Long", "Long"],
    ["the heading where the title is empty", "---\ntitle: ''\n---\n# Heading", "Heading"],
  ])("is called by %s", (_, source, title) => {
    expect(parse(source).title).toBe(title);
  });

  test("has a bounded title and description", () => {
    const page = parse(`---\ntitle: ${"a ".repeat(5_000)}\ndescription: ${"b ".repeat(5_000)}\n---\n`);
    expect(page.title.length).toBeLessThanOrEqual(300);
    expect(page.description?.length).toBeLessThanOrEqual(1_000);
    expect(parse("text").description).toBeUndefined();
  });

  test.each([
    ["hidden: true", true],
    ["noindex: true", true],
    ["draft: 'true'", true],
    ["unlisted: true", true],
    ["searchable: false", true],
    ["search: false", true],
    ["search: {exclude: true}", true],
    ["pagefind: false", true],
    ["robots: noindex, nofollow", true],
    ["hidden: false", false],
    ["searchable: true", false],
    ["title: hidden", false],
  ])("with %j is hidden: %p", (yaml, hidden) => {
    expect(parse(`---\n${yaml}\n---\ntext`).hidden).toBe(hidden);
  });

  test("lists the targets of its links once, decoded, without those in code", () => {
    const source =
      "[a](/a) [b](/b?x=1&amp;y=2 'T') [again](/a) [ref][r] <https://c.d> https://e.f/g_h. `[no](/no)`\n\n" +
      "# [h](#i)\n\n```\n[no](/no)\n```\n\n[r]: ../r.md";
    expect(parse(source).links).toEqual([
      "/a",
      "/b?x=1&y=2",
      "../r.md",
      "https://c.d",
      "#i",
      "https://e.f/g_h",
    ]);
  });

  test("lists an address without the punctuation of its sentence, in any writing", () => {
    expect(parse("见 https://a.b/c。然后（https://d.e/f）, https://g.h/i.").links).toEqual([
      "https://a.b/c",
      "https://d.e/f",
      "https://g.h/i",
    ]);
  });

  test("of MDX comes out as Markdown", () => {
    const page = parsePage('---\ntitle: T\n---\nimport A from "a"\n\n<Card title="B">\n  words\n</Card>\n', {
      fallbackTitle: "",
      format: "mdx",
    });
    expect(page.markdown.trim()).toBe("**B**\n\nwords");
    expect(page.passages.map((passage) => passage.text)).toEqual(["B\nwords"]);
  });

  test("knows the code that it names, and has the anchors of the site's generator", () => {
    const { passages } = parsePage("## `max_size` & more\n\nSet `--limit`.", {
      fallbackTitle: "",
      anchors: "mintlify",
    });
    expect(passages).toMatchObject([
      { anchor: "max_size-&-more", identifiers: ["max_size", "--limit"], innerHeadings: [] },
    ]);
  });

  test("says what was wrong, and is there all the same", () => {
    const page = parse("---\ntitle: a: b\n---\n# Heading\n\ntext\n\n<!-- open\n\nrest");
    expect(page.title).toBe("Heading");
    expect(page.passages[0]?.text).toBe("text");
    expect(page.faults).toEqual([
      expect.stringContaining("front matter is not valid YAML"),
      "comment opened on line 5 of the body is not closed",
    ]);
    expect(parse("# A\n\ntext").faults).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["a byte order mark", "\uFEFF"],
    ["NUL", "\0\0# a\0\n\0"],
    ["lone surrogates", "# \ud800\n\udc00 text [a](\ud800)"],
    ["Windows line ends", "---\r\ntitle: A\r\n---\r\n# B\r\n\r\n```\r\nc\r\n```\r\n"],
    ["tabs", "\t# a\n#\tb\n-\tc\n\n\td\n>\te"],
    ["an open fence", "# a\n```\n# b"],
    ["an open front matter", "---\ntitle: a\n# b"],
    ["bytes that are no text", String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))],
  ])("can be read from %s", (_, source) => {
    for (const format of ["md", "mdx"] as const) {
      const page = parsePage(source, { fallbackTitle: "Fallback", format });
      expect(JSON.stringify(page).isWellFormed()).toBe(true);
      expect(JSON.stringify(page)).not.toContain("\\u0000");
    }
  });
});

describe("a page without text", () => {
  test("of headings alone has one passage with what they say", () => {
    const { title, passages } = parsePage("# Handbook\n\n## Holidays\n\n## Travel\n", { fallbackTitle: "x" });
    expect(title).toBe("Handbook");
    expect(passages).toMatchObject([{ anchor: "", headingPath: [], text: "Handbook Holidays Travel" }]);
  });

  test("of a description alone has one passage with it", () => {
    const source = "---\ntitle: Handbook\ndescription: How we work.\n---\n";
    expect(parsePage(source, { fallbackTitle: "x" }).passages).toMatchObject([{ text: "How we work." }]);
  });

  test("of nothing at all has none", () => {
    expect(parsePage("", { fallbackTitle: "x" }).passages).toEqual([]);
    expect(parsePage("\n\n#\n", { fallbackTitle: "x" }).passages).toEqual([]);
  });
});

test("notes that stand in the text are footnotes: patterns and code are none", () => {
  const { markdown, passages } = parsePage(
    "# A\n\nOne^[The [first](x) note, with `]` code.] and two ^[another\none].\n\n`^[not a note]` matches ^[a-z] and \\^[this neither].\n\n```\n^[nor this one]\n```\n",
    { fallbackTitle: "A" },
  );
  expect(markdown).toContain("One[^note-1] and two [^note-2].");
  expect(markdown).toEndWith("[^note-1]: The [first](x) note, with `]` code.\n\n[^note-2]: another one");
  expect(markdown).toContain("`^[not a note]` matches ^[a-z] and \\^[this neither].");
  expect(markdown).toContain("^[nor this one]");
  expect(passages[0]?.markdown).toStartWith("One and two.\n\nThe [first](x) note");
});

test("macros that are left as they are written are said, each once, and those in code are none", () => {
  const source =
    "# A {{ first }}\n\n{% include x.md %}\n\n- {{< second a=1 >}} {% include y.md %} `{{ code }}` \\{{ no }}\n\n> {!parts/c.md!}\n\n" +
    `\`\`\`\n{{ fenced }}\n\`\`\`\n\n| a |\n|---|\n| {{ first }} |\n\n<!-- {{ comment }} -->\n\n{ {} } \${{ 1 }}`;
  expect(parsePage(source, { fallbackTitle: "A" }).faults).toEqual([
    "is left as it is written: {{ first }}, {% include x.md %}, {{< second a=1 >}}, {% include y.md %}, {!parts/c.md!}",
  ]);
  const many = Array.from({ length: 9 }, (_, index) => `{{ m${index} }}`).join(" ");
  expect(parsePage(many, { fallbackTitle: "A" }).faults[0]).toEndWith("{{ m4 }}, and 4 more");
  expect(parsePage("<p>{{ x }}</p>", { fallbackTitle: "A", format: "html" }).faults).toEqual([]);
});
