import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadVectors } from "../../src/storage/sqlite/files/vector-extension.ts";
import { vectorLibrary } from "../../src/storage/sqlite/files/vector-library.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { openKeywords } from "../helpers/open-search.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

const library = await vectorLibrary();
// Apple's SQLite loads no extensions, and musl has no build of sqlite-vec.
const canLoad = process.platform !== "darwin" && library !== undefined;

function load(directory: string, from = library) {
  const database = new Database(":memory:");
  const support = loadVectors(database, from, directory);
  database.close();
  return support;
}

/** The one copy of the library in a data directory. */
function copyIn(directory: string): string {
  const names = readdirSync(join(directory, "lib"));
  const [name = "", ...more] = names.filter((each) => each.startsWith("vec0-"));
  expect(more).toEqual([]);
  return join(directory, "lib", name);
}

describe.if(canLoad)("vectors", () => {
  test("the library is copied to the data directory under a name that holds its hash, and loaded", () => {
    using directory = temporaryDirectory();
    expect(load(directory.path)).toMatchObject({ available: true, version: expect.stringMatching(/^v\d/) });
    const content = readFileSync(library ?? "");
    const hash = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    expect(copyIn(directory.path)).toContain(`vec0-${hash.slice(0, 16)}.`);
    expect(readFileSync(copyIn(directory.path)).equals(content)).toBe(true);
  });

  test("a copy that is right is not written again", () => {
    using directory = temporaryDirectory();
    load(directory.path);
    const { lastModified } = Bun.file(copyIn(directory.path));
    expect(load(directory.path).available).toBe(true);
    expect(Bun.file(copyIn(directory.path)).lastModified).toBe(lastModified);
  });

  test("a new copy takes the place of those of other versions, and of halves that killed processes left", () => {
    using directory = temporaryDirectory();
    mkdirSync(join(directory.path, "lib"));
    for (const name of ["vec0-0123456789abcdef.so", "vec0-0123456789abcdef.so.4711", "notes.txt"])
      writeFileSync(join(directory.path, "lib", name), "words");
    expect(load(directory.path).available).toBe(true);
    expect(copyIn(directory.path)).not.toContain("0123456789abcdef");
    expect(readdirSync(join(directory.path, "lib"))).toContain("notes.txt");
  });

  const TAMPERED: [name: string, change: (content: Buffer) => Uint8Array][] = [
    ["with one other byte", (content) => content.with(content.length - 1, (content.at(-1) ?? 0) ^ 1)],
    ["cut short", (content) => content.subarray(0, 1000)],
    ["emptied", () => new Uint8Array()],
    ["replaced by words", () => new TextEncoder().encode("words")],
  ];
  for (const [name, change] of TAMPERED) {
    test(`a copy ${name} is replaced before it is loaded`, () => {
      using directory = temporaryDirectory();
      load(directory.path);
      const file = copyIn(directory.path);
      const content = readFileSync(file);
      chmodSync(file, 0o700);
      writeFileSync(file, change(content));
      expect(load(directory.path).available).toBe(true);
      expect(readFileSync(copyIn(directory.path)).equals(content)).toBe(true);
    });
  }

  test("nobody may write the copy, and nobody else may read it", () => {
    using directory = temporaryDirectory();
    load(directory.path);
    expect(statSync(copyIn(directory.path)).mode & 0o777).toBe(0o500);
  });
});

describe("without vectors", () => {
  test("a platform without the library is told so", () => {
    using directory = temporaryDirectory();
    const database = new Database(":memory:");
    expect(loadVectors(database, undefined, directory.path)).toEqual({
      available: false,
      reason: expect.stringContaining(process.platform),
    });
    database.close();
  });

  test("a library that is missing or is none is a reason, not a failure", () => {
    using directory = temporaryDirectory();
    const words = join(directory.path, "words.so");
    writeFileSync(words, "words");
    for (const from of [join(directory.path, "none.so"), words]) {
      expect(load(join(directory.path, "data"), from)).toEqual({
        available: false,
        reason: expect.any(String),
      });
    }
  });

  test("a data directory from which nothing can be loaded says why, and everything else works", async () => {
    using directory = temporaryDirectory();
    // As a directory mounted noexec would: what is put there cannot be used.
    writeFileSync(join(directory.path, "lib"), "in the way");
    const storage = await openStorageAt(directory.path);
    const { vectors, engine, bytes } = await storage.describe();
    expect(vectors).toEqual({ available: false, reason: expect.any(String) });
    expect(engine).toMatch(/^SQLite \d+\.\d+/);
    expect(bytes.database).toBeGreaterThan(0);
    const site = await addSite(storage.sites);
    const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
    const generation = await publishPages(storage.ingest, source, [stagedPage("a", "zebra")]);
    const query = { terms: ["zebra"], phrases: [], identifiers: [], prefix: undefined };
    expect(
      await openKeywords(storage).match(
        { audience: "everything", siteId: site.id, generation, filter: {} },
        query,
        10,
      ),
    ).toHaveLength(1);
    storage.close();
  });
});
