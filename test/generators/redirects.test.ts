import { describe, expect, test } from "bun:test";
import { createDocsTree, type DocsSite, recognizeSite } from "../../src/generators/generators.ts";
import { withRedirects } from "../../src/generators/redirects.ts";
import { systemClock } from "../../src/lib/clock.ts";

const site = (redirects: [from: string, to: string][], markdown = "") =>
  withRedirects({
    generator: "Some generator",
    root: "",
    pages: ["", "guide/a b", "guide/b.html"].map((path) => ({ location: `${path}.md`, path })),
    leftOut: [],
    menu: [],
    redirects: redirects.map(([from, to]) => ({ from, to })),
    unknowns: [],
    read: async () => ({ data: {}, markdown, faults: [] }),
  } satisfies DocsSite);
const kept = (...redirects: [from: string, to: string][]) =>
  site(redirects).redirects.map(({ from, to }) => `${from} -> ${to}`);

describe("the redirects of a site", () => {
  test("lead from plain paths to the paths of its pages, however they are written", () => {
    expect(kept(["/old/", "/guide/a%20b/#top"], ["old2.html", "guide/b"], ["x/index.html", "/"])).toEqual([
      "old -> guide/a b#top",
      "old2 -> guide/b.html",
      "x -> ",
    ]);
  });

  test("are followed to their end", () => {
    expect(kept(["one", "two"], ["two", "three#part"], ["three", "guide/b.html"])).toEqual([
      "one -> guide/b.html#part",
      "two -> guide/b.html#part",
      "three -> guide/b.html",
    ]);
  });

  test("that lead nowhere, elsewhere, in a circle, or away from a page are ignored", () => {
    expect(
      kept(
        ["a", "missing"],
        ["b", "https://elsewhere.example/"],
        ["b2", "//elsewhere.example/guide/b"],
        ["c", "d"],
        ["d", "c"],
        ["e", "e"],
        ["https://elsewhere.example/x", "guide/b"],
        ["guide/b.html", "guide/a b"],
        ["__proto__", "guide/b"],
      ),
    ).toEqual(["__proto__ -> guide/b.html"]);
  });

  test("are followed by its links, which keep an anchor of their own", async () => {
    const { read } = site(
      [["old", "/guide/b.html#top"]],
      "[a](/old) [b](/old/#own) [c](/old.html?x=1) [d](/other) [e](old) `[f](/old)`",
    );
    expect((await read({ location: "", path: "" })).markdown).toBe(
      "[a](/guide/b.html#top) [b](/guide/b.html#own) [c](/guide/b.html#top) [d](/other) [e](old) `[f](/old)`",
    );
  });

  test("are bounded, and where there are more, that is asked", () => {
    const many = Array.from({ length: 300_000 }, (_, index): [string, string] => [
      `old/${index}`,
      index === 0 ? "guide/b" : `old/${index - 1}`,
    ]);
    const { redirects, unknowns } = site(many);
    expect(redirects.length).toBeLessThanOrEqual(20_000);
    expect(unknowns).toEqual([
      { question: "Which of its 300000 redirects are needed?", guess: "the first 20000" },
    ]);
    expect(site(many.slice(0, 10_000).map(([from]) => [from, "guide/b"])).redirects).toHaveLength(10_000);
  });
});

test("what a generator's configuration redirects leads to the page", async () => {
  const files = {
    "mkdocs.yml": "site_name: A\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: new.md\n",
    "docs/index.md": "# A\n\nSee [it](/old/).",
    "docs/new.md": "# New",
  };
  const tree = createDocsTree(
    Object.entries(files).map(([location, text]) => ({
      location,
      read: async () => new TextEncoder().encode(text),
    })),
  );
  const found = await recognizeSite(tree, { clock: systemClock });
  expect(found?.redirects).toEqual([{ from: "old", to: "new" }]);
  const [first] = found?.pages ?? [];
  expect(first && (await found?.read(first))?.markdown).toContain("[it](/new)");
});
