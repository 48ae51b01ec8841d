import { describe, expect, test } from "bun:test";
import { createNavigation } from "../../../src/sites/pages/navigation/navigation.ts";
import type { NavigationEntry } from "../../../src/sites/pages/pages.ts";

const DEFAULTS = { version: "", language: "" };

type Given = Partial<NavigationEntry> & { path: string };

/** A store of these pages that counts how often it is read. */
function storeOf(pages: Given[]) {
  const reads: number[] = [];
  let broken = false;
  const entries = pages.map((page, index) => ({
    id: index + 1,
    version: "",
    language: "",
    title: page.path,
    sourceId: 1,
    groups: [],
    hidden: false,
    frontMatter: {},
    ...page,
  }));
  return {
    reads,
    fail(isBroken: boolean) {
      broken = isBroken;
    },
    async listNavigation(_siteId: number, generation: number, afterId: number, limit: number) {
      reads.push(generation);
      if (broken) throw new Error("the disk is gone");
      return entries.filter(({ id }) => id > afterId).slice(0, limit);
    },
    listMenus: async () => [],
    listRedirects: async () => [],
  };
}

const at = (siteId: number, generation = 1, defaults = DEFAULTS) => ({
  siteId,
  generation,
  audience: "everything" as const,
  defaults,
});

describe("a site's navigation", () => {
  test("is read once for each state of the index", async () => {
    const store = storeOf([{ path: "a" }]);
    const navigation = createNavigation(store);
    await Promise.all([navigation.of(at(1)), navigation.of(at(1))]);
    const again = await navigation.of(at(1));
    expect(store.reads).toEqual([1]);
    expect(again.tree({})).toBe(again.tree({}));
    await navigation.of(at(1, 2));
    await navigation.of(at(1, 2));
    expect(store.reads).toEqual([1, 2]);
  });

  test("is read anew where other defaults choose among pages of one path", async () => {
    const store = storeOf([
      { path: "a", version: "1", title: "One" },
      { path: "a", version: "2", title: "Two" },
    ]);
    const navigation = createNavigation(store);
    const titleOf = async (version: string) =>
      (await navigation.of(at(1, 1, { version, language: "" }))).tree({}).root.children[0]?.title;
    expect(await titleOf("1")).toBe("One");
    expect(await titleOf("2")).toBe("Two");
  });

  test("is read in parts, and again after it could not be read", async () => {
    const store = storeOf(Array.from({ length: 2500 }, (_, index) => ({ path: `p/${index}` })));
    const navigation = createNavigation(store);
    store.fail(true);
    await expect(navigation.of(at(1))).rejects.toThrow("the disk is gone");
    store.fail(false);
    const { tree } = await navigation.of(at(1));
    expect(tree({}).root.pages).toBe(2500);
    expect(store.reads).toHaveLength(4);
  });

  test("is kept up to so many pages; the site that was asked longest ago goes first", async () => {
    const store = storeOf([{ path: "a" }, { path: "b" }]);
    const navigation = createNavigation(store, { pagesKeptMax: 4 });
    for (const siteId of [1, 2, 1, 3, 1]) await navigation.of(at(siteId));
    expect(store.reads).toHaveLength(3);
    await navigation.of(at(2));
    expect(store.reads).toHaveLength(4);
  });

  test("has what the version and language let through, and of several the one that a reader is shown", async () => {
    const store = storeOf([
      { path: "a", version: "1", title: "A of 1" },
      { path: "a", version: "10", title: "A of 10" },
      { path: "a", version: "2", title: "A of 2", language: "de" },
      { path: "b", title: "B of all" },
      { path: "old", version: "1", title: "Old" },
      { path: "c", version: "9", title: "Hidden", hidden: true },
    ]);
    const { versions, languages, tree, shows } = await createNavigation(store).of(
      at(1, 1, { version: "10", language: "" }),
    );
    expect(versions).toEqual(["10", "2", "1"]);
    expect(languages).toEqual(["de"]);
    const titles = (asked: Parameters<typeof tree>[0]) => tree(asked).root.children.map(({ title }) => title);
    expect(titles({})).toEqual(["A of 10", "B of all", "Old"]);
    expect(titles({ version: "1" })).toEqual(["A of 1", "B of all", "Old"]);
    expect(titles({ version: "2", language: "de" })).toEqual(["A of 2", "B of all"]);
    expect(titles({ version: "" })).toEqual(titles({}));
    expect(shows("old", { version: "10" })).toBe(false);
    expect(shows("old", { version: "1" })).toBe(true);
    expect(shows("c", { version: "9" })).toBe(false);
  });

  test("a hidden page leaves no other in its place", async () => {
    const store = storeOf([
      { path: "a", version: "2", hidden: true },
      { path: "a", version: "1" },
    ]);
    const { tree } = await createNavigation(store).of(at(1, 1, { version: "2", language: "" }));
    expect(tree({}).root.pages).toBe(0);
    expect(tree({ version: "1" }).root.pages).toBe(1);
  });

  test("what readers invent is one tree: the pages of every version", async () => {
    const store = storeOf([{ path: "a", version: "1" }, { path: "b" }]);
    const { tree } = await createNavigation(store).of(at(1));
    const invented = tree({ version: "none" });
    expect(invented.root.children.map(({ path }) => path)).toEqual(["b"]);
    for (let index = 0; index < 1000; index++) expect(tree({ version: `none ${index}` })).toBe(invented);
  });
});
