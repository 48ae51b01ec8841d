import { describe, expect, test } from "bun:test";
import { humanizedName, navigationPlace } from "../../../src/sites/pages/navigation/place.ts";

describe("where a page stands in the menu", () => {
  const POSITIONS: [
    what: string,
    path: string,
    frontMatter: Record<string, unknown>,
    position: number | undefined,
  ][] = [
    ["Docusaurus", "a", { sidebar_position: 3 }, 3],
    ["Just the Docs", "a", { nav_order: 2 }, 2],
    ["VitePress and others", "a", { order: 1.5 }, 1.5],
    ["Hugo", "a", { weight: -10 }, -10],
    ["position", "a", { position: 0 }, 0],
    ["Starlight", "a", { sidebar: { order: 4 } }, 4],
    ["the first of several", "a", { weight: 9, sidebar_position: 1 }, 1],
    ["a number that is written as text", "a", { order: " 7 " }, 7],
    ["a numbered file", "guide/02-install", {}, 2],
    ["a numbered file in words of another script", "12_安装", {}, 12],
    ["front matter before the file's number", "02-install", { order: 9 }, 9],
    ["the year of a date is none", "2024-01-02-news", {}, undefined],
    ["a name that begins with digits is none", "3d/404", {}, undefined],
    ["words are none", "a", { order: "first" }, undefined],
    ["nothing is none", "a", { order: "", weight: null, position: [], sidebar: "x" }, undefined],
    ["what is no number to count with is none", "a", { order: Number.NaN, weight: "1e999" }, undefined],
  ];
  for (const [what, path, frontMatter, position] of POSITIONS)
    test(`${what}: ${position}`, () => {
      expect(navigationPlace(path, frontMatter).position).toBe(position);
    });

  test("a page may be called otherwise there", () => {
    for (const frontMatter of [
      { sidebar_label: "Short" },
      { nav_title: " Short\n" },
      { sidebarTitle: "Short" },
      { linkTitle: "Short" },
      { sidebar: { label: "Short" } },
      { sidebar_label: ["no"], linkTitle: "Short" },
    ])
      expect(navigationPlace("a", frontMatter).label).toBe("Short");
    expect(navigationPlace("a", { sidebar_label: "x".repeat(5000) }).label).toHaveLength(120);
    expect(navigationPlace("a", { sidebar_label: "  " }).label).toBeUndefined();
  });

  test("a page may be left out of it", () => {
    expect(navigationPlace("a", { nav_exclude: true }).isLeftOut).toBe(true);
    expect(navigationPlace("a", { sidebar: { hidden: true } }).isLeftOut).toBe(true);
    expect(navigationPlace("a", { nav_exclude: "no" }).isLeftOut).toBe(false);
  });
});

describe("the name of a folder as words", () => {
  for (const [name, words] of [
    ["getting-started", "Getting started"],
    ["02_advanced_topics", "Advanced topics"],
    ["API", "API"],
    ["v1.2", "V1.2"],
    ["日本語", "日本語"],
    ["--", "--"],
  ] as const)
    test(`${name}: ${words}`, () => {
      expect(humanizedName(name)).toBe(words);
    });
});
