import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 as referenceCrc } from "node:zlib";
import { crc32, ZIP_FILES_MAX, zipFiles } from "../../../src/faces/dashboard/kit/upload/zip.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** A folder that all of them are in is left away by who reads it. */
const FILES: Record<string, string> = {
  "docs/index.md": "# Home",
  "docs/guide/über größe/安装.md": "Größe \u{1F600}",
  "docs/empty.md": "",
  "docs/large.txt": "line\n".repeat(100_000),
};
const packed = (files: Record<string, string>) =>
  zipFiles(Object.entries(files).map(([path, text]) => ({ path, content: new Blob([text]) })));

async function written(folder: string, blob: Blob): Promise<string> {
  const file = join(folder, "docs.zip");
  writeFileSync(file, new Uint8Array(await blob.arrayBuffer()));
  return file;
}

describe("a zip that the browser makes", () => {
  test("is read back, byte for byte, by the reader of archives", async () => {
    using folder = temporaryDirectory();
    const file = await written(folder.path, await packed(FILES));
    const read: Record<string, string> = {};
    for await (const item of createArchiveReader({ file, fileBytesMax: 10_000_000 }).list(listContext())) {
      if (!isSkipped(item)) read[`docs/${item.location}`] = new TextDecoder().decode(await item.read());
    }
    expect(read).toEqual(FILES);
  });

  test("is sound to other programs that read zips, of those that are here", async () => {
    using folder = temporaryDirectory();
    const file = await written(folder.path, await packed(FILES));
    for (const [name, ...words] of [
      ["unzip", "-tqq", file],
      ["python3", "-m", "zipfile", "-t", file],
    ]) {
      const program = Bun.which(name ?? "");
      if (program === null) continue;
      const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...words]);
      const said = stdout.toString() + stderr.toString();
      expect([exitCode, /bad|corrupt|warning/i.test(said)], said).toEqual([0, false]);
    }
  });

  test("is the same for the same files, whenever it is made", async () => {
    const [one, other] = await Promise.all([packed(FILES), packed(FILES)]);
    expect(await one.bytes()).toEqual(await other.bytes());
  });

  test("of nothing is a zip as well, and more files than one holds are refused", async () => {
    expect((await packed({})).size).toBe(22);
    const content = new Blob([]);
    const many = Array.from({ length: ZIP_FILES_MAX + 1 }, (_, index) => ({ path: String(index), content }));
    await expect(zipFiles(many)).rejects.toBeInstanceOf(RangeError);
  });

  test("tells how far it is, and is given up when that is asked", async () => {
    const seen: number[] = [];
    const content = new Blob(["x"]);
    const files = ["a", "b", "c"].map((path) => ({ path, content }));
    await zipFiles(files, { onProgress: (count) => seen.push(count) });
    expect(seen).toEqual([1, 2, 3]);
    await expect(zipFiles(files, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

test("the checksum is that of every zip", () => {
  for (const text of ["", "a", "123456789", "Größe \u{1F600}".repeat(1000)]) {
    const bytes = new TextEncoder().encode(text);
    expect(crc32(bytes)).toBe(referenceCrc(bytes));
  }
});
