import { describe, expect, test } from "bun:test";
import { type LinkBase, resolveLink } from "../../../src/sites/pages/page-link.ts";

const FILE: LinkBase = { path: "guide/a", location: "guide/a.md", siteUrl: "https://acme.dev/docs" };
const ADDRESS: LinkBase = { path: "guide/a.html", location: "https://acme.dev/guide/a.html" };

/** `path#anchor` of a page, the address of what is elsewhere. */
function lead(href: string, base: LinkBase): string | undefined {
  const target = resolveLink(href, base);
  if (target?.kind !== "page") return target?.href;
  return target.path + (target.anchor === "" ? "" : `#${target.anchor}`);
}

test("a link to a site whose pages are behind a # leads to the page, and other files of it do not", () => {
  const base = { ...FILE, siteUrl: "https://acme.dev/docs/#" };
  expect(lead("https://acme.dev/docs/#/z?id=é", base)).toBe("z#é");
  expect(lead("/q#a", base)).toBe("q#a");
  expect(lead("https://acme.dev/other/#/z", base)).toBe("https://acme.dev/other/#/z");
});

describe("a link of a file", () => {
  test.each([
    ["../b.md#x", "b#x"],
    ["./b", "guide/b"],
    ["b.mdx?plain=1#x", "guide/b#x"],
    ["c/", "guide/c"],
    ["c/index.md", "guide/c"],
    ["README.md", "guide"],
    ["../ref/f.rst", "ref/f"],
    ["a%20b.md#gr%C3%B6%C3%9Fe", "guide/a b#größe"],
    ["#top", "guide/a#top"],
    ["/q", "q"],
    ["/docs/q.html", "q"],
    ["/docsearch", "docsearch"],
    ["../../../x", "x"],
    ["https://acme.dev/docs/z#é", "z#é"],
    ["http://acme.dev/docs", ""],
    ["https://acme.dev/blog", "https://acme.dev/blog"],
    ["https://acme.dev.evil.com/docs/z", "https://acme.dev.evil.com/docs/z"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["javascript:alert(1)", undefined],
    ["//evil.com/x", undefined],
    ["\\\\evil.com", undefined],
    ["", undefined],
  ])("%j leads to %j", (href, expected) => {
    expect(lead(href, FILE)).toBe(expected);
  });

  test("without the site's address stays on the site where it is not a full one", () => {
    const base = { path: "", location: "index.md" };
    expect(lead("guide/a.md", base)).toBe("guide/a");
    expect(lead("/docs/q", base)).toBe("docs/q");
    expect(lead("https://acme.dev/docs/z", base)).toBe("https://acme.dev/docs/z");
  });

  test("with backslashes in its location is read from there", () => {
    expect(lead("b.md", { path: "guide/a", location: "guide\\a.md" })).toBe("guide/b");
  });
});

test.each([
  ["b.html#q", "guide/b.html#q"],
  ["../b.htm", "b.htm"],
  ["index.html", "guide"],
  ["../guide/index.html#q", "guide#q"],
  ["/docs/b.html", "b.html"],
  ["https://acme.dev/docs/b.html", "b.html"],
  ["b%20c.html", "guide/b c.html"],
  ["b", "guide/b"],
  ["b/", "guide/b"],
])("a link of a file of HTML is an address: %j leads to %j", (href, expected) => {
  expect(lead(href, { ...FILE, path: "guide/a.html", location: "guide/a.html" })).toBe(expected);
});

test.each([
  ["b.html#q", "guide/b.html#q"],
  ["/", ""],
  ["/x/index.html", "x"],
  ["https://acme.dev/t?a=1", "t"],
  ["//acme.dev/t", "t"],
  ["a%2Fb", "guide/a%2Fb"],
  ["https://other.dev/t", "https://other.dev/t"],
])("a link of a page at an address: %j leads to %j", (href, expected) => {
  expect(lead(href, ADDRESS)).toBe(expected);
});

describe("a link of a page whose path begins below the site's own address", () => {
  const siteUrl = "https://acme.dev/docs";
  const base = { path: "guide/a", location: "https://acme.dev/docs/guide/a", siteUrl };
  test.each([
    ["b", "guide/b"],
    ["/docs/c", "c"],
    ["https://acme.dev/docs/", ""],
    ["/blog", "https://acme.dev/blog"],
    ["../../docsearch", "https://acme.dev/docsearch"],
  ])("%j leads to %j", (href, expected) => {
    expect(lead(href, base)).toBe(expected);
    expect(lead(href, { ...base, location: "https://acme.dev/docs/guide/a.md" })).toBe(expected);
  });

  test("is read from its first page too", () => {
    expect(lead("b", { path: "", location: "https://acme.dev/docs/", siteUrl })).toBe("b");
  });

  test("is read from the host's root where the page's own path is", () => {
    const fromHost = { path: "docs/guide/a", location: "https://acme.dev/docs/guide/a", siteUrl };
    expect([lead("b", fromHost), lead("/blog", fromHost)]).toEqual(["docs/guide/b", "blog"]);
  });
});

test("where pages are told apart by their query, a link keeps it", () => {
  expect(lead("?page=2", { path: "list?page=1", location: "https://acme.dev/list?page=1" })).toBe(
    "list?page=2",
  );
});

test.each(["/", "../", "%", "#", "a/", "\\", "readme/"])(
  "a long link of %j is resolved in linear time",
  (unit) => {
    resolveLink(`x${unit.repeat(400_000 / unit.length)}x`, FILE);
    resolveLink(`x${unit.repeat(400_000 / unit.length)}x`, ADDRESS);
  },
);
