import { describe, expect, test } from "bun:test";
import type { MenuEntry } from "../../../src/reading/page/menu.ts";
import { navigationPlace } from "../../../src/sites/pages/navigation/place.ts";
import { buildNavigationTree, type NavigationNode } from "../../../src/sites/pages/navigation/tree.ts";

const page = (path: string, sourceId = 1, title = path.toUpperCase()) => ({
  path,
  title,
  sourceId,
  place: navigationPlace(path, {}),
});
const leaf = (path: string, label = ""): MenuEntry => ({ label, path, children: [] });
const group = (label: string, ...children: MenuEntry[]): MenuEntry => ({ label, children });

function lines(node: NavigationNode, depth = -1): string[] {
  const own =
    depth < 0 ? [] : [`${"  ".repeat(depth)}${node.title} ${node.isPage ? node.path : (node.href ?? "-")}`];
  return [...own, ...node.children.flatMap((child) => lines(child, depth + 1))];
}

describe("a menu that a docs generator makes", () => {
  const pages = [page("a"), page("b"), page("c"), page("hidden-from-menu")];
  const entries = [
    leaf("c", "See first"),
    group("Guides", leaf("a"), { ...leaf("b", "B, and below"), children: [leaf("c")] }),
    group("Nothing of this is shown", leaf("draft")),
    { label: "Elsewhere", href: "https://example.org/", children: [] },
    { label: "A script", href: "javascript:alert(1)", children: [] },
  ];
  const tree = buildNavigationTree(pages, [{ sourceId: 1, entries }], "en");

  test("is the site's menu, in its order and with its labels", () => {
    expect(lines(tree.root)).toEqual([
      "See first c",
      "Guides -",
      "  A a",
      "  B, and below b",
      "    C c",
      "Elsewhere https://example.org/",
    ]);
  });

  test("says what is before and behind a page, and what is above it", () => {
    expect(tree.neighbours("a")).toMatchObject({ previous: { path: "c" }, next: { path: "b" } });
    expect(tree.trail("b")?.map(({ title }) => title)).toEqual(["Guides", "B, and below"]);
    expect(tree.trail("hidden-from-menu")).toBeUndefined();
    const [above] = tree.trail("a") ?? [];
    expect(above && tree.trail(above.path)?.at(-1)).toBe(above);
  });

  test("stands before the pages of sources that have none", () => {
    const both = buildNavigationTree(
      [...pages, page("z/x", 2), page("y", 2)],
      [{ sourceId: 1, entries }],
      "en",
    );
    expect(lines(both.root).slice(-3)).toEqual(["Y y", "Z -", "  Z/X z/x"]);
  });

  test("of some of a source's pages has the others behind it, by their paths", () => {
    const rest = { label: "", isRest: true as const, children: [] };
    const { root } = buildNavigationTree(
      [...pages, page("y", 1)],
      [{ sourceId: 1, entries: [leaf("a"), group("Guides", leaf("c")), rest] }],
      "en",
    );
    const paths = lines(root);
    expect(paths.slice(0, 3)).toEqual(["A a", "Guides -", "  C c"]);
    expect(paths).toContain("Y y");
    expect(paths.filter((line) => line.trim() === "A a")).toHaveLength(1);
  });

  test("of a tracker stands behind all docs, whichever source came first", () => {
    const issue = { ...page("issues/1", 3), isQuestion: true };
    const { root } = buildNavigationTree(
      [issue, ...pages, page("y", 2)],
      [
        { sourceId: 3, entries: [group("Questions", leaf("issues/1", "Why?"))] },
        { sourceId: 1, entries: [leaf("a")] },
      ],
      "en",
    );
    expect(lines(root)).toEqual(["A a", "Y y", "Questions -", "  Why? issues/1"]);
  });

  test("of docs with a question among them stays where it is", () => {
    const { root } = buildNavigationTree(
      [...pages, { ...page("faq"), isQuestion: true }, page("y", 2)],
      [{ sourceId: 1, entries: [leaf("a"), leaf("faq")] }],
      "en",
    );
    expect(lines(root).map((line) => line.split(" ").at(-1))).toEqual(["a", "faq", "y"]);
  });

  test("has the site's first page above it", () => {
    const { root } = buildNavigationTree(
      [...pages, page("", 1, "Home")],
      [{ sourceId: 1, entries: [leaf(""), ...entries] }],
      "en",
    );
    expect(root).toMatchObject({ title: "Home", isPage: true });
    expect(root.children[0]).toMatchObject({ title: "See first" });
  });

  test("is bounded in depth", () => {
    let deep: MenuEntry = leaf("a");
    for (let depth = 0; depth < 10_000; depth++) deep = group("deeper", deep);
    expect(lines(buildNavigationTree(pages, [{ sourceId: 1, entries: [deep] }], "en").root)).toEqual([]);
  });
});
