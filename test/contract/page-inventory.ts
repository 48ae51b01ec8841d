import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every PageInventory guarantees. */
export function describePageInventory(
  name: string,
  open: OpenStores<"inventory" | "ingest" | "sources" | "sites">,
): void {
  describe(`page inventory: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      const older = await stores.sources.open(sourceSpec(site.id, { version: "1" }), TEST_TIME);
      await publishPages(stores.ingest, source, [
        stagedPage("b", "two", { title: "Zebra" }),
        stagedPage("", "home", { title: "Home" }),
        stagedPage("hidden", "no", { hidden: true, passages: [] }),
        stagedPage("answer", "yes", { kind: "answer" }),
      ]);
      await publishPages(stores.ingest, older, [stagedPage("b", "one", { tags: ["t"], groups: ["g"] })]);
      const list = (part: object = {}) =>
        stores.inventory.list({ siteId: site.id, query: "", limit: 100, ...part });
      return { stores, site, source, older, list, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("every page is listed by path, hidden ones too, and no curated answer", async () => {
      using it = await opened();
      const found = await it.list();
      expect(found.map(({ path, version, hidden }) => [path, version, hidden])).toEqual([
        ["", "", false],
        ["b", "", false],
        ["b", "1", false],
        ["hidden", "", true],
      ]);
      expect(found[0]).toMatchObject({ title: "Home", source: it.source.id, passages: 1 });
      expect(found[3]?.passages).toBe(0);
      expect(found.every(({ updatedAt }) => updatedAt > 0)).toBe(true);
    });

    test("parts behind a page lead through all of them, two of one path too", async () => {
      using it = await opened();
      const paths: string[] = [];
      for (let after: { path: string; id: number } | undefined; ; ) {
        const [next] = await it.list({ limit: 1, after });
        if (!next) break;
        paths.push(`${next.path}@${next.version}`);
        after = next;
      }
      expect(paths).toEqual(["@", "b@", "b@1", "hidden@"]);
    });

    test("what is looked for stands in the path or the title, and is text", async () => {
      using it = await opened();
      expect((await it.list({ query: "ZEB" })).map(({ path }) => path)).toEqual(["b"]);
      expect((await it.list({ query: "b", source: it.older.id })).map(({ version }) => version)).toEqual([
        "1",
      ]);
      for (const query of ["%", "_", "'", "*", "\\"]) expect(await it.list({ query })).toEqual([]);
    });

    test("letters that are not English are found in either case", async () => {
      using it = await opened();
      await publishPages(it.stores.ingest, it.source, [stagedPage("über", "x", { title: "Über uns" })]);
      for (const query of ["Über", "über", "ÜBER", "Über Uns"])
        expect((await it.list({ query })).map(({ title }) => title)).toEqual(["Über uns"]);
    });

    test("places of a source are told with the pages that they became, and those that became none are not", async () => {
      using it = await opened();
      await publishPages(it.stores.ingest, it.source, [
        stagedPage("manual.pdf", "x", {
          location: "files/manual.pdf",
          title: "The manual",
          frontMatter: { original: "0f", pages: 12 },
        }),
        stagedPage("b", "two", { location: "b.md", title: "Zebra", frontMatter: { pages: "many" } }),
      ]);
      const places = async (...paths: string[]) =>
        (await it.stores.inventory.ofPlaces(it.site.id, it.source.id, paths)).toSorted((x, y) =>
          x.path < y.path ? -1 : 1,
        );
      expect(await places("manual.pdf", "b", "gone")).toEqual([
        { location: "b.md", path: "b", title: "Zebra", documentPages: undefined },
        { location: "files/manual.pdf", path: "manual.pdf", title: "The manual", documentPages: 12 },
      ]);
      expect(await places("hidden")).toMatchObject([{ title: "hidden" }]);
      expect(await places("answer")).toEqual([]);
      expect(await places()).toEqual([]);
      expect((await it.stores.inventory.ofPlaces(it.site.id, it.older.id, ["manual.pdf"])).length).toBe(0);
    });

    test("only what readers see is there, of this site alone", async () => {
      using it = await opened();
      const other = await addSite(it.stores.sites, "other");
      expect(await it.list({ siteId: other.id })).toEqual([]);
      expect(await it.stores.inventory.at(other.id, "b")).toEqual([]);
      await publishPages(it.stores.ingest, it.source, [stagedPage("b", "three")], ["hidden"]);
      expect((await it.list()).map(({ path }) => path)).toEqual(["", "b", "b"]);
      const texts = (await it.stores.inventory.at(it.site.id, "b")).map(({ content }) => content[0]?.text);
      expect(texts.toSorted()).toEqual(["one", "three"]);
    });

    test("a page comes with its passages, its tags and its groups", async () => {
      using it = await opened();
      const [old] = await it.stores.inventory.at(it.site.id, "b");
      expect(old).toMatchObject({
        version: "1",
        tags: ["t"],
        groups: ["g"],
        description: undefined,
        content: [{ text: "one", markdown: "one", headings: [], anchor: "", hasVector: false }],
      });
      expect(await it.stores.inventory.at(it.site.id, "answer")).toEqual([]);
    });
  });
}
