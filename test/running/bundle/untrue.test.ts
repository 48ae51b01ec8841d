import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BundleFile,
  blobPath,
  type Manifest,
  manifestText,
  PIECE_BYTES_MAX,
  piecePath,
  sha256Of,
  sumsText,
} from "../../../src/running/archive/manifest.ts";
import { writeBundle } from "../../../src/running/archive/write.ts";
import {
  type Bundle,
  installBundle,
  installedIn,
  modelsFolder,
  openBundle,
} from "../../../src/running/bundle/bundle.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { contentOf, never } from "./bundle-under-test.ts";

let folder: ReturnType<typeof temporaryDirectory>;
const at = (...names: string[]) => join(folder.path, ...names);
beforeAll(() => {
  folder = temporaryDirectory();
});
afterAll(() => folder[Symbol.dispose]());
beforeEach(() => rmSync(at("there"), { recursive: true, force: true }));

const WEIGHTS = "weights of a model";
const TEMPLATE = "{{ .Prompt }}";
const PLACE = "models/manifests/registry.ollama.ai/library/tiny/latest";
const layer = (text: string) => ({ mediaType: "x", digest: `sha256:${sha256Of(text)}`, size: text.length });
const MODEL = JSON.stringify({ config: layer(TEMPLATE), layers: [layer(WEIGHTS)] });
const SOUND = {
  [PLACE]: MODEL,
  [blobPath(sha256Of(WEIGHTS))]: WEIGHTS,
  [blobPath(sha256Of(TEMPLATE))]: TEMPLATE,
  "bin/docent": "a program",
  LICENSE: "as you like",
};
const TINY = { name: "tiny", manifest: PLACE, layers: [sha256Of(WEIGHTS), sha256Of(TEMPLATE)] };

/** A bundle that is sound but for what its manifest claims: whoever makes one by hand can write this. */
async function bundleOf(texts: Record<string, string>, claims: Partial<Manifest> = {}): Promise<Bundle> {
  const files = Object.entries(texts).map(([path, text]) => {
    const content = new TextEncoder().encode(text);
    const file: BundleFile = { path, bytes: content.length, sha256: sha256Of(content), isCarried: true };
    return { file, content };
  });
  const manifest = {
    madeAt: "2026-01-01T00:00:00Z",
    docent: "0.1.0 (test)",
    platform: null,
    since: null,
    files: files.map(({ file }) => file),
    database: null,
    models: [TINY],
    ...claims,
  };
  await writeBundle(at("bundle"), {
    manifest: new TextEncoder().encode(manifestText(manifest)),
    signature: undefined,
    sums: new TextEncoder().encode(sumsText(manifest)),
    files,
    at: 0,
  });
  return openBundle(at("bundle"));
}

const install = (bundle: Bundle) =>
  installBundle(bundle, {
    folder: at("there/data"),
    binary: at("there/docent"),
    database: undefined,
    signedBy: undefined,
    takesOlder: false,
    models: modelsFolder(at("there/models")),
    signal: never,
    onStep() {},
  });

describe("a bundle whose manifest is not true", () => {
  test("is refused: a part of a model under the digest of another", async () => {
    const texts = { ...SOUND, [blobPath(sha256Of(WEIGHTS))]: "something else" };
    await expect(bundleOf(texts)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("is not what belongs there"),
    });
  });

  test("is refused: a model that would be installed under another name than it has", async () => {
    await expect(bundleOf(SOUND, { models: [{ ...TINY, name: "other" }] })).rejects.toThrow("belongs there");
    await expect(bundleOf(SOUND, { models: [{ ...TINY, name: "../x" }] })).rejects.toThrow("no name");
  });

  test("is refused: a piece of a database that is larger than pieces are", async () => {
    const [large, whole] = ["x".repeat(PIECE_BYTES_MAX + 1), "x".repeat(PIECE_BYTES_MAX)];
    const database = (text: string) => ({
      bytes: text.length,
      sha256: sha256Of(text),
      pieces: [sha256Of(text)],
    });
    const withPiece = (text: string) =>
      bundleOf({ ...SOUND, [piecePath(sha256Of(text))]: text }, { database: database(text) });
    await expect(withPiece(large)).rejects.toThrow("belongs there");
    await withPiece(whole);
  });

  test("is refused: a file in the place where the database is put together", async () => {
    for (const name of ["database.db", "Database.DB"])
      await expect(bundleOf({ ...SOUND, [name]: "another database" })).rejects.toThrow("belongs there");
  });

  test("is refused: a database that is larger, or smaller, than its pieces", async () => {
    const piece = sha256Of("piece");
    for (const bytes of [0, 1_000_000])
      await expect(
        bundleOf(
          { ...SOUND, [piecePath(piece)]: "piece" },
          { database: { bytes, sha256: piece, pieces: [piece, piece] } },
        ),
      ).rejects.toThrow("the size of the database is not what belongs there");
  });

  test("does not say by itself who signed it", async () => {
    await install(await bundleOf({ ...SOUND, "signed-by.txt": "0".repeat(64) }));
    expect(await installedIn(at("there/data"))).toMatchObject({ signedBy: undefined });
  });

  test("is taken back: a model with parts that it does not bring", async () => {
    const bundle = await bundleOf(SOUND, { models: [{ ...TINY, layers: [sha256Of(WEIGHTS)] }] });
    await expect(install(bundle)).rejects.toThrow("parts of the model tiny are not in it");
    expect(Object.keys(contentOf(at("there")))).toEqual([]);
  });
});

describe("a bundle that is changed after it was checked", () => {
  test("installs as it was", async () => {
    const bundle = await bundleOf(SOUND);
    await bundle.check(never);
    await install(bundle);
    expect(readFileSync(at("there/docent"), "utf8")).toBe("a program");
    expect(readFileSync(at("there/models/blobs", `sha256-${sha256Of(WEIGHTS)}`), "utf8")).toBe(WEIGHTS);
  });

  for (const path of Object.keys(SOUND))
    test(`is refused, and nothing is left of it: ${path}`, async () => {
      const bundle = await bundleOf(SOUND);
      await bundle.check(never);
      const bytes = readFileSync(at("bundle"));
      const { from } = bundle.spanOf(path);
      bytes[from] = (bytes[from] ?? 0) ^ 1;
      writeFileSync(at("bundle"), bytes);
      await expect(install(bundle)).rejects.toThrow("is not what the manifest says");
      expect(Object.keys(contentOf(at("there")))).toEqual([]);
      expect(existsSync(at("there/docent"))).toBe(false);
    });
});
