import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Files } from "../../reading/generators/open-files.ts";

/** A source in which a page is to be made Markdown of: its own word, and a neighbour. */
export interface MadeSite {
  files: Files;
  /** Where the page is that the process does not come to the end of. */
  page: string;
  /** What of it has to be left. */
  words: string;
}

const mediawikiPage = (id: number, title: string, text: string) =>
  `<page><title>${title}</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><model>wikitext</model><text xml:space="preserve">${text}</text></revision></page>`;
const mediawiki = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><sitename>W</sitename><base>http://localhost/w/index.php/Main_Page</base><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>${mediawikiPage(1, "One", "Own words, ''leaning''.")}${mediawikiPage(2, "Two", "[[One]]")}</mediawiki>`;
const xwikiPage = (name: string, content: string) =>
  `<?xml version="1.1" encoding="UTF-8"?><xwikidoc version="1.5" reference="Main.${name}" locale=""><web>Main</web><name>${name}</name><language></language><defaultLanguage>en</defaultLanguage><title>${name}</title><syntaxId>xwiki/2.1</syntaxId><hidden>false</hidden><content>${content}</content></xwikidoc>`;
const property = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
const storagePage = (id: number, title: string, body: string) =>
  `<object class="Page" package="x">\n<id name="id">${id}</id>\n${property("title", title)}<property name="space" class="Space" package="x"><id name="id">1</id></property>${property("contentStatus", "current")}</object>\n<object class="BodyContent" package="x">\n<id name="id">${id}99</id>\n${property("body", body)}<property name="content" class="Page" package="x"><id name="id">${id}</id></property>${property("bodyType", "2")}</object>\n`;
const confluenceXml = `<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2026-01-01 00:00:00">\n<object class="Space" package="x">\n<id name="id">1</id>\n${property("key", "OPS")}${property("name", "Ops")}</object>\n${storagePage(12, "Body", "<p>Own <b>words</b> here.</p>")}${storagePage(13, "Other", "<p>Others.</p>")}</hibernate-generic>\n`;
const bookstack = JSON.stringify({
  book: {
    id: 8,
    name: "Handbook",
    pages: [
      { id: 40, name: "First", html: "<p>Own words.</p>" },
      { id: 41, name: "Second", html: "<p>Others.</p>" },
    ],
  },
  exported_at: "2026-01-01T10:00:00+00:00",
  instance: { version: "v25.02", id_ciphertext: "ey" },
});
const confluencePage = (title: string, body: string) =>
  `<!DOCTYPE html><html><head><title>Operations : ${title}</title></head><body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel"><div id="main-header"><h1 id="title-heading" class="pagetitle"><span id="title-text"> Operations : ${title} </span></h1></div><div id="content" class="view"><div id="main-content" class="wiki-content group">${body}</div></div></div></div></body></html>`;
const aboveWikijs = (title: string) =>
  `title: ${title}\ndescription: About it\npublished: true\ndate: 2024-01-02T03:04:05.000Z\ntags: ops\neditor: markdown\ndateCreated: 2024-01-01T00:00:00.000Z`;
const DOCBOOK = `<?xml version="1.0"?>\n<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd">\n<book id="b"><title>Guide</title><chapter id="one"><title>One</title><para>Own words.</para></chapter><chapter id="two"><title>Two</title><para>Others.</para></chapter></book>`;
const front = "---\ntitle: A\ngroups: [staff]\n---\n";

export const MADE_SITES: Readonly<Record<string, MadeSite>> = {
  Org: {
    files: { "a.org": "* A\nOwn words.\n", "b.org": "* B\n[[file:a.org][there]]\n" },
    page: "a.org",
    words: "Own words\\.",
  },
  POD: {
    files: { "A.pod": "=head1 NAME\n\nOwn words.\n", "B.pod": "=head1 NAME\n\nSee L<A>.\n" },
    page: "A.pod",
    words: "Own words\\.",
  },
  man: {
    files: {
      "man1/a.1": ".TH A 1\n.SH NAME\na \\- Own words\n.SH SEE ALSO\n.BR b (1)\n",
      "man1/b.1": ".TH B 1\n.SH NAME\nb \\- others\n.SH SEE ALSO\n.BR a (1)\n",
    },
    page: "man1/a.1",
    words: "Own words",
  },
  AsciiDoc: {
    files: { "a.adoc": `${front}= A\n\nOwn words.\n`, "b.adoc": "= B\n\nxref:a.adoc[]\n" },
    page: "a.adoc",
    words: "Own words.",
  },
  Quarto: {
    files: { "a.qmd": "Own words.\n", "b.qmd": "{{< include a.qmd >}}\n" },
    page: "a.qmd",
    words: "Own words\\.",
  },
  DocBook: { files: { "guide.xml": DOCBOOK }, page: "guide.xml#one", words: "Own words\\." },
  MediaWiki: { files: { "dump.xml": mediawiki }, page: "dump.xml#One", words: "Own words\\," },
  "Confluence's XML": {
    files: {
      "exportDescriptor.properties": "exportType=space\nspaceKey=OPS\n",
      "entities.xml": confluenceXml,
    },
    page: "entities.xml#Body",
    words: "Own  words  here\\.",
  },
  "Confluence's HTML": {
    files: {
      "OPS/index.html": `<!DOCTYPE html><html><head><title>OPS (Operations)</title><link rel="stylesheet" href="styles/site.css" type="text/css" /></head><body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel"><div id="main-header"><h1 id="title-heading" class="pagetitle"><span id="title-text">Space Details:</span></h1></div><div id="content"><div class="pageSection"><div class="pageSectionHeader"><h2 class="pageSectionTitle">Available Pages:</h2></div><ul><li><a href="One_1001.html">One</a><ul><li><a href="Two_1002.html">Two</a></li></ul></li></ul></div></div></div></div></body></html>`,
      "OPS/One_1001.html": confluencePage("One", "<p>Own words.</p>"),
      "OPS/Two_1002.html": confluencePage("Two", '<p><a href="One_1001.html">there</a></p>'),
    },
    page: "OPS/One_1001.html",
    words: "Own words\\.",
  },
  DokuWiki: {
    files: {
      "doku.php": "<?php",
      "conf/acl.auth.php": "# acl.auth.php\n# <?php exit()?>\n*\t@ALL\t1\n",
      "conf/local.php": "<?php\n$conf['useacl'] = 1;\n",
      "data/meta/start.meta": "a:0:{}",
      "data/pages/start.txt": "====== Start ======\nOwn words.\n",
      "data/pages/other.txt": "====== Other ======\n[[start]]\n",
    },
    page: "data/pages/start.txt",
    words: "Own words\\.",
  },
  XWiki: {
    files: {
      "package.xml": "<package><infos><name>Backup</name></infos></package>",
      "Main/WebHome.xml": xwikiPage("WebHome", "Own **words**."),
      "Main/Other.xml": xwikiPage("Other", "[[Main.WebHome]]"),
    },
    page: "Main/WebHome.xml",
    words: "Own \\*\\*words\\*\\*\\.",
  },
  BookStack: { files: { "data.json": bookstack }, page: "data.json#First", words: "Own words\\." },
  Outline: {
    files: {
      "Team/Handbook.md": "# Handbook\n\nOwn words.\n\n@[Ada](mention://1/user/2)\n",
      "Team/Handbook/Rules.md": "# Rules\n\n[it](./../Handbook.md)\n\n:::warning\nHot.\n\n:::\n",
      "Team/uploads/292079f8-0319-4111-bb5b-315e8ae8f14e/1404836c-5a24-4d38-ae53-ff63f03f9ebf/plan.png": "",
    },
    page: "Team/Handbook.md",
    words: "Own words\\.",
  },
  "Wiki.js": {
    files: {
      "home.md": `---\n${aboveWikijs("Welcome")}\n---\n\nOwn words.\n`,
      "guide/setup.md": `---\n${aboveWikijs("Set up")}\n---\n\n[home](/home)\n`,
    },
    page: "home.md",
    words: "Own words\\.",
  },
  "a wiki in git": {
    files: { "Home.md": "Own words.\n", "Other.md": "[[Home]]\n", "_Sidebar.md": "- [Home](Home)" },
    page: "Home.md",
    words: "Own words\\.",
  },
  Notion: {
    files: {
      [`Handbook ${"a".repeat(32)}.md`]: "# Handbook\n\nOwn words.\n",
      [`Handbook ${"a".repeat(32)}/Rules ${"b".repeat(32)}.md`]: "# Rules\n\nOthers.\n",
    },
    page: `Handbook ${"a".repeat(32)}.md`,
    words: "Own words\\.",
  },
  Hexo: {
    files: {
      "package.json": '{"dependencies": {"hexo": "^7.0.0"}}',
      "_config.yml": "title: Acme\n",
      "source/a.md": `${front}Own words.\n`,
      "source/b.md": "---\ntitle: B\n---\nOthers.\n",
    },
    page: "source/a.md",
    words: "Own words\\.",
  },
};

const RECORDED = join(import.meta.dir, "../../fixtures/generators");
export const RECORDED_SITES = readdirSync(RECORDED);

const TEXT =
  /\.(?:mdx?|rst|adoc|qmd|Rmd|ya?ml|toml|json|jsx?|tsx?|mjs|cjs|py|exs?|txt|html|njk|liquid|rb|css)$/;

/** The files of a site that was recorded. */
export function recordedFiles(name: string): Files {
  const folder = join(RECORDED, name, "site");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((each) => TEXT.test(each) && statSync(join(folder, each)).isFile());
  return Object.fromEntries(
    files.map((each) => [relative("", each), readFileSync(join(folder, each), "utf8")]),
  );
}
