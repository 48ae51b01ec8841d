import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { createOpenApiReader } from "../../../src/reading/sources/openapi/openapi.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { failingEmbedder } from "../../helpers/failing-embedder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const operation = (summary: string) => ({ get: { summary, operationId: summary, responses: {} } });
const api = (...names: string[]) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: Object.fromEntries(names.map((name) => [`/${name}`, operation(name)])),
  });

const BROKEN = '{"openapi": "3.1.0", "paths": {';

/** A folder with a description of an API in it, and a guide of it beside the operations. */
function docsFolder() {
  const folder = temporaryDirectory();
  const docs = join(folder.path, "docs");
  const texts: Record<string, string> = {};
  const write = (name: string, text: string) => {
    texts[name] = text;
    writeFileSync(join(docs, name), text);
  };
  mkdirSync(join(docs, "api"), { recursive: true });
  write("index.md", "# Home\n\nzebra");
  write("api/guide.md", "# Guide\n\nlion");
  write("openapi.json", api("cats", "dogs"));
  return {
    write,
    folder: (): SourceReader => createFolderReader({ root: docs, fileBytesMax: 1_000_000 }),
    /** The same files as an archive. */
    archive(form: "tar" | "zip"): SourceReader {
      const file = join(folder.path, `docs.${form}`);
      const parts = Object.entries(texts).map(([name, text]) => ({ name, text }));
      writeFileSync(file, form === "tar" ? tarBytes(parts) : zipBytes(parts));
      return createArchiveReader({ file, fileBytesMax: 1_000_000 });
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const paths = (it: Awaited<ReturnType<typeof openIngestSite>>) =>
  it.storage.database
    .query<{ path: string }, []>("SELECT path FROM pages WHERE died IS NULL ORDER BY path")
    .all()
    .map(({ path }) => path);

const ALL = ["", "api", "api/cats", "api/dogs", "api/guide"];

describe("a description of an API in a folder that can no longer be read", () => {
  test("leaves its pages as they were, and the ledger says why of each", async () => {
    using docs = docsFolder();
    using it = await openIngestSite();
    await it.run(docs.folder());
    expect(paths(it)).toEqual(ALL);
    const before = it.content();
    docs.write("openapi.json", BROKEN);
    expect(await it.run(docs.folder())).toMatchObject({ removed: 0, unchanged: 2, generation: 1 });
    expect(it.content()).toEqual(before);
    expect(await it.decisions()).toEqual({
      "index.md": "unchanged",
      "api/guide.md": "unchanged",
      "openapi.json": "kept parse_fault",
      "openapi.json#/paths/~1cats/get": "kept parse_fault",
      "openapi.json#/paths/~1dogs/get": "kept parse_fault",
    });
  });

  for (const form of ["folder", "tar", "zip"] as const) {
    test(`beside another one is a fault of its own, and one that can be read a duplicate, in a ${form}`, async () => {
      using docs = docsFolder();
      using it = await openIngestSite();
      docs.write("openapi.yaml", "openapi: 3.1.0\npaths: {}\n");
      docs.write("swagger.json", BROKEN);
      await it.run(form === "folder" ? docs.folder() : docs.archive(form));
      const { "openapi.yaml": second, "swagger.json": broken } = await it.decisions();
      expect([second, broken]).toEqual(["skipped duplicate", "skipped parse_fault"]);
      expect(paths(it)).toEqual(ALL);
    });
  }

  test("is read when it can be read again: what it lacks then is removed", async () => {
    using docs = docsFolder();
    using it = await openIngestSite();
    await it.run(docs.folder());
    docs.write("openapi.json", BROKEN);
    await it.run(docs.folder());
    docs.write("openapi.json", api("cats", "birds"));
    expect(await it.run(docs.folder())).toMatchObject({ added: 1, removed: 1 });
    expect(paths(it)).toEqual(["", "api", "api/birds", "api/cats", "api/guide"]);
  });

  test("holds nothing back that is read beside its operations", async () => {
    using docs = docsFolder();
    using it = await openIngestSite();
    await it.run(docs.folder());
    docs.write("openapi.json", BROKEN);
    docs.write("api/guide.md", "# Guide\n\ntiger");
    expect(await it.run(docs.folder())).toMatchObject({ changed: 1, removed: 0 });
    expect(await it.page("api/guide")).toEqual(["# Guide\n\ntiger"]);
  });

  test("does not count as pages that are gone", async () => {
    using docs = docsFolder();
    using it = await openIngestSite();
    docs.write("openapi.json", api(...Array.from({ length: 30 }, (_, index) => `pet${index}`)));
    await it.run(docs.folder());
    docs.write("openapi.json", BROKEN);
    docs.write("index.md", "# Home\n\nwolf");
    expect(await it.run(docs.folder())).toMatchObject({ changed: 1, removed: 0 });
  });

  test("leaves also what only an interrupted run had read of it", async () => {
    using docs = docsFolder();
    using it = await openIngestSite();
    await appErrorOf(() => it.run(docs.folder(), {}, {}, failingEmbedder()));
    docs.write("openapi.json", BROKEN);
    expect(await it.run(docs.folder())).toMatchObject({ added: 5, resumed: true });
    expect(paths(it)).toEqual(ALL);
  });

  test.each(["tar", "zip"] as const)("leaves its pages in a %s as well", async (form) => {
    using docs = docsFolder();
    using it = await openIngestSite();
    await it.run(docs.archive(form));
    docs.write("openapi.json", BROKEN);
    docs.write("index.md", "# Home\n\nwolf");
    expect(await it.run(docs.archive(form))).toMatchObject({ changed: 1, removed: 0 });
    expect(paths(it)).toEqual(ALL);
  });
});

describe("an OpenAPI source whose file can no longer be read", () => {
  test("changes nothing, and the run says what is wrong", async () => {
    using it = await openIngestSite();
    const reader = (text: string) =>
      createOpenApiReader({
        location: "/openapi.json",
        found: "openapi",
        read: async () => new TextEncoder().encode(text),
      });
    const spec = { kind: "openapi", location: "/openapi.json" } as const;
    await it.run(reader(api("cats", "dogs")), spec);
    const before = it.content();
    const error = await appErrorOf(() => it.run(reader(BROKEN), spec));
    expect([error.code, error.hint]).toEqual(["invalid_request", expect.stringContaining("still there")]);
    expect([it.content(), await it.generation()]).toEqual([before, 1]);
    expect(await it.lastRun(spec)).toMatchObject({ outcome: "failed" });
  });
});
