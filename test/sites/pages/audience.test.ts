import { describe, expect, test } from "bun:test";
import { audienceAmong, audienceKey, groupsOf, maySee, NOBODY } from "../../../src/sites/pages/audience.ts";
import { createNavigation } from "../../../src/sites/pages/navigation/navigation.ts";
import type { NavigationEntry } from "../../../src/sites/pages/pages.ts";

describe("an audience", () => {
  test("sees pages for everyone, and those for one of its groups", () => {
    expect(maySee([], [])).toBe(true);
    expect(maySee([], ["hr"])).toBe(false);
    expect(maySee(["it", "hr"], ["hr", "board"])).toBe(true);
    expect(maySee(["HR"], ["hr"])).toBe(false);
    expect(maySee("everything", [NOBODY])).toBe(true);
  });

  test("is known by what of it matters: who sees the same is the same", () => {
    expect(audienceAmong(["x", "b", "a"], ["a", "b", "c"])).toEqual(["a", "b"]);
    expect(audienceAmong(["c", "a", "b"], ["a", "b", "c"])).toBe("everything");
    expect(audienceAmong(["x"], [])).toBe("everything");
    expect(audienceAmong(["a"], ["a", NOBODY])).toEqual(["a"]);
    expect(audienceKey(["a", "b"])).not.toBe(audienceKey(["a,b"]));
  });

  test("is in no group that nobody may be in, however it is named by a provider", () => {
    expect(groupsOf(["b", NOBODY, "", "a", "b"])).toEqual(["a", "b"]);
  });
});

describe("a menu", () => {
  const page = (id: number, path: string, groups: string[] = []): NavigationEntry => ({
    id,
    path,
    version: "",
    language: "",
    title: `Title of ${path}`,
    sourceId: path.startsWith("closed") ? 2 : 1,
    groups,
    hidden: false,
    frontMatter: {},
  });
  const child = (path: string) => ({ label: `Label of ${path}`, path, children: [] });
  const navigation = createNavigation({
    listNavigation: async (_, __, after) =>
      [
        page(1, "open"),
        page(2, "mercury", ["hr"]),
        page(3, "mercury/plan", ["hr"]),
        page(4, "mercury/parking"),
        page(5, "closed/a", ["hr"]),
      ].filter(({ id }) => id > after),
    listMenus: async () => [
      {
        sourceId: 1,
        entries: [
          child("open"),
          {
            label: "Project Mercury",
            path: "mercury",
            children: [child("mercury/plan"), child("mercury/parking")],
          },
          { label: "Layoffs", children: [child("mercury/plan")] },
        ],
      },
      {
        sourceId: 2,
        entries: [child("closed/a"), { label: "Elsewhere", href: "https://hr.example", children: [] }],
      },
    ],
    listRedirects: async () => [{ from: "old", to: "mercury" }],
  });
  const at = (audience: readonly string[]) =>
    navigation.of({ siteId: 1, generation: 1, audience, defaults: { version: "", language: "" } });

  test("tells nothing of a page that is for others, not its name either, and keeps what is below it", async () => {
    const { tree, shows, redirect, editionOf } = await at([]);
    const shown = tree({});
    expect(shown.root.children.map(({ title, path }) => [title, path])).toEqual([
      ["Label of open", "open"],
      ["Label of mercury/parking", "mercury/parking"],
    ]);
    expect(JSON.stringify(shown.nearest("mercury/plam"))).not.toContain("plan");
    expect([shows("mercury", {}), redirect("old", {}), editionOf("mercury")]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });

  test("of each audience counts to what is kept, and pages are read once for all of them", async () => {
    let reads = 0;
    const counted = createNavigation(
      {
        async listNavigation(_, __, after) {
          reads++;
          return after === 0 ? [page(1, "open"), page(2, "closed", ["hr"]), page(3, "it", ["it"])] : [];
        },
        listMenus: async () => [],
        listRedirects: async () => [],
      },
      { pagesKeptMax: 6 },
    );
    const defaults = { version: "", language: "" };
    const of = (audience: readonly string[]) => counted.of({ siteId: 1, generation: 1, audience, defaults });
    const first = await of([]);
    await of(["hr"]);
    expect(await of(["x"])).toBe(first);
    await of(["it"]);
    await of(["hr"]);
    expect(await of([])).not.toBe(first);
    expect(reads).toBe(1);
  });

  test("is whole for those who may see all of it", async () => {
    const { tree, redirect } = await at(["hr", "it"]);
    expect(tree({}).root.children.map(({ title }) => title)).toEqual([
      "Label of open",
      "Project Mercury",
      "Layoffs",
      "Label of closed/a",
      "Elsewhere",
    ]);
    expect(redirect("old", {})?.path).toBe("mercury");
  });
});
