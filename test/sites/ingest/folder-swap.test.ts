import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSkipped, type Skipped, type SourceItem } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { readFileWithin } from "../../../src/reading/sources/open-file.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const SECRET = "# Outside\n\nThe secret of somebody else.\n";

/** A folder of docs, and one beside it that is not to be read. */
function twoFolders() {
  const parent = temporaryDirectory();
  const docs = join(parent.path, "docs");
  const outside = join(parent.path, "outside");
  for (const folder of [docs, outside]) mkdirSync(join(folder, "sub"), { recursive: true });
  for (const name of ["a.md", "sub/b.md", "openapi.json"]) {
    writeFileSync(join(docs, name), "# Inside\n\nWhat everybody may read.\n");
    writeFileSync(join(outside, name), SECRET);
  }
  return { docs, outside, [Symbol.dispose]: () => parent[Symbol.dispose]() };
}

/** Puts a link in the place of something, at once, as a program does that races with a run. */
function swap(place: string, target: string): void {
  symlinkSync(target, `${place}.link`);
  rmSync(place, { recursive: true, force: true });
  renameSync(`${place}.link`, place);
}

/** All that a run learns of a folder: what it lists, and what it reads. A page that cannot be read says why. */
async function learned(items: readonly (SourceItem | Skipped)[]): Promise<string> {
  const texts = items.map(async (item) => {
    if (isSkipped(item)) return `${item.location} ${item.detail}`;
    const content = await item.read().catch((error: unknown) => new TextEncoder().encode(String(error)));
    return `${item.location} ${new TextDecoder().decode(content)}`;
  });
  return (await Promise.all(texts)).join("\n");
}

/** Lists a folder, with something that happens as its first file is looked at: before any folder in it is opened. */
async function listWhile(root: string, happens: () => void) {
  let once: (() => void) | undefined = happens;
  const clock = () => {
    once?.();
    once = undefined;
    return Date.now();
  };
  return Array.fromAsync(createFolderReader({ root, fileBytesMax: 1000, clock }).list(listContext()));
}

describe("what is swapped for a way out of a folder between two looks at it", () => {
  test("a file is not read through the link that took its place", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    swap(join(docs, "a.md"), join(outside, "a.md"));
    const text = await learned(items);
    expect(text).not.toContain("secret");
    expect(text).toContain("sub/b.md # Inside");
  });

  test("a description of an API is not", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    writeFileSync(
      join(outside, "openapi.json"),
      '{"openapi":"3.0.0","info":{"title":"The secret"},"paths":{}}',
    );
    const swapped = () => swap(join(docs, "openapi.json"), join(outside, "openapi.json"));
    expect(await learned(await listWhile(docs, swapped))).not.toContain("secret");
  });

  test("a file is not read through a folder that became a link", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    swap(join(docs, "sub"), join(outside, "sub"));
    expect(await learned(items)).not.toContain("secret");
  });

  test("nothing is read where the folder itself became a link", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    swap(docs, outside);
    expect(await learned(items)).not.toContain("secret");
  });

  test("a link to a file inside is not read where that, or its folder, became a way out", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    symlinkSync("sub/b.md", join(docs, "same.md"));
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    expect(await learned(items)).toContain("same.md # Inside");
    swap(join(docs, "sub"), join(outside, "sub"));
    expect(await learned(items)).not.toContain("secret");
  });

  test("not even the names in a folder are learned through the link that took its place", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    writeFileSync(join(outside, "sub", "the-secret-plan.md"), SECRET);
    const listing = appErrorOf(() =>
      listWhile(docs, () => swap(join(docs, "sub"), join(outside, "sub"))).then(learned),
    );
    const { code, message } = await listing;
    expect([code, message]).toEqual(["unavailable", expect.stringContaining(join(docs, "sub"))]);
    expect(message).not.toContain("secret");
  });

  test("a file of the same name that took its place is read: it is the folder's", async () => {
    using folders = twoFolders();
    const { docs } = folders;
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    writeFileSync(join(docs, "new"), "# Newer\n");
    renameSync(join(docs, "new"), join(docs, "a.md"));
    expect(await learned(items)).toContain("a.md # Newer");
  });

  test("a second name of a file is the file: who may give it one may read it already", async () => {
    using folders = twoFolders();
    const { docs } = folders;
    linkSync(join(docs, "a.md"), join(docs, "again.md"));
    expect(await learned(await listWhile(docs, () => {}))).toContain("again.md # Inside");
  });
});

describe.skipIf(process.platform === "win32")("what is no file", () => {
  test("does not hold a run up where a file was a moment ago: a pipe would be waited for without an end", async () => {
    using folders = twoFolders();
    const { docs } = folders;
    const items = await Array.fromAsync(
      createFolderReader({ root: docs, fileBytesMax: 1000 }).list(listContext()),
    );
    rmSync(join(docs, "a.md"));
    expect(Bun.spawnSync(["mkfifo", join(docs, "a.md")]).exitCode).toBe(0);
    expect(await learned(items)).toContain("a.md cannot be read");
  });

  test("is no source: a pipe, a device, a folder", async () => {
    using folders = twoFolders();
    const { docs } = folders;
    const pipe = join(docs, "docs.zip");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    for (const file of [pipe, "/dev/zero", join(docs, "sub")]) {
      const reader = createArchiveReader({ file, fileBytesMax: 1000 });
      expect((await appErrorOf(() => Array.fromAsync(reader.list(listContext())))).code).toBe("not_found");
      expect((await appErrorOf(() => readFileWithin(file, 1000))).code).toBe("unavailable");
    }
  });
});

describe("a place that an admin key named", () => {
  /** The same rule as that of the roots of sources: what lies below this folder. */
  const zipOf = (text: string) =>
    zipBytes(["a.md", "b.md"].map((name) => ({ name, text: `${text}, in ${name}\n` })));
  const below = (root: string) => (place: string) => place === root || place.startsWith(`${root}/`);

  test("is looked at again when it is opened: the folder may have become a link since it was checked", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const isInside = below(docs);
    const reader = createFolderReader({ root: join(docs, "sub"), fileBytesMax: 1000, isInside });
    expect(await learned(await Array.fromAsync(reader.list(listContext())))).toContain("Inside");
    swap(join(docs, "sub"), join(outside, "sub"));
    const { code, message } = await appErrorOf(() => Array.fromAsync(reader.list(listContext())));
    expect([code, message]).toEqual(["forbidden", expect.stringContaining("source_roots")]);
  });

  test("as an archive is not read through a link out, not even one that was put there while it is read", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const file = join(docs, "docs.zip");
    const other = join(outside, "docs.zip");
    writeFileSync(file, zipOf("# Inside"));
    writeFileSync(other, zipOf("# Secret"));
    const reader = createArchiveReader({ file, fileBytesMax: 1000, isInside: below(docs) });
    const items = await Array.fromAsync(reader.list(listContext()));
    expect(await learned(items)).toContain("# Inside, in b.md");
    swap(file, other);
    const text = await learned(items);
    expect(text).toContain("source_roots");
    expect(text).not.toContain("# Secret");
    expect((await appErrorOf(() => Array.fromAsync(reader.list(listContext())))).code).toBe("forbidden");
  });

  test("as a file is not read through a link out", async () => {
    using folders = twoFolders();
    const { docs, outside } = folders;
    const file = join(docs, "openapi.json");
    expect(new TextDecoder().decode(await readFileWithin(file, 1000, below(docs)))).toContain("Inside");
    swap(file, join(outside, "openapi.json"));
    expect((await appErrorOf(() => readFileWithin(file, 1000, below(docs)))).code).toBe("forbidden");
  });
});
