import { expect, test } from "bun:test";
import { notion } from "../../../src/reading/generators/notion/notion.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const id = (digit: string) => digit.repeat(32);
const HANDBOOK = `Handbook ${id("a")}`;

/** An export as it was until 2023, in which folders have ids as well. */
const OLD: Files = {
  [`${HANDBOOK}.md`]: `# Handbook

Welcome to [Rules: all of them](Handbook%20${id("a")}/Rules%20all%20of%20them%20${id("b")}.md), [Tasks](Handbook%20${id("a")}/Tasks%20${id("c")}.csv),
[a gone page](Handbook%20${id("a")}/Gone%20${id("9")}.md) and [elsewhere](https://www.notion.so/acme/Rules-${id("b")}?pvs=21).

![Untitled](Handbook%20${id("a")}/Untitled.png)

# Part

<aside>
💡 Ask **early**.

</aside>

- Folded

    <aside>
    <img src="https://www.notion.so/icons/warning_red.svg" alt="https://www.notion.so/icons/warning_red.svg" width="40px" />

    Inside.

    </aside>

\`\`\`plain text
<aside>
# no heading
\`\`\``,
  [`${HANDBOOK}/Rules all of them ${id("b")}.md`]: "# Rules: all of them\n\nNote: be kind.\n",
  [`${HANDBOOK}/Tasks ${id("c")}.csv`]: "\uFEFFName,Status\nFix it,Done\n",
  [`${HANDBOOK}/Tasks ${id("c")}_all.csv`]:
    '\uFEFFName,Status,Text\n"Fix ""it"", now",Done,"a | b\nc"\nOther,Open,\nNo page,,\n',
  [`${HANDBOOK}/Tasks ${id("c")}/Fix it now ${id("d")}.md`]: `# Fix "it", now

Status: Done
Tags: api, urgent
Parent: Rules: all of them (../Rules%20all%20of%20them%20${id("b")}.md)

Words.
`,
  [`${HANDBOOK}/Tasks ${id("c")}/Other ${id("e")}.md`]: "# Other\n",
  [`${HANDBOOK}/Untitled.png`]: "",
};

test("An export has the tree of its folders as menu and as addresses", async () => {
  const site = await siteOf(OLD);
  expect(site.generator).toBe("Notion");
  expect(site.pages.map(({ path }) => path).sort()).toEqual([
    "handbook",
    "handbook/rules-all-of-them",
    "handbook/tasks",
    "handbook/tasks/fix-it-now",
    "handbook/tasks/other",
  ]);
  expect(site.menu.map(({ label, children }) => [label, children.map((child) => child.label)])).toEqual([
    ["Handbook", ["Rules: all of them", "Tasks"]],
  ]);
  expect(site.leftOut).toEqual([
    {
      location: `${HANDBOOK}/Tasks ${id("c")}.csv`,
      detail: `shows the same as ${HANDBOOK}/Tasks ${id("c")}_all.csv`,
    },
  ]);
});

test("Newer exports have folders without ids, and names that are cut", async () => {
  const site = await siteOf({
    [`Acme/Long title that goes on ${id("1")}.md`]: "# Long title that goes on and on",
    [`Acme/Long title that goes on/Child ${id("2")}.md`]: "# Child",
    [`Acme/Long title that goes on/Child ${id("3")}.md`]: "# Child",
  });
  expect(site.root).toBe("Acme");
  expect(site.pages.map(({ path }) => path)).toEqual([
    "long-title-that-goes-on-and-on",
    "long-title-that-goes-on-and-on/child",
    `long-title-that-goes-on-and-on/child-${id("3")}`,
  ]);
});

test("Documents that are attached to a page are below it", async () => {
  const file = `${HANDBOOK}/Rules all of them/The plan.pdf`;
  const site = await siteOf({
    ...OLD,
    [file]: "",
    [`${HANDBOOK}/Rules all of them ${id("b")}.md`]:
      "# Rules\n\n[The plan](Rules%20all%20of%20them/The%20plan.pdf)",
  });
  expect(site.documentPath?.(file)).toBe("handbook/rules/The plan.pdf");
  expect(site.documentPath?.(`${HANDBOOK}/Tasks ${id("c")}.csv`)).toBeUndefined();
  const { markdown } = await readPageOf(site, `${HANDBOOK}/Rules all of them ${id("b")}.md`);
  expect(markdown).toBe("[The plan](/handbook/rules/The%20plan.pdf)");
});

test("A page of Markdown has links to pages, callouts and its own headings below its title", async () => {
  const site = await siteOf(OLD);
  const { data, markdown } = await readPageOf(site, `${HANDBOOK}.md`);
  expect(data).toEqual({ title: "Handbook" });
  expect(
    markdown,
  ).toBe(`Welcome to [Rules: all of them](/handbook/rules-all-of-them), [Tasks](/handbook/tasks),
a gone page and [elsewhere](https://www.notion.so/acme/Rules-${id("b")}?pvs=21).

![Untitled](Handbook%20${id("a")}/Untitled.png)

## Part


> [!TIP]
> Ask **early**.


- Folded


    > [!WARNING]
    > Inside.


\`\`\`
<aside>
# no heading
\`\`\``);
});

test("A row of a database has its properties as facts, and its tags; other pages keep their words", async () => {
  const site = await siteOf(OLD);
  const row = await readPageOf(site, `${HANDBOOK}/Tasks ${id("c")}/Fix it now ${id("d")}.md`);
  expect(row.data).toEqual({ title: 'Fix "it", now', tags: ["api", "urgent"] });
  expect(row.markdown).toBe(`- **Status:** Done
- **Tags:** api, urgent
- **Parent:** [Rules: all of them](/handbook/rules-all-of-them)

Words.`);
  const { markdown } = await readPageOf(site, `${HANDBOOK}/Rules all of them ${id("b")}.md`);
  expect(markdown).toBe("Note: be kind.");
});

test("A database is a table that leads to the pages of its rows", async () => {
  const site = await siteOf(OLD);
  const { data, markdown } = await readPageOf(site, `${HANDBOOK}/Tasks ${id("c")}_all.csv`);
  expect(data).toEqual({ title: "Tasks" });
  expect(markdown).toBe(`| Name | Status | Text |
| --- | --- | --- |
| [Fix "it", now](/handbook/tasks/fix-it-now) | Done | a \\| b c |
| [Other](/handbook/tasks/other) | Open |  |
| No page |  |  |`);
});

const article = (title: string, body: string, header = "") =>
  `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${title}</title><style>body{}</style></head><body>` +
  `<article id="aaaa" class="page sans"><header><h1 class="page-title" dir="auto">${title}</h1><p class="page-description" dir="auto"></p>${header}</header>` +
  `<div class="page-body">${body}</div></article><span class="sans" style="font-size:14px;padding-top:2em"></span></body></html>`;

test("A page of HTML has its blocks as Markdown", async () => {
  const files: Files = {
    [`Home ${id("1")}.html`]: article(
      "Home &amp; more",
      `<nav class="block-color-gray table_of_contents"><a href="#x">Part</a></nav>
<div style="display:contents" dir="auto"><h1 id="x" class="">Part</h1></div>
<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="c"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%">Hot <strong>pan</strong></div></figure>
<aside class="block-color-teal_background callout"><div style="font-size:1.5em"><span class="icon" data-emoji="✏️"></span></div><div style="width:100%"><p>Newer</p></div></aside>
<ul id="u1" class="bulleted-list"><li style="list-style-type:disc">one</li></ul><ul id="u2" class="bulleted-list"><li style="list-style-type:disc">two</li></ul>
<ol type="1" class="numbered-list" start="1"><li>first</li></ol><ol type="1" class="numbered-list" start="2"><li>second</li></ol>
<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">open</span></li></ul>
<ul class="toggle"><li><details open=""><summary>More</summary><p>Folded.</p></details></li></ul>
<pre class="code code-wrap"><code class="language-JavaScript">a &lt; b</code></pre>
<figure class="equation"><style>@import url('https://cdn.invalid/katex.css')</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E</span></span></span></div></figure>
<figure class="image"><a href="Home/a%20b.png"><img style="width:100px" src="Home/a%20b.png"/></a></figure>
<figure class="link-to-page"><a href="Home%20${id("1")}/Child%20${id("2")}.html"><span class="icon">📋</span>Child</a></figure>
<figure><a href="https://example.com/x" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">A title</div></div><div class="bookmark-href"><img src="https://example.com/i.ico" class="icon bookmark-icon"/>https://example.com/x</div></div></a></figure>`,
    ),
    [`Home ${id("1")}/Child ${id("2")}.html`]: article(
      "Child",
      "<p>Words.</p>",
      `<table class="properties"><tbody><tr class="property-row property-row-multi_select"><th><span class="icon property-icon"><svg><path d="M4"></path></svg></span>Tags</th><td><span class="selected-value select-value-color-blue">ops</span><span class="selected-value">api</span></td></tr>
<tr class="property-row property-row-checkbox"><th>Checked</th><td><div class="checkbox checkbox-on"></div></td></tr>
<tr class="property-row property-row-text"><th>Empty</th><td></td></tr></tbody></table>`,
    ),
    [`Home ${id("1")}.csv`]: "Name\nChild\n",
    "index.html": "<title>Export</title>",
  };
  const site = await openFiles(notion, files);
  expect(site.leftOut.map(({ detail }) => detail).sort()).toEqual([
    "lists the pages of the export",
    `shows the same as Home ${id("1")}.html`,
  ]);
  const { data, markdown } = await readPageOf(site, `Home ${id("1")}.html`);
  expect(data).toEqual({ title: "Home & more" });
  expect(markdown).toBe(`## Part

> [!WARNING]
>
> Hot **pan**

> [!NOTE]
>
> Newer

- one
- two

1. first
2. second

- [x] done
- [ ] open

- **More**

  Folded.

\`\`\`javascript
a < b
\`\`\`

$\`E=mc^2\`$

![](Home/a%20b.png)

[Child](/home-more/child)

[A title](https://example.com/x)`);
  const child = await readPageOf(site, `Home ${id("1")}/Child ${id("2")}.html`);
  expect(child).toEqual({
    data: { title: "Child", tags: ["ops", "api"] },
    markdown: "- **Tags:** ops, api\n- **Checked:** ✓\n\nWords.",
    faults: [],
  });
});

test("Private pages are left out where more than them is exported", async () => {
  const all = {
    [`Private & Shared/Diary ${id("1")}.md`]: "# Diary",
    [`Team/Plan ${id("2")}.md`]: "# Plan",
  };
  const site = await siteOf(all);
  expect(site.pages.map(({ path }) => path)).toEqual(["plan"]);
  expect(site.leftOut.map(({ detail }) => detail)).toEqual([
    "is among the private pages of the person who made the export",
  ]);
  const one = await siteOf({ [`Private & Shared/Diary ${id("1")}.md`]: "# Diary" });
  expect(one.pages.map(({ path }) => path)).toEqual(["diary"]);
});

test("Parts that are zips are said", async () => {
  const site = await openFiles(notion, { "ExportBlock-1-Part-1.zip": "" });
  expect(site.pages).toEqual([]);
  expect(site.leftOut[0]?.detail).toContain("unpack it");
});

test("A page of Notion's among others does not make them an export", async () => {
  const files = { "README.md": "# A", "docs/a.md": "# B", [`docs/Notes ${id("1")}.md`]: "# Notes" };
  expect(await recognizeFiles(files)).toBeUndefined();
});

test("A hostile export ends", async () => {
  const site = await siteOf({
    [`A ${id("1")}.md`]: `# A\n\n${"<aside>\n".repeat(20_000)}${"[".repeat(20_000)}`,
    [`B ${id("2")}.csv`]: `${'"'.repeat(50_001)}\n${'"a,'.repeat(20_000)}`,
    [`C ${id("3")}.html`]: article("C", '<ul class="bulleted-list"><li>x</li></ul>'.repeat(20_000)),
  });
  for (const page of site.pages) await site.read(page);
});
