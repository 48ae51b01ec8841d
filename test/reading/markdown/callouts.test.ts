import { describe, expect, test } from "bun:test";
import { plainText } from "../../../src/reading/markdown/plain-text.ts";
import { renderHtml } from "../../../src/reading/markdown/render/render.ts";

const reading = {
  linkHere: "Hierher",
  taskDone: "Erledigt",
  taskOpen: "Offen",
  callouts: { note: "Hinweis", tip: "Tipp", important: "Wichtig", warning: "Warnung", caution: "Vorsicht" },
};
const show = (markdown: string) => renderHtml(markdown, { reading });
const callout = (kind: string, title: string, body = "<p>a</p>\n") =>
  `<div class="callout ${kind}" role="note"><p class="callout-title">${title}</p>\n${body}</div>\n`;

describe("a quote that begins with a mark", () => {
  const cases: [name: string, markdown: string, html: string][] = [
    ["is a callout", "> [!NOTE]\n> a", callout("note", "Hinweis")],
    ["is one in small letters too", "> [!warning]\n> a", callout("warning", "Warnung")],
    ["is one with spaces behind the mark", "> [!TIP]  \n> a", callout("tip", "Tipp")],
    ["is one with a blank line behind the mark", "> [!CAUTION]\n>\n> a", callout("caution", "Vorsicht")],
    ["is one without a text", "> [!IMPORTANT]", callout("important", "Wichtig", "")],
    ["may have a title of its own", "> [!tip] Two *words*\n> a", callout("tip", "Two <em>words</em>")],
    ["may be folded elsewhere", "> [!note]- Look\n> a", callout("note", "Look")],
    ["is one in a list", "- b\n  > [!NOTE]\n  > a", `<ul><li>b${callout("note", "Hinweis")}</li>\n</ul>\n`],
    ["that nobody knows is a quote", "> [!FOO]\n> a", "<blockquote><p>[!FOO]\na</p>\n</blockquote>\n"],
    ["in its middle is a quote", "> a\n> [!NOTE]", "<blockquote><p>a\n[!NOTE]</p>\n</blockquote>\n"],
  ];
  test.each(cases)("%s", (_, markdown, html) => {
    expect(show(markdown)).toBe(html);
  });

  test("is a quote where nobody says what callouts are called", () => {
    expect(renderHtml("> [!NOTE]\n> a")).toStartWith("<blockquote>");
  });
});

describe("a container", () => {
  const cases: [name: string, markdown: string, html: string][] = [
    ["is a callout", ":::warning\na\n:::", callout("warning", "Warnung")],
    ["is one with a space in its line", "::: info\na\n:::", callout("note", "Hinweis")],
    ["may have a title in brackets", ":::danger[Do not]\na\n:::", callout("caution", "Do not")],
    [
      "may have a title behind its name",
      ":::tip Look **here**\na\n:::",
      callout("tip", "Look <strong>here</strong>"),
    ],
    [
      "ends a quote before it",
      "> q\n:::note\na\n:::",
      `<blockquote><p>q</p>\n</blockquote>\n${callout("note", "Hinweis")}`,
    ],
    [
      "may hold another",
      "::::note\nb\n:::tip\na\n:::\nc\n::::\nd",
      `${callout("note", "Hinweis", `<p>b</p>\n${callout("tip", "Tipp")}<p>c</p>\n`)}<p>d</p>\n`,
    ],
    [
      "may hold one of another kind",
      "::::note\n:::details More\na\n:::\n::::",
      callout("note", "Hinweis", "<p><strong>More</strong></p>\n<p>a</p>\n"),
    ],
    ["without an end is its text", ":::note\na", "<p>a</p>\n"],
    [
      "in code is code",
      "```\n:::note\na\n:::\n```",
      '<pre tabindex="0"><code>:::note\na\n:::\n</code></pre>\n',
    ],
    [
      "of words that look like a quote is that",
      ":::note\na\u2028b\n:::",
      callout("note", "Hinweis", "<p>a\u2028b</p>\n"),
    ],
  ];
  test.each(cases)("%s", (_, markdown, html) => {
    expect(show(markdown)).toBe(html);
  });

  test("keeps code, its tabs included, and the anchors of its headings", () => {
    const markdown = ":::note\n## Build\n\n```make\nall:\n\tgo build\n```\n\n\tgo\n:::\n\n## Build";
    expect(show(markdown)).toBe(
      `${callout(
        "note",
        "Hinweis",
        '<div class="heading"><h2 id="build">Build</h2><a class="heading-link" href="#build" aria-label="Hierher"></a></div>\n<pre tabindex="0"><code class="language-make">all:\n\tgo build\n</code></pre>\n<pre tabindex="0"><code>go\n</code></pre>\n',
      )}<div class="heading"><h2 id="build-1">Build</h2><a class="heading-link" href="#build-1" aria-label="Hierher"></a></div>\n`,
    );
  });

  test("is left as it is within four others", () => {
    const deep = `${":::note\n".repeat(6)}a\n${":::\n".repeat(6)}`;
    expect(show(deep).match(/class="callout /g)).toHaveLength(4);
    expect(show(deep)).toContain("<p>a</p>");
  });
});

test("in plain words, a callout is its title and its text, without its mark", () => {
  expect(plainText("a\n\n> [!NOTE]\n> b\n> c\n\n> [!TIP] Look\n> d\n\n> [!FOO]\n> e\n\n`[!NOTE]`")).toBe(
    "a\nb\nc\nLook\nd\n[!FOO]\ne\n[!NOTE]",
  );
});

test("nothing runs in a callout's title", () => {
  const attack = "<img src=x onerror=alert(1)>";
  expect(show(`> [!NOTE] ${attack}\n> ${attack}`)).not.toContain("onerror");
  expect(show(`:::note[${attack}]\n${attack}\n:::`)).not.toContain("onerror");
});

test.each([
  "> [!NOTE]\n",
  "> ",
  ":::note\n",
  "::::note\n:::\n",
  ":::note\n:::\n",
  `${":::note\n".repeat(9)}:::\n`,
])("callouts of %j without end are shown in linear time", (unit) => {
  const html = show(unit.repeat(Math.ceil(200_000 / unit.length)));
  expect(html.match(/<div/g) ?? []).toHaveLength((html.match(/<\/div>/g) ?? []).length);
});

test("tabs at the beginning of code stay tabs", () => {
  expect(show("```make\nall:\n\tgo build\n\t\tx\n```")).toBe(
    '<pre tabindex="0"><code class="language-make">all:\n\tgo build\n\t\tx\n</code></pre>\n',
  );
});
