import { describe, expect, test } from "bun:test";
import { confluenceXml } from "../../../src/reading/generators/confluence/xml-export/xml-export.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]] >")}]]>`;
const property = (name: string, value: string) => `<property name="${name}">${cdata(value)}</property>`;
const reference = (name: string, kind: string, id: string) =>
  `<property name="${name}" class="${kind}" package="x"><id name="id">${id}</id></property>`;
const object = (kind: string, id: string, inside: string) =>
  `<object class="${kind}" package="x">\n<id name="${kind === "ConfluenceUserImpl" ? "key" : "id"}">${cdata(id)}</id>\n${inside}</object>\n`;

/** An object for a page, and one for its body. */
const page = (
  id: string,
  title: string,
  { body = "", parent = "", kind = "Page", more = "", space = "1", status = "current" } = {},
) =>
  object(
    kind,
    id,
    property("title", title) +
      (parent === "" ? "" : reference("parent", "Page", parent)) +
      reference("space", "Space", space) +
      property("contentStatus", status) +
      more,
  ) +
  object(
    "BodyContent",
    `9${id}`,
    property("body", body) + reference("content", kind, id) + property("bodyType", "2"),
  );

const space = (id: string, key: string, home = "") =>
  object(
    "Space",
    id,
    property("key", key) +
      property("name", `Space ${key}`) +
      (home === "" ? "" : reference("homePage", "Page", home)),
  );

const exportOf = (...objects: string[]): Files => ({
  "exportDescriptor.properties": "exportType=space\nspaceKey=OPS\ndefaultUsersGroup=staff\n",
  "entities.xml": `<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2026-01-01 00:00:00">\n${objects.join("")}</hibernate-generic>\n`,
});

const open = (...objects: string[]) =>
  openFiles(confluenceXml, exportOf(space("1", "OPS", "10"), ...objects));

/** What a body becomes, in a space with a second page. */
async function bodyOf(body: string, files: Files = {}, more: string[] = []) {
  const objects = [
    page("10", "Home"),
    page("11", "The Guide", { body: "<h2>First steps</h2><p>Guide.</p>" }),
    page("12", "Body", { body }),
    ...more,
  ];
  const site = await openFiles(confluenceXml, { ...exportOf(space("1", "OPS", "10"), ...objects), ...files });
  return { ...(await readPageOf(site, "entities.xml#Body")), site };
}

const macro = (name: string, inside: string) =>
  `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${inside}</ac:structured-macro>`;
const param = (name: string, value: string) => `<ac:parameter ac:name="${name}">${value}</ac:parameter>`;
const rich = (html: string) => `<ac:rich-text-body>${html}</ac:rich-text-body>`;
const plain = (text: string) => `<ac:plain-text-body><![CDATA[${text}]]></ac:plain-text-body>`;

describe("a space", () => {
  test("has its tree as menu and as addresses, moved pages in their places, and blog posts with the newest first", async () => {
    const site = await open(
      page("10", "Home"),
      page("11", "B", { parent: "10" }),
      page("12", "A", { parent: "10" }),
      page("13", "Below", { parent: "12", more: property("position", "2") }),
      page("14", "Above", { parent: "12", more: property("position", "1") }),
      page("15", "Old news", { kind: "BlogPost", more: property("creationDate", "2024-01-01 10:00:00.000") }),
      page("16", "News", { kind: "BlogPost", more: property("creationDate", "2026-01-01 10:00:00.000") }),
    );
    expect(site.pages.map(({ location, path }) => [location, path])).toEqual([
      ["entities.xml#Home", ""],
      ["entities.xml#B", "b"],
      ["entities.xml#A", "a"],
      ["entities.xml#Below", "a/below"],
      ["entities.xml#Above", "a/above"],
      ["entities.xml#Old news", "blog/old-news"],
      ["entities.xml#News", "blog/news"],
    ]);
    const leaf = (label: string, path: string) => ({ label, path, children: [] });
    expect(site.menu).toEqual([
      leaf("Home", ""),
      { label: "A", path: "a", children: [leaf("Above", "a/above"), leaf("Below", "a/below")] },
      leaf("B", "b"),
      { label: "Blog", children: [leaf("News", "blog/news"), leaf("Old news", "blog/old-news")] },
    ]);
  });

  test("has its pages as they are now: earlier versions, drafts and the bin are left out", async () => {
    const site = await open(
      page("10", "Home", { body: "<p>Now.</p>" }),
      page("11", "Home", { body: "<p>Before.</p>", more: reference("originalVersion", "Page", "10") }),
      page("12", "Draft", { status: "draft" }),
      page("13", "Gone", { status: "deleted" }),
      page("14", "Gone as well", { status: "deleted" }),
    );
    expect(site.pages.map(({ path }) => path)).toEqual([""]);
    expect((await readPageOf(site, "entities.xml#Home")).markdown).toBe("Now.");
    expect(site.leftOut.map(({ detail }) => detail)).toEqual([
      "holds pages that are drafts: 1 left out",
      "holds pages that are in the bin: 2 left out",
    ]);
  });

  test("tags its pages with their labels, but not with those of one person", async () => {
    const label = (id: string, name: string, namespace: string) =>
      object("Label", id, property("name", name) + property("namespace", namespace)) +
      object("Labelling", `8${id}`, reference("label", "Label", id) + reference("content", "Page", "10"));
    const site = await open(
      page("10", "Home"),
      label("1", "runbook", "global"),
      label("2", "favourite", "my"),
    );
    expect((await readPageOf(site, "entities.xml#Home")).data).toEqual({ title: "Home", tags: ["runbook"] });
  });

  test("is told from other files of its name", async () => {
    expect(await recognizeFiles({ "entities.xml": "<entities><entity/></entities>" })).toBeUndefined();
  });

  test("of an old wiki says which page is in markup that is not read", async () => {
    const old = object(
      "BodyContent",
      "1",
      property("body", "h1. Old") + reference("content", "Page", "10") + property("bodyType", "0"),
    );
    const site = await open(page("10", "Home").replace(/<object class="BodyContent"[\s\S]*/, old));
    expect((await readPageOf(site, "entities.xml#Home")).faults.join()).toContain(
      "wiki markup of Confluence 3",
    );
  });
});

describe("rights", () => {
  const restriction = (id: string, type: string, owner: string) =>
    object("ContentPermissionSet", id, property("type", type) + reference("owningContent", "Page", owner));

  test("leave out a page that is restricted, what is below it, and what is attached to it, and say so", async () => {
    const attached = object(
      "Attachment",
      "70",
      property("title", "plan.pdf") + property("version", "1") + reference("containerContent", "Page", "11"),
    );
    const files = exportOf(
      space("1", "OPS", "10"),
      page("10", "Home", {
        body:
          '<p><ac:link><ri:page ri:content-title="Secret" /></ac:link></p>' +
          macro("include", param("", '<ac:link><ri:page ri:content-title="Secret" /></ac:link>')),
      }),
      page("11", "Secret", { body: "<p>Hidden.</p>", parent: "10" }),
      page("12", "Below", { parent: "11" }),
      page("13", "Locked", { parent: "10" }),
      attached,
      restriction("60", "View", "11"),
      restriction("61", "Edit", "13"),
    );
    const site = await openFiles(confluenceXml, { ...files, "attachments/11/70/1": "pdf" });
    expect(site.pages.map(({ path }) => path)).toEqual(["", "locked"]);
    const detail = "is not for everyone: it, or a page above it, is restricted to some people or groups";
    expect(site.leftOut).toEqual([
      { location: "entities.xml#Secret", detail, isRestricted: true },
      { location: "entities.xml#Below", detail, isRestricted: true },
    ]);
    expect(site.holdsRestricted).toBe(true);
    expect(site.held).toEqual([]);
    expect((await readPageOf(site, "entities.xml#Home")).markdown).toBe("Secret");
  });

  test("that a page names, and that the export does not hold, let nobody read it", async () => {
    const named =
      '<collection name="contentPermissionSets" class="java.util.Collection"><element class="ContentPermissionSet" package="x"><id name="id">60</id></element></collection>';
    expect((await open(page("10", "Home"), page("11", "Odd", { more: named }))).pages).toHaveLength(1);
  });

  test("are not known where the file ends too early: nothing is taken of it", async () => {
    const files = exportOf(space("1", "OPS"), page("10", "Home"));
    const cut = {
      ...files,
      "entities.xml": files["entities.xml"]?.replace("</hibernate-generic>", "<object class=") ?? "",
    };
    const site = await siteOf(cut);
    expect(site.pages).toEqual([]);
    expect(site.holdsRestricted).toBe(true);
    expect(site.leftOut[0]?.detail).toContain("cannot be read to its end");
  });

  test("of spaces are asked for where one is exported, and hold where all are", async () => {
    const views = (of: string, group: string) =>
      object(
        "SpacePermission",
        `5${of}${group}`,
        reference("space", "Space", of) + property("type", "VIEWSPACE") + property("group", group),
      );
    const one = await open(page("10", "Home"), views("1", "admins"));
    expect(one.unknowns.map(({ question }) => question)).toEqual([
      'Who may read the space "Space OPS"? The wiki shows it to admins.',
    ]);
    const all = await open(
      page("10", "Home"),
      views("1", "staff"),
      space("2", "HR"),
      page("20", "Pay", { space: "2" }),
      views("2", "hr"),
    );
    expect(all.pages.map(({ path }) => path)).toEqual([""]);
    expect(all.leftOut.map(({ location, detail }) => `${location} ${detail}`)).toEqual([
      "entities.xml#Pay is not for everyone: only some people or groups may see its space",
    ]);
    expect(all.unknowns).toEqual([]);
  });
});

describe("a body", () => {
  test("has panels as callouts, code with its language, statuses, folded parts and formulas", async () => {
    const { markdown, faults } = await bodyOf(
      macro("toc", param("maxLevel", "2")) +
        macro("info", param("title", "Owner") + rich("<p>Ask <strong>Ada</strong>.</p>")) +
        macro("warning", rich("<p>Hot.</p>")) +
        `<p>Before ${macro("tip", rich("<p>Inside.</p>"))} after</p>` +
        macro(
          "code",
          param("language", "py") + param("title", "Clean up") + plain("if a[b[0]]:\n    print('&lt;')"),
        ) +
        macro("noformat", plain("as  it is")) +
        macro("expand", param("title", "History") + rich("<p>Two outages.</p>")) +
        `<p>State ${macro("status", param("colour", "Green") + param("title", "DONE"))}, ${macro("jira", param("key", "OPS-1"))}</p>` +
        macro("mathblock", plain("a^2")) +
        macro("section", rich(macro("column", rich("<p>Column.</p>")))) +
        macro("excerpt", rich("<p>Short.</p>")) +
        macro("children", ""),
    );
    expect(markdown).toBe(`> [!NOTE] Owner
>
> Ask **Ada**.

> [!WARNING]
>
> Hot.

Before

> [!TIP]
>
> Inside.

after

**Clean up**

\`\`\`python
if a[b[0]]:
    print('&lt;')
\`\`\`

\`\`\`
as  it is
\`\`\`

**History**

Two outages.

State DONE, OPS-1

\`\`\`math
a^2
\`\`\`

Column.

Short.`);
    expect(faults).toEqual([]);
  });

  test("keeps the words of a macro that is not known, and tells of one that has none", async () => {
    const { markdown, faults } = await bodyOf(
      `${macro("acme-box", rich("<p>Boxed.</p>")) + macro("acme-chart", param("id", "7"))}<p>End.</p>`,
    );
    expect(markdown).toBe("Boxed.\n\nEnd.");
    expect(faults).toEqual(['The macro "acme-chart" is left out: it is not known.']);
  });

  test("leaves out what is shown to some people only", async () => {
    const { markdown, faults } = await bodyOf(
      `${macro("show-if", param("group", "board") + rich("<p>Secret.</p>"))}<p>Open.</p>`,
    );
    expect(markdown).toBe("Open.");
    expect(faults).toEqual(["What is shown to some people only is left out."]);
  });

  test("has tasks, layouts, emoticons, people, dates and the blocks of the newer editor", async () => {
    const person = object("ConfluenceUserImpl", "k1", property("name", "ada"));
    const { markdown } = await bodyOf(
      '<ac:layout><ac:layout-section ac:type="single"><ac:layout-cell><ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>' +
        "<ac:task-body><span>Order</span></ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Pay</ac:task-body></ac:task></ac:task-list></ac:layout-cell></ac:layout-section></ac:layout>" +
        '<p><ac:emoticon ac:name="tick" /> <ac:emoticon ac:emoji-fallback="🚀" /> <ac:emoticon ac:name="blue-star" ac:emoji-id="1f4cb" /> ' +
        '<ac:link><ri:user ri:userkey="k1" /></ac:link> on <time datetime="2026-03-01" />&nbsp;&ndash; <ac:placeholder>Type</ac:placeholder>' +
        '<ac:inline-comment-marker ac:ref="x">said</ac:inline-comment-marker></p>' +
        '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">warning</ac:adf-attribute><ac:adf-content><p>New.</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>Old.</p></ac:adf-fallback></ac:adf-extension>',
      {},
      [person],
    );
    expect(markdown).toBe(
      "- [x] Order\n- [ ] Pay\n\n✓ 🚀 📋 ada on 2026-03-01 – said\n\n> [!WARNING]\n>\n> New.",
    );
  });

  test("links to pages by title, id and address, and to places in them; what is not there is words", async () => {
    const to = (inside: string, anchor = "") =>
      `<ac:link${anchor === "" ? "" : ` ac:anchor="${anchor}"`}>${inside}</ac:link> `;
    const guide = '<ri:page ri:content-title="The Guide" />';
    const words = (text: string) => `<ac:plain-text-link-body><![CDATA[${text}]]></ac:plain-text-link-body>`;
    const { markdown } = await bodyOf(
      `<h2>Own part</h2>${macro("anchor", param("", "spot"))}<p>${[
        to(guide),
        to(guide + words("place"), "Firststeps"),
        to(guide + words("long"), "TheGuide-Firststeps"),
        to(words("here"), "Own-part"),
        to(words("spot"), "spot"),
        to('<ri:page ri:content-title="Gone" />'),
        to('<ri:space ri:space-key="OPS" /><ac:link-body>home</ac:link-body>'),
        to('<ri:content-entity ri:content-id="11" /><ac:link-body><em>id</em></ac:link-body>'),
        '<a href="https://acme.invalid/wiki/spaces/OPS/pages/11/Guide">cloud</a> ',
        '<a href="https://acme.invalid/pages/viewpage.action?pageId=11#Firststeps">viewed</a> ',
        '<a href="https://acme.invalid/display/OPS/The+Guide">display</a> ',
        '<a href="https://acme.invalid/display/DEV/Else">elsewhere</a>',
      ].join("")}</p>`,
    );
    expect(markdown).toContain(
      "[The Guide](/the-guide) [place](/the-guide#first-steps) [long](/the-guide#first-steps) [here](#own-part) " +
        "[spot](#spot) Gone [home](/) [*id*](/the-guide) [cloud](/the-guide) [viewed](/the-guide#first-steps) " +
        "[display](/the-guide) [elsewhere](https://acme.invalid/display/DEV/Else)",
    );
  });

  test("shows attached images, and leads to attached documents, which the export calls by numbers", async () => {
    const attached = (id: string, name: string, version: string, owner = "12") =>
      object(
        "Attachment",
        id,
        property("title", name) + property("version", version) + reference("containerContent", "Page", owner),
      );
    const { markdown, site } = await bodyOf(
      '<p><ac:image ac:width="300" ac:alt="A plan"><ri:attachment ri:filename="my plan.png" /></ac:image></p>' +
        '<p><ac:image><ri:url ri:value="https://acme.invalid/x.png" /></ac:image> <ac:image><ri:attachment ri:filename="gone.png" /></ac:image></p>' +
        `<p><ac:link><ri:attachment ri:filename="spec.pdf" /></ac:link> ${macro("view-file", param("name", '<ri:attachment ri:filename="spec.pdf"><ri:page ri:content-title="The Guide" /></ri:attachment>'))}</p>`,
      { "attachments/12/70/3": "png", "attachments/12/71/1": "pdf", "attachments/11/72/1": "other" },
      [
        attached("70", "my plan.png", "4"),
        attached("71", "spec.pdf", "1"),
        attached("72", "spec.pdf", "1", "11"),
      ],
    );
    expect(markdown).toBe(
      "![A plan](/attachments/12/my%20plan.png#width=300)\n\n![](https://acme.invalid/x.png) gone.png\n\n[spec.pdf](/body/spec.pdf) [spec.pdf](/the-guide/spec.pdf)",
    );
    expect(site.held?.map(({ location }) => [location, site.documentPath?.(location)])).toEqual([
      ["attachments/12/my plan.png", "body/my plan.png"],
      ["attachments/12/spec.pdf", "body/spec.pdf"],
      ["attachments/11/spec.pdf", "the-guide/spec.pdf"],
    ]);
    expect(new TextDecoder().decode(await site.held?.[0]?.read())).toBe("png");
  });

  test("has the words of pages that it includes, with their own links, and none of itself", async () => {
    const include = (title: string, name = "include") =>
      macro(name, param("", `<ac:link><ri:page ri:content-title="${title}" /></ac:link>`));
    const { markdown, faults } = await bodyOf(
      include("Part") + include("Part", "excerpt-include") + include("Body"),
      {},
      [
        page("13", "Part", {
          body: `<p><ac:link ac:anchor="End"><ac:plain-text-link-body><![CDATA[its end]]></ac:plain-text-link-body></ac:link></p>${macro("excerpt", rich("<p>Brief.</p>"))}<h2>End</h2>`,
        }),
      ],
    );
    expect(markdown).toBe("[its end](#end)\n\nBrief.\n\n## End\n\nBrief.");
    expect(faults.join()).toContain('What it includes is left out: the page "Body"');
  });

  test("that is empty lists the pages below it, and one that is damaged is read as far as it goes", async () => {
    const site = await open(
      page("10", "Home"),
      page("11", "Empty", { parent: "10", body: macro("children", "") }),
      page("12", "In it", { parent: "11" }),
      page("13", "Broken", { body: "<p>One <b>two</p><p>three</p>" }),
    );
    expect((await readPageOf(site, "entities.xml#Empty")).markdown).toBe("- [In it](/empty/in-it)");
    const broken = await readPageOf(site, "entities.xml#Broken");
    expect(broken.markdown).toContain("three");
    expect(broken.faults.join()).toContain("Its markup is damaged");
  });

  test("that is hostile ends: nesting, entities that grow, and pages that include each other", async () => {
    const many = Array.from({ length: 300 }, () =>
      macro("include", param("", '<ac:link><ri:page ri:content-title="Body" /></ac:link>')),
    ).join("");
    const deep = "<div>".repeat(50_000) + "<ac:link>".repeat(50_000);
    const { markdown } = await bodyOf(`${many}<p>&bomb; ${"x".repeat(1000)}</p>${deep}`, {}, [
      page("13", "Loop", { body: many }),
    ]);
    expect(markdown.length).toBeLessThan(3_000_000);
  });
});
