import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestPlace, manifestText, readManifest } from "../../../src/running/archive/manifest.ts";
import { cutIntoPieces } from "../../../src/running/archive/pieces.ts";
import { readTarHeader, tarHeader } from "../../../src/running/archive/tar.ts";
import { cycloneDx, makeKeyPair, openBundle, readBase, spdx } from "../../../src/running/bundle/bundle.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { bytesWithoutPattern, makeSmall, never, write, writeModel } from "./bundle-under-test.ts";

let folder: ReturnType<typeof temporaryDirectory>;
const at = (...names: string[]) => join(folder.path, ...names);
const keys = makeKeyPair();
beforeAll(async () => {
  folder = temporaryDirectory();
  writeModel(at("models"), "tiny");
  write(at("docent"), "#!/bin/sh\necho docent\n");
  write(at("docent.db"), bytesWithoutPattern(2_000_000, "database"));
  await makeSmall(at("whole"), {
    binary: { file: at("docent"), bytes: 22, platform: undefined },
    database: at("docent.db"),
    models: { folder: at("models"), names: ["tiny"] },
    privateKey: keys.privateKey,
  });
});
afterAll(() => folder[Symbol.dispose]());

/** What checking a bundle comes to: undefined where it is sound. */
async function faultOf(file: string): Promise<string | undefined> {
  try {
    const bundle = await openBundle(file);
    await bundle.check(never);
    return bundle.isSignedBy(keys.publicKey) ? undefined : "not signed";
  } catch (error) {
    return String(error);
  }
}

function changed(name: string, change: (bytes: Buffer) => Buffer | undefined): string {
  const bytes = readFileSync(at("whole"));
  writeFileSync(at(name), change(bytes) ?? bytes);
  return at(name);
}

/** The sum of a header's bytes as its format defines it, with blanks in its own place. */
function sumWithBlanks(header: Uint8Array): string {
  const bytes = Buffer.from(header).fill(" ", 148, 156);
  return bytes
    .reduce((sum, byte) => sum + byte, 0)
    .toString(8)
    .padStart(6, "0");
}

describe("a bundle", () => {
  test("is sound as it was made, and an ordinary archive", async () => {
    expect(await faultOf(at("whole"))).toBeUndefined();
    const listed = Bun.spawnSync(["tar", "-tf", at("whole")])
      .stdout.toString()
      .split("\n");
    expect(listed).toEqual(
      expect.arrayContaining(["manifest.json", "manifest.sig", "SHA256SUMS", "bin/docent", "docs/index.md"]),
    );
  });

  test("is the same of the same things", async () => {
    await makeSmall(at("one"));
    await makeSmall(at("other"));
    expect(readFileSync(at("one")).equals(readFileSync(at("other")))).toBe(true);
  });

  test("with any one byte changed is refused", async () => {
    const bytes = readFileSync(at("whole"));
    const { manifest, spanOf } = await openBundle(at("whole"));
    const places = manifest.files.map(({ path }) => spanOf(path).from);
    for (const place of [600, 1000, bytes.indexOf("manifest.sig"), bytes.indexOf("SHA256SUMS"), ...places]) {
      const file = changed("flipped", (all) => {
        all[place] = (all[place] ?? 0) ^ 1;
        return all;
      });
      expect([place, await faultOf(file)]).not.toEqual([place, undefined]);
    }
  });

  test("that ends too early is refused, wherever it ends", async () => {
    const size = readFileSync(at("whole")).length;
    for (const end of [0, 100, 512, 5000, Math.floor(size / 2), size - 1025, size - 1024]) {
      const file = changed("short", () => undefined);
      truncateSync(file, end);
      expect([end, await faultOf(file)]).not.toEqual([end, undefined]);
    }
  });

  test("is not signed with another key, nor without one", async () => {
    const bundle = await openBundle(at("whole"));
    expect(bundle.isSignedBy(makeKeyPair().publicKey)).toBe(false);
    await makeSmall(at("unsigned"));
    const unsigned = await openBundle(at("unsigned"));
    expect([unsigned.isSigned, unsigned.isSignedBy(keys.publicKey)]).toEqual([false, false]);
  });

  test("holds nothing that its manifest does not name", async () => {
    const file = changed("more", (bytes) =>
      Buffer.concat([
        bytes.subarray(0, bytes.length - 1024),
        tarHeader({ path: "docs/more.md", bytes: 0 }, { mode: 0o644, at: 0 }),
        new Uint8Array(1024),
      ]),
    );
    expect(await faultOf(file)).toContain("docs/more.md is not what the manifest says");
  });

  test.each([
    ["../etc/passwd"],
    ["/etc/passwd"],
    ["docs/../../x"],
    ["docs//x"],
    ["docs\\x"],
    ["./x"],
    ["a b"],
  ])("has no file at %s", (path) => {
    const files = [{ path, bytes: 0, sha256: "0".repeat(64), isCarried: true }];
    const manifest = {
      madeAt: "2026-01-01T00:00:00Z",
      docent: "",
      platform: null,
      since: null,
      database: null,
    };
    expect(() => readManifest(manifestText({ ...manifest, files, models: [] }))).toThrow("cannot be read");
  });

  test("has headers with the sum of their bytes, as tar has it: six digits, a zero and a blank", () => {
    for (const bytes of [0, 511, 8 * 1024 ** 3])
      for (const mode of [0o644, 0o755]) {
        const header = Buffer.from(tarHeader({ path: "docs/x", bytes }, { mode, at: 1_700_000_000_000 }));
        expect(header.toString("latin1", 148, 156)).toBe(`${sumWithBlanks(header)}\0 `);
      }
  });

  test("has no header of which a byte was changed", () => {
    const header = tarHeader({ path: "docs/x", bytes: 511 }, { mode: 0o644, at: 0 });
    const accepted = [...header.keys()].filter((position) => {
      const other = Buffer.from(header);
      other[position] = (header[position] ?? 0) ^ 1;
      try {
        return readTarHeader(other) !== undefined;
      } catch {
        return false;
      }
    });
    // What ends the sum is read as nothing, whatever it is.
    expect(accepted.filter((position) => position < 154 || position > 155)).toEqual([]);
  });

  test("of another network's links and folders is none", () => {
    for (const type of ["1", "2", "5", "x", "L"]) {
      const header = Buffer.from(tarHeader({ path: "docs/x", bytes: 0 }, { mode: 0o644, at: 0 }));
      header.write(type, 156, "ascii");
      header.write(sumWithBlanks(header), 148, "ascii");
      expect(() => readTarHeader(header)).toThrow("damaged, or is none");
    }
  });

  test("has files of any size, and long paths", () => {
    for (const bytes of [0, 511, 8 * 1024 ** 3 - 1, 8 * 1024 ** 3, 900 * 1024 ** 3])
      for (const path of ["x", `models/${"a".repeat(60)}/${"b".repeat(90)}`])
        expect(readTarHeader(tarHeader({ path, bytes }, { mode: 0o644, at: 0 }))).toEqual({ path, bytes });
  });

  test("refuses a model that is not whole, or damaged", async () => {
    const lost = { models: { folder: at("models"), names: ["other"] } };
    await expect(makeSmall(at("lost"), lost)).rejects.toMatchObject({ code: "not_found" });
    const weights = writeModel(at("damaged"), "tiny");
    writeFileSync(at("damaged", "blobs", `sha256-${weights}`), "something else");
    const damaged = { models: { folder: at("damaged"), names: ["tiny"] } };
    await expect(makeSmall(at("lost"), damaged)).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a bundle that builds on another", () => {
  test("carries only what has changed of what is large", async () => {
    const database = readFileSync(at("docent.db"));
    // Some pages come in at the front, and one changes in the middle.
    const later = Buffer.concat([bytesWithoutPattern(4096 * 3, "pages that come in"), database]);
    later.fill(7, 4096 * 200, 4096 * 201);
    write(at("later.db"), later);
    const since = await readBase(at("whole"));
    const { manifest, bytes } = await makeSmall(at("later"), {
      database: at("later.db"),
      models: { folder: at("models"), names: ["tiny"] },
      since,
    });
    expect(manifest.since).toBe(since.id);
    const left = manifest.files.filter(({ isCarried }) => !isCarried);
    expect(left.filter(({ path }) => path.startsWith("models/blobs/"))).toHaveLength(1);
    expect(bytes).toBeLessThan(1_500_000);
    expect(left.filter(({ path }) => path.startsWith("database/")).length).toBeGreaterThan(0);
    expect((await openBundle(at("later"))).manifest).toEqual(manifest);
  });

  test("may be made with the manifest of the other alone", async () => {
    const { manifestBytes, id } = await openBundle(at("whole"));
    write(at("old.json"), manifestBytes);
    expect((await readBase(at("old.json"))).id).toBe(id);
  });
});

test("a database is cut at the same pages where some were added before them", async () => {
  const before = await cutIntoPieces(at("docent.db"));
  write(
    at("moved.db"),
    Buffer.concat([bytesWithoutPattern(4096, "a page that comes in"), readFileSync(at("docent.db"))]),
  );
  const after = (await cutIntoPieces(at("moved.db"))).map(({ sha256 }) => sha256);
  const same = before.filter(({ sha256 }) => after.includes(sha256));
  expect(same.length).toBeGreaterThan(before.length / 2);
  expect(before.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(2_000_000);
});

test.each([
  ["llama3.2", "registry.ollama.ai/library/llama3.2/latest"],
  ["llama3.2:3b", "registry.ollama.ai/library/llama3.2/3b"],
  ["me/mine:q4", "registry.ollama.ai/me/mine/q4"],
  ["hf.co/them/theirs:Q4_K_M", "hf.co/them/theirs/Q4_K_M"],
])("Ollama keeps the manifest of %s at %s", (name, place) => {
  expect(manifestPlace(name)).toBe(place);
});

test.each(["../../etc", "a/b/c/d", "", "a:b:c", "/a"])("%p names no model", (name) => {
  expect(() => manifestPlace(name)).toThrow("no name of a model");
});

test("bills of materials name every package, with its licence and digest, the same each time", () => {
  const bill = { version: "0.1.0 (test)", at: Date.parse("2026-01-01") };
  const text = JSON.stringify([cycloneDx(bill), spdx(bill)]);
  expect(JSON.stringify([cycloneDx(bill), spdx(bill)])).toBe(text);
  for (const wanted of [
    "pkg:npm/zod@",
    "pkg:npm/bun@1.4.5",
    '"specVersion":"1.6"',
    '"spdxVersion":"SPDX-2.3"',
  ])
    expect(text).toContain(wanted);
  const ids = [...text.matchAll(/"SPDXID":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(40);
});
