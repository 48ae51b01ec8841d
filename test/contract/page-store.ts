import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

/** What every PageStore guarantees. */
export function describePageStore(
  name: string,
  open: OpenStores<"pages" | "ingest" | "sources" | "sites">,
): void {
  describe(`page store: ${name}`, () => {
    test("a site without pages has none", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      expect(await stores.pages.findPages(site.id, "")).toEqual([]);
      expect(await stores.pages.countPages(site.id)).toEqual({ pages: 0, passages: 0 });
      expect(await stores.pages.countPages(999)).toEqual({ pages: 0, passages: 0 });
    });

    test("a published page is read as it was staged", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(
        sourceSpec(site.id, { version: "2", language: "de" }),
        TEST_TIME,
      );
      const page = stagedPage("guide/über", "# Größe\n\n\u{1F600}", {
        title: "Größe",
        description: "Wie groß",
        hidden: true,
      });
      await publishPages(stores.ingest, source, [page]);
      const [found, ...more] = await stores.pages.findPages(site.id, "guide/über");
      expect(more).toEqual([]);
      expect(found).toEqual({
        id: found?.id ?? 0,
        siteId: site.id,
        path: "guide/über",
        location: "page.md",
        version: "2",
        language: "de",
        title: "Größe",
        description: "Wie groß",
        hidden: true,
        markdown: "# Größe\n\n\u{1F600}",
      });
    });

    test("pages and passages of the visible generation are counted", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [
        stagedPage("a", "one"),
        stagedPage("b", "two", { passages: [] }),
      ]);
      await publishPages(stores.ingest, source, [stagedPage("c", "three"), stagedPage("d", "four")], ["a"]);
      expect(await stores.pages.countPages(site.id)).toEqual({ pages: 3, passages: 2 });
    });

    test("a page is found under its whole path only", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("guide/install", "text")]);
      for (const path of [
        "",
        "guide",
        "install",
        "guide/install/",
        "Guide/Install",
        "guide/%",
        "guide/insta",
      ]) {
        expect(await stores.pages.findPages(site.id, path)).toEqual([]);
      }
    });

    test("a page of another site does not exist", async () => {
      using stores = await open();
      const site = await addSite(stores.sites, "one");
      const other = await addSite(stores.sites, "two");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(stores.ingest, source, [stagedPage("guide", "text")]);
      expect(await stores.pages.findPages(other.id, "guide")).toEqual([]);
      expect(await stores.pages.countPages(other.id)).toEqual({ pages: 0, passages: 0 });
    });

    test("versions and languages of one path stand side by side", async () => {
      using stores = await open();
      const site = await addSite(stores.sites);
      for (const [version, language] of [
        ["1", "en"],
        ["2", "en"],
        ["2", "de"],
      ]) {
        const source = await stores.sources.open(
          sourceSpec(site.id, { version: version ?? "", language: language ?? "" }),
          TEST_TIME,
        );
        await publishPages(stores.ingest, source, [stagedPage("guide", `text of ${version} ${language}`)]);
      }
      const found = await stores.pages.findPages(site.id, "guide");
      expect(found.map(({ version, language }) => `${version} ${language}`)).toEqual([
        "1 en",
        "2 en",
        "2 de",
      ]);
    });
  });
}
