import { describe, expect, test } from "bun:test";
import { renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

/** Lists the folder at so many milliseconds after its file was written. */
async function validatorsOf(root: string, afterMs: number): Promise<(string | undefined)[]> {
  const writtenMs = statSync(join(root, "a.md")).ctimeMs;
  const reader = createFolderReader({ root, fileBytesMax: 1000, clock: () => writtenMs + afterMs });
  const items = await Array.fromAsync(reader.list(listContext()));
  return items.map((item) => (isSkipped(item) ? "skipped" : item.validator));
}

describe("what names a file's revision", () => {
  test("it is the same as long as the file is", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.md"), "one");
    const [first] = await validatorsOf(folder.path, 10_000);
    expect(first).toBeString();
    expect(await validatorsOf(folder.path, 99_000)).toEqual([first]);
  });

  test("a file that was written just now has none: the next write could leave the same times", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.md"), "one");
    expect(await validatorsOf(folder.path, 0)).toEqual([undefined]);
    expect(await validatorsOf(folder.path, 1_999)).toEqual([undefined]);
    expect(await validatorsOf(folder.path, -60_000)).toEqual([undefined]);
  });

  test("new content of the same length whose time was put back has another one", async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "a.md");
    writeFileSync(file, "one");
    const { atime, mtime } = statSync(file);
    const before = await validatorsOf(folder.path, 10_000);
    writeFileSync(file, "two");
    utimesSync(file, atime, mtime);
    expect(await validatorsOf(folder.path, 10_000)).not.toEqual(before);
  });

  test("another file in its place has another one", async () => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, "a.md"), "one");
    writeFileSync(join(folder.path, ".b"), "two");
    const before = await validatorsOf(folder.path, 10_000);
    renameSync(join(folder.path, ".b"), join(folder.path, "a.md"));
    expect(await validatorsOf(folder.path, 10_000)).not.toEqual(before);
  });
});
