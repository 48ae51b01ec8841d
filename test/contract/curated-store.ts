import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const ANSWER = "---\nquestions: [How?, How so?]\ntags: [a]\n---\n\nSo, see [it](../guide.md).\n";
const byHand = (name: string, change = {}) => ({
  name,
  version: "",
  language: "",
  markdown: ANSWER,
  ...change,
});
const stagedAnswer = (name: string, text: string, change = {}) =>
  stagedPage(`answers/${name}`, text, {
    kind: "answer",
    location: `answers/${name}.md`,
    passages: [],
    frontMatter: { question: "How?" },
    ...change,
  });

/** What every CuratedStore guarantees. */
export function describeCuratedStore(
  name: string,
  open: OpenStores<"curated" | "pages" | "ingest" | "sources" | "sites" | "generations">,
): void {
  async function opened() {
    const stores = await open();
    const site = await addSite(stores.sites);
    const source = await stores.sources.open(sourceSpec(site.id), TEST_TIME);
    const publish = (pages: Parameters<typeof publishPages>[2], removed: string[] = []) =>
      publishPages(stores.ingest, source, pages, removed);
    return { ...stores, stores, site, publish, [Symbol.dispose]: () => stores[Symbol.dispose]() };
  }

  describe(`curated store: ${name}`, () => {
    test("a site without answers has none", async () => {
      using it = await opened();
      expect(await it.curated.state(it.site.id)).toEqual({ generation: 0, byHand: "0.0" });
      expect(await it.curated.byHand(it.site.id, 10)).toEqual([]);
      expect(await it.curated.fromSources(it.site.id, 1, 10)).toEqual([]);
      expect(await it.curated.state(999)).toEqual({ generation: 0, byHand: "0.0" });
      expect(await it.curated.remove(it.site.id, "reset")).toBe(0);
    });

    test("an answer that was added by hand is read with the generation that readers saw then", async () => {
      using it = await opened();
      await it.publish([stagedPage("guide", "one")]);
      await it.curated.put(it.site.id, byHand("reset", { version: "2", language: "de" }), TEST_TIME);
      await it.publish([stagedPage("guide", "two")]);
      expect(await it.curated.byHand(it.site.id, 10)).toEqual([
        {
          name: "reset",
          source: undefined,
          path: "answers/reset",
          location: "answers/reset.md",
          version: "2",
          language: "de",
          hidden: false,
          generation: 1,
          groups: [],
          frontMatter: { questions: ["How?", "How so?"], tags: ["a"] },
          markdown: "\nSo, see [it](../guide.md).\n",
        },
      ]);
    });

    test("one of the same name, version and language takes its place; every change shows in the state", async () => {
      using it = await opened();
      const states = new Set<string>();
      const note = async () => states.add((await it.curated.state(it.site.id)).byHand);
      await note();
      for (const change of [{}, { markdown: ANSWER.replace("So", "Thus") }, {}, { language: "de" }]) {
        await it.curated.put(it.site.id, byHand("reset", change), TEST_TIME);
        await note();
      }
      expect((await it.curated.byHand(it.site.id, 10)).map(({ language }) => language)).toEqual(["", "de"]);
      expect((await it.curated.byHand(it.site.id, 1)).length).toBe(1);
      expect(await it.curated.remove(it.site.id, "reset")).toBe(2);
      await note();
      await it.curated.put(it.site.id, byHand("other"), TEST_TIME);
      await note();
      // Without any it is as it was before the first.
      expect(states.size).toBe(6);
    });

    test("those of sources live and die with generations, and are no pages", async () => {
      using it = await opened();
      await it.publish([stagedPage("guide", "one"), stagedAnswer("reset", "first")]);
      await it.publish([stagedAnswer("reset", "second"), stagedAnswer("more/deep", "third")]);
      await it.publish([], ["answers/reset"]);
      const at = async (generation: number) =>
        (await it.curated.fromSources(it.site.id, generation, 10)).map((answer) => [
          answer.name,
          answer.markdown,
          answer.generation,
          answer.source,
        ]);
      expect(await at(1)).toEqual([["reset", "first", 1, "/docs"]]);
      expect(await at(2)).toEqual([
        ["reset", "second", 2, "/docs"],
        ["more/deep", "third", 2, "/docs"],
      ]);
      expect(await at(3)).toEqual([["more/deep", "third", 2, "/docs"]]);
      expect(await it.curated.fromSources(it.site.id, 2, 1)).toHaveLength(1);
      expect(await it.pages.countPages(it.site.id)).toEqual({ pages: 1, passages: 1 });
      expect(await it.pages.findPages(it.site.id, "answers/more/deep", "everything")).toEqual([]);
      await it.generations.show(it.site.id, 1);
      expect((await it.curated.state(it.site.id)).generation).toBe(1);
    });

    test("pages are found by path, as a generation has them, with the passages of their headings", async () => {
      using it = await opened();
      const hidden = stagedPage("hidden", "x", { hidden: true });
      await it.publish([stagedPage("guide", "one", { title: "Guide" }), hidden, stagedAnswer("a", "x")]);
      await it.publish([stagedPage("guide", "two", { description: "What it is" })]);
      const paths = ["guide", "hidden", "answers/a", "gone", "guide"];
      const pages = (generation: number) => it.curated.pages(it.site.id, generation, paths.slice(0, 4));
      expect(await pages(1)).toMatchObject([
        { path: "guide", title: "Guide", text: "one", generation: 1, passages: [{ anchors: [""] }] },
      ]);
      expect(await pages(2)).toMatchObject([{ path: "guide", text: "What it is", generation: 2 }]);
      expect(await it.curated.pages(999, 2, paths)).toEqual([]);
    });

    test("the old addresses of pages are those of the generation", async () => {
      using it = await opened();
      const redirects = [{ from: "old", to: "guide#part" }];
      const source = await it.sources.open(sourceSpec(it.site.id), TEST_TIME);
      const { runId } = await it.ingest.openRun(source, TEST_TIME);
      await it.ingest.stage(source, runId, [stagedPage("guide", "one")]);
      const counts = { ...NO_COUNTS, added: 1 };
      await it.ingest.publish(source, runId, { counts, redirects, at: TEST_TIME });
      expect(await it.curated.redirects(it.site.id, 1)).toEqual(redirects);
      expect(await it.curated.redirects(it.site.id, 0)).toEqual([]);
    });

    test("a page whose file is the same, only read anew, has not changed", async () => {
      using it = await opened();
      const read = (hash: string) =>
        it.publish([stagedPage("guide", `read as ${hash}`, { contentHash: hash })]);
      await read("1:aa");
      await read("2:aa");
      await read("3:aa");
      const [page] = await it.curated.pages(it.site.id, 3, ["guide"]);
      expect(page).toMatchObject({ text: "read as 3:aa", generation: 1 });
      await read("3:bb");
      expect(await it.curated.pages(it.site.id, 4, ["guide"])).toMatchObject([{ generation: 4 }]);
    });

    test("another site's answers do not exist, and go with it", async () => {
      using it = await opened();
      const other = await addSite(it.sites, "other");
      await it.curated.put(other.id, byHand("reset"), TEST_TIME);
      expect(await it.curated.byHand(it.site.id, 10)).toEqual([]);
      expect(await it.curated.remove(it.site.id, "reset")).toBe(0);
      await it.sites.removeSite(other.id);
      expect(await it.curated.byHand(other.id, 10)).toEqual([]);
    });
  });
}
