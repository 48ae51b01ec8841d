import { describe, expect, test } from "bun:test";
import { pairByPath, pairByWords } from "../../../src/reading/published/published.ts";

describe("pages by their paths", () => {
  const pairs = (own: string[], published: string[]) =>
    Object.fromEntries(
      pairByPath(
        own,
        published.map((path) => ({ path })),
      ),
    );

  test("are found as they are written, without their ending, and in any case", () => {
    expect(pairs(["", "a", "b.html", "C"], ["", "a.html", "b", "c", "d"])).toEqual({
      "": "",
      a: "a.html",
      "b.html": "b",
      C: "c",
    });
  });

  test("are left where two pages have such a path, on either side", () => {
    expect(pairs(["a", "b", "B"], ["a.html", "A", "b.html"])).toEqual({});
    expect(pairs(["a", "a.html"], ["a", "a.html"])).toEqual({ a: "a", "a.html": "a.html" });
  });
});

describe("pages by their words", () => {
  const page = (path: string, title: string, ...headings: string[]) => ({ path, title, headings });
  const pairs = (own: ReturnType<typeof page>[], others: ReturnType<typeof page>[]) =>
    Object.fromEntries(
      [...pairByWords(own, others)].map(([a, b]) => [own[a]?.path ?? "", others[b]?.path ?? ""]),
    );

  test("are found by title and headings, whatever is added to them", () => {
    expect(
      pairs(
        [page("x", "Mixing", "Red", "Blue"), page("y", "Layers", "Opacity")],
        [
          page("b/layers", "Layers", "Layers", "Opacity"),
          page("a", "Mixing", "Red", "Blue", "Was this helpful?"),
        ],
      ),
    ).toEqual({ x: "a", y: "b/layers" });
  });

  test("that are twice are told apart by their addresses, or left", () => {
    const twins = [page("en/guide", "Guide", "One"), page("fr/guide", "Guide", "One")];
    expect(pairs([page("docs/fr/guide", "Guide", "One")], twins)).toEqual({ "docs/fr/guide": "fr/guide" });
    expect(pairs([page("z", "Guide", "One")], twins)).toEqual({});
    expect(pairs(twins, [page("q", "Guide", "One")])).toEqual({});
  });

  test("that have little in common are not one", () => {
    expect(
      pairs([page("a", "API", "Options", "Events")], [page("b", "Plugins", "Options", "Slots")]),
    ).toEqual({});
    expect(pairs([page("a", "")], [page("a/b", "")])).toEqual({});
    // A title is enough only where the address ends alike.
    const intro = page("docs/intro", "Introduction");
    expect(pairs([intro], [page("blog/first", "Introduction")])).toEqual({});
    expect(pairs([intro], [page("v2/intro.html", "Introduction")])).toEqual({
      "docs/intro": "v2/intro.html",
    });
  });

  test("are paired once, with the best", () => {
    const one = page("one", "Guide", "A", "B", "C");
    const near = page("near", "Guide", "A", "B", "D");
    expect(pairs([one, near], [page("there", "Guide", "A", "B", "C")])).toEqual({ one: "there" });
  });
});
