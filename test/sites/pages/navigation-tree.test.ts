import { describe, expect, test } from "bun:test";
import { navigationPlace } from "../../../src/sites/pages/navigation/place.ts";
import { buildNavigationTree, type NavigationNode } from "../../../src/sites/pages/navigation/tree.ts";

type Pages = Record<string, string | { title: string; [name: string]: unknown }>;

function treeOf(pages: Pages, language = "en") {
  const placed = Object.entries(pages).map(([path, said]) => {
    const { title, ...frontMatter } = typeof said === "string" ? { title: said } : said;
    return { path, title, sourceId: 1, place: navigationPlace(path, frontMatter) };
  });
  return buildNavigationTree(placed, [], language);
}

/** One line for each entry, what is below it further in; a folder without a page in brackets. */
function lines(node: NavigationNode, depth = -1): string[] {
  const own = depth < 0 ? [] : [`${"  ".repeat(depth)}${node.isPage ? node.title : `[${node.title}]`}`];
  return [...own, ...node.children.flatMap((child) => lines(child, depth + 1))];
}

describe("the tree of a site's pages", () => {
  test("goes by paths: a folder is called by its index page, else by its name", () => {
    const tree = treeOf({
      "": "Home",
      guide: "The guide",
      "guide/install": "Install",
      "reference/http-api/search": "Search",
    });
    expect(lines(tree.root)).toEqual(["[Reference]", "  [HTTP API]", "    Search", "The guide", "  Install"]);
    expect(tree.root).toMatchObject({ title: "Home", isPage: true, pages: 4 });
  });

  test("has what is in a folder below the page of its name, whatever the page's address ends in", () => {
    const tree = treeOf({
      "guide.html": "The guide",
      "guide/install.html": "Install",
      a: "A",
      "a.html": "B",
    });
    expect(lines(tree.root)).toEqual(["A", "B", "The guide", "  Install"]);
    expect(tree.trail("guide/install.html")?.map(({ path }) => path)).toEqual([
      "guide.html",
      "guide/install.html",
    ]);
  });

  test("puts those with a position first, then goes by title as people count", () => {
    const tree = treeOf({
      a: "Step 10",
      b: "Step 2",
      c: "alpha",
      d: "Beta",
      e: { title: "Last", order: 5 },
      f: { title: "First", order: 1 },
      g: { title: "Also first", order: 1 },
      folder: { title: "Folder", order: 2 },
      "folder/x": "X",
    });
    expect(tree.root.children.map(({ title }) => title)).toEqual([
      "Also first",
      "First",
      "Folder",
      "Last",
      "alpha",
      "Beta",
      "Step 2",
      "Step 10",
    ]);
  });

  test("takes a folder's number for its position where it has no index page", () => {
    const tree = treeOf({ "02-alpha/x": "X", "01-zeta/y": "Y", "10-last/z": "Z", "other/a": "A" });
    expect(tree.root.children.map(({ title }) => title)).toEqual(["Zeta", "Alpha", "Last", "Other"]);
  });

  test("proposes the pages of the same name in other folders first, then those written alike", () => {
    const tree = treeOf({
      "a/Install": "A",
      "b/install": "B",
      "b/install-it": "C",
      install: "D",
      "": "Home",
    });
    const paths = (path: string) => tree.nearest(path).map((node) => node.path);
    expect(paths("old/place/install")).toEqual(["a/Install", "b/install", "install", "b/install-it"]);
    expect(paths("old/place/install.html")).toEqual(paths("old/place/install"));
    expect(paths("b/instal-it")[0]).toBe("b/install-it");
    expect(paths("nothing")).toEqual([]);
    expect(paths("")).toEqual([]);
    const many = treeOf(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}/x`, "X"])));
    expect(many.nearest("x")).toHaveLength(5);
  });

  test("is sorted as the language sorts, and as English where there is no such language", () => {
    const pages = { a: "Öl", b: "Zebra", c: "Ofen" };
    const titles = (language: string) => treeOf(pages, language).root.children.map(({ title }) => title);
    expect(titles("de")).toEqual(["Ofen", "Öl", "Zebra"]);
    expect(titles("sv")).toEqual(["Ofen", "Zebra", "Öl"]);
    expect(titles("no such language")).toEqual(["Ofen", "Öl", "Zebra"]);
    expect(titles("")).toEqual(["Ofen", "Öl", "Zebra"]);
  });

  test("uses the menu's own titles, and leaves out what asks for it, but not what is below", () => {
    const tree = treeOf({
      a: { title: "A long title", sidebar_label: "A" },
      b: { title: "B", nav_exclude: true },
      "c-d": { title: "C", nav_exclude: true },
      "c-d/e": "E",
    });
    expect(lines(tree.root)).toEqual(["A", "[C d]", "  E"]);
    expect(tree.trail("b")).toBeUndefined();
  });

  test("knows the way to a page, and the pages beside it", () => {
    const tree = treeOf({ "": "Home", "a/b/c": "C", "a/b": "B", "a/b/d": "D", z: "Z" });
    expect(tree.trail("a/b/c")?.map(({ title }) => title)).toEqual(["A", "B", "C"]);
    expect(tree.trail("")?.map(({ title }) => title)).toEqual(["Home"]);
    expect(tree.trail("a/x")).toBeUndefined();
    const around = (path: string) => {
      const { previous, next } = tree.neighbours(path);
      return [previous?.title, next?.title];
    };
    // In the order of the menu; folders without a page are passed over.
    expect(["", "a/b", "a/b/c", "a/b/d", "z", "none", "a"].map(around)).toEqual([
      [undefined, "B"],
      ["Home", "C"],
      ["B", "D"],
      ["C", "Z"],
      ["D", undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("ends however deep folders go, and keeps every page", () => {
    const deep = Array.from({ length: 5000 }, (_, index) => `f${index}`).join("/");
    const tree = treeOf({ [`${deep}/a`]: "A", [`${deep}/b`]: "B", [`${"/".repeat(3000)}c`]: "C" });
    expect(tree.root.pages).toBe(3);
    const trail = tree.trail(`${deep}/a`) ?? [];
    expect(trail.at(-1)?.title).toBe("A");
    expect(trail.length).toBeLessThan(20);
    expect(tree.neighbours(`${deep}/a`).next?.title).toBe("B");
  });

  test("keeps names that mean something to JavaScript apart", () => {
    const tree = treeOf({ __proto__x: "P", constructor: "C", "constructor/toString": "T" });
    expect(lines(tree.root)).toEqual(["C", "  T", "P"]);
  });
});
