import { expect, test } from "bun:test";
import { type Files, recognizeFiles, siteOf } from "./open-files.ts";

const INDEX = "---\ntitle: The Book\nsite: bookdown::bookdown_site\n---\n\n# Preface {-}\n\nHello.\n";
const book = (files: Files, output = "bookdown::gitbook: default\n") =>
  siteOf({ "_bookdown.yml": "", "_output.yml": output, "index.Rmd": INDEX, ...files });

test("pages are chapters, or what the format cuts the book at", async () => {
  const chapters = { "01-one.Rmd": "# One\n\n## First\n\n## Second {#two}\n", "02-two.Rmd": "# Two\n" };
  const cut = async (output: string) => (await book(chapters, output)).pages.map(({ path }) => path);
  expect(await cut("bookdown::gitbook: default\n")).toEqual(["", "one.html", "two-1.html"]);
  expect(await cut("bookdown::gitbook:\n  split_by: section\n")).toEqual([
    "",
    "one.html",
    "first.html",
    "two.html",
    "two-1.html",
  ]);
  expect(await cut("bookdown::gitbook:\n  split_by: section+number\n")).toEqual([
    "",
    "1-one.html",
    "1.1-first.html",
    "1.2-two.html",
    "2-two-1.html",
  ]);
  expect(await cut("bookdown::gitbook:\n  split_by: rmd\n")).toEqual(["", "01-one.html", "02-two.html"]);
  expect(await cut("bookdown::bs4_book:\n  split_by: section\nbookdown::gitbook: default\n")).toHaveLength(3);
});

test("files stand in the order that is said, and parts are left out", async () => {
  const site = await book({
    "_bookdown.yml": 'rmd_files: ["b.Rmd", "index.Rmd", "a.Rmd"]\n',
    "a.Rmd": "# A\n",
    "b.Rmd": "# B\n",
    "_c.Rmd": "# C\n",
    "d.Rmd": "# D\n",
  });
  expect(site.pages).toEqual([
    { location: "index.Rmd", path: "" },
    { location: "b.Rmd", path: "b.html" },
    { location: "a.Rmd", path: "a.html" },
  ]);
  expect(site.leftOut.map(({ location }) => location)).toEqual(["_c.Rmd", "d.Rmd"]);
});

test("a file without a chapter goes on with the one before", async () => {
  const site = await book({ "01-one.Rmd": "# One\n", "02-more.Rmd": "## More\n\nof it\n" });
  expect(site.pages.map(({ location }) => location)).toEqual(["index.Rmd", "01-one.Rmd"]);
  expect(site.leftOut).toEqual([
    { location: "02-more.Rmd", detail: "goes on with a page that another file begins" },
  ]);
  const page = site.pages[1];
  expect(page === undefined ? "" : (await site.read(page)).markdown).toContain("## More {#more}");
});

test("what the first file sets for chunks counts for all", async () => {
  const chunk = "```{r setup, include=FALSE}\nknitr::opts_chunk$set(echo = FALSE)\n```\n";
  const site = await book({ "index.Rmd": INDEX + chunk, "01-one.Rmd": "# One\n\n```{r}\nsecret\n```\n" });
  const page = site.pages[1];
  expect(page === undefined ? "secret" : (await site.read(page)).markdown).not.toContain("secret");
});

test("a website of R Markdown is no book", async () => {
  const files = { "_output.yml": "html_document: default\n", "index.Rmd": "---\ntitle: Home\n---\n" };
  expect(await recognizeFiles(files)).toBeUndefined();
});

test("a configuration of anything does no harm", async () => {
  for (const config of ["", "[]", "rmd_files: 3", "rmd_files: {html: [x.Rmd]}", "a: [", "rmd_subdir: {a: 1}"])
    await expect(book({ "_bookdown.yml": config, "_output.yml": config })).resolves.toBeDefined();
});
