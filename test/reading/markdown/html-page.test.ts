import { describe, expect, test } from "bun:test";
import { type HtmlPage, readHtml } from "../../../src/reading/markdown/html/html.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

const read = (head: string, body = "<main><p>words</p></main>"): HtmlPage =>
  readHtml(`<html><head>${head}</head><body>${body}</body></html>`, { url: "https://docs.x.y/a/b.html" });

describe("a page of HTML", () => {
  test.each([
    [
      "its own heading",
      "<title>A | B</title>",
      "<main><h1>The <code>x</code> *one*</h1></main>",
      "The x *one*",
    ],
    [
      "its title without the site's name after it",
      "<title>Install - Docs</title>",
      "<main>a</main>",
      "Install",
    ],
    ["the same behind a bar", "<title>Install | My Docs</title>", "<main>a</main>", "Install"],
    [
      "its title without the site's name before it",
      "<title>Docs - Install</title><meta property=og:site_name content=Docs>",
      "",
      "Install",
    ],
    [
      "what it says to social networks",
      "<title>x</title><meta property=og:title content=Install><title>",
      "",
      "x",
    ],
    [
      "the part that it repeats to them",
      "<title>Install · v2 · Docs</title><meta property=og:title content='Install · v2'>",
      "",
      "Install · v2",
    ],
    [
      "its title whole where nothing is the site's",
      "<title>cross-platform builds</title>",
      "",
      "cross-platform builds",
    ],
    [
      "its title where it has several headings of the top level",
      "<title>Syntax</title>",
      "<main><h1>1. A</h1><h1>2. B</h1></main>",
      "Syntax",
    ],
  ])("is called by %s", (_, head, body, title) => {
    expect(read(head, body).title).toBe(title);
  });

  test("says what it is about, its language, its address, its tags and its version", () => {
    const page = readHtml(
      `<html lang="de"><head><meta name="Description" content=" A  b. "><link rel="canonical" href="https://x.y/z">
       <meta name="keywords" content="one, two,,one"><meta property="article:tag" content="three">
       <meta name="docsearch:version" content="2.1"><link rel="alternate" type="text/markdown" href="/z.md"></head><body>`,
    );
    expect(page).toMatchObject({
      description: "A b.",
      language: "de",
      canonical: "https://x.y/z",
      markdownTwin: "/z.md",
    });
    expect(page.front).toEqual({ tags: ["one", "two", "three"], version: "2.1" });
  });

  test.each([
    ["<meta name=robots content='noindex, nofollow'>", true, true],
    ["<meta name=ROBOTS content=NoIndex>", true, false],
    ["<meta name=googlebot content=none>", true, true],
    ["<meta name=docent content=noindex>", true, false],
    ["<meta name=bingbot content=noindex>", false, false],
    ["<meta name=robots content='index,follow,max-snippet:-1'>", false, false],
    ["", false, false],
  ])("with %p asks robots for %p, %p", (head, noindex, nofollow) => {
    expect(read(head)).toMatchObject({ noindex, nofollow });
    const page = parsePage(`<head>${head}</head><main>words</main>`, { fallbackTitle: "", format: "html" });
    expect(page.hidden).toBe(noindex);
  });

  test("gives all its links as they are written, once, without scripts", () => {
    const links =
      "<nav><a href='../c'>x</a></nav><a href='#d'>y</a><a href='../c'>z</a><a href='javascript:x'>n</a><a>o</a><a href=' /e '>p</a>";
    expect(read("", links).links).toEqual(["../c", "#d", "/e"]);
  });

  test("moves relative links by its base", () => {
    const links = "<a href='c'>x</a><a href='#d'>y</a><a href='//z.w/v'>z</a>";
    expect(read("<base href='/base/'>", links).links).toEqual([
      "https://docs.x.y/base/c",
      "#d",
      "https://z.w/v",
    ]);
    expect(readHtml(`<base href="/base/">${links}`).links).toEqual(["/base/c", "#d", "http://z.w/v"]);
  });

  test("that only sends its readers on is hidden, and says where to", () => {
    const head = "<meta http-equiv=refresh content=\"0; URL='../new/'\">";
    expect(read(head).redirect).toBe("../new/");
    expect(parsePage(head, { fallbackTitle: "", format: "html" }).hidden).toBe(true);
    expect(read("<meta http-equiv=refresh content=300>").redirect).toBeUndefined();
    expect(read("<meta http-equiv=refresh content='600;url=/login'>").redirect).toBeUndefined();
  });

  test("becomes a page with passages", () => {
    const html =
      "<html lang=en><title>T | S</title><meta name=description content='What `it` is.'><main><h1>Top</h1><p>a <a href='c.html#d'>b</a></p><h2 id=Own_ID>Sub</h2><pre><code class=language-js>c()</code></pre></main>";
    const page = parsePage(html, { fallbackTitle: "F", format: "html" });
    expect(page).toMatchObject({
      title: "Top",
      description: "What `it` is.",
      links: ["c.html#d"],
      hidden: false,
      faults: [],
    });
    expect(page.frontMatter).toEqual({ language: "en" });
    expect(page.passages.at(-1)).toMatchObject({ codeLanguages: ["js"] });
  });
});

/** Each is repeated to a length at which anything worse than linear would not end. */
const GARBAGE = (
  "<div> <b> <p><b> <b><p> <ul><li> <blockquote>x <table><tr><td> <dl><dt>a<dd> <h2>a <h2\tid=a>x <a\thref=#> <a\tid=b> <code>a</code> " +
  "<code>` <pre> <pre><span\tclass=line>a <span><p> <button> <summary>x <div\trole=button> <header> <div\trole=tablist><div\trole=tab> " +
  "<div\trole=tabpanel> <section\tid=a><h2> <math> <svg> <br> * _ ` [ ]( \\ < & &amp; ~ # | é \0 </p> </b> <article>x <main> <a\thref=x><div>y " +
  "<ul><li><h2\tid=a>b <sup>1</sup> <select><option> <template> <frameset> <tr> <!-- <![CDATA[ <script> <h1><div> <div\tclass=two-column-summary><div>"
).split(" ");

describe("garbage in HTML", () => {
  test.each(GARBAGE)("of %j is read in linear time", (unit) => {
    expect(() => readHtml(unit.repeat(40_000 / unit.length))).not.toThrow();
  });

  test("of marks that are left open keeps the words, and says so", () => {
    const marks = Array.from({ length: 3_000 }, (_, id) => `<b id=${id}>`).join("");
    const page = parsePage(`<p>${marks}${"<p>word ".repeat(3_000)}`, { fallbackTitle: "", format: "html" });
    expect(page.markdown).toContain("word");
    expect(page.faults).toEqual([expect.stringContaining("tags are left open")]);
  });

  test("of thirty thousand elements inside each other keeps the words", () => {
    expect(readHtml(`${"<div>".repeat(30_000)}words`).markdown).toBe("words");
    expect(readHtml(`${"<ul><li>".repeat(10_000)}words`).markdown).toContain("words");
    expect(readHtml(`<main>${"<blockquote>".repeat(10_000)}words`).markdown).toContain("words");
  });

  test("of a megabyte is no trouble", () => {
    const page = readHtml(
      `<main>${'<h2 id="a">T</h2><p>word <b>word</b> <code>word</code></p>\n'.repeat(16_000)}`,
    );
    expect(page.markdown.length).toBeGreaterThan(400_000);
  });
});
