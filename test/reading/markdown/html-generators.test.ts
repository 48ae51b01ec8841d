import { describe, expect, test } from "bun:test";
import { readHtml } from "../../../src/reading/markdown/html/html.ts";

const page = (body: string, head = ""): string =>
  `<!doctype html><html lang="en"><head><title>Page | Site</title>${head}</head><body>${body}</body></html>`;

/** A site's page in the shape that its builder gives it, and the Markdown that is meant by it. */
interface Generator {
  name: string;
  body: string;
  markdown: string;
}

const GENERATORS: Generator[] = [
  {
    name: "Docusaurus",
    body: `<div role="region" aria-label="Skip to main content"><a class="skipToContent_f" href="#x">Skip to main content</a></div>
<nav class="navbar navbar--fixed-top"><a href="/">Site</a></nav><div class="main-wrapper"><aside class="theme-doc-sidebar-container"><ul><li><a href="/a">Other page</a></li></ul></aside>
<main class="docMainContainer"><div class="row"><div class="col"><article><nav class="theme-doc-breadcrumbs breadcrumbs"><a href="/">Home</a></nav><span class="theme-doc-version-badge badge">Version: 1.0</span>
<div class="tocCollapsible_x theme-doc-toc-mobile"><button>On this page</button></div>
<div class="theme-doc-markdown markdown"><header><h1>Install it</h1></header><p>Run the <code>create</code> command.</p>
<h2 class="anchor anchorWithStickyNavbar_x" id="with-npm">With npm<a href="#with-npm" class="hash-link" aria-label="Direct link to With npm" title="Direct link to With npm">​</a></h2>
<div class="theme-admonition theme-admonition-tip admonition_x alert alert--success"><div class="admonitionHeading_x"><span class="admonitionIcon_x"><svg><path d="M0"/></svg></span>Good to know</div><div class="admonitionContent_x"><p>Words of the tip.</p></div></div>
<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" class="tabs__item">npm</li><li role="tab" class="tabs__item">Yarn</li></ul><div class="margin-top--md">
<div role="tabpanel"><div class="language-bash codeBlockContainer_x theme-code-block"><div class="codeBlockTitle_x">shell</div><div class="codeBlockContent_x"><pre tabindex="0" class="prism-code language-bash codeBlock_x thin-scrollbar"><code class="codeBlockLines_x"><span class="token-line" style="color:#000"><span class="token plain">npm install</span><br></span><span class="token-line" style="color:#000"><span class="token plain" style="display:inline-block"></span><br></span><span class="token-line"><span class="token plain">npm start</span><br></span></code></pre><div class="buttonGroup_x"><button type="button" aria-label="Copy code to clipboard">Copy</button></div></div></div></div>
<div role="tabpanel" hidden=""><p>Use <strong>yarn add</strong>.</p></div></div></div>
<details class="details_x alert"><summary>More</summary><div><div class="collapsibleContent_x"><p>Folded words.</p></div></div></details></div>
<footer class="theme-doc-footer"><a href="https://github.com/x" class="theme-edit-this-page">Edit this page</a></footer></article><nav class="pagination-nav"><a href="/next">Next</a></nav></div>
<div class="col col--3"><div class="tableOfContents_x theme-doc-toc-desktop"><ul><li><a href="#with-npm">With npm</a></li></ul></div></div></div></main></div><footer class="footer">© Site</footer>`,
    markdown: `# Install it

Run the \`create\` command.

## With npm {#with-npm}

**Good to know**

Words of the tip.

:::tab[npm]

shell

\`\`\`bash
npm install

npm start
\`\`\`

:::

:::tab[Yarn]

Use **yarn add**.

:::

**More**

Folded words.`,
  },
  {
    name: "VitePress",
    body: `<div id="app"><div class="Layout"><a href="#VPContent" class="VPSkipLink visually-hidden">Skip to content</a><header class="VPNav"><a>Site</a></header><aside class="VPSidebar"><a href="/b">Other</a></aside>
<div class="VPContent has-sidebar" id="VPContent"><div class="VPDoc"><div class="aside"><nav>On this page</nav></div><div class="content"><main class="main"><div style="position:relative;" class="vp-doc _guide"><div><h1 id="guide" tabindex="-1">Guide <a class="header-anchor" href="#guide" aria-label="Permalink to &quot;Guide&quot;">​</a></h1>
<div class="warning custom-block"><p class="custom-block-title">WARNING</p><p>Mind the gap.</p></div>
<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="g" id="t1" checked><label for="t1">one.js</label><input type="radio" name="g" id="t2"><label for="t2">two.ts</label></div><div class="blocks">
<div class="language-js vp-adaptive-theme active line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki shiki-themes" tabindex="0"><code><span class="line"><span style="--shiki:#fff">export default {</span></span>
<span class="line"></span>
<span class="line"><span>}</span></span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br></div></div>
<div class="language-ts vp-adaptive-theme"><button class="copy"></button><span class="lang">ts</span><pre class="shiki"><code><span class="line"><span>let a: T</span></span></code></pre></div></div></div>
</div></div></main><footer class="VPDocFooter"><a href="/n">Next page</a></footer></div></div></div></div></div>`,
    markdown: `# Guide {#guide}

**WARNING**

Mind the gap.

:::tab[one.js]

\`\`\`js
export default {

}
\`\`\`

:::

:::tab[two.ts]

\`\`\`ts
let a: T
\`\`\`

:::`,
  },
  {
    name: "MkDocs Material",
    body: `<header class="md-header" data-md-component="header"><nav>Site</nav></header><div class="md-container"><main class="md-main"><div class="md-main__inner md-grid"><div class="md-sidebar md-sidebar--primary"><nav class="md-nav"><a href="x">Menu</a></nav></div>
<div class="md-content" data-md-component="content"><article class="md-content__inner md-typeset"><a href="e" title="Edit this page" class="md-content__button md-icon"><svg></svg></a>
<h1 id="start">Start<a class="headerlink" href="#start" title="Permanent link">&para;</a></h1>
<div class="admonition note"><p class="admonition-title">Note</p><p>Words.</p></div>
<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked id="a" name="t" type="radio"><input id="b" name="t" type="radio"><div class="tabbed-labels"><label for="a">Linux</label><label for="b">macOS</label></div><div class="tabbed-content"><div class="tabbed-block"><p>apt</p></div><div class="tabbed-block"><p>brew</p></div></div></div>
<div class="language-py highlight"><table class="highlighttable"><tbody><tr><th colspan="2" class="filename"><span class="filename">foo.py</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>
<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code><a id="__codelineno-0-1" name="__codelineno-0-1"></a><span class="k">def</span> <span class="nf">f</span><span class="p">():</span>
<a id="__codelineno-0-2"></a>    <span class="k">pass</span>
</code></pre></div></td></tr></tbody></table></div>
<p>Press <span class="keys"><kbd class="key-control">Ctrl</kbd><span>+</span><kbd class="key-c">C</kbd></span>. <span class="arithmatex">\\(x_i\\)</span></p></article></div></div></main></div>`,
    markdown: `# Start {#start}

**Note**

Words.

:::tab[Linux]

apt

:::

:::tab[macOS]

brew

:::

foo.py

\`\`\`py
def f():
    pass
\`\`\`

Press \`Ctrl\`+\`C\`. $\`x_i\`$`,
  },
  {
    name: "Sphinx",
    body: `<div class="related" role="navigation"><a href="i">index</a></div><div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
<section id="module-shelve"><span id="old-target"></span><h1><code class="xref py py-mod docutils literal notranslate"><span class="pre">shelve</span></code> — Objects<a class="headerlink" href="#module-shelve" title="Permalink to this headline">¶</a></h1>
<dl class="py function"><dt class="sig sig-object py" id="shelve.open"><span class="sig-prename descclassname"><span class="pre">shelve.</span></span><span class="sig-name descname"><span class="pre">open</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">filename</span></span></em>, <em class="sig-param"><span class="n"><span class="pre">flag='c'</span></span></em><span class="sig-paren">)</span><a class="reference internal" href="_modules/shelve.html#open"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#shelve.open" title="Permalink to this definition">¶</a></dt><dd><p>Open a shelf.</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><p><strong>filename</strong> – the file</p></dd></dl></dd></dl>
<section id="usage"><h2>Usage<a class="headerlink" href="#usage">¶</a></h2>
<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span><span class="kn">import</span> <span class="nn">shelve</span>
<span class="linenos">2</span><span class="n">d</span> <span class="o">=</span> <span class="mi">1</span>
</pre></div></div><p>Math <span class="math notranslate nohighlight">\\(e^x\\)</span>.</p></section></section></div></div></div><div class="sphinxsidebar" role="navigation"><p>Menu</p></div></div>`,
    markdown: `# \`shelve\` — Objects {#module-shelve}

## \`shelve.open(filename, flag='c')\` {#shelve.open}

Open a shelf.

**Parameters:**

**filename** – the file

## Usage {#usage}

\`\`\`python
import shelve
d = 1
\`\`\`

Math $\`e^x\`$.`,
  },
  {
    name: "Starlight",
    body: `<header class="header"><a href="/">Site</a></header><nav class="sidebar"><a href="/x">X</a></nav><div class="main-frame"><div class="right-sidebar"><starlight-toc><nav><h2>On this page</h2></nav></starlight-toc></div><main data-pagefind-body lang="en"><div class="content-panel"><div class="sl-container"><h1 id="_top">Guides</h1></div></div><div class="content-panel"><div class="sl-container"><div class="sl-markdown-content">
<div class="sl-heading-wrapper level-h2"><h2 id="setup">Setup</h2><a class="sl-anchor-link" href="#setup"><span aria-hidden="true" class="sl-anchor-icon"><svg></svg></span><span class="sr-only">Section titled “Setup”</span></a></div>
<aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Note</p><div class="starlight-aside__content"><p>Aside words.</p></div></aside>
<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation"><a role="tab" href="#p1" id="t1">npm</a></li><li role="presentation"><a role="tab" href="#p2" id="t2">pnpm</a></li></ul></div><div id="p1" aria-labelledby="t1" role="tabpanel"><p>one</p></div><div id="p2" aria-labelledby="t2" role="tabpanel" hidden><p>two</p></div></starlight-tabs>
<div class="expressive-code"><figure class="frame"><figcaption class="header"><span class="title">src/a.ts</span></figcaption><pre data-language="ts"><code><div class="ec-line"><div class="code"><span>const a = 1</span></div></div><div class="ec-line"><div class="code">
</div></div><div class="ec-line"><div class="code"><span>const b = 2</span></div></div></code></pre><div class="copy"><button data-code="x"></button></div></figure></div>
</div><footer><a href="e">Edit page</a></footer></div></div></main></div>`,
    markdown: `# Guides {#_top}

## Setup {#setup}

**Note**

Aside words.

:::tab[npm]

one

:::

:::tab[pnpm]

two

:::

src/a.ts

\`\`\`ts
const a = 1

const b = 2
\`\`\``,
  },
  {
    name: "Mintlify",
    body: `<div id="navbar"><a href="/">Site</a></div><div id="sidebar"><a href="/x">X</a></div><div id="content-area"><header id="header"><h1 id="page-title">Quickstart</h1></header><div class="mdx-content relative" id="content"><h2 class="flex" id="create-a-key"><div class="absolute" tabindex="-1"><a href="#create-a-key" aria-label="Navigate to header">​<div><svg></svg></div></a></div><span class="cursor-pointer">Create a key</span></h2>
<div class="callout my-4"><div data-component-part="callout-icon"><svg></svg></div><div data-component-part="callout-content"><p>Keep it secret.</p></div></div>
<a class="card" href="/next"><div><h2>Next step</h2><div><p>Go on.</p></div></div></a>
<div class="code-block"><button>Copy</button><pre class="shiki" language="bash"><code language="bash"><span class="line"><span>curl x</span></span></code></pre></div></div><div class="feedback-toolbar"><button>Yes</button></div></div>`,
    markdown: `# Quickstart {#page-title}

## Create a key {#create-a-key}

Keep it secret.

[Next step Go on.](/next)

\`\`\`bash
curl x
\`\`\``,
  },
  {
    name: "rustdoc",
    body: `<nav class="sidebar"><a href="i">Crate</a></nav><main><div class="width-limiter"><rustdoc-search></rustdoc-search><section id="main-content" class="content"><div class="main-heading"><h1>Struct <span class="struct">Thing</span><button id="copy-path">Copy item path</button></h1><rustdoc-toolbar></rustdoc-toolbar><span class="sub-heading"><a class="src" href="s">Source</a></span></div>
<pre class="rust item-decl"><code>pub struct Thing&lt;T&gt; { <span class="comment">/* private fields */</span> }</code></pre>
<h2 id="implementations" class="section-header">Implementations<a href="#implementations" class="anchor">§</a></h2>
<details class="toggle implementors-toggle" open><summary><section id="impl-Thing%3CT,+A%3E" class="impl"><a class="src rightside" href="s">Source</a><a href="#impl-Thing" class="anchor">§</a><h3 class="code-header">impl&lt;T&gt; <a href="x">Thing</a>&lt;T&gt;</h3></section></summary><div class="impl-items"><details class="toggle method-toggle" open><summary><section id="method.new" class="method"><span class="rightside"><span class="since">1.0.0</span> · <a class="src" href="s">Source</a></span><h4 class="code-header">pub fn <a href="#method.new" class="fn">new</a>() -&gt; Self</h4></section></summary><div class="docblock"><p>Makes one.</p></div></details></div></details></section></div></main>`,
    markdown: `# Struct Thing

\`\`\`rust
pub struct Thing<T> { /* private fields */ }
\`\`\`

## Implementations {#implementations}

### \`impl<T> Thing<T>\` {#impl-Thing%3CT,+A%3E}

#### \`pub fn new() -> Self\` {#method.new}

Makes one.`,
  },
  {
    name: "Javadoc",
    body: `<div class="flex-box"><header role="banner" class="flex-header"><nav><a href="i">Overview</a></nav></header><div class="flex-content"><main role="main"><div class="header"><h1 title="Class BitSet" class="title">Class BitSet</h1></div><section class="class-description" id="class-description"><div class="type-signature"><span class="modifiers">public class </span><span class="element-name">BitSet</span></div></section>
<section class="summary"><ul class="summary-list"><li><section class="constructor-summary" id="constructor-summary"><h2>Constructor Summary</h2><div class="summary-table two-column-summary"><div class="table-header col-first">Constructor</div><div class="table-header col-last">Description</div><div class="col-constructor-name"><code><a href="#x">BitSet</a>()</code></div><div class="col-last"><div class="block">Creates it.</div></div></div></section></li></ul></section>
<section class="details"><ul class="details-list"><li><section class="method-details" id="method-detail"><h2>Method Details</h2><ul class="member-list"><li><section class="detail" id="get(int[])"><h3>get</h3><div class="member-signature"><span>public</span>&nbsp;<span>boolean</span>&nbsp;<span>get</span><wbr><span>(int[]&nbsp;at)</span></div><div class="block">Gets it.</div></section></li></ul></section></li></ul></section></main></div></div>`,
    markdown: `# Class BitSet

\`\`\`
public class BitSet
\`\`\`

## Constructor Summary {#constructor-summary}

| Constructor | Description |
| --- | --- |
| \`BitSet()\` | Creates it. |

## Method Details {#method-detail}

### get {#get(int[])}

\`\`\`
public boolean get(int[] at)
\`\`\`

Gets it.`,
  },
  {
    name: "mandoc",
    body: `<div class="manual-text"><section class="Sh"><h2 class="Sh" id="OPTIONS"><a class="permalink" href="#OPTIONS">OPTIONS</a></h2><dl class="Bl-tag"><dt id="force"><a class="permalink" href="#force"><b>--force</b></a>, <a class="permalink" href="#f"><b id="f">-f</b></a></dt><dd>Asks nobody. It does <a class="permalink" href="#not"><i id="not">not</i></a> delete.</dd></dl></section></div>`,
    markdown: `## OPTIONS {#OPTIONS}

### --force, -f {#force}

Asks nobody. It does [*not*](#not) delete.`,
  },
  {
    name: "signs beside headings",
    body: `<main><h2 id="a">One <a class="permalink" href="#a">#</a></h2><p>Words.</p><h2 id="b">Two<a class="anchor-link" href="#b">Link to this heading</a></h2><p>Words.</p><h2 id="c"><a class="header-anchor" href="#c">Three</a></h2><p>Words.</p></main>`,
    markdown: `## One {#a}

Words.

## Two {#b}

Words.

## Three {#c}

Words.`,
  },
  {
    name: "Doxygen",
    body: `<div id="top"><div id="nav-path" class="navpath"><ul><li>x</li></ul></div></div><div class="header"><div class="summary"><a href="m.html">List of all members</a> | <a href="#pub">Public Member Functions</a></div><div class="headertitle"><div class="title">Thing Class Reference</div></div></div><div class="contents"><h2 class="groupheader">Members</h2>
<a id="a0c4"></a><h2 class="memtitle"><span class="permalink"><a href="#a0c4">◆ </a></span>run()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">void Thing::run</td><td>(</td><td class="paramtype">int </td><td class="paramname"><em>n</em></td><td>)</td></tr></table></div><div class="memdoc"><p>Runs it.</p><div class="fragment"><div class="line">Thing t;</div><div class="line">t.run(1);</div></div></div></div></div>`,
    markdown: `# Thing Class Reference

## Members

## run() {#a0c4}

\`\`\`
void Thing::run(int n)
\`\`\`

Runs it.

\`\`\`
Thing t;
t.run(1);
\`\`\``,
  },
  {
    name: "DocBook",
    body: `<div class="navheader"><table><tr><td><a href="p">Prev</a></td></tr></table></div><div class="sect1" id="SQL-VACUUM"><div class="titlepage"><div><div><h2 class="title" style="clear: both">24.1. Vacuum <a href="#SQL-VACUUM" class="id_link">#</a></h2></div></div></div><p>Words.</p><pre class="programlisting">
VACUUM;
</pre><div class="variablelist"><dl class="variablelist"><dt id="GUC-X"><span class="term"><code class="varname">work_mem</code> (<code class="type">integer</code>)</span></dt><dd><p>Memory.</p></dd></dl></div></div><div class="navfooter"><a href="n">Next</a></div>`,
    markdown: `## 24.1. Vacuum {#SQL-VACUUM}

Words.

\`\`\`
VACUUM;
\`\`\`

### \`work_mem\` (\`integer\`) {#GUC-X}

Memory.`,
  },
  {
    name: "Texinfo",
    body: `<div class="section" id="Sines"><div class="header"><p>Next: <a href="n" accesskey="n" rel="next">Sums</a>, Previous: <a href="p" rel="prev">Logs</a>, Up: <a href="u" rel="up">Math</a> &nbsp; [<a href="index.html#SEC_Contents" rel="contents">Contents</a>][<a href="i" rel="index">Index</a>]</p></div><hr><span id="Sines-1"></span><h3 class="section">17.3 Sines</h3><p>Words. <a href="n" rel="next">More</a> of them come in the section about sums, which is the next one of these.</p></div><hr><div class="header"><p>Next: <a href="n">Sums</a> &nbsp; [<a href="c" rel="contents">Contents</a>]</p></div>`,
    markdown: `### 17.3 Sines {#Sines}

Words. [More](n) of them come in the section about sums, which is the next one of these.`,
  },
  {
    name: "LaTeX2HTML, with tables and pictures as buttons",
    body: `<table><tr><td><a rel="next" href="n"><img src="next.png" alt="next"></a></td><td><a rel="prev" href="p"><img src="prev.png" alt="previous"></a></td><td>Gadgets</td></tr></table><h1>One</h1><p>Words.</p>`,
    markdown: "# One\n\nWords.",
  },
  {
    name: "a page so short that it is all links",
    body: `<div><h1>One</h1><p>See <a rel="next" href="n">Two</a>.</p></div>`,
    markdown: "# One\n\nSee [Two](n).",
  },
  {
    name: "DocBook, with most of its words in one list",
    body: `<div class="navheader"><a href="p">Prev</a></div><div class="sect1" id="release-2"><div class="titlepage"><div><div><h2 class="title">Release 2</h2></div></div></div><p>This release contains a variety of fixes from the one before, and nothing else.</p><div class="sect2" id="changes"><div class="titlepage"><div><div><h3 class="title">Changes</h3></div></div></div><div class="itemizedlist"><ul class="itemizedlist"><li class="listitem"><p>${"A fix. ".repeat(200).trim()}</p></li></ul></div></div></div>`,
    markdown: `## Release 2 {#release-2}\n\nThis release contains a variety of fixes from the one before, and nothing else.\n\n### Changes {#changes}\n\n- ${"A fix. ".repeat(200).trim()}`,
  },
  {
    name: "a site that nobody knows",
    body: `<div class="top"><ul><li><a href="/1">Products and services</a></li><li><a href="/2">Company</a></li></ul></div><div class="wrap"><div class="left"><a href="/3">One</a> <a href="/4">Two</a></div><div class="text"><h1><a name="intro">Intro</a></h1><p>${"Words that are read. ".repeat(12).trim()}</p></div></div>`,
    markdown: `# Intro {#intro}\n\n${"Words that are read. ".repeat(12).trim()}`,
  },
];

describe("the page of", () => {
  test.each(GENERATORS)("$name becomes its own words as Markdown", ({ body, markdown }) => {
    expect(readHtml(page(body)).markdown).toBe(markdown);
  });

  test.each(GENERATORS)("$name keeps its links for a crawler", ({ body }) => {
    expect(readHtml(page(`${body}<a href="/last?a=1&amp;b">x</a>`)).links.at(-1)).toBe("/last?a=1&b");
  });
});
