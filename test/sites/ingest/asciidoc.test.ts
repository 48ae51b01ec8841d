import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSkipped, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { resolveLink } from "../../../src/sites/pages/page-link.ts";
import { tarBytes, zipBytes } from "../../helpers/archive-bytes.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const FILES: Record<string, string> = {
  "guide/start.adoc":
    "= Start\n:description: How to.\n\nSee xref:../other.asciidoc#_a[it].\n\ninclude::../_parts/note.adoc[]\n\n[source,ruby]\n----\ninclude::../code/a.rb[tag=a]\n----\n\ninclude::../../outside.adoc[]\n",
  "other.asciidoc": "= Other\n\n== A\n\nWords.\n",
  "short.asc": "Short.\n",
  "_parts/note.adoc": "NOTE: Mind.\n",
  "code/a.rb": "# tag::a[]\nputs 1\n# end::a[]\n",
};

async function listed(reader: SourceReader) {
  const pages: Record<string, string> = {};
  const faults: Record<string, readonly string[]> = {};
  const skipped: Record<string, string> = {};
  for await (const item of reader.list(listContext())) {
    if (isSkipped(item)) skipped[item.location] = item.detail;
    else {
      expect(item.format).toBe("md");
      pages[item.path] = new TextDecoder().decode(await item.read());
      faults[item.path] = item.faults ?? [];
    }
  }
  return { pages, faults, skipped };
}

const EXPECTED = {
  pages: {
    "guide/start":
      '---\n{"title":"Start","description":"How to."}\n---\nSee [it](../other.asciidoc#_a).\n\n:::note\n\nMind.\n\n:::\n\n```ruby\nputs 1\n```',
    other: '---\n{"title":"Other"}\n---\n## A {#_a}\n\nWords.',
    short: "---\n{}\n---\nShort.",
  },
  faults: {
    "guide/start": ["../../outside.adoc, which it includes, is not in this source"],
    other: [],
    short: [],
  },
  skipped: { _parts: "begins with an underscore, as parts of other pages do" },
};

test("AsciiDoc in a folder is read with what it includes from inside of it", async () => {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder.path, "docs", name)), { recursive: true });
    await Bun.write(join(folder.path, "docs", name), text);
  }
  await Bun.write(join(folder.path, "outside.adoc"), "A secret.");
  const reader = createFolderReader({ root: join(folder.path, "docs"), fileBytesMax: 1000 });
  expect(await listed(reader)).toEqual(EXPECTED);
});

test("AsciiDoc in an archive is read like that in a folder, be it a zip or a tar", async () => {
  using folder = temporaryDirectory();
  const file = join(folder.path, "docs.archive");
  for (const bytes of [zipBytes, tarBytes]) {
    await Bun.write(file, bytes(Object.entries(FILES).map(([name, text]) => ({ name, text }))));
    expect(await listed(createArchiveReader({ file, fileBytesMax: 1000 }))).toEqual(EXPECTED);
  }
});

test("a link to a file in AsciiDoc leads to its page", () => {
  const base = { path: "guide/start", location: "guide/start.adoc" };
  for (const extension of ["adoc", "asciidoc", "asc"])
    expect(resolveLink(`../other.${extension}#_a`, base)).toEqual({
      kind: "page",
      path: "other",
      anchor: "_a",
    });
});
