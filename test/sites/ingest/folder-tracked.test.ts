import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSkipped, type Skipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { namesIn } from "../../../src/reading/sources/folder/tracked-files.ts";
import { gitRepository, hasGit } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

async function read(root: string) {
  const pages: string[] = [];
  const skipped: Skipped[] = [];
  for await (const item of createFolderReader({ root, fileBytesMax: 1000 }).list(listContext()))
    if (isSkipped(item)) skipped.push(item);
    else pages.push(item.location);
  return { pages: pages.sort(), skipped };
}

async function write(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await Bun.write(join(folder, name), text);
  }
}

const FILES = {
  "index.md": "# A",
  ".gitignore": "made/\n*.draft.md\n",
  ".docentignore": "inner/\n",
  "made/kept.md": "# Kept",
  "made/inner/x.md": "# X",
  "a.draft.md": "# Draft",
};
const LATER = {
  "made/later.md": "# Later",
  "made/deep/more.md": "# More",
  "b.draft.md": "# B",
  "c.md": "# C",
};

describe.skipIf(!hasGit)("a folder that is a checkout", () => {
  test.each([2, 4])(
    "has what git tracks, whatever it ignores, by an index of version %d",
    async (version) => {
      using repository = gitRepository(FILES);
      repository.git("update-index", "--index-version", String(version));
      await write(repository.path, LATER);
      const { pages, skipped } = await read(repository.path);
      expect(pages).toEqual(["a.draft.md", "c.md", "index.md", "made/kept.md"]);
      expect(skipped).toEqual([
        {
          location: ".",
          found: "folder",
          reason: "assumed",
          detail:
            "has ignore files of git's: 3 files that could be pages are left out, in . (1), made (1), made/deep (1), since git does not track them",
          ignoredFiles: 3,
        },
      ]);
    },
  );

  test("is known as one where only a folder of it is read", async () => {
    using repository = gitRepository({
      "docs/index.md": "# A",
      "docs/.gitignore": "made.md\nother.md\n",
      "docs/made.md": "# M",
    });
    await write(repository.path, { "docs/other.md": "# O" });
    const { pages, skipped } = await read(join(repository.path, "docs"));
    expect(pages).toEqual(["index.md", "made.md"]);
    expect(skipped.map(({ ignoredFiles }) => ignoredFiles)).toEqual([1]);
  });
});

test("what git ignores of a folder that is no checkout is left out, and said where pages lie beside it", async () => {
  using folder = temporaryDirectory();
  await write(folder.path, { ...FILES, ...LATER, "vendor/x.md": "# X", ".gitignore": "made/\nvendor/\n" });
  const { pages, skipped } = await read(folder.path);
  expect(pages).toEqual(["a.draft.md", "b.draft.md", "c.md", "index.md"]);
  expect(skipped.map(({ ignoredFiles }) => ignoredFiles)).toEqual([4]);
});

test("what is no index of git's, or is cut off, says nothing", () => {
  const head = [..."DIRC"].map((letter) => letter.charCodeAt(0));
  for (const bytes of [
    [],
    [1, 2, 3],
    [...head, 0, 0, 0, 9, 0, 0, 0, 1],
    [...head, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1],
  ])
    expect(namesIn(new Uint8Array(bytes))).toBeUndefined();
});

test("an index whose names go on with one another, longer than any file's, is none", () => {
  const entry = (name: string) => [...new Uint8Array(62), 0, ...new TextEncoder().encode(name), 0];
  const index = (count: number, length: number) => {
    const head = new Uint8Array(12);
    head.set(new TextEncoder().encode("DIRC"));
    new DataView(head.buffer).setUint32(4, 4);
    new DataView(head.buffer).setUint32(8, count);
    return new Uint8Array([
      ...head,
      ...Array.from({ length: count }, () => entry("x".repeat(length))).flat(),
    ]);
  };
  expect(namesIn(index(3, 4))).toEqual(["xxxx", "xxxxxxxx", "xxxxxxxxxxxx"]);
  expect(namesIn(index(50, 100))).toBeUndefined();
});
