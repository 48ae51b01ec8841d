import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const piecesOf = (...texts: string[]) =>
  async function* () {
    for (const text of texts) yield bytes(text);
  };

/** What every UploadStore guarantees. */
export function describeUploadStore(name: string, open: OpenStores<"uploads" | "sources" | "sites">): void {
  describe(`upload store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { id: siteId } = await addSite(stores.sites, "docs");
      const add = async (location: string) =>
        (await stores.sources.open(sourceSpec(siteId, { kind: "upload", location }), TEST_TIME)).id;
      const read = async (sourceId: number, revision: string) =>
        Buffer.concat(await Array.fromAsync(stores.uploads.read(sourceId, revision))).toString();
      return { ...stores, siteId, add, read };
    }

    test("an archive comes back in its pieces' order", async () => {
      const { uploads, add, read } = await opened();
      const id = await add("a.zip");
      expect(await uploads.revision(id)).toBeUndefined();
      const revision = await uploads.put(id, piecesOf("one ", "two ", "three"));
      expect(await uploads.revision(id)).toBe(revision);
      expect(await read(id, revision)).toBe("one two three");
    });

    test("another takes its place whole, under another revision", async () => {
      const { uploads, add, read } = await opened();
      const id = await add("a.zip");
      const first = await uploads.put(id, piecesOf("a", "longer", "one"));
      const second = await uploads.put(id, piecesOf("short"));
      expect(second).not.toBe(first);
      expect([await read(id, second), await read(id, first)]).toEqual(["short", ""]);
    });

    test("one that breaks off leaves what was there", async () => {
      const { uploads, add, read } = await opened();
      const id = await add("a.zip");
      const revision = await uploads.put(id, piecesOf("whole"));
      const broken = uploads.put(id, async function* () {
        yield bytes("half");
        throw new Error("the file cannot be read");
      });
      await expect(broken).rejects.toThrow("cannot be read");
      expect([await uploads.revision(id), await read(id, revision)]).toEqual([revision, "whole"]);
    });

    test("sizes are told by source, and of one site", async () => {
      const { uploads, sites, sources, siteId, add } = await opened();
      const other = await addSite(sites, "other");
      const elsewhere = await sources.open(sourceSpec(other.id, { kind: "upload" }), TEST_TIME);
      const [one, two] = [await add("a.zip"), await add("b.zip")];
      await uploads.put(one, piecesOf("four", "and"));
      await uploads.put(two, piecesOf("x"));
      await uploads.put(elsewhere.id, piecesOf("not counted"));
      expect(await uploads.sizes(siteId)).toEqual(
        new Map([
          [one, 7],
          [two, 1],
        ]),
      );
    });

    test("one that was removed is gone, and so are those of a site that was", async () => {
      const { uploads, sites, siteId, add } = await opened();
      const [one, two] = [await add("a.zip"), await add("b.zip")];
      for (const id of [one, two]) await uploads.put(id, piecesOf("content"));
      await uploads.remove(one);
      expect([...(await uploads.sizes(siteId)).keys()]).toEqual([two]);
      await sites.removeSite(siteId);
      expect(await uploads.revision(two)).toBeUndefined();
    });
  });
}
