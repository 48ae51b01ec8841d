import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { comparePages, LACKING } from "../../../scripts/generators/shown-words.ts";
import { publishedBy, RECORDED } from "./published.ts";

// What each generator shows of its site is in `words.json`, a line for each block, written by `make generators`.
const names = readdirSync(RECORDED).filter((name) => existsSync(join(RECORDED, name, "words.json")));

/** What Docent does not say, and why no sentence says something else for it. */
const UNSAID: Readonly<Record<string, { negations?: string[]; numbers?: string[] }>> = {
  // "Table 1" above a table: Asciidoctor counts them.
  antora: { numbers: ["product/2.1/markup.html: 1 a"] },
  // What an expression computes, and how many pages the theme counts in a category.
  docusaurus: { numbers: ["docs/faq: 2024", "docs/listed: 1 item", "fr/docs/listed: 1 élément"] },
  // A comment for the highlighter stands behind the number.
  fumadocs: { numbers: ["docs/guide/boil: 100 code"] },
  // The label of the tab that a plugin makes of a file of code.
  mkdocs: { numbers: ["guide/install: 3 8", "guide/install: 3 8"] },
  // Lines of the program's source, which the theme folds away below what they define; and the value of a constant.
  "mkdocs-programs": {
    negations: ["ports: none", "ports: not", "ports: none"],
    numbers: ["modules: 12", "ships: 12"],
  },
  // The value of a constant, and `None` of a signature that a class has from the one above it.
  sphinx: {
    negations: ["reference/tides.html: none"],
    numbers: [
      "reference/made/tides.tables.HIGHEST.html: 9 5",
      "reference/made/tides.tables.HIGHEST.html: 5",
      "reference/tides.html: 9 5",
      "reference/tides.html: 5",
    ],
  },
};

describe.each(names)("%s: what is shown of a page", (name) => {
  const pages = publishedBy(join(RECORDED, name, "site")).then(async ({ site }) =>
    comparePages(site, await Bun.file(join(RECORDED, name, "words.json")).json()),
  );

  test("has no sentence with words missing in it", async () => {
    expect((await pages).length).toBeGreaterThan(0);
    expect((await pages).flatMap(LACKING["words inside of sentences"])).toEqual([]);
  });

  test("has every negation", async () => {
    expect((await pages).flatMap(LACKING.negations)).toEqual(UNSAID[name]?.negations ?? []);
  });

  test("has every number, with what it counts", async () => {
    expect((await pages).flatMap(LACKING["numbers with what they count"])).toEqual(
      UNSAID[name]?.numbers ?? [],
    );
  });
});
