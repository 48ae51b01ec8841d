import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const TEXT = "# Größe\n\nDie Größe der Zebraherde wächst, wie die Übersicht der Grünflächen zeigt.\n";

const utf16 = (text: string, { bigEndian = false, mark = "" } = {}) => {
  const bytes = Buffer.from(mark + text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};
const MARK = "\ufeff";

const FILES: Record<string, Uint8Array> = {
  "utf8.md": Buffer.from(TEXT),
  "utf8-mark.md": Buffer.from(MARK + TEXT),
  "utf16-le-mark.md": utf16(TEXT, { mark: MARK }),
  "utf16-be-mark.md": utf16(TEXT, { mark: MARK, bigEndian: true }),
  "utf16-le.md": utf16(TEXT),
  "utf16-be.md": utf16(TEXT, { bigEndian: true }),
  "latin1.md": Buffer.from(TEXT, "latin1"),
  "declared.html": Buffer.from(
    '<html><head><meta charset="iso-8859-1"><title>T</title></head><body><main><p>Größe der Zebraherde</p></main></body></html>',
    "latin1",
  ),
};

test("a page is read in whatever encoding its file is", async () => {
  using folder = temporaryDirectory();
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder.path, name), bytes);
  using it = await openIngestSite();
  const report = await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
  expect(report.skipped).toEqual([]);
  for (const name of Object.keys(FILES)) {
    const [markdown = ""] = await it.page(name.replace(/\.(?!html)\w+$/, ""));
    expect([name, markdown.includes("Größe der Zebraherde")]).toEqual([name, true]);
  }
});

test("bytes that are wrong in one place cost that place, and the ledger says so", async () => {
  using folder = temporaryDirectory();
  const bytes = Buffer.concat([
    Buffer.from(TEXT),
    Buffer.from([0xff, 0xc3, 0x28]),
    Buffer.from(" unicorn\n"),
  ]);
  writeFileSync(join(folder.path, "broken.md"), bytes);
  using it = await openIngestSite();
  await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }));
  const [markdown = ""] = await it.page("broken");
  expect([markdown.includes("Zebraherde"), markdown.includes("unicorn")]).toEqual([true, true]);
  expect(await it.decisions()).toEqual({ "broken.md": "added parse_fault" });
});
