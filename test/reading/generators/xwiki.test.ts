import { describe, expect, test } from "bun:test";
import { xwiki } from "../../../src/reading/generators/xwiki/xwiki.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Given {
  title?: string;
  language?: string;
  syntax?: string;
  isHidden?: boolean;
  more?: string;
}

/** The XML of a page, as XWiki writes it. */
const page = (
  reference: string,
  content: string,
  { title = "", language = "", syntax = "xwiki/2.1", isHidden = false, more = "" }: Given = {},
) => `<?xml version="1.1" encoding="UTF-8"?>

<xwikidoc version="1.5" reference="${reference}" locale="${language}">
  <web>${reference.slice(0, reference.lastIndexOf("."))}</web>
  <name>${reference.slice(reference.lastIndexOf(".") + 1)}</name>
  <language>${language}</language>
  <defaultLanguage>en</defaultLanguage>
  <title>${escaped(title)}</title>
  <syntaxId>${syntax}</syntaxId>
  <hidden>${isHidden}</hidden>
${more}  <content>${escaped(content)}</content>
</xwikidoc>
`;

const object = (kind: string, values: Record<string, string>) =>
  `  <object>\n    <className>${kind}</className>\n${Object.entries(values)
    .map(([name, value]) => `    <property>\n      <${name}>${value}</${name}>\n    </property>\n`)
    .join("")}  </object>\n`;

const attachment = (name: string, text: string) =>
  `  <attachment><filename>${name}</filename><filesize>${text.length}</filesize><content>${Buffer.from(text).toString("base64")}</content></attachment>\n`;

const PACKAGE = { "package.xml": "<package><infos><name>Backup</name></infos></package>" };

const WIKI: Files = {
  ...PACKAGE,
  "Main/WebHome.xml": page("Main.WebHome", "Welcome.", { title: "Home" }),
  "Ops/WebHome.xml": page("Ops.WebHome", "Operations.", { title: "Operations" }),
  "Ops/Backup.xml": page("Ops.Backup", "== Daily ==\n\nAt night.", { title: "Back up" }),
  "Ops/Backup.de.xml": page("Ops.Backup", "Nachts.", { title: "Sichern", language: "de" }),
  "Ops/Net/Lan.xml": page("Ops.Net.Lan", "Cables.", { title: "$services.localization.render('x')" }),
  "Ops/WebPreferences.xml": page("Ops.WebPreferences", ""),
  "Ops/Sheet.xml": page("Ops.Sheet", "{{velocity}}1{{/velocity}}", { isHidden: true }),
  "XWiki/Ada.xml": page("XWiki.Ada", "Me."),
  "Ops/Style.xml": page("Ops.Style", "", { more: object("XWiki.StyleSheetExtension", { code: "a" }) }),
};

describe("an export", () => {
  test("has its spaces as menu and as addresses, and its own pages left out", async () => {
    const site = await siteOf(WIKI);
    expect(site.generator).toBe("XWiki");
    expect(site.pages.map(({ location, path }) => [location, path])).toEqual([
      ["Main/WebHome.xml", ""],
      ["Ops/Backup.de.xml", "de/operations/back-up"],
      ["Ops/Backup.xml", "operations/back-up"],
      ["Ops/Net/Lan.xml", "operations/net/lan"],
      ["Ops/WebHome.xml", "operations"],
    ]);
    const lan = { label: "Lan", path: "operations/net/lan", children: [] };
    expect(site.menu).toEqual([
      { label: "Home", path: "", children: [] },
      {
        label: "Operations",
        path: "operations",
        children: [
          { label: "Back up", path: "operations/back-up", children: [] },
          { label: "Net", children: [lan] },
        ],
      },
    ]);
    expect(site.leftOut.map(({ detail }) => detail)).toEqual([
      "holds pages that are hidden: 1 left out",
      "holds pages that make the wiki work, and are not for its readers: 3 left out",
    ]);
  });

  test("has its translations as such", async () => {
    const site = await siteOf(WIKI);
    const backup = site.pages.find(({ path }) => path === "operations/back-up");
    expect(backup?.marks).toEqual({ language: "en", translations: { de: "de/operations/back-up" } });
    expect((await readPageOf(site, "Ops/Backup.de.xml")).data["title"]).toBe("Sichern");
  });

  test("is read as the file that it is, too, beside other files", async () => {
    const content = zipBytes(Object.entries(WIKI).map(([name, text]) => ({ name, text })));
    const site = await recognizeFiles({ "backups/wiki.xar": content });
    expect(site?.pages.map(({ location }) => location)).toContain("backups/wiki.xar#Ops/Net/Lan.xml");
    const lan = site?.pages.find(({ path }) => path === "operations/net/lan");
    expect(lan === undefined ? undefined : (await site?.read(lan))?.markdown).toBe("Cables.");
  });

  test("that is damaged is said, and nothing of it is taken", async () => {
    const site = await recognizeFiles({ "wiki.xar": new Uint8Array([80, 75, 3, 4, 9]) });
    expect(site?.unknowns[0]?.question).toContain("wiki.xar cannot be read");
    expect(site?.pages).toEqual([]);
    expect(site?.holdsRestricted).toBeUndefined();
  });

  test("is told from other XML of that name", async () => {
    expect(await recognizeFiles({ "package.xml": "<package/>", "a/WebHome.xml": "<a/>" })).toBeUndefined();
  });

  test("leaves out what is not for everyone, by the rights of pages and of spaces, and says so", async () => {
    const only = (kind: string, groups: string, allow = "1") =>
      object(kind, { allow, groups, levels: "view,edit", users: "" });
    const site = await openFiles(xwiki, {
      ...PACKAGE,
      "A/WebHome.xml": page("A.WebHome", "Open."),
      "A/One.xml": page("A.One", "For some.", { more: only("XWiki.XWikiRights", "XWiki.Staff") }),
      "A/One.de.xml": page("A.One", "Für einige.", { language: "de" }),
      "A/One/Below.xml": page("A.One.Below", "Below it."),
      "A/Cut.xml": page("A.Cut", "Cut.").replace("</xwikidoc>", "<object>"),
      "A/Two.xml": page("A.Two", "For all.", { more: only("XWiki.XWikiRights", "XWiki.XWikiAllGroup") }),
      "A/Three.xml": page("A.Three", "Not for one.", {
        more: only("XWiki.XWikiRights", "XWiki.XWikiAllGroup", "0"),
      }),
      "B/WebPreferences.xml": page("B.WebPreferences", "", {
        more: only("XWiki.XWikiGlobalRights", "XWiki.Board"),
      }),
      "B/WebHome.xml": page("B.WebHome", "Closed."),
      "B/C/In.xml": page("B.C.In", "Closed as well."),
    });
    expect(site.pages.map(({ path }) => path)).toEqual(["a/one/below", "a/two", "a"]);
    const detail = "is not for everyone: the rights of the wiki let only some read it";
    expect(
      site.leftOut
        .filter((each) => each.detail === detail && each.isRestricted)
        .map(({ location }) => location),
    ).toEqual(["A/One.xml", "A/Three.xml", "B/C/In.xml", "B/WebHome.xml"]);
    expect(site.leftOut.map(({ detail }) => detail)).toContain(
      "holds pages that are translations of pages that are left out: 1 left out",
    );
    expect(site.leftOut).toContainEqual({
      location: "A/Cut.xml",
      detail: "is damaged, and left out: who may read it is not known",
    });
    expect(site.holdsRestricted).toBe(true);
  });

  test("shows what is attached to its pages, which lies inside of them", async () => {
    const site = await openFiles(xwiki, {
      ...WIKI,
      "Ops/Net/Lan.xml": page(
        "Ops.Net.Lan",
        "[[image:plan.png||width=200]] [[attach:plan.pdf]] [[the other>>attach:Ops.Backup@b.pdf]] image:gone.png",
        {
          more: attachment("plan.png", "png") + attachment("plan.pdf", "pdf"),
        },
      ),
      "Ops/Backup.xml": page("Ops.Backup", "", { title: "Back up", more: attachment("b.pdf", "other") }),
    });
    expect((await readPageOf(site, "Ops/Net/Lan.xml")).markdown).toBe(
      "![](/attachments/operations/net/lan/plan.png#width=200) [plan.pdf](/operations/net/lan/plan.pdf) [the other](/operations/back-up/b.pdf) gone.png",
    );
    expect(site.held?.map(({ location }) => site.documentPath?.(location))).toEqual([
      "operations/back-up/b.pdf",
      "operations/net/lan/plan.png",
      "operations/net/lan/plan.pdf",
    ]);
    expect(new TextDecoder().decode(await site.held?.[2]?.read())).toBe("pdf");
  });

  test("has pages of other syntaxes as they are, tags, and lists below pages without words", async () => {
    const site = await openFiles(xwiki, {
      ...PACKAGE,
      "A/WebHome.xml": page("A.WebHome", "{{children/}}", { title: "All" }),
      "A/Md.xml": page("A.Md", "# Done\n\n*Yes*", {
        syntax: "markdown/1.2",
        more: object("XWiki.TagClass", { tags: "<value>run</value><value>book</value>" }),
      }),
      "A/Old.xml": page("A.Old", "1 Old *words*", { syntax: "xwiki/1.0" }),
    });
    expect((await readPageOf(site, "A/WebHome.xml")).markdown).toBe("- [Md](/all/md)\n- [Old](/all/old)");
    expect(await readPageOf(site, "A/Md.xml")).toEqual({
      data: { title: "Md", tags: ["run", "book"] },
      markdown: "# Done\n\n*Yes*",
      faults: [],
    });
    expect((await readPageOf(site, "A/Old.xml")).faults.join()).toContain("xwiki/1.0");
  });
});

describe("markup", () => {
  /** What a text becomes, on a page of the wiki above. */
  async function bodyOf(text: string) {
    const site = await openFiles(xwiki, { ...WIKI, "Ops/Net/Lan.xml": page("Ops.Net.Lan", text) });
    return readPageOf(site, "Ops/Net/Lan.xml");
  }

  test("has headings, emphasis, line breaks, lists, quotes, rules and definitions", async () => {
    const { markdown } = await bodyOf(`= One =

A **bold //and italic//** word, --gone--, ##code##, {{{**as it is**}}} and ~**no mark.
Next line\\\\third

== Two ==

* a
** b
11*. odd
1. one
11. inner
1. two

; Term
: Meaning
> said
>> twice
----
(% class="x" %)
Styled (% style="color:red" %)red(%%).`);
    expect(markdown).toContain(
      "# One\n\nA **bold *and italic*** word, gone, `code`, `**as it is**` and \\*\\*no mark.\\\nNext line\\\nthird",
    );
    expect(markdown).toContain("- a\n  - b");
    expect(markdown).toContain("1. 1. - odd\n2. one\n   1. inner\n3. two");
    expect(markdown).toContain("Meaning");
    expect(markdown).toContain("> said\n>\n> > twice");
    expect(markdown).toContain("Styled red.");
  });

  test("has tables with heads, and with cells of several lines", async () => {
    const { markdown } = await bodyOf("|=Name|=Use\n|a|(((\n* one\n* two\n)))\n|b|[[c>>doc:Ops.Backup]]");
    expect(markdown).toContain("| Name | Use |\n| --- | --- |\n| a |");
    expect(markdown).toContain("| b | [c](/operations/back-up) |");
  });

  test("has macros as callouts, code, HTML, formulas and footnotes; lists that the wiki makes are gone", async () => {
    const { markdown, faults } = await bodyOf(`{{toc/}}

{{info}}
Mind **this**.
{{/info}}

{{box title="Note"}}Boxed.{{/box}}

(% class="box warningmessage" %)
(((
Hot.
)))

{{code language="java"}}
if (a[b[0]]) { /* {{no}} */ }
{{/code}}

{{html clean="false"}}<p>Some <b>HTML</b></p>{{/html}}

Sum {{formula}}a^2{{/formula}}{{footnote}}Of old.{{/footnote}}

{{velocity}}
#set ($a = 1)
{{/velocity}}

{{acme-frame}}Kept.{{/acme-frame}}

{{acme-chart id="1"/}}`);
    expect(markdown).toBe(`> [!NOTE]
>
> Mind **this**.

> [!NOTE] Note
>
> Boxed.

> [!WARNING]
>
> Hot.

\`\`\`java
if (a[b[0]]) { /* {{no}} */ }
\`\`\`

Some **HTML**

Sum $\`a^2\`$[^1]

Kept.

[^1]: Of old.`);
    expect(faults).toEqual([
      "What a program in it writes (velocity) is left out.",
      'The macro "acme-chart" is left out: it is not known.',
    ]);
  });

  test("links to pages by all kinds of references, to places, and elsewhere; what is not there is words", async () => {
    const { markdown } = await bodyOf(
      `== Own part ==

${[
  "[[Ops.Backup]]",
  "[[label>>doc:xwiki:Ops.Backup]]",
  "[[space>>space:Ops]]",
  "[[nested>>Ops]]",
  "[[paged>>page:Ops/Backup]]",
  '[[place>>doc:Ops.Backup||anchor="HDaily"]]',
  "[[old>>Ops.Backup#HDaily]]",
  '[[here>>||anchor="HOwnpart"]]',
  "[[gone>>doc:Ops.Gone]]",
  "[[out>>https://acme.invalid/a//b]]",
  "https://acme.invalid/c__d__e",
  "[[mail>>mailto:a@acme.invalid]]",
].join(" ")}`,
    );
    expect(markdown).toContain(
      "[Back up](/operations/back-up) [label](/operations/back-up) [space](/operations) [nested](/operations) " +
        "[paged](/operations/back-up) [place](/operations/back-up#daily) [old](/operations/back-up#daily) " +
        "[here](#own-part) gone [out](https://acme.invalid/a//b) [https://acme.invalid/c__d__e](https://acme.invalid/c__d__e) " +
        "[mail](mailto:a@acme.invalid)",
    );
  });

  test("has the words of a page that it includes, and none of what includes itself without end", async () => {
    const site = await openFiles(xwiki, {
      ...WIKI,
      "Ops/Net/Lan.xml": page(
        "Ops.Net.Lan",
        'Before.\n\n{{include reference="Ops.Backup"/}}\n\n{{include reference="Ops.Gone"/}}',
      ),
      "Ops/Loop.xml": page(
        "Ops.Loop",
        '{{include reference="Ops.Loop"/}}\n\n{{include reference="Ops.Loop"/}}',
      ),
    });
    const { markdown, faults } = await readPageOf(site, "Ops/Net/Lan.xml");
    expect(markdown).toBe("Before.\n\n## Daily\n\nAt night.");
    expect(faults).toEqual(['What it includes is left out: the page "Ops.Gone".']);
    expect((await readPageOf(site, "Ops/Loop.xml")).markdown).toBe("");
  });

  test("that is hostile ends", async () => {
    const parts = ["(((", "{{info}}", "[[", "**", "{{{", "(% ", "* ", "|=", ">", '{{a b="'];
    const { markdown } = await bodyOf(parts.map((part) => part.repeat(2_000)).join("\n"));
    expect(markdown.length).toBeLessThan(3_000_000);
  });
});
