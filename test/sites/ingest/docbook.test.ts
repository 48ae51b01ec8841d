import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import { type FoundDocs, isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const DB4 = `PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd"`;
const NS = `xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" version="5.0"`;

const directory = temporaryDirectory();
const root = directory.path;
afterAll(() => directory[Symbol.dispose]());
let folders = 0;

async function folderOf(files: Record<string, string>): Promise<string> {
  folders += 1;
  const folder = join(root, String(folders));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await Bun.write(join(folder, name), content);
  }
  return folder;
}

async function read(reader: SourceReader) {
  const pages: Record<string, string> = {};
  const locations: Record<string, string> = {};
  const skipped: Record<string, string> = {};
  const faults: string[] = [];
  let docs: FoundDocs | undefined;
  for await (const item of reader.list({ ...listContext(), onRecognized: (found) => (docs = found) })) {
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else {
      expect(pages[item.path]).toBeUndefined();
      pages[item.path] = new TextDecoder().decode(await item.read());
      locations[item.path] = item.location;
      faults.push(...(item.faults ?? []));
    }
  }
  return { pages, locations, skipped, faults, menu: docs?.menu };
}

const readFolder = async (files: Record<string, string>, siteUrl?: string) =>
  read(createFolderReader({ root: await folderOf(files), siteUrl, fileBytesMax: 10_000_000 }));

/** The body of an article with this content. */
async function written(content: string, files: Record<string, string> = {}): Promise<string> {
  const { pages } = await readFolder({
    "a.xml": `<article ${NS}><title>A</title>${content}</article>`,
    ...files,
  });
  return (pages["a"] ?? "").replace(/^---\n.*\n---\n/, "");
}

const BOOK = {
  "book/index.xml": `<?xml version="1.0"?>
<!-- A comment before. -->
<!DOCTYPE book ${DB4} [
  <!ENTITY % shared SYSTEM "shared.ent">
  %shared;
  <!ENTITY product "Widget">
  <!ENTITY chap2 SYSTEM "chapters/two.xml">
]>
<book lang="en"><bookinfo><title>The &product; <emphasis>Book</emphasis></title><author><firstname>Ada</firstname><surname>Low</surname></author></bookinfo>
  <preface id="about"><title>About</title><para>Version &version;, see <xref linkend="two"/> and <xref linkend="deep"/>.</para></preface>
  <part id="first"><title>First part</title>
    <chapter><title>No name</title><sect1 id="stays"><title>Stays</title><para>One.</para></sect1>
      <sect1 id="goes"><title>Goes</title><para>Two.</para><sect2 id="deep"><title>Deep</title><para>Three.</para></sect2></sect1>
    </chapter>
    &chap2;
  </part>
  <reference id="ref"><title>Pages</title><refentry id="ls"><refentryinfo><author><surname>Nobody</surname></author></refentryinfo><refmeta><refentrytitle>ls</refentrytitle><manvolnum>1</manvolnum></refmeta>
    <refnamediv><refname>ls</refname><refpurpose>lists files</refpurpose></refnamediv>
    <refsynopsisdiv><cmdsynopsis><command>ls</command><arg choice="opt">-l</arg><group choice="req"><arg choice="plain">a</arg><arg choice="plain">b</arg></group><arg rep="repeat"><replaceable>file</replaceable></arg></cmdsynopsis></refsynopsisdiv>
    <refsect1><title>Options</title><para>None.</para></refsect1></refentry></reference>
  <index/>
</book>`,
  "book/shared.ent": `<!ENTITY % old "IGNORE"><![%old;[<!ENTITY version "1">]]><!ENTITY version "2.0">`,
  "book/chapters/two.xml": `<?xml version="1.0" encoding="UTF-8"?>
<chapter id="two"><title>Two</title><para>See <link linkend="ls">the list</link>, <ulink url="https://example.com/?a=1&amp;b=2">out</ulink> and <ulink url="https://example.com/x"/>.</para>
<figure><title>A figure</title><mediaobject><imageobject><imagedata fileref="pic.png"/></imageobject><textobject><phrase>A picture</phrase></textobject></mediaobject></figure></chapter>`,
  "book/chapters/pic.png": "png",
  "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0"><name>docbook</name></project>`,
  "README.md": "# Read me",
};

test("a book is cut into the pages of its stylesheets, with their names and its tree as menu", async () => {
  const { pages, locations, skipped, menu } = await readFolder(BOOK);
  expect(Object.keys(pages).sort()).toEqual([
    "",
    "book",
    "book/about",
    "book/ch01",
    "book/first",
    "book/goes",
    "book/ls",
    "book/ref",
    "book/two",
  ]);
  expect(skipped).toEqual({});
  expect(locations["book/two"]).toBe("book/chapters/two.xml");
  expect(locations["book/goes"]).toBe("book/index.xml#goes");
  expect(pages["book"]).toStartWith(`---\n{"title":"The Widget Book","language":"en"}\n---\nAda Low`);
  expect(pages["book/about"]).toContain("Version 2.0, see [Two](/book/two) and [Deep](/book/goes#deep).");
  expect(pages["book/ch01"]).toContain("## Stays {#stays}\n\nOne.\n\n- [Goes](/book/goes)");
  expect(pages["book/two"]).toContain(
    "See [the list](/book/ls), [out](https://example.com/?a=1&b=2) and [https://example.com/x](https://example.com/x).",
  );
  expect(pages["book/two"]).toContain("**A figure**\n\n![A picture](pic.png)");
  expect(pages["book/ls"]).toContain(`{"title":"ls","description":"lists files","language":"en"}`);
  expect(pages["book/ls"]).not.toContain("Nobody");
  expect(pages["book/ls"]).toContain("```\nls [-l] {a | b} [file]...\n```");
  const labels = (menu ?? []).map(({ label, children }) => [label, children.map((each) => each.label)]);
  expect(labels).toEqual([
    ["The Widget Book", ["About", "First part", "Pages"]],
    ["", []],
  ]);
  expect(menu?.[0]?.children[1]?.children.map(({ label, path }) => [label, path])).toEqual([
    ["No name", "book/ch01"],
    ["Two", "book/two"],
  ]);
});

test("where readers find the site, addresses are those of the stylesheets", async () => {
  const { pages } = await readFolder(
    {
      "src/manual.xml": BOOK["book/index.xml"],
      "src/shared.ent": "",
      "src/chapters/two.xml": BOOK["book/chapters/two.xml"],
    },
    "https://docs.example.com",
  );
  expect(Object.keys(pages)).toContain("src/goes.html");
  expect(Object.keys(pages)).toContain("src");
  expect(pages["src/about.html"]).toContain("[Two](/src/two.html)");
});

test("authors name files by instructions, and give first sections their own", async () => {
  const { pages } = await readFolder({
    "b.xml": `<book ${NS}><title>B</title><chapter xml:id="c"><?dbhtml dir="one"?><?dbhtml filename="first.html"?><title>C</title>
      <section xml:id="s"><?dbhtml filename="own.html"?><title>S</title><para>x</para></section></chapter>
      <chapter><?dbhtml filename="../../etc/x.html"?><title>D</title></chapter></book>`,
  });
  expect(Object.keys(pages).sort()).toEqual(["b", "b/etc/x", "b/one/first", "b/one/own"]);
});

test("what is no DocBook is left out without a word, and so are parts of documents", async () => {
  const { pages, skipped } = await readFolder({
    "pom.xml": `<project><artifactId>docbook</artifactId></project>`,
    "page.xml": `<article><title>Of whose language?</title></article>`,
    "atom.sgml": `<feed xmlns="http://www.w3.org/2005/Atom"/>`,
    "loose.xml": `<para ${NS}>A part that nobody takes in.</para>`,
    "db.xml": `<db:article xmlns:db="http://docbook.org/ns/docbook"><db:title>T</db:title><db:para>W</db:para><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="part.dbk"/></db:article>`,
    "part.dbk": `<section ${NS} xml:id="p"><title>Part</title><para>In it.</para></section>`,
    "sub/own.docbook": `<!DOCTYPE article ${DB4}><article><title>Own</title><para>x</para></article>`,
    "broken.xml": "<",
    "empty.xml": "",
  });
  expect(Object.keys(pages).sort()).toEqual(["db", "sub/own"]);
  expect(pages["db"]).toContain("W\n\n## Part {#p}\n\nIn it.");
  expect(skipped).toEqual({});
});

test("inclusions take a part of a file, text, or what stands in for them", async () => {
  const text = await written(
    `<xi:include href="o.xml" xpointer="xpointer(/sect1/sect2[2]/para[1])"/><xi:include href="o.xml" xpointer="x1"/>` +
      `<programlisting><xi:include href="code.c" parse="text"/></programlisting>` +
      `<xi:include href="none.xml"><xi:fallback><para>Instead.</para></xi:fallback></xi:include>`,
    {
      "o.xml": `<!DOCTYPE sect1 ${DB4}><sect1><title>O</title><sect2><para>A</para></sect2><sect2><para>B &amp; <?x y?>&eacute;</para><para id="x1">C</para></sect2></sect1>`,
      "code.c": "if (a < b) &c;\n",
    },
  );
  expect(text).toBe('B & é\n\n<a id="x1"></a>C\n\n```\nif (a < b) &c;\n```\n\nInstead.');
});

test("blocks are what they are in Markdown", async () => {
  expect(
    await written(`<para>Before <indexterm><primary>x</primary></indexterm>(after).</para>
    <note><title>Mind</title><para>This.</para></note><warning><para>That.</para></warning>
    <itemizedlist><listitem><para>one</para><orderedlist><listitem><para>in</para></listitem></orderedlist></listitem><listitem xml:id="li"><para>two</para><tip><para>T</para></tip></listitem></itemizedlist>
    <orderedlist startingnumber="3"><listitem><para>three</para></listitem></orderedlist>
    <procedure><title>Do</title><step><para>a</para><substeps><step><para>b</para></step><step><para>c</para></step></substeps></step><step><para>d</para></step></procedure>
    <variablelist><varlistentry><term><option>-a</option></term><term>b</term><listitem><para>Means.</para></listitem></varlistentry></variablelist>
    <variablelist><varlistentry xml:id="opt"><term>c</term><listitem><para>Linked.</para></listitem></varlistentry></variablelist>
    <blockquote><attribution>Me</attribution><para>Said.</para></blockquote>
    <formalpara><title>Run</title><para>in.</para></formalpara>`),
  ).toBe(`Before (after).

:::note[Mind]

This.

:::

:::warning

That.

:::

- one
  1. in

- <a id="li"></a>two

  > [!TIP]
  > T

3. three

**Do**

1. a
   1. b
   2. c
2. d

- **\`-a\`**\\
  **b**\\
  Means.

## c {#opt}

Linked.

> Said.
>
> — Me

**Run.** in.`);
});

test("words keep their marks, links and notes", async () => {
  expect(
    await written(`<para><command>ls</command> <emphasis>e</emphasis> <emphasis role="bold">b</emphasis> <quote>q <quote>r</quote></quote>
    <menuchoice><shortcut><keycombo><keycap>Ctrl</keycap><keycap>O</keycap></keycombo></shortcut><guimenu>File</guimenu><guimenuitem>Open</guimenuitem></menuchoice>
    <email>a@example.com</email> <trademark class="registered">X</trademark> <citerefentry><refentrytitle>cat</refentrytitle><manvolnum>1</manvolnum></citerefentry>
    <link xlink:href="https://example.com/">out</link> <link xlink:href="#t">in</link> <xref linkend="t"/> <xref linkend="v"/> <xref linkend="t" endterm="e"/> <xref linkend="gone"/>
    x<footnote><para>A <code>note</code>.</para></footnote> <tag class="starttag">b</tag> <![CDATA[<raw> & *]]> H<subscript>2</subscript>O</para>
    <section xml:id="t" revision="2"><title>The <literal>T</literal></title><para xml:id="e">Ends</para><para xreflabel="Label" xml:id="v">y</para></section>`),
  ).toBe(`\`ls\` *e* **b** “q ‘r’” **File → Open** (\`Ctrl+O\`) [a@example.com](mailto:a@example.com) X® cat(1) [out](https://example.com/) [in](#t) [The T](#t) [Label](#v) [Ends](#t) gone x[^1] \`<b>\` \\<raw> & * H2O

## The \`T\` {#t}

<a id="e"></a>Ends

<a id="v"></a>y

[^1]: A \`note\`.`);
});

test("tables of CALS and of HTML are tables, with cells over several columns and rows", async () => {
  expect(
    await written(`<table xml:id="tab"><title>Cals</title><tgroup cols="3"><colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>
    <tfoot><row><entry>f</entry></row></tfoot><thead><row><entry>A|</entry><entry>B</entry><entry>C</entry></row></thead>
    <tbody><row><entry morerows="1">x</entry><entry namest="b" nameend="c">wide</entry></row><row><entry>y</entry><entry><itemizedlist><listitem><para>i</para></listitem><listitem><para>j</para></listitem></itemizedlist></entry></row></tbody></tgroup></table>
    <informaltable><tr><th>h</th><th>i</th></tr><tr><td colspan="2">k</td></tr></informaltable>
    <informaltable><tgroup cols="2"><thead><row><entry>N</entry><entry>Code</entry></row></thead><tbody><row><entry>one</entry><entry><programlisting>a
b</programlisting></entry></row></tbody></tgroup></informaltable>`),
  ).toBe(`<a id="tab"></a>**Cals**

| A\\| | B | C |
| --- | --- | --- |
| x | wide |  |
| x | y | i; j |
| f |

| h | i |
| --- | --- |
| k |  |

**N**: one

**Code**

\`\`\`
a
b
\`\`\``);
});

test("code has its language and the numbers of its callouts; synopses are code", async () => {
  expect(
    await written(`<programlisting language="C"><![CDATA[
int a; ]]><co xml:id="co1"/> // &lt;x>
</programlisting><calloutlist><callout arearefs="co1"><para>An int.</para></callout></calloutlist>
<programlistingco><areaspec><area xml:id="ar" coords="2"/></areaspec><programlisting role="php">x
y</programlisting></programlistingco>
<funcsynopsis><funcprototype><funcdef>int <function>f</function></funcdef><paramdef>int <parameter>n</parameter></paramdef><varargs/></funcprototype></funcsynopsis>
<methodsynopsis><type>int</type><methodname>len</methodname><methodparam><type>string</type><parameter>s</parameter></methodparam><methodparam choice="opt"><type>int</type><parameter>n</parameter><initializer>1</initializer></methodparam></methodsynopsis>
<screen>$ <userinput>ls</userinput></screen>`),
  ).toBe(`<a id="co1"></a>

\`\`\`c
int a; (1) // <x>
\`\`\`

1. An int.

\`\`\`php
x
y (1)
\`\`\`

\`\`\`
int f(int n, ...);
\`\`\`

\`\`\`
int len(string s, int n = 1)
\`\`\`

\`\`\`
$ ls
\`\`\``);
});

test("questions, terms and books have headings or lists of their own", async () => {
  const text =
    await written(`<qandaset><qandaentry xml:id="q"><question><para>Why?</para></question><answer><para>So.</para></answer></qandaentry></qandaset>
  <glosslist><glossentry xml:id="g"><glossterm>Term</glossterm><glossdef><para>Is it.</para><glossseealso otherterm="g2"/></glossdef></glossentry><glossentry xml:id="g2"><glossterm>Other</glossterm><glosssee otherterm="g"/></glossentry></glosslist>
  <segmentedlist><segtitle>K</segtitle><seglistitem><seg>v</seg></seglistitem></segmentedlist>
  <simplelist><member>m</member><member>n</member></simplelist>
  <bibliography><biblioentry xml:id="bib"><abbrev>Low</abbrev><author><personname><firstname>A</firstname><surname>Low</surname></personname></author><title>Book</title><pubdate>1999</pubdate></biblioentry></bibliography>`);
  expect(text).toContain("## Why? {#q}\n\nSo.");
  expect(text).toContain(
    "## Term {#g}\n\nIs it.\n\nSee also [Other](#g2).\n\n## Other {#g2}\n\nSee [Term](#g).",
  );
  expect(text).toContain("- **K**: v\n\n- m\n- n");
  expect(text).toContain("- [Bibliography](/a/bi01)");
});

test("entities are those of the DTD, of ISO, and of files of entities that lie near", async () => {
  const { pages, faults } = await readFolder({
    "a/page.xml": `<refentry ${NS}><refnamediv><refname>f</refname><refpurpose>&near; &agr;&b.alpha;&hellip;&copyright; &php;</refpurpose></refnamediv><refsect1>&title;<para>&x.y; &nobody; &amp; AT&T</para>&alone;</refsect1></refentry>`,
    "a/near.ent": `<!ENTITY near "N"><!ENTITY title '<title ${NS}>Said <literal>so</literal></title>'>`,
    "far/near.ent": `<!ENTITY near "far">`,
    "php.ent": `<entities><entity name="php"><literal>php</literal></entity></entities>`,
    "x/y.xml": "<emphasis>fragment</emphasis>",
  });
  expect(pages["a/page"]).toContain("f — N αα…copyright `php`");
  expect(pages["a/page"]).toContain("## Said `so`\n\n*fragment* nobody & AT&T");
  expect(pages["a/page"]).not.toContain("alone");
  expect(faults).toEqual(["names entities that nothing in the source declares: copyright, nobody"]);
});

test("links lead to ids of other documents, and images lie beside the file that shows them", async () => {
  const { pages } = await readFolder({
    "one.xml": `<article ${NS} xml:id="one"><title>One</title><para xml:id="there">x</para><olink/></article>`,
    "two.xml": `<article ${NS}><title>Two</title><para><xref linkend="there"/> <link linkend="one">it</link> <olink targetdoc="one" targetptr="there">o</olink> <olink targetdoc="lost" targetptr="p"/></para><xi:include href="in/part.xml"/></article>`,
    "in/part.xml": `<section ${NS}><title>P</title><informalfigure><mediaobject><imageobject><imagedata fileref="pic.svg"/></imageobject></mediaobject></informalfigure></section>`,
    "in/pic.svg": "<svg/>",
  });
  expect(pages["two"]).toContain("[One](/one#there) [it](/one) [o](/one#there) lost: p");
  expect(pages["two"]).toContain("![](in/pic.svg)");
});

test("a zip and a tar are read as the folder", async () => {
  const { pages } = await readFolder(BOOK);
  const entries = Object.entries(BOOK).map(([name, text]) => ({ name, text }));
  for (const [file, bytes] of [
    ["docs.zip", zipBytes(entries)],
    ["docs.tar", tarBytes(entries)],
  ] as const) {
    const path = join(root, file);
    await Bun.write(path, bytes);
    const archived = await read(createArchiveReader({ file: path, fileBytesMax: 10_000_000 }));
    expect(archived.pages).toEqual(pages);
  }
});

test("what two documents take in is a page once, and a document of nothing else is none", async () => {
  const chapter = (id: string) =>
    `<chapter ${NS} xml:id="${id}"><title>${id}</title><para>x</para></chapter>`;
  const book = (...parts: string[]) =>
    `<book ${NS}><title>B</title>${parts.map((part) => `<xi:include href="${part}.xml"/>`).join("")}</book>`;
  const { pages, skipped } = await readFolder({
    "all.xml": book("c1", "c2"),
    "some.xml": book("c2"),
    "mixed.xml": book("c1", "c3").replace("<title>", `<title>M `),
    "c3.xml": `<chapter ${NS} xml:id="c3"><title>c3</title><para><xref linkend="c1"/></para></chapter>`,
    "c1.xml": chapter("c1"),
    "c2.xml": chapter("c2"),
  });
  expect(Object.keys(pages).sort()).toEqual(["all", "all/c1", "all/c2", "mixed", "mixed/c3"]);
  expect(pages["mixed"]).toContain("- [c1](/all/c1)\n- [c3](/mixed/c3)");
  expect(pages["mixed/c3"]).toContain("[c1](/all/c1)");
  expect(skipped).toEqual({ "some.xml": "has no page that is not in all.xml as well" });
});

test("entity bombs are refused, and what is outside of the folder is not read", async () => {
  const nested = Array.from(
    { length: 30 },
    (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};&l${n};&l${n};">`,
  ).join("");
  const { pages, skipped, faults } = await readFolder({
    "docs/bomb.xml": `<!DOCTYPE article ${DB4} [<!ENTITY l0 "lol">${nested}]><article><title>B</title><para>&l30;</para></article>`,
    "docs/empty.xml": `<!DOCTYPE article ${DB4} [<!ENTITY l0 "">${nested}]><article><title>B</title><para>&l30;</para></article>`,
    "docs/attribute.xml": `<!DOCTYPE article ${DB4} [<!ENTITY l0 "lol">${nested}]><article><title>B</title><para role="&l30;">x</para></article>`,
    "docs/loop.xml": `<!DOCTYPE article ${DB4} [<!ENTITY a "&b;"><!ENTITY b "&a;"><!ENTITY % p "%p;"> %p; ]><article><title>L</title><para>x &a;</para></article>`,
    "docs/self.xml": `<article ${NS}><title>S</title><para>y</para><xi:include href="self.xml"/></article>`,
    "docs/out.xml": `<!DOCTYPE article ${DB4} [<!ENTITY e SYSTEM "/etc/passwd"><!ENTITY f SYSTEM "../../../../../../../etc/passwd"><!ENTITY g SYSTEM "file:///etc/passwd">]><article><title>O</title><para>z &e;&f;&g;</para><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="../../../../../../etc/hostname" parse="text"/></article>`,
  });
  expect(Object.keys(skipped).sort()).toEqual(["docs/attribute.xml", "docs/bomb.xml", "docs/empty.xml"]);
  for (const detail of Object.values(skipped))
    expect(detail).toMatch(/^is not read: it (?:comes to|names entities) more than/);
  expect(pages["docs/loop"]).toContain("x");
  expect(pages["docs/self"]).toContain("y");
  expect(pages["docs/out"]).not.toContain("root:");
  expect(faults.some((fault) => fault.includes("/etc/passwd, which is not in this source"))).toBe(true);
});

test("a document that is cut off, or nested without end, is read as far as it goes", async () => {
  const deep = 5_000;
  const { pages, faults } = await readFolder({
    "cut.xml": `<article ${NS}><title>Cut</title><para>All of this</para><section><title>S</title><para>and of th`,
    "deep.xml": `<article ${NS}><title>Deep</title>${"<section><title>s</title><para>w</para>".repeat(900)}${"</section>".repeat(900)}</article>`,
    "deeper.xml": `<article ${NS}><title>Deeper</title><para>first</para>${"<blockquote>".repeat(deep)}x${"</blockquote>".repeat(deep)}</article>`,
    "tags.xml": `<article ${NS}><title>Tags</title><para>a</para></section><para>b</para></article>`,
    "quote.xml": `<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN`,
  });
  expect(pages["cut"]).toContain("All of this\n\n## S\n\nand of th");
  expect(
    parsePage(pages["deep"] ?? "", { fallbackTitle: "", format: "written" }).markdown.match(/^w$/gm),
  ).toHaveLength(900);
  expect(pages["deeper"]).toContain("first");
  expect(pages["tags"]).toContain("a");
  expect(faults.filter((fault) => fault.includes("no sound XML"))).toHaveLength(3);
});
