import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ANCHOR_STYLES, type AnchorStyle } from "../../../src/reading/markdown/anchors.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { ANCHOR_STYLE_NAMES } from "../../../src/sites/site/settings.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { trackedReader, validated } from "../../helpers/tracked-reader.ts";

test("a site may have the anchors of every program whose anchors are known", () => {
  expect([...ANCHOR_STYLE_NAMES] as string[]).toEqual([...ANCHOR_STYLES]);
});

const PAGES = validated({ a: "# A\n\n## Größe: 3.1 & more\n\nzebra", b: "# B\n\n## Own {#own}\n\nlion" });

test("docs whose generator is recognized have its anchors, whatever the site's are", async () => {
  using folder = temporaryDirectory();
  mkdirSync(join(folder.path, "docs"));
  writeFileSync(join(folder.path, "mkdocs.yml"), "site_name: A\n");
  writeFileSync(join(folder.path, "docs/index.md"), "# A\n\n## Größe: 3.1 & more\n\nzebra");
  using it = await openIngestSite();
  for (const anchors of ANCHOR_STYLES) {
    await it.run(createFolderReader({ root: folder.path, fileBytesMax: 10_000 }), {}, { anchors });
    expect([anchors, (await it.page(""))[0]]).toEqual([
      anchors,
      expect.stringContaining("more {#groe-31-more}"),
    ]);
  }
});

describe("the anchors of a site's pages", () => {
  async function run(it: Awaited<ReturnType<typeof openIngestSite>>, anchors?: AnchorStyle) {
    const reader = trackedReader(PAGES);
    const report = await it.run(reader, {}, anchors === undefined ? {} : { anchors });
    return { report, reads: reader.reads, anchors: anchorsOf(it) };
  }
  const anchorsOf = (it: Awaited<ReturnType<typeof openIngestSite>>) =>
    it.storage.database
      .query<{ anchor: string }, []>(
        "SELECT anchor FROM passages WHERE died IS NULL AND anchor <> '' ORDER BY anchor",
      )
      .all()
      .map(({ anchor }) => anchor);

  test("are GitHub's where nothing is said, and another program's where it is; an author's own stay", async () => {
    using it = await openIngestSite();
    expect((await run(it)).anchors).toEqual(["größe-31--more", "own"]);
    expect((await run(it, "mkdocs")).anchors).toEqual(["groe-31-more", "own"]);
  });

  test("are made anew of all pages when the site's are others, also of those that have not changed", async () => {
    using it = await openIngestSite();
    expect((await run(it)).reads).toEqual(["a", "b"]);
    const { reads, report } = await run(it, "mkdocs");
    expect([reads, report.changed]).toEqual([["a", "b"], 2]);
    expect(await run(it, "mkdocs")).toMatchObject({ reads: [], report: { unchanged: 2 } });
    expect(await run(it, "github")).toMatchObject({ reads: ["a", "b"], report: { changed: 2 } });
  });
});
