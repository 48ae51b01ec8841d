import { expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

async function read(root: string) {
  const reader = createFolderReader({ root, fileBytesMax: 1000 });
  return Array.fromAsync(reader.list(listContext()));
}

test("a link to nothing is left out, and said to be one", async () => {
  using folder = temporaryDirectory();
  writeFileSync(join(folder.path, "a.md"), "# A");
  symlinkSync(join(folder.path, "nothing.md"), join(folder.path, "b.md"));
  const items = await read(folder.path);
  expect(items.filter(isSkipped)).toEqual([
    { location: "b.md", found: "folder", reason: "not_found", detail: "is a link to nothing" },
  ]);
});

test.skipIf(process.platform !== "linux")("a name that is no text does not end the run", async () => {
  using folder = temporaryDirectory();
  writeFileSync(join(folder.path, "a.md"), "# A");
  const name = Buffer.concat([Buffer.from(join(folder.path, "b")), Buffer.from([0xff]), Buffer.from(".md")]);
  writeFileSync(name, "# B");
  const items = await read(folder.path);
  expect(items).toHaveLength(2);
  expect(items.filter(isSkipped).map(({ detail }) => detail)).toEqual([
    "has a name that is not UTF-8, or is gone",
  ]);
});
