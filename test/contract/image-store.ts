import { describe, expect, test } from "bun:test";
import type { StagedImage } from "../../src/sites/ingest/stores.ts";
import type { Audience } from "../../src/sites/pages/audience.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const image = (hash: string, change: Partial<StagedImage> = {}): StagedImage => ({
  hash,
  type: "image/png",
  width: 4,
  height: 3,
  content: new TextEncoder().encode(`content of ${hash}`),
  ...change,
});

/** What every ImageStore guarantees, with the IngestStore that fills it. */
export function describeImageStore(
  name: string,
  open: OpenStores<"images" | "generations" | "ingest" | "pages" | "sources" | "sites">,
): void {
  describe(`image store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const site = await addSite(stores.sites, "docs");
      const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
      return {
        ...stores,
        site,
        source,
        /** A run with pages that show images, by reference. */
        publish: (
          pages: Record<string, Record<string, StagedImage | undefined>>,
          removed: string[] = [],
          groups: string[] = [],
        ) =>
          publishPages(
            stores.ingest,
            source,
            Object.entries(pages).map(([path, images]) =>
              stagedPage(path, `${path} with ${Object.values(images).map((each) => each?.hash)}`, {
                groups,
                images: Object.entries(images).map(([reference, each]) => ({ reference, image: each })),
              }),
            ),
            removed,
          ),
        read: async (hash: string, siteId = site.id) => {
          const found = await stores.images.find(siteId, hash, "everything");
          return found && [found.type, new TextDecoder().decode(found.content)];
        },
        imagesOf: async (path: string) => {
          const [page] = await stores.pages.findPages(site.id, path, "everything");
          return page === undefined ? undefined : Object.fromEntries(await stores.images.ofPage(page.id));
        },
        [Symbol.dispose]: () => stores[Symbol.dispose](),
      };
    }

    test("an image is there for whoever may see a page that shows it", async () => {
      using it = await opened();
      await it.publish({ secret: { a: image("a"), b: image("b") } }, [], ["hr"]);
      await it.publish({ open: { b: image("b") } });
      const seen = async (hash: string, audience: Audience) =>
        (await it.images.find(it.site.id, hash, audience)) !== undefined;
      expect([await seen("a", []), await seen("a", ["it"]), await seen("a", ["it", "hr"])]).toEqual([
        false,
        false,
        true,
      ]);
      expect([await seen("b", []), await seen("a", "everything")]).toEqual([true, true]);
    });

    test("a page's images come back by what it calls them, with what they hold", async () => {
      using it = await opened();
      const svg = image("b", { type: "image/svg+xml", width: undefined, height: undefined });
      await it.publish({ page: { "a.png": image("a"), "b.svg": svg, "gone.png": undefined } });
      expect(await it.imagesOf("page")).toEqual({
        "a.png": { hash: "a", type: "image/png", width: 4, height: 3 },
        "b.svg": { hash: "b", type: "image/svg+xml", width: undefined, height: undefined },
      });
      expect(await it.read("a")).toEqual(["image/png", "content of a"]);
      expect(await it.read("b")).toEqual(["image/svg+xml", "content of b"]);
      expect(await it.read("c")).toBeUndefined();
    });

    test("one content is kept once, and handed over once", async () => {
      using it = await opened();
      await it.publish({
        one: { "x.png": image("a") },
        two: { "y.png": image("a", { content: undefined }) },
      });
      expect(await it.imagesOf("two")).toMatchObject({ "y.png": { hash: "a" } });
      await it.publish({}, ["one"]);
      expect(await it.read("a")).toEqual(["image/png", "content of a"]);
    });

    test("a run knows which images its pages show, and which they lack", async () => {
      using it = await opened();
      await it.publish({ page: { "a.png": image("a"), "gone.png": undefined } });
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      expect(await it.ingest.knownPages(it.source, runId)).toMatchObject([
        {
          path: "page",
          images: [
            { reference: "a.png", hash: "a" },
            { reference: "gone.png", hash: undefined },
          ],
        },
      ]);
    });

    test("an image is read as long as readers see a page that shows it, and no longer", async () => {
      using it = await opened();
      const { runId } = await it.ingest.openRun(it.source, TEST_TIME);
      const images = [{ reference: "a.png", image: image("a") }];
      await it.ingest.stage(it.source, runId, [stagedPage("page", "text", { images })]);
      expect(await it.read("a")).toBeUndefined();
      const first = await it.publish({});
      expect(await it.read("a")).toEqual(["image/png", "content of a"]);
      await it.publish({}, ["page"]);
      expect(await it.read("a")).toBeUndefined();
      await it.generations.show(it.site.id, first);
      expect(await it.read("a")).toEqual(["image/png", "content of a"]);
    });

    test("a hidden page and a curated answer show no images to anyone", async () => {
      using it = await opened();
      const images = (hash: string) => [{ reference: "x.png", image: image(hash) }];
      await publishPages(it.ingest, it.source, [
        stagedPage("hidden", "text", { hidden: true, images: images("a") }),
        stagedPage("answer", "words", { kind: "answer", images: images("b") }),
      ]);
      expect([await it.read("a"), await it.read("b")]).toEqual([undefined, undefined]);
    });

    test("sites do not read each other's, and one goes with its site", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.publish({ page: { "a.png": image("a") } });
      expect(await it.read("a", other.id)).toBeUndefined();
      await it.sites.removeSite(it.site.id);
      expect(await it.read("a")).toBeUndefined();
    });

    test("one goes with the last generation that shows it: its content has to be handed over again", async () => {
      using it = await opened();
      await it.publish({ page: { "a.png": image("a") }, other: { "b.png": image("b") } });
      await it.publish({ page: { "a.png": image("c") } });
      await it.ingest.prune(it.site.id, 2);
      await it.publish({});
      await it.ingest.prune(it.site.id, 2);
      await it.publish({
        page: { "a.png": image("a", { content: undefined }), "b.png": image("b", { content: undefined }) },
      });
      expect(await it.imagesOf("page")).toMatchObject({ "b.png": { hash: "b" } });
      expect(Object.keys((await it.imagesOf("page")) ?? {})).toEqual(["b.png"]);
    });
  });
}
