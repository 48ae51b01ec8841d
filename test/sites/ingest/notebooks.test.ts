import { expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const notebook = (words: string) => JSON.stringify({ cells: [{ cell_type: "markdown", source: words }] });

test("notebooks of a folder are pages; a broken and a huge one cost themselves, and the ledger says so", async () => {
  using folder = temporaryDirectory();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write("zebra.ipynb", notebook("# Zebra\n\nStripes."));
  write("broken.ipynb", notebook("# Broken").slice(0, -4));
  write("huge.ipynb", "{");
  truncateSync(join(folder.path, "huge.ipynb"), 50_000_000);
  write("page.md", "# Page\n\nSee [the zebra](zebra.ipynb).");
  using it = await openIngestSite();
  const report = await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000_000 }));
  expect(await it.decisions()).toEqual({
    "broken.ipynb": "skipped parse_fault",
    "huge.ipynb": "skipped too_large",
    "page.md": "added",
    "zebra.ipynb": "added",
  });
  expect(report.skipped.map(({ location, detail }) => `${location} ${detail}`).sort()).toEqual([
    "broken.ipynb is no notebook that can be read",
    "huge.ipynb is larger than 10000000 bytes",
  ]);
});

test("a notebook that is half written stays as it was", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "a.ipynb");
  writeFileSync(file, notebook("# Zebra\n\nStripes."));
  using it = await openIngestSite();
  const reader = () => createFolderReader({ root: folder.path, fileBytesMax: 10_000 });
  await it.run(reader());
  writeFileSync(file, "{");
  await it.run(reader());
  expect(await it.decisions()).toEqual({ "a.ipynb": "kept parse_fault" });
  expect((await it.page("a"))[0]).toContain("Stripes.");
});
