import { describe, expect, test } from "bun:test";
import { mdbook } from "../../../src/reading/generators/mdbook/mdbook.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

/** A book from its files. */
async function bookOf(files: Files) {
  const site = await siteOf({ "book.toml": '[book]\ntitle = "B"\n', ...files });
  return { site, read: (location: string) => readPageOf(site, location) };
}

const ONE = { "src/SUMMARY.md": "# Summary\n\n- [One](one.md)\n" };

test("a file that includes itself through others, is outside, or is gone, is said", async () => {
  const { read } = await bookOf({
    ...ONE,
    "src/one.md":
      "# One\n\n{{#include a.md}}\n\n{{#include ../../secret}}\n\n{{#include gone.md}}\n\n{{#include a.md:part}}\n",
    "src/a.md": "A\n\n{{#include one.md}}\n",
  });
  const { markdown, faults } = await read("src/one.md");
  expect(markdown).toContain("A");
  expect(faults).toEqual([
    "one.md, which it includes, includes itself",
    "../../secret, which it includes, is not in this source",
    "gone.md, which it includes, is not in this source",
    "a.md, which it includes, has no part that is called part",
  ]);
});

test("files that include others many times each don't make a page endless", async () => {
  const files: Record<string, string> = { ...ONE, "src/one.md": "{{#include f0.md}}\n" };
  for (let depth = 0; depth < 8; depth++)
    files[`src/f${depth}.md`] = `{{#include f${depth + 1}.md}}\n`.repeat(30) + "x".repeat(1000);
  files["src/f8.md"] = "x".repeat(1000);
  const { markdown, faults } = await (await bookOf(files)).read("src/one.md");
  expect(markdown.length).toBeLessThan(6_000_000);
  expect(faults.some((fault) => fault.endsWith("makes the page too long"))).toBe(true);
});

test("a helper that is not known is left out, and named", async () => {
  const { markdown, faults } = await (
    await bookOf({ ...ONE, "src/one.md": "# One\n\nBefore {{#shiny x}} after.\n" })
  ).read("src/one.md");
  expect(markdown).toContain("Before  after.");
  expect(faults).toEqual(["{{#shiny x}} is not known, and left out"]);
});

test("what the list names twice is one page, and what is not there is no page", async () => {
  const { site } = await bookOf({
    "src/SUMMARY.md":
      "- [One](one.md)\n- [Again](./one.md)\n- [Gone](gone.md)\n- [Out](../../x.md)\n- Words\n",
    "src/one.md": "# One\n",
    "src/other.md": "# Other\n",
  });
  expect(site.pages).toEqual([{ location: "src/one.md", path: "one.html" }]);
  expect(site.menu.map(({ label, path }) => [label, path])).toEqual([
    ["One", "one.html"],
    ["Again", "one.html"],
    ["Gone", undefined],
    ["Out", undefined],
    ["Words", undefined],
  ]);
  expect(site.leftOut).toEqual([
    { location: "src/gone.md", detail: "is listed in SUMMARY.md, and is not in this source" },
    { location: "src/SUMMARY.md", detail: "is the menu" },
    { location: "src/other.md", detail: "is not listed in SUMMARY.md" },
  ]);
});

test("the folder of pages alone is a book with the defaults, and it is asked what makes it", async () => {
  const site = await siteOf({ "SUMMARY.md": "# Summary\n\n- [One](one.md)\n", "one.md": "# One\n" });
  expect(site.generator).toBe("mdBook");
  expect(site.pages.map(({ path }) => path)).toEqual(["one.html"]);
  expect(site.unknowns[0]?.question).toContain("Which program makes this book");
});

test("a page that is called Summary makes no book of a folder", async () => {
  const files = {
    "SUMMARY.md": "# Summary\n\n- [One](one.md)\n",
    "one.md": "# 1",
    "two.md": "# 2",
    "three.md": "# 3",
  };
  expect(await recognizeFiles(files)).toBeUndefined();
});

test("redirects lead where the book says, and its address to the first chapter", async () => {
  const site = await openFiles(mdbook, {
    ...ONE,
    "book.toml":
      '[output.html.redirect]\n"/a/old.html" = "../one.html"\n"/b.html" = "https://example.com/"\n',
    "src/one.md": "# One\n",
  });
  expect(site.redirects).toEqual([
    { from: "", to: "/one.html" },
    { from: "a/old.html", to: "/one.html" },
    { from: "b.html", to: "https://example.com/" },
  ]);
});

test("a configuration that cannot be read, and programs, are asked about", async () => {
  const broken = await bookOf({ ...ONE, "book.toml": "[book\n", "src/one.md": "# One\n" });
  expect(broken.site.unknowns[0]?.question).toStartWith("book.toml cannot be read:");
  const own = await bookOf({ ...ONE, "book.toml": "[preprocessor.mine]\n", "src/one.md": "# One\n" });
  expect(own.site.unknowns).toEqual([
    { question: "Are pages changed by mine? Programs are not run.", guess: "no" },
  ]);
});

describe("markup", () => {
  test("callouts of admonish and listings become plain Markdown", async () => {
    const { read } = await bookOf({
      ...ONE,
      "src/one.md":
        '# One\n\n```admonish warning title="Mind"\nWords.\n```\n\n<Listing number="1-1" file-name="a.rs" caption="It">\n\n```rust,ignore\n# use x;\nfn a() {}\n```\n\n</Listing>\n',
    });
    const { markdown } = await read("src/one.md");
    expect(markdown).toContain(":::warning[Mind]\n\nWords.\n\n:::");
    expect(markdown).toContain("**Listing 1-1: a.rs** It");
    expect(markdown).toContain("```rust\nfn a() {}\n```");
    expect(markdown).not.toContain("Listing>");
  });
});
