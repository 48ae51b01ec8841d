import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { createGitReader } from "../../../src/reading/sources/git/git.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { gitRepository, hasGit } from "../../helpers/git-repository.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const WRITTEN = '{"page": "a", "questions": ["How?"]}\n';
const FILES: Record<string, string> = {
  "a.md": "# A",
  "part/b.md": "# B",
  ".docent/questions.jsonl": WRITTEN,
  "part/.docent/questions.jsonl": "of the part",
};
const PARTS = Object.entries(FILES).map(([name, text]) => ({ name: `docs-1/${name}`, text }));

/** What stands beside the docs, and the pages. */
async function read(reader: SourceReader) {
  const found: string[] = [];
  const pages: string[] = [];
  const onWritten = (content: Uint8Array) => void found.push(new TextDecoder().decode(content));
  for await (const item of reader.list({ ...listContext(), onWritten }))
    if (!isSkipped(item)) pages.push(item.path);
  return { found, pages: pages.sort() };
}

const EXPECTED = { found: [WRITTEN], pages: ["a", "part/b"] };

test("questions beside docs are found in a folder, and are no page", async () => {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  expect(await read(createFolderReader({ root: folder.path, fileBytesMax: 1000 }))).toEqual(EXPECTED);
});

for (const [name, bytes] of [
  ["zip", zipBytes(PARTS)],
  ["tar.gz", gzipSync(tarBytes(PARTS))],
] as const)
  test(`questions beside docs are found in a ${name}`, async () => {
    using folder = temporaryDirectory();
    const file = join(folder.path, "archive.bin");
    writeFileSync(file, bytes);
    expect(await read(createArchiveReader({ file, fileBytesMax: 1000 }))).toEqual(EXPECTED);
  });

test.skipIf(!hasGit)(
  "questions beside docs are found in a repository, at the folder that is read",
  async () => {
    using repository = gitRepository(FILES);
    using cache = temporaryDirectory();
    const options = {
      location: repository.path,
      cacheFolder: cache.path,
      fileBytesMax: 1000,
      environment: process.env,
      allowsLocal: true,
      privateHosts: ["127.0.0.1"],
      certificateAuthorities: [],
      resolve: async () => ["127.0.0.1"],
    };
    expect(await read(createGitReader(options))).toEqual(EXPECTED);
    expect((await read(createGitReader({ ...options, subfolder: "part" }))).found).toEqual(["of the part"]);
  },
);
