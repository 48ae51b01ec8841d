import { describe, expect, test } from "bun:test";
import { gitbook } from "../../../src/reading/generators/gitbook/gitbook.ts";
import { openFiles, recognizeFiles } from "./open-files.ts";

/** A book of one page on GitBook's host. */
async function hostedPage(page: string, files: Readonly<Record<string, string>> = {}) {
  const site = await openFiles(gitbook, {
    ".gitbook.yaml": "",
    "SUMMARY.md": "# Table of contents\n\n* [One](one.md)\n* [Two, too](two.md)\n",
    "one.md": page,
    "two.md": "# Two\n",
    ...files,
  });
  const one = site.pages.find(({ location }) => location === "one.md");
  if (one === undefined) throw new Error("it has no such page");
  return site.read(one);
}

describe("a book on GitBook's host", () => {
  test("has addresses without an extension, the groups of its list, and its redirects", async () => {
    const site = await openFiles(gitbook, {
      ".gitbook.yaml":
        "root: ./docs/\nstructure:\n  readme: start.md\nredirects:\n  old/page: guide/install.md#top\n",
      "docs/start.md": "# Start\n",
      "docs/SUMMARY.md":
        '# Table of contents\n\n* [Start](start.md)\n\n## Guides\n\n* [Guide](guide/README.md)\n  * [Install it](guide/install.md "Install")\n* [Out](https://example.com)\n',
      "docs/guide/README.md": "# Guide\n",
      "docs/guide/install.md": "# Install\n",
      "docs/.gitbook/includes/part.md": "Part.\n",
      "docs/more.md": "# More\n",
    });
    expect(site.generator).toBe("GitBook");
    expect(site.pages.map(({ path }) => path)).toEqual(["", "guide", "guide/install"]);
    expect(site.menu).toEqual([
      { label: "Start", path: "", children: [] },
      {
        label: "Guides",
        children: [
          {
            label: "Guide",
            path: "guide",
            children: [{ label: "Install it", path: "guide/install", children: [] }],
          },
          { label: "Out", href: "https://example.com", children: [] },
        ],
      },
    ]);
    expect(site.redirects).toEqual([{ from: "old/page", to: "/guide/install#top" }]);
    expect(site.leftOut).toEqual([
      { location: "docs/.gitbook/includes/part.md", detail: "is part of other pages" },
      { location: "docs/SUMMARY.md", detail: "is the menu" },
      { location: "docs/more.md", detail: "is not listed in SUMMARY.md" },
    ]);
    expect(site.unknowns.map(({ guess }) => guess)).toEqual(["yes"]);
  });

  test("shows hints, tabs, named code, links and operations as Markdown", async () => {
    const { markdown, faults } = await hostedPage(
      [
        "# One",
        '{% hint style="info" %}\nMind this.\n{% endhint %}',
        '{% tabs %}\n{% tab title="npm" %}\n```sh\nnpm i\n```\n{% endtab %}\n\n{% tab title="bun" %}\n{% code title="a.sh" overflow="wrap" %}\n```sh\nbun add {% x %}\n```\n{% endcode %}\n{% endtab %}\n{% endtabs %}',
        '{% content-ref url="two.md" %}\n[two.md](two.md)\n{% endcontent-ref %}',
        '{% embed url="https://example.com/film" %}\nA film\n{% endembed %}',
        '{% embed url="https://example.com/other" %}',
        '{% swagger method="get" path="/pets" baseUrl="https://api.example.com" summary="List pets" %}\n{% swagger-parameter in="query" name="limit" type="Integer" required="true" %}\nHow many\n{% endswagger-parameter %}\n{% swagger-response status="200: OK" description="All of them" %}\n{% endswagger-response %}\n{% endswagger %}',
        '- In a list\n\n  {% hint style="danger" %}\n  Not this.\n  {% endhint %}',
      ].join("\n\n"),
    );
    expect(faults).toEqual([]);
    expect(markdown).toContain(":::info\n\nMind this.\n\n:::");
    expect(markdown).toContain(":::tab[npm]\n\n```sh\nnpm i\n```\n\n:::");
    expect(markdown).toContain(":::tab[bun]\n\n**a.sh**\n\n```sh\nbun add {% x %}\n```\n\n:::");
    expect(markdown).toContain("[Two, too](/two)");
    expect(markdown).toContain("[A film](https://example.com/film)");
    expect(markdown).toContain("[other](https://example.com/other)");
    expect(markdown).toContain("**List pets**\n\n`GET https://api.example.com/pets`");
    expect(markdown).toContain("- `limit` (query, Integer, required): How many");
    expect(markdown).toContain("**200: OK All of them**");
    expect(markdown).toContain("  > [!CAUTION]\n  > Not this.");
    expect(markdown.replace("{% x %}", "")).not.toContain("{%");
  });

  test("takes in its includes and variables, and leaves braces alone", async () => {
    const { markdown } = await hostedPage(
      '# One\n\n{% include ".gitbook/includes/part.md" %}\n\n<code class="expression">space.vars.name</code> and {{ braces }}\n',
      {
        ".gitbook/includes/part.md": "---\ntitle: Part\n---\nFrom a part.\n",
        ".gitbook/vars.yaml": "name: Kettle\n",
      },
    );
    expect(markdown).toContain("From a part.\n\nKettle and {{ braces }}");
  });

  test("keeps the ids that its headings had under other names", async () => {
    const { markdown } = await hostedPage(
      '# One\n\n## New name <a href="#old-name" id="old-name"></a>\n\n## A\n\n## A\n',
    );
    expect(markdown).toContain("{#old-name}");
    expect(markdown).toContain("## A {#a}\n\n## A {#a-1}");
  });
});

test("GitBook's host writes addresses in small letters, without spaces", async () => {
  const site = await openFiles(gitbook, {
    ".gitbook.yaml": "",
    "SUMMARY.md": "* [Install](<Web Application/Content Security.md>)\n",
    "Web Application/Content Security.md": "# Content security\n",
  });
  expect(site.pages.map(({ path }) => path)).toEqual(["web-application/content-security"]);
});

test("includes that are outside, gone, or take in themselves are said, and so are unknown tags", async () => {
  const { markdown, faults } = await hostedPage(
    '# One\n\n{% include "../secret.md" %}{% include "gone.md" %}{% include "a.md" %}{% shiny %}words{% endshiny %}\n\n{% hint %} open\n',
    { "a.md": 'A {% include "one.md" %}{% include "a.md" %}' },
  );
  expect(markdown).toContain("words");
  expect(markdown).not.toContain("{%");
  expect(faults).toEqual([
    "../secret.md, which it includes, is not in this source",
    "gone.md, which it includes, is not in this source",
    "one.md, which it includes, includes itself, or is nested too deeply",
    "a.md, which it includes, includes itself, or is nested too deeply",
    "what {% shiny %} makes when the site is built is not known",
  ]);
});

test("files that include others many times each don't make a page endless", async () => {
  const files: Record<string, string> = {};
  for (let depth = 0; depth < 6; depth++)
    files[`f${depth}.md`] = `{% include "f${depth + 1}.md" %}\n`.repeat(30) + "x".repeat(1000);
  files["f6.md"] = "x".repeat(1000);
  const { markdown, faults } = await hostedPage('{% include "f0.md" %}', files);
  expect(markdown.length).toBeLessThan(20_000_000);
  expect(faults).toContain("f4.md, which it includes, makes the page too long");
});

test("a list of chapters alone is no book of GitBook's", async () => {
  const files = { "SUMMARY.md": "# Summary\n\n- [One](one.md)\n", "one.md": "# One\n" };
  expect((await recognizeFiles(files))?.generator).toBe("mdBook");
});

test("a configuration that cannot be read is asked about", async () => {
  const site = await openFiles(gitbook, {
    "book.json": "{",
    "SUMMARY.md": "* [One](one.md)\n",
    "one.md": "# One\n",
  });
  expect(site.generator).toBe("HonKit");
  expect(site.unknowns[0]?.question).toStartWith("book.json cannot be read:");
});
