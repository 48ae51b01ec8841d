import { describe, expect, test } from "bun:test";
import {
  choosePage,
  findByWrittenPath,
  findPage,
  type Page,
  type PageFilter,
} from "../../../src/sites/pages/pages.ts";

function page(id: number, version: string, language: string): Page {
  return {
    id,
    siteId: 1,
    path: "guide",
    location: "guide.md",
    version,
    language,
    title: "Guide",
    description: undefined,
    groups: [],
    hidden: false,
    markdown: "",
  };
}

const ALL = [page(1, "1", "en"), page(2, "2", "en"), page(3, "2", "de"), page(4, "", "")];

function chosen(candidates: Page[], asked: PageFilter = {}, defaults: PageFilter = {}): number | undefined {
  return choosePage(candidates, asked, defaults)?.id;
}

describe("the page that a path means", () => {
  test("is the one of the asked version and language", () => {
    expect(chosen(ALL, { version: "2", language: "de" })).toBe(3);
    expect(chosen(ALL, { version: "1", language: "en" }, { version: "2", language: "de" })).toBe(1);
  });

  test("is the one of the site's defaults where nothing is asked", () => {
    expect(chosen(ALL, {}, { version: "2", language: "de" })).toBe(3);
    expect(chosen(ALL, {}, { version: "1", language: "en" })).toBe(1);
  });

  test("is the one of the asked version and the default language", () => {
    expect(chosen(ALL, { version: "2" }, { version: "1", language: "en" })).toBe(2);
  });

  test("is the one for every version where the asked one has none", () => {
    expect(chosen(ALL, { version: "3" })).toBe(4);
  });

  test("is the one of the language that is meant, however it is named", () => {
    const pages = [page(1, "", ""), page(2, "", "en"), page(3, "", "en-GB"), page(4, "", "de")];
    expect(chosen(pages, { language: "en-GB" })).toBe(3);
    expect(chosen(pages, { language: "en-US" })).toBe(2);
    expect(chosen(pages, { language: "fr" })).toBe(1);
  });

  test("is none where nothing fits: there is no fallback", () => {
    expect(chosen([page(1, "1", "en")], { version: "2" })).toBeUndefined();
    expect(chosen([page(1, "1", "en")], { language: "de" })).toBeUndefined();
    expect(chosen([])).toBeUndefined();
  });

  test("is one that there is where neither the question nor the site says more", () => {
    expect(chosen([page(7, "9", "fr"), page(5, "8", "fr")])).toBe(5);
    expect(chosen([page(1, "1", "en")], { version: "", language: "" })).toBe(1);
  });
});

describe("a page in the main language of its docs", () => {
  const original = { ...page(1, "", "en"), translations: { es: "es/guide" } };
  const pages = {
    findPages: async (_siteId: number, path: string) =>
      path === "guide" ? [original] : path === "es/guide" ? [{ ...page(2, "", "es"), path }] : [],
  };
  const found = async (language: string | undefined, path = "guide") =>
    (await findPage(pages, 1, path, { audience: "everything", asked: { language }, defaults: {} }))?.path;

  test("is what is meant in each language that it is not translated into", async () => {
    expect(chosen([original], { language: "fr" })).toBe(1);
    expect(chosen([original], { language: "en-GB" })).toBe(1);
    expect(chosen([original], { language: "es" })).toBeUndefined();
    expect(chosen([original, page(3, "", "fr")], { language: "fr" })).toBe(3);
  });

  test("leads to its translation who asks for that language", async () => {
    expect(await found("es")).toBe("es/guide");
    expect(await found("es-MX", "/guide.md")).toBe("es/guide");
    expect(await found("fr")).toBe("guide");
    expect(await found(undefined)).toBe("guide");
    expect(await found("en", "es/guide")).toBeUndefined();
  });

  test("leads to nothing that is hidden", async () => {
    const hidden = { findPages: async () => [{ ...original, hidden: true }] };
    expect(
      await findPage(hidden, 1, "guide", { audience: "everything", asked: { language: "es" }, defaults: {} }),
    ).toBeUndefined();
  });
});

test("a page is found by a path that leaves out what its address ends in", async () => {
  const pathOf = async (written: string, ...paths: string[]) => {
    const pages = {
      findPages: async (_: number, path: string) =>
        paths.includes(path) ? [{ ...page(1, "", ""), path }] : [],
    };
    return (await findByWrittenPath(pages, 1, written, "everything")).map(({ path }) => path);
  };
  expect(await pathOf("guide", "guide.html", "guide/index.html")).toEqual(["guide.html"]);
  expect(await pathOf("/guide/index.html", "guide/index.html")).toEqual(["guide/index.html"]);
  expect(await pathOf("guide/", "guide/index.html")).toEqual(["guide/index.html"]);
  expect(await pathOf("guide/", "guide/index")).toEqual(["guide/index"]);
  expect(await pathOf("/guide/index/", "guide/index")).toEqual(["guide/index"]);
  expect(await pathOf("/guide", "guide.htm")).toEqual(["guide.htm"]);
  expect(await pathOf("guide.htm", "guide.html")).toEqual(["guide.html"]);
  // Of two pages that differ in their endings alone, the one is meant that is written.
  expect(await pathOf("/guide.html", "guide", "guide.html")).toEqual(["guide.html"]);
  expect(await pathOf("/guide/", "guide", "guide.html")).toEqual(["guide"]);
  expect(await pathOf("guide", "other.html")).toEqual([]);
});
