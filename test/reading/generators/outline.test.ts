import { describe, expect, test } from "bun:test";
import { type Files, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const PERSON = "292079f8-0319-4111-bb5b-315e8ae8f14e";
const IMAGE = "1404836c-5a24-4d38-ae53-ff63f03f9ebf";
const MANUAL = "acac145e-607a-4cc0-b47d-43d321fa9f30";

describe("an export as Markdown", () => {
  const FILES: Files = {
    "Team/Handbook.md": `# 📕 Handbook

See [the rules](./Handbook/Rules.md#h-first), [a gone page](/doc/gone-pGIdT6co6u) and @[Ada](mention://1/user/2).

\\
:::warning
Hot.

:::

![](uploads/${PERSON}/${IMAGE}/plan.png)

[manual.pdf 12](uploads/${PERSON}/${MANUAL}/manual.pdf)

# Part

==Marked== and !!to fill in!!

\`\`\`
# a == b ==
\`\`\`
`,
    "Team/Handbook/Rules.md": "# Rules\n\nBack to [it](./../Handbook.md).\n",
    [`Team/uploads/${PERSON}/${IMAGE}/plan.png`]: "",
    [`Team/uploads/${PERSON}/${MANUAL}/manual.pdf`]: "",
    "People/On%2Foff.md": "No title",
  };

  test("has its collections and documents as menu and as addresses", async () => {
    const site = await siteOf(FILES);
    expect(site.generator).toBe("Outline");
    expect(site.pages.map(({ location, path }) => [location, path])).toEqual([
      ["People/On%2Foff.md", "people/on-off"],
      ["Team/Handbook.md", "team/handbook"],
      ["Team/Handbook/Rules.md", "team/handbook/rules"],
    ]);
    expect(site.menu.map(({ label }) => label)).toEqual(["People", "Team"]);
    expect(site.unknowns[0]?.question).toContain("Whom are these pages for?");
    expect(site.documentPath?.(`Team/uploads/${PERSON}/${MANUAL}/manual.pdf`)).toBe(
      `attachments/${MANUAL}/manual.pdf`,
    );
  });

  test("has its links to documents and files, and none of the editor's marks", async () => {
    const site = await siteOf(FILES);
    expect(await readPageOf(site, "Team/Handbook.md")).toEqual({
      data: { title: "Handbook" },
      markdown: `See [the rules](/team/handbook/rules#h-first), a gone page and Ada.


:::warning
Hot.

:::

![](uploads/${PERSON}/${IMAGE}/plan.png)

[manual.pdf 12](/attachments/${MANUAL}/manual.pdf)

## Part

Marked and to fill in

\`\`\`
# a == b ==
\`\`\``,
      faults: [],
    });
    expect((await readPageOf(site, "Team/Handbook/Rules.md")).markdown).toBe("Back to [it](/team/handbook).");
  });

  test("is told from other folders of Markdown", async () => {
    expect(await recognizeFiles({ "a.md": "# A", "uploads/plan.png": "" })).toBeUndefined();
  });
});

describe("an export as JSON", () => {
  const text = (words: string, ...marks: object[]) => ({ type: "text", text: words, marks });
  const paragraph = (...content: object[]) => ({ type: "paragraph", content });
  const item = (type: string, attrs: object, ...content: object[]) => ({ type, attrs, content });

  const BODY = {
    type: "doc",
    content: [
      item("heading", { level: 1 }, text("Begin")),
      paragraph(
        text("Bold", { type: "strong" }),
        text(" and "),
        text("code", { type: "code_inline" }, { type: "strong" }),
        text(", "),
        text("rules", { type: "link", attrs: { href: "/doc/rules-bbbbbbbbbb" } }),
        text(", "),
        text("gone", { type: "link", attrs: { href: "/doc/gone-zzzzzzzzzz" } }),
        text(", "),
        text("out", { type: "link", attrs: { href: "https://acme.invalid/" } }),
        text(" "),
        item("mention", { type: "document", label: "Rules", modelId: "d2" }),
        item("mention", { type: "user", label: " Ada", modelId: "u" }),
      ),
      item("container_notice", { style: "tip" }, paragraph(text("Early."))),
      item(
        "checkbox_list",
        {},
        item("checkbox_item", { checked: true }, paragraph(text("Done"))),
        item("checkbox_item", {}, paragraph(text("Open"))),
      ),
      item("code_fence", { language: "python" }, text("if a:\n    b()")),
      item("container_toggle", {}, paragraph(text("More")), paragraph(text("Folded."))),
      item(
        "table",
        {},
        item("tr", {}, item("th", {}, paragraph(text("A"))), item("th", {}, paragraph(text("B")))),
        item("tr", {}, item("td", { colspan: 2 }, paragraph(text("c")))),
      ),
      paragraph(item("image", { src: `/api/attachments.redirect?id=${IMAGE}`, alt: "A plan", width: 200 })),
      item("attachment", { href: `/api/attachments.redirect?id=${MANUAL}`, title: "manual.pdf" }),
      item("math_block", {}, text("a^2")),
    ],
  };

  const collection = (
    name: string,
    permission: string | null,
    documents: object = {},
    structure: object[] = [],
    data: object = { type: "doc", content: [paragraph(text(`About ${name}.`))] },
  ) =>
    JSON.stringify({
      collection: {
        id: name,
        urlId: `${name}1`,
        name,
        icon: "book",
        color: "#00AA55",
        index: "P",
        sort: { field: "index", direction: "asc" },
        sharing: false,
        deletedAt: null,
        permission,
        documentStructure: structure,
        data,
      },
      documents,
      attachments: {
        [IMAGE]: { id: IMAGE, name: "plan.png", key: `uploads/${PERSON}/${IMAGE}/plan.png` },
        [MANUAL]: { id: MANUAL, name: "manual.pdf", key: `uploads/${PERSON}/${MANUAL}/manual.pdf` },
        evil: { id: "evil", name: "x.pdf", key: "../x.pdf" },
      },
    });
  const document = (
    id: string,
    urlId: string,
    title: string,
    data: object,
    publishedAt: string | null = "2026-01-01",
  ) => ({ id, urlId, title, data, publishedAt });
  const empty = { type: "doc", content: [] };

  const TEAM = collection(
    "Team",
    "read",
    {
      d1: document("d1", "aaaaaaaaaa", "Handbook", BODY),
      d2: document("d2", "bbbbbbbbbb", "Rules", empty),
      d3: document("d3", "cccccccccc", "Draft", empty, null),
    },
    [
      {
        id: "d1",
        title: "Handbook",
        children: [
          { id: "d2", title: "Rules", children: [] },
          { id: "d1", children: [] },
        ],
      },
      { id: "d3", title: "Draft" },
    ],
  );
  const METADATA = JSON.stringify({ exportVersion: 1, version: "0.80.0", createdAt: "2026-01-01" });
  const FILES: Files = {
    "metadata.json": METADATA,
    "Team.json": TEAM,
    [`uploads/${PERSON}/${IMAGE}/plan.png`]: "png",
    [`uploads/${PERSON}/${MANUAL}/manual.pdf`]: "pdf",
  };

  test("has its documents in their order, with drafts left out and said", async () => {
    const site = await siteOf(FILES);
    expect(site.pages).toEqual([
      { location: "Team.json#Team", path: "" },
      { location: "Team.json#Handbook", path: "handbook" },
      { location: "Team.json#Rules", path: "handbook/rules" },
    ]);
    expect(site.leftOut).toEqual([
      { location: "Team.json", detail: "holds documents that are drafts: 1 left out" },
    ]);
    expect((await readPageOf(site, "Team.json#Team")).markdown).toBe("About Team.");
  });

  test("has a document's marks, links, callouts, tasks, tables, code, images and files", async () => {
    const site = await siteOf(FILES);
    expect((await readPageOf(site, "Team.json#Handbook")).markdown).toBe(`## Begin

**Bold** and **\`code\`**, [rules](/handbook/rules), gone, [out](https://acme.invalid/) [Rules](/handbook/rules) Ada

> [!TIP]
>
> Early.

- [x] Done
- [ ] Open

\`\`\`python
if a:
    b()
\`\`\`

**More**

Folded.

| A | B |
| --- | --- |
| c |  |

![A plan](/attachments/${IMAGE}/plan.png#width=200)

[manual.pdf](/attachments/${MANUAL}/manual.pdf)

\`\`\`math
a^2
\`\`\``);
    expect(site.held?.map(({ location }) => location)).toEqual([
      `attachments/${IMAGE}/plan.png`,
      `attachments/${MANUAL}/manual.pdf`,
    ]);
    expect(new TextDecoder().decode(await site.held?.[1]?.read())).toBe("pdf");
  });

  test("leaves out collections that only some may see, where all are exported, and asks about a single one", async () => {
    const both = await siteOf({ ...FILES, "Board.json": collection("Board", null) });
    expect(both.pages.map(({ location }) => location)).not.toContain("Board.json#Board");
    expect(both.leftOut).toContainEqual({
      location: "Board.json",
      detail: "is not for everyone: only people who were added may see its collection",
      isRestricted: true,
    });
    expect(both.holdsRestricted).toBe(true);
    const one = await siteOf({ "metadata.json": METADATA, "Board.json": collection("Board", null) });
    expect(one.pages).toHaveLength(1);
    expect(one.unknowns[0]?.question).toContain('Who may read the collection "Board"?');
  });

  test("has no page for a collection of which nothing is said: its editor keeps an empty paragraph", async () => {
    const documents = { d1: document("d1", "aaaaaaaaaa", "Handbook", BODY) };
    const blank = { type: "doc", content: [{ type: "paragraph" }] };
    const files = {
      "metadata.json": METADATA,
      "Team.json": collection("Team", "read", documents, [{ id: "d1" }], blank),
    };
    const site = await siteOf(files);
    expect(site.pages).toEqual([{ location: "Team.json#Handbook", path: "handbook" }]);
    expect(site.menu).toEqual([{ label: "Handbook", path: "handbook", children: [] }]);
  });

  test("is told from other files of JSON, and one that is hostile ends", async () => {
    expect(await recognizeFiles({ "metadata.json": "{}", "a.json": TEAM })).toBeUndefined();
    let deep: object = paragraph(text("deep"));
    for (let level = 0; level < 2_000; level++) deep = item("blockquote", {}, deep);
    const files = {
      "metadata.json": METADATA,
      "A.json": collection("A", "read", { d: document("d", "x", "D", { type: "doc", content: [deep] }) }, [
        { id: "d" },
      ]),
    };
    expect((await readPageOf(await siteOf(files), "A.json#D")).markdown.length).toBeLessThan(100_000);
  });
});
