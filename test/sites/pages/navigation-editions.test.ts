import { describe, expect, test } from "bun:test";
import type { MenuEntry } from "../../../src/reading/page/menu.ts";
import { createNavigation, type NavigationNode } from "../../../src/sites/pages/navigation/navigation.ts";
import type { NavigationEntry } from "../../../src/sites/pages/pages.ts";

/** The navigation of pages with a menu. */
function navigationOf(pages: (Partial<NavigationEntry> & { path: string })[], entries: MenuEntry[]) {
  const listed = pages.map((page, index) => ({
    id: index + 1,
    version: "",
    language: "",
    title: `Title of ${page.path}`,
    sourceId: 1,
    groups: [],
    hidden: false,
    frontMatter: {},
    ...page,
  }));
  return createNavigation({
    listNavigation: async (_siteId, _generation, afterId) => listed.filter(({ id }) => id > afterId),
    listMenus: async () => [{ sourceId: 1, entries }],
    listRedirects: async () => [],
  }).of({ audience: "everything", siteId: 1, generation: 1, defaults: { version: "", language: "" } });
}

const entry = (path: string, label = path): MenuEntry => ({ label, path, children: [] });

/** What stands in a menu, with what is below it in brackets. */
const written = ({ children }: NavigationNode): unknown[] =>
  children.map((node) =>
    node.children.length > 0 ? [node.title, ...written(node)] : `${node.title} /${node.path}`,
  );

const PAGES = [
  { path: "both", language: "en", translations: { es: "es/both" } },
  { path: "only", language: "en", translations: {} },
  { path: "es/both", language: "es", title: "Ambos" },
];

describe("a site in several languages", () => {
  const withMenus = () =>
    navigationOf(PAGES, [
      { label: "English", language: "en", children: [entry("both"), entry("only")] },
      { label: "Español", language: "es", children: [entry("es/both", "Los dos"), entry("only")] },
    ]);

  test("has a menu for each, of which a reader sees one, without its name", async () => {
    const { tree } = await withMenus();
    expect(written(tree({ language: "en" }).root)).toEqual(["both /both", "only /only"]);
    expect(written(tree({ language: "es-MX" }).root)).toEqual(["Los dos /es/both", "only /only"]);
    expect(written(tree({ language: "fr" }).root)).toEqual(["both /both", "only /only"]);
  });

  test("may have the parts of its main language at the top", async () => {
    const { tree } = await navigationOf(PAGES, [
      { ...entry("both"), language: "en" },
      { ...entry("only"), language: "en" },
      { label: "es", language: "es", children: [entry("es/both"), entry("only")] },
    ]);
    expect(written(tree({ language: "en" }).root)).toEqual(["both /both", "only /only"]);
    expect(written(tree({ language: "es" }).root)).toEqual(["es/both /es/both", "only /only"]);
  });

  test("has all of its menus where none is asked for", async () => {
    const { tree } = await withMenus();
    expect(written(tree({}).root)).toEqual([
      ["English", "both /both", "only /only"],
      ["Español", "Los dos /es/both", "only /only"],
    ]);
  });

  test("has its translations in the places of their originals where there is one menu for all", async () => {
    const { tree } = await navigationOf(PAGES, [
      entry("only", "The only one"),
      entry("both", "Both of them"),
    ]);
    const spanish = tree({ language: "es" });
    expect(written(spanish.root)).toEqual(["The only one /only", "Ambos /es/both"]);
    expect(spanish.neighbours("es/both").previous?.path).toBe("only");
    expect(written(tree({ language: "en" }).root)).toEqual(["The only one /only", "Both of them /both"]);
  });

  test("knows its main language, and where a page is in another", async () => {
    const { languages, mainLanguage, pathFor } = await withMenus();
    expect([languages, mainLanguage]).toEqual([["en", "es"], "en"]);
    expect(pathFor("both", { language: "es" })).toBe("es/both");
    expect(pathFor("es/both", { language: "en" })).toBe("both");
    expect(pathFor("es/both", { language: "fr" })).toBe("both");
    expect(pathFor("only", { language: "es" })).toBe("only");
    expect(pathFor("es/gone", { language: "en" })).toBeUndefined();
  });

  test("has no main language where its pages are for their own languages alone", async () => {
    const pages = [
      { path: "a", language: "en" },
      { path: "b", language: "es" },
    ];
    const { mainLanguage, tree } = await navigationOf(pages, [entry("a"), entry("b")]);
    expect(mainLanguage).toBeUndefined();
    expect(written(tree({ language: "es" }).root)).toEqual(["b /b"]);
  });
});

test("of menus for several versions a reader sees that of the version", async () => {
  const { tree } = await navigationOf(
    [{ path: "v2/a", version: "v2" }, { path: "v1/a", version: "v1" }, { path: "both" }],
    [
      { label: "v2", version: "v2", children: [entry("v2/a"), entry("both")] },
      { label: "v1", version: "v1", children: [entry("v1/a"), entry("both")] },
    ],
  );
  expect(written(tree({ version: "v1" }).root)).toEqual(["v1/a /v1/a", "both /both"]);
  expect(written(tree({ version: "v2" }).root)).toEqual(["v2/a /v2/a", "both /both"]);
});

test("a menu that never ends does", async () => {
  const endless: MenuEntry = { label: "again", language: "en", children: [] };
  endless.children.push(endless);
  const { tree } = await navigationOf([{ path: "a", language: "en", translations: {} }], [endless]);
  expect(written(tree({ language: "en" }).root)).toEqual([]);
});
