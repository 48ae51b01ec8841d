import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UploadStore } from "../../../src/sites/ingest/stores.ts";
import {
  createOwnUploads,
  type KeptUploads,
  partialName,
} from "../../../src/sites/ingest/uploads/kept-uploads.ts";
import { createSharedUploads } from "../../../src/sites/ingest/uploads/shared-uploads.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const source = { id: 7, siteId: 3 };

/** What several servers share, in memory. */
function memoryStore(): UploadStore {
  const kept = new Map<number, { revision: string; pieces: Uint8Array[] }>();
  let count = 0;
  return {
    async put(id, pieces) {
      const revision = String(++count);
      kept.set(id, { revision, pieces: await Array.fromAsync(pieces()) });
      return revision;
    },
    revision: async (id) => kept.get(id)?.revision,
    async *read(id, revision) {
      for (let at = 0; kept.get(id)?.revision === revision; at++) {
        const piece = kept.get(id)?.pieces[at];
        if (piece === undefined) return;
        yield piece;
      }
    },
    remove: async (id) => void kept.delete(id),
    sizes: async () => new Map([...kept].map(([id, { pieces }]) => [id, Buffer.concat(pieces).length])),
  };
}

/** A file that has arrived in the folder of the site. */
function arrived(folder: string, text: string): string {
  mkdirSync(join(folder, "3"), { recursive: true });
  const file = join(folder, "3", partialName("1"));
  writeFileSync(file, text);
  return file;
}

const textOf = async (uploads: KeptUploads) => {
  const file = await uploads.fileOf(source);
  return file === undefined ? undefined : readFileSync(file, "utf8");
};

describe.each([
  ["in the data directory", (folder: string) => createOwnUploads(folder)],
  ["where servers share them", (folder: string) => createSharedUploads(folder, memoryStore())],
])("uploads that are kept %s", (_, open) => {
  test("are there until another takes their place, or they are removed", async () => {
    using directory = temporaryDirectory();
    const uploads = open(directory.path);
    expect(await textOf(uploads)).toBeUndefined();
    for (const text of ["first", "the second"]) {
      await uploads.keep(source, arrived(directory.path, text));
      expect(await textOf(uploads)).toBe(text);
      expect([...(await uploads.sizes(source.siteId))]).toEqual([[source.id, text.length]]);
      expect(readdirSync(join(directory.path, "3"))).toHaveLength(1);
    }
    await uploads.remove(source);
    expect([await textOf(uploads), [...(await uploads.sizes(source.siteId))]]).toEqual([undefined, []]);
    expect(readdirSync(join(directory.path, "3"))).toEqual([]);
  });
});

describe("uploads that servers share", () => {
  test("are brought where they are read, and anew once another has come", async () => {
    using here = temporaryDirectory();
    using there = temporaryDirectory();
    const store = memoryStore();
    const [one, other] = [here.path, there.path].map((folder) => createSharedUploads(folder, store));
    if (one === undefined || other === undefined) throw new Error("there are two");
    const large = "x".repeat(3_000_000);
    for (const text of ["first", large]) {
      await one.keep(source, arrived(here.path, text));
      expect(await textOf(other)).toBe(text);
      expect(await textOf(other)).toBe(text);
      expect(readdirSync(join(there.path, "3"))).toHaveLength(1);
    }
  });

  test("are refused, and leave nothing, where another takes their place meanwhile", async () => {
    using here = temporaryDirectory();
    const inner = memoryStore();
    const put = (text: string) =>
      inner.put(source.id, async function* () {
        yield new TextEncoder().encode(text);
      });
    await put("first");
    const store: UploadStore = {
      ...inner,
      async *read(id, revision) {
        yield* inner.read(id, revision);
        await put("second");
      },
    };
    const uploads = createSharedUploads(here.path, store);
    expect(await appErrorOf(() => uploads.fileOf(source))).toMatchObject({ code: "conflict" });
    expect(readdirSync(join(here.path, "3"))).toEqual([]);
    expect(await textOf(createSharedUploads(here.path, inner))).toBe("second");
  });
});
