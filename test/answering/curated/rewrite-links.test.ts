import { describe, expect, test } from "bun:test";
import { rewriteLinks, writtenLinks } from "../../../src/answering/curated/rewrite-links.ts";
import { walkMarkdown } from "../../../src/reading/markdown/tree.ts";

/** Lets through what begins with `ok`, under an address of its own. */
const target = (href: string) => (href.startsWith("ok") ? `https://docs.example/${href}` : undefined);
const rewrite = (markdown: string) => rewriteLinks(markdown, target);

/** Every address that Bun's parser finds in Markdown, and whether any raw HTML is left. */
function addressesIn(markdown: string): string[] {
  const found: string[] = [];
  walkMarkdown(markdown, {
    text: (text) => {
      if (/^<[A-Za-z/!?].*>$/s.test(text)) found.push(`raw ${text}`);
    },
    enter(element) {
      if (element.type === "html") found.push("raw html");
      for (const name of ["href", "src"]) if (name in element.props) found.push(String(element.props[name]));
      return true;
    },
    leave() {},
  });
  return found;
}

describe("links of a curated answer", () => {
  test.each([
    ["See [it](ok.md#a).", "See [it](https://docs.example/ok.md#a)."],
    ['See [it](ok.md "Title").', "See [it](https://docs.example/ok.md)."],
    ["See [it]( <ok a.md> ).", "See [it](https://docs.example/ok%20a.md)."],
    ["See [it](other.md) and [that](ok).", "See it and [that](https://docs.example/ok)."],
    ["**[bold *words*](ok)**", "**[bold *words*](https://docs.example/ok)**"],
    ["[a `]` b](ok)", "[a `]` b](https://docs.example/ok)"],
    ["[it][one], [One][], [one] and [none].\n\n[one]: ok 'T'", rewrittenReferences()],
    ["![a picture](ok.png)", "a picture"],
    ["[![a badge](ok.png)](ok)", "[a badge](https://docs.example/ok)"],
    [
      "| [x](ok) | y |\n|---|---|\n| [z](no) | 1 |",
      "| [x](https://docs.example/ok) | y |\n|---|---|\n| z | 1 |",
    ],
    ["- [ ] [x](ok)\n  - deep [y](no)", "- [ ] [x](https://docs.example/ok)\n  - deep y"],
    ["a < b, a <b and 1<2", "a < b, a \\<b and 1<2"],
  ])("%s", (written, expected) => {
    expect(rewrite(written)).toBe(expected);
  });

  test("code stays as it is, in spans, in fences, in lists, in quotes, and indented", () => {
    for (const code of [
      "Use `[a](b) <c>` so.",
      "```html\n<a href=x>[a](b)</a>\n```",
      "- one\n\n  ~~~sh\n  echo [a](b) <c>\n  ~~~\n- two",
      "> ```\n> [a](b)\n> ```\n> after",
      "words\n\n    [a](b) <c>",
      "```\nnever closed [a](b)",
    ])
      expect(rewrite(code)).toBe(code);
  });

  test("raw HTML is left with its words, and comments with nothing", () => {
    expect(rewrite("a <b onclick=x>bold</b> word<!-- secret -->.")).toBe("a bold word.");
    expect(rewrite("<div><script>alert(1)</script><p>words</p></div>\n\nafter")).toMatch(/^words\s+after$/);
    expect(rewrite("x <scr<b>ipt>alert(1)")).not.toMatch(/(^|[^\\])<script/);
  });

  test("links are found once each, as they are written, those of pictures and code left out", () => {
    const markdown = "[a](x.md) [b](x.md) [c][d] ![p](p.png) `[e](f)` <https://y.example/>\n\n[d]: z.md#h";
    expect(writtenLinks(markdown)).toEqual(["x.md", "z.md#h", "https://y.example/"]);
  });

  test("nothing that a parser takes for a link or HTML leads where it must not", () => {
    const hostile = [
      "[x](javascript:alert(1))",
      "[x](<javascript:alert(1)>)",
      "[x](javascript:alert(1) 'a' b)",
      '[x](JaVaScRiPt:alert(1) "t")',
      "[x](java&#115;cript:alert(1))",
      "<javascript:alert(1)>",
      "[x][y]\n\n[y]: javascript:alert(1)",
      "[x]\n\n[X]: <javascript:alert(1)>\n",
      "[x](\njavascript:alert(1)\n)",
      "[![x](javascript:1)](javascript:2)",
      "![x][y]\n\n[y]: https://evil.example/pixel.png",
      "[a [b](javascript:1) c](javascript:2)",
      "\\\\[x](javascript:1)",
      "`a\n\n`[x](javascript:1)`",
      "<img src=x onerror=alert(1)>",
      "<svg/onload=alert(1)>\n\n<iframe src=javascript:1>",
      "<a\nhref=javascript:1>x</a>",
      "> [x](javascript:1)\n> <img src=x>",
      "- <b>\n\n  <img src=x>\n",
      "[x](ok(\n[y](javascript:1)",
      "# <script>alert(1)</script>",
      "| <img src=x> | [x](data:text/html,1) |\n|---|---|",
    ];
    for (const markdown of hostile) {
      const bad = addressesIn(rewrite(markdown)).filter((each) => !each.startsWith("https://docs.example/"));
      expect({ markdown, bad }).toEqual({ markdown, bad: [] });
    }
  });

  test("a long run of marks takes no longer than its length", () => {
    for (const mark of ["[", "![", "<", "<!--", "`", "](", "[](", "\\", "[a](b"]) {
      const text = mark.repeat(100_000);
      expect(rewrite(text).length).toBeLessThan(text.length * 3);
    }
  });
});

function rewrittenReferences(): string {
  const link = (words: string) => `[${words}](https://docs.example/ok)`;
  return `${link("it")}, ${link("One")}, ${link("one")} and [none].`;
}
