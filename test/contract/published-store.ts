import { describe, expect, test } from "bun:test";
import type { KeptPublishedPage } from "../../src/sites/ingest/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const page = (path: string, change: Partial<KeptPublishedPage> = {}): KeptPublishedPage => ({
  path,
  address: `https://docs.example.com/${path}`,
  title: path,
  validator: undefined,
  headings: [],
  places: [],
  ...change,
});

/** What every PublishedStore guarantees. */
export function describePublishedStore(
  name: string,
  open: OpenStores<"published" | "sources" | "sites">,
): void {
  describe(`published store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const { id } = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      const other = await stores.sources.open(sourceSpec(site.id, { location: "/other" }), TEST_TIME);
      return { ...stores, id, other: other.id };
    }

    test("keeps pages as they are, by path, each source's by themselves", async () => {
      using it = await opened();
      const whole = page("guide/ä.html", {
        title: 'Guide "1"',
        validator: '"a"\nMon',
        headings: [
          { text: "Set up", id: "_set-up" },
          { text: "Next", id: "" },
        ],
        places: ["x", "y'z"],
      });
      await it.published.put(it.id, [whole, page("")]);
      await it.published.put(it.other, [page("elsewhere")]);
      expect(await it.published.list(it.id)).toEqual([page(""), whole]);
      expect(await it.published.list(it.other)).toEqual([page("elsewhere")]);
    });

    test("puts a page in the place of the one with its path, and leaves the others", async () => {
      using it = await opened();
      await it.published.put(it.id, [page("a", { validator: "1" }), page("b")]);
      await it.published.put(it.id, [page("a", { title: "New", places: ["p"] })]);
      expect(await it.published.list(it.id)).toEqual([page("a", { title: "New", places: ["p"] }), page("b")]);
    });

    test("removes pages of one source, however many", async () => {
      using it = await opened();
      const many = Array.from({ length: 450 }, (_, index) => page(`p${index}`));
      await it.published.put(it.id, [...many, page("kept")]);
      await it.published.put(it.other, [page("p1")]);
      await it.published.remove(
        it.id,
        many.map(({ path }) => path),
      );
      expect(await it.published.list(it.id)).toEqual([page("kept")]);
      expect(await it.published.list(it.other)).toEqual([page("p1")]);
    });

    test("holds what no database can hold as it is", async () => {
      using it = await opened();
      await it.published.put(it.id, [page("a", { title: "n\0l", headings: [{ text: "\uD800", id: "" }] })]);
      expect(await it.published.list(it.id)).toEqual([
        page("a", { title: "n\uFFFDl", headings: [{ text: "\uFFFD", id: "" }] }),
      ]);
    });
  });
}
