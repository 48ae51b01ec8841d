import { describe, expect, test } from "bun:test";
import type { DocsSite } from "../../../src/reading/generators/generators.ts";
import { withRedirects } from "../../../src/reading/generators/redirects/redirects.ts";
import { recognizeFiles } from "./open-files.ts";

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
  const found = await recognizeFiles(files);
  expect(found?.redirects).toEqual([{ from: "old", to: "new" }]);
  const [first] = found?.pages ?? [];
  expect(first && (await found?.read(first))?.markdown).toContain("[it](/new)");
});

describe("redirects with patterns", () => {
  test.each([
    ["/old/:slug*", "/guide/:slug*"],
    ["/old/:slug+", "/guide/:slug+"],
    ["/old/:path(.*)", "/guide/:path*"],
    ["/old/:page", "/guide/:page"],
    ["/old/*", "/guide/:splat"],
    ["/old/(.*)", "/guide/$1"],
    ["/old/[...slug]", "/guide/[...slug]"],
    ["/old/[slug]", "/guide/[slug]/#top"],
  ])("lead from the old address of each page: %s", (from, to) => {
    const anchor = to.includes("#") ? "#top" : "";
    expect(kept([from, to])).toEqual([`old/a b -> guide/a b${anchor}`, `old/b -> guide/b.html${anchor}`]);
  });

  test("come after those of single addresses, and the first of several counts", () => {
    expect(kept(["/old/:x", "/guide/:x"], ["/old/b", "/guide/a%20b"], ["/:all*", "/guide/:all*"])).toEqual([
      "old/b -> guide/a b",
      "old/a b -> guide/a b",
      "a b -> guide/a b",
      "b -> guide/b.html",
    ]);
  });

  test("that lead to one page are followed by links", async () => {
    const { read, redirects } = site([["/old/*", "/guide/b"]], "[a](/old/x/y#z) [b](/other)");
    expect(redirects).toEqual([]);
    const { markdown } = await read({ location: "", path: "" });
    expect(markdown).toBe("[a](/guide/b.html#z) [b](/other)");
  });

  test("with an expression, with two open parts, or with a target that names nothing are asked for, and never run", () => {
    const patterns = ["/a/:x(\\\\d+)", "/a/(b|c)/x", "/a/:x*/:y*", "/a/b*"];
    for (const from of patterns) {
      const { unknowns, redirects } = site([[from, "/guide/b"]]);
      expect(redirects).toEqual([]);
      expect(unknowns).toEqual([
        { question: `Which addresses does the redirect ${from} mean?`, guess: "none" },
      ]);
    }
    expect(site([["/a/:x", "/guide/:y"]]).unknowns).toHaveLength(1);
  });

  test("that lead in a circle, or always on, end", async () => {
    const { read } = site(
      [
        ["/a/:x*", "/b/:x*"],
        ["/b/:x*", "/a/:x*"],
        ["/c/:x*", "/c/c/:x*"],
      ],
      "[a](/a/x) [c](/c/x)",
    );
    expect((await read({ location: "", path: "" })).markdown).toBe("[a](/a/x) [c](/c/x)");
  });

  test("by the thousand, over thousands of pages, are looked at once each", () => {
    const pages = Array.from({ length: 5_000 }, (_, n) => ({
      location: `${n}.md`,
      path: `p${n % 100}/x/${n}`,
    }));
    const redirects = [
      ...Array.from({ length: 10_000 }, (_, n) => ({ from: `/old-${n}`, to: `/old-${n + 1}` })),
      ...Array.from({ length: 1_000 }, (_, n) => ({ from: `/o${n}/:a/:b*`, to: `/p${n}/:a/:b*` })),
    ];
    const { redirects: found } = withRedirects({
      generator: "Some generator",
      root: "",
      pages,
      leftOut: [],
      menu: [],
      redirects,
      unknowns: [],
      read: async () => ({ data: {}, markdown: "", faults: [] }),
    });
    expect(found).toHaveLength(5_000);
  });
});

describe("the redirects of a host", () => {
  const FILES = {
    "book.toml": "[book]\ntitle = 'B'",
    "src/SUMMARY.md": "# Summary\n\n- [A](a.md)\n- [B](b/c.md)\n",
    "src/a.md": "# A\n\n[old](/docs/was) [c](/old/c.html)",
    "src/b/c.md": "# C",
  };
  const found = async (files: Record<string, string>, siteUrl?: string) => {
    const docs = await recognizeFiles({ ...FILES, ...files }, { siteUrl });
    // The book's own is that of its first chapter.
    return docs?.redirects.filter(({ from }) => from !== "").map(({ from, to }) => `${from} -> ${to}`);
  };

  test("are read from Netlify's files; those that move nobody, or only some, are not", async () => {
    const lines = [
      "# moved",
      "/was /a # a comment",
      "/old/* /b/:splat 302!",
      "/shown /a 200",
      "/gone /a 404",
      "/here /a 301 Country=de",
      "/query id=:id /a",
      "/out https://elsewhere.example/a",
    ];
    expect(await found({ "static/_redirects": lines.join("\n") })).toEqual([
      "was -> a.html",
      "old/c -> b/c.html",
    ]);
    const toml =
      '[[redirects]]\nfrom = "/was"\nto = "/a"\n[[redirects]]\nfrom = "/x"\nto = "/a"\nstatus = 200\n[[redirects]]\nfrom = "/y"\nto = "/a"\nconditions = {Country = ["de"]}\n';
    expect(await found({ "netlify.toml": toml })).toEqual(["was -> a.html"]);
  });

  test("are read from Vercel's, below the path of the site's URL", async () => {
    const redirects = [
      { source: "/docs/was", destination: "/docs/a", permanent: true },
      { source: "/docs/old/:path*", destination: "/docs/b/:path*" },
      { source: "/docs/away", destination: "/blog/a" },
      { source: "/was", destination: "/docs/a" },
      { source: "/docs/has", destination: "/docs/a", has: [{ type: "cookie", key: "x" }] },
    ];
    const files = { "vercel.json": JSON.stringify({ redirects }) };
    expect(await found(files, "https://a.example/docs")).toEqual(["was -> a.html", "old/c -> b/c.html"]);
  });

  test("that cannot be read change nothing", async () => {
    expect(
      await found({ "vercel.json": "{", "netlify.toml": "[[", _redirects: "\u0000 /\n/x\n/y /z /w" }),
    ).toEqual([]);
  });
});
