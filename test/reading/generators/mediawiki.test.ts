import { describe, expect, test } from "bun:test";
import { mediawiki } from "../../../src/reading/generators/mediawiki/mediawiki.ts";
import { ownMs } from "../../helpers/own-time.ts";
import { openFiles, recognizeFiles } from "./open-files.ts";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Written {
  title: string;
  text: string;
  namespace?: number;
  redirect?: string;
  model?: string;
}

/** A dump as `dumpBackup.php --current` of MediaWiki 1.39 writes it. */
const dumpOf = (pages: readonly Written[]) =>
  `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Operations Wiki</sitename>
    <base>http://localhost/w/index.php/Main_Page</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="2" case="first-letter">User</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="8" case="first-letter">MediaWiki</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="12" case="first-letter">Help</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
    </namespaces>
  </siteinfo>
${pages.map(pageXml).join("")}</mediawiki>
`;

const pageXml = (
  { title, text, namespace = 0, redirect, model = "wikitext" }: Written,
  index: number,
) => `  <page>
    <title>${escaped(title)}</title>
    <ns>${namespace}</ns>
    <id>${index + 1}</id>
${redirect === undefined ? "" : `    <redirect title="${redirect}" />\n`}    <revision>
      <id>${index + 100}</id>
      <model>${model}</model>
      <text bytes="1" xml:space="preserve">${escaped(text)}</text>
    </revision>
  </page>
`;

const open = (pages: readonly Written[], others: Readonly<Record<string, string>> = {}) =>
  openFiles(mediawiki, { "dump.xml": dumpOf(pages), ...others });

async function readOne(
  text: string,
  others: readonly Written[] = [],
  files: Readonly<Record<string, string>> = {},
) {
  const site = await open([{ title: "One", text }, ...others], files);
  const page = site.pages.find(({ location }) => location === "dump.xml#One");
  if (page === undefined) throw new Error("the page is missing");
  return site.read(page);
}

const markdownOf = async (text: string, others: readonly Written[] = []) =>
  (await readOne(text, others)).markdown;
const template = (name: string, text: string): Written => ({
  title: `Template:${name}`,
  text,
  namespace: 10,
});

describe("a dump", () => {
  test("has its pages at addresses made of their titles, and the others left out", async () => {
    const site = await open([
      { title: "Main Page", text: "Hello" },
      { title: "Größe/Über uns", text: "Text" },
      { title: "C++", text: "Text" },
      { title: "C#", text: "Text" },
      { title: "Help:Editing", text: "Text", namespace: 12 },
      { title: "Talk:C++", text: "Text", namespace: 1 },
      { title: "User:Anna", text: "Text", namespace: 2 },
      { title: "Template:Note", text: "Text", namespace: 10 },
      { title: "Empty", text: "  " },
      { title: "Data", text: "{}", model: "json" },
      { title: "Old", text: "#REDIRECT [[Help:Editing]]", redirect: "Help:Editing" },
    ]);
    expect(site.pages).toEqual([
      { location: "dump.xml#Main Page", path: "" },
      { location: "dump.xml#Größe/Über uns", path: "größe/über-uns" },
      { location: "dump.xml#C++", path: "c" },
      { location: "dump.xml#C#", path: "c-4" },
      { location: "dump.xml#Help:Editing", path: "help/editing" },
    ]);
    expect(site.leftOut).toEqual([
      { location: "dump.xml#Empty", detail: "has no words" },
      { location: "dump.xml#Data", detail: "is no wikitext but json" },
      { location: "dump.xml#Talk:", detail: "is for discussions: 1 left out" },
      { location: "dump.xml#User:", detail: "is for persons who write in the wiki: 1 left out" },
      { location: "dump.xml#Template:", detail: "is for templates, which stand on other pages: 1 left out" },
    ]);
    expect(site.redirects).toEqual([{ from: "old", to: "/help/editing" }]);
  });

  test("has the menu of its sidebar above the tree of its titles", async () => {
    const site = await open([
      { title: "Main Page", text: "Hello" },
      { title: "Guide", text: "Text" },
      { title: "Guide/Linux", text: "Text" },
      { title: "Other", text: "Text" },
      {
        title: "MediaWiki:Sidebar",
        text: "* navigation\n** mainpage|mainpage-description\n* Handbook\n** Guide|The guide",
        namespace: 8,
      },
    ]);
    const linux = { label: "Linux", path: "guide/linux", children: [] };
    expect(site.menu).toEqual([
      { label: "Main Page", path: "", children: [] },
      { label: "Handbook", children: [{ label: "The guide", path: "guide", children: [linux] }] },
      { label: "Other", path: "other", children: [] },
    ]);
  });

  test("that ends in the middle is read as far as it goes, and said", async () => {
    const whole = dumpOf([
      { title: "One", text: "Text" },
      { title: "Two", text: "Text" },
    ]);
    const site = await openFiles(mediawiki, { "wiki.xml": whole.slice(0, whole.indexOf("<title>Two")) });
    expect(site.pages).toEqual([{ location: "wiki.xml#One", path: "one" }]);
    expect(site.leftOut[0]?.detail).toContain("cannot be read to its end");
  });

  test("is told from other XML by its first element", async () => {
    expect(await recognizeFiles({ "export.xml": "<rss><channel/></rss>", "a.md": "# A" })).toBeUndefined();
    expect((await recognizeFiles({ "a/export.xml": dumpOf([{ title: "A", text: "a" }]) }))?.root).toBe(
      "a/export.xml",
    );
  });
});

describe("wikitext", () => {
  test("has headings, emphasis and lists in each other", async () => {
    expect(
      await markdownOf(
        "== A ''b'' ==\n=== A ===\n'''strong''' ''soft''\n\n* One\n** Two\n*# First\n*# Second\n# A\n; Term : is this",
      ),
    ).toBe(
      "## A b {#A_b}\n\n### A {#A}\n\n**strong** *soft*\n\n- One\n  - Two\n  1. First\n  2. Second\n\n1. A\n\n- **Term**\\\n  is this",
    );
  });

  test("has tables with captions, header cells and spans", async () => {
    const table =
      '{| class="wikitable"\n|+ Ports\n! Port !! Use\n|-\n| rowspan="2" | 80 || TCP\n|-\n| UDP [[Two|x|y]]\n|-\n| colspan=2 | both\n|}';
    expect(await markdownOf(table)).toBe(
      "**Ports**\n\n| Port | Use |\n| --- | --- |\n| 80 | TCP |\n| 80 | UDP x\\|y |\n| both |  |",
    );
  });

  test("has links to pages, with labels, trails, anchors and below each other", async () => {
    const pages = [
      { title: "Server", text: "Text" },
      { title: "One/Two", text: "Text" },
      { title: "Old", text: "#REDIRECT [[Server#Set up]]", redirect: "Server#Set up" },
    ];
    expect(
      await markdownOf(
        "[[server]]s [[Server#Set up|there]] [[/Two|below]] [[Old]] [[Missing]] [[#A b]] [[de:Eins]]",
        pages,
      ),
    ).toBe(
      "[servers](/server) [there](/server#Set_up) [below](/one/two) [Old](/server#Set_up) Missing [#A b](#A_b)",
    );
  });

  test("has links elsewhere, and no addresses that run something", async () => {
    expect(
      await markdownOf("[https://a.example/x_y?a=1&b=2 Label] https://b.example/c. [javascript:alert(1) x]"),
    ).toBe(
      "[Label](https://a.example/x_y?a=1&b=2) [https://b.example/c](https://b.example/c). [javascript:alert(1) x]",
    );
  });

  test("has code, formulas and text without markup as they are written", async () => {
    const text =
      "<syntaxhighlight lang=\"bash\">\nls <b> # x\n</syntaxhighlight>\n<pre>\n''raw'' &lt;t&gt;\n</pre>\n line\n\n<nowiki>[[x]] {{y}}</nowiki> <code>a_b</code> <math>E = mc^2</math>";
    expect(await markdownOf(text)).toBe(
      "```bash\nls <b> # x\n```\n\n```\n''raw'' <t>\n```\n\n```\nline\n```\n\n[[x]] {{y}} `a_b` $`E = mc^2`$",
    );
  });

  test("has notes as footnotes, and those of one name once", async () => {
    expect(
      await markdownOf('A<ref name="x">See [[One]]</ref> b<ref>Two</ref> c<ref name="x" />\n<references />'),
    ).toBe("A[^1] b[^2] c[^1]\n\n[^1]: See [One](/one)\n\n[^2]: Two");
  });

  test("has the categories as tags, and the caption or the image of a file", async () => {
    const text =
      "[[File:Net work.png|thumb|200px|The ''net'']]\n[[File:None.png|thumb|Only words]]\n[[Category:Ops|*]][[Category:Guides]] __NOTOC__<!-- no -->";
    const { data, markdown } = await readOne(text, [], { "images/a/ab/Net_work.png": "" });
    expect(data["tags"]).toEqual(["Ops", "Guides"]);
    expect(markdown).toBe("![The net](/images/a/ab/Net_work.png) The *net*\n\nOnly words");
  });
});

describe("templates", () => {
  test("of the dump are written out with their parameters", async () => {
    const pages = [
      template(
        "Note",
        "<includeonly>'''{{{kind|Note}}}:''' {{{1}}}[[Category:Noted]]</includeonly><noinclude>Docs.</noinclude>",
      ),
    ];
    const { data, markdown } = await readOne("{{Note|Take ''care''}} {{note|kind=Tip|1=a=b}}", pages);
    expect(markdown).toBe("**Note:** Take *care* **Tip:** a=b");
    expect(data["tags"]).toEqual(["Noted"]);
  });

  test("that are not in it keep the words that they were given", async () => {
    expect(
      await markdownOf("{{Gone|words of it|name=more|style=color:red|40px}} {{#invoke:Module|main|said}}"),
    ).toBe("words of it, name: more said");
  });

  test("choose between simple cases", async () => {
    const text =
      "{{#if:{{{x|}}}|a|b}} {{#ifeq:1|1.0|same|other}} {{#switch:b|a=A|b|c=C|#default=D}} {{#switch:z|a=A|D}} {{PAGENAME}} {{lc:ABC}}";
    expect(await markdownOf(text)).toBe("b same C D One abc");
  });

  test("that include themselves, or make very much, come to an end", async () => {
    const doubling = Array.from({ length: 24 }, (_, at) =>
      template(`D${at}`, `{{D${at + 1}}}{{D${at + 1}}}`),
    );
    const pages = [template("Loop", "again {{Loop}}"), ...doubling, template("D24", "word ".repeat(100))];
    const loop = await readOne("{{Loop}}", pages);
    expect(loop.markdown).toBe("again");
    expect(loop.faults).toEqual(["the template Template:Loop includes itself"]);
    const took = await ownMs(async () => {
      const { faults } = await readOne("{{D0}}", pages);
      expect(faults[0]).toContain("more of it than is read");
    });
    expect(took).toBeLessThan(10_000);
  });
});

describe("hostile wikitext", () => {
  const many = (text: string) => text.repeat(20_000);
  test.each([
    ["open braces", many("{{")],
    ["open parameters", many("{{{a|")],
    ["open links", many("[[a|")],
    ["open tables", many("{|\n|a\n")],
    ["open tags", many("<ref>")],
    ["open comments", many("<!--")],
    ["open code", many("<pre><nowiki>")],
    ["apostrophes", many("'''''a''")],
    ["deep lists", many("*#:;")],
    ["equals signs", many("=")],
    ["tags", many('<div id="')],
    ["addresses", many("[https://a ")],
  ])("of %s is read in bounded time", async (_, text) => {
    expect(await ownMs(() => readOne(text))).toBeLessThan(10_000);
  });

  test("puts no HTML into the page", async () => {
    const markdown = await markdownOf(
      '<script>alert(1)</script><img src=x onerror=alert(1)><b onclick="x">bold</b>',
    );
    expect(markdown).toBe("\\<script>alert(1)\\</script>\\<img src=x onerror=alert(1)>**bold**");
  });
});
