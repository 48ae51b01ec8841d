import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkArchive } from "../../../src/reading/sources/archive/archive.ts";
import { parsePax } from "../../../src/reading/sources/archive/tar.ts";
import { paxLine, tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

async function check(bytes: Uint8Array): Promise<void> {
  using folder = temporaryDirectory();
  const file = join(folder.path, "docs.bin");
  writeFileSync(file, bytes);
  await checkArchive(file, "docs.zip");
}

const DIRECTORY_ENTRY = Buffer.from("PK\x01\x02");

test("a glance at a zip reads where its directory begins, and not all of it", async () => {
  const zip = zipBytes([{ name: "a.md" }, { name: "b.md" }]);
  zip.fill(0, zip.lastIndexOf(DIRECTORY_ENTRY), zip.lastIndexOf(DIRECTORY_ENTRY) + 4);
  await check(zip);
  zip.fill(0, zip.indexOf(DIRECTORY_ENTRY), zip.indexOf(DIRECTORY_ENTRY) + 4);
  expect((await appErrorOf(() => check(zip))).message).toContain("damaged");
});

test("a glance at a tar does not wait for an entry that is announced without end", async () => {
  const announced = { name: "g", type: "g", text: paxLine("comment", "x".repeat(900_000)) };
  await check(gzipSync(tarBytes([announced, { name: "a.md" }])));
  const endless = gzipSync(tarBytes([...Array.from({ length: 12 }, () => announced), { name: "a.md" }]));
  expect((await appErrorOf(() => check(endless))).code).toBe("too_large");
});

test("of what a pax header names, only what matters is kept", () => {
  const lines = ["mtime", "path", "SCHILY.xattr.a", "size", "GNU.sparse.map"].map((name) =>
    paxLine(name, `the ${name}`),
  );
  expect(parsePax(Buffer.from(lines.join("")))).toEqual({
    path: "the path",
    size: "the size",
    isSparse: true,
  });
});
