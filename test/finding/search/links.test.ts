import { describe, expect, test } from "bun:test";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { memoryReader } from "../../helpers/memory-reader.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";

const TEXT = "A gateway takes in what arrives and hands it on.";
/** Two pages that say the same of a gateway, and others that say nothing of it. */
const PAGES = {
  north: `# North\n\n${TEXT}`,
  south: `# South\n\n${TEXT}`,
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`other-${index}`, `# Other ${index}\n\nWords of no use here.`]),
  ),
};

const linking = (to: string, text = "front door") => `# Linking\n\nSee the [${text}](${to}.md).`;

async function opened() {
  const it = await openIngestSite();
  const search = openSearch(it.storage);
  // Meaning would tell the two pages apart by their titles.
  const asked = (text: string) => ({
    audience: "everything" as const,
    siteId: it.site.id,
    text,
    pageSize: 5,
    parts: { nearest: false },
  });
  return {
    ...it,
    search,
    /** The pages of both gateways, the better one first. */
    order: async (text = "gateway front door") =>
      (await search.find(asked(text))).hits
        .map(({ path }) => path)
        .filter((path) => path === "north" || path === "south"),
    explained: async (text: string) => (await search.explain(asked(text), [])).passages,
    [Symbol.dispose]: it[Symbol.dispose],
  };
}

describe("the words of links", () => {
  test("lift the page that they lead to, and are shown nowhere in what is found", async () => {
    using it = await opened();
    await it.run({ ...PAGES, a: linking("south") });
    expect(await it.order()).toEqual(["south", "north"]);
    const { hits } = await it.search.find({
      audience: "everything",
      siteId: it.site.id,
      text: "gateway front door",
      pageSize: 5,
    });
    const south = hits.find(({ path }) => path === "south");
    expect(JSON.stringify(south)).not.toContain("door");
    const [best] = (await it.explained("gateway front door")).filter(({ path }) => path === "south");
    expect([best?.has, best?.linked]).toEqual([["gateway"], ["front", "door"]]);
    const [other] = (await it.explained("gateway front door")).filter(({ path }) => path === "north");
    expect(other?.linked).toEqual([]);
  });

  test("count where another page was changed, removed, or brought back, though the page itself was not read again", async () => {
    using it = await opened();
    await it.run({ ...PAGES, a: linking("south") });
    const { changed, unchanged } = await it.run({ ...PAGES, a: linking("north") });
    expect([changed, unchanged]).toEqual([1, 14]);
    expect(await it.order()).toEqual(["north", "south"]);
    await it.generations.rollBack(it.site.id, 1);
    expect(await it.order()).toEqual(["south", "north"]);
    await it.run({ ...PAGES, a: "# Linking\n\nSee nothing.", b: linking("north") });
    expect(await it.order()).toEqual(["north", "south"]);
    await it.run({ ...PAGES, c: linking("south", "front") });
    expect(await it.order("gateway front")).toEqual(["south", "north"]);
  });

  test("count more where more pages say the same", async () => {
    using it = await opened();
    await it.run({ ...PAGES, a: linking("north"), b: linking("south"), c: linking("south") });
    expect(await it.order()).toEqual(["south", "north"]);
  });

  test("do not count from hidden pages, from the page itself, or from other versions", async () => {
    using it = await opened();
    const hidden = `---\nhidden: true\n---\n\n${linking("south")}`;
    await it.run({ ...PAGES, south: `${PAGES.south}\n\n[front door](south.md)`, h: hidden });
    await it.run({ a: linking("south") }, { location: "/other", version: "2" });
    for (const passage of await it.explained("gateway front door")) expect(passage.linked).toEqual([]);
  });

  test("count across the sources of a site, and not across sites", async () => {
    using it = await opened();
    await it.run(PAGES);
    const other = await addSite(it.storage.sites, "other");
    await openIngest(it.storage, it.clock, {}).run({
      source: sourceSpec(other.id),
      reader: memoryReader({ ...PAGES, a: linking("north") }),
      generation: 0,
      signal: new AbortController().signal,
    });
    for (const passage of await it.explained("gateway front door")) expect(passage.linked).toEqual([]);
    await it.run({ a: linking("south") }, { location: "/other" });
    expect(await it.order()).toEqual(["south", "north"]);
  });
});
