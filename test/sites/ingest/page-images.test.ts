import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { pngBytes, SVG } from "../../helpers/image-bytes.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { addSite } from "../../helpers/site-data.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

type Files = Record<string, string | Uint8Array>;

/** A site that is read from a folder of these files. */
async function opened(files: Files, options: { imageBytesMax?: number } = {}) {
  const folder = temporaryDirectory();
  const storage = await openTestStorage();
  const { clock } = fakeClock();
  const site = await addSite(storage.sites, "docs");
  const ingest = openIngest(storage, clock, options);
  const write = async (changed: Files) => {
    for (const [name, content] of Object.entries(changed)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      await Bun.write(join(folder.path, name), content);
    }
  };
  await write(files);
  let generation = 0;
  return {
    write,
    remove: (name: string) => rmSync(join(folder.path, name)),
    async run() {
      // Long after the files were written, so that they are known by their times.
      const reader = createFolderReader({
        root: folder.path,
        fileBytesMax: 10_000_000,
        clock: () => Date.now() + 60_000,
      });
      const report = await ingest.run({
        source: { siteId: site.id, kind: "folder", location: folder.path, version: "", language: "" },
        reader,
        generation,
        signal: new AbortController().signal,
      });
      generation = report.generation;
      const { added, changed, unchanged, skipped } = report;
      return {
        added,
        changed,
        unchanged,
        skipped: skipped.map(({ location, reason }) => `${location}: ${reason}`),
      };
    },
    /** What a page calls its images, with their types and widths. */
    async shown(path: string) {
      const [page] = await storage.pages.findPages(site.id, path, "everything");
      const images = page ? await storage.images.ofPage(page.id) : new Map();
      return Object.fromEntries(
        [...images].map(([name, { type, width }]) => [name, `${type} ${width}`] as const),
      );
    },
    [Symbol.dispose]() {
      storage[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("images of pages", () => {
  test("are found beside the page, in the folders that generators publish, and in raw HTML", async () => {
    using it = await opened({
      "docs/guide/page.md": [
        "# Page",
        "![a](./img/a%20b.png) ![b](../b.gif?x=1#y) ![c](/c.svg) ![d][d]",
        '<p align="center"><img alt="e" src="/base/e.png" width="3"></p>',
        "`![f](f.png)` <!-- <img src='f.png'> --> ![g](https://elsewhere.example/g.png) ![h](film.mp4)",
        "[d]: @site/static/d.png",
      ].join("\n\n"),
      "docs/guide/img/a b.png": pngBytes(1, 1),
      "docs/b.gif": new TextEncoder().encode("GIF89a\x02\0\x01\0\0\0"),
      "docs/public/c.svg": SVG,
      "static/d.png": pngBytes(3, 1),
      "static/e.png": pngBytes(5, 1),
      "docs/guide/f.png": pngBytes(9, 9),
      "docs/guide/film.mp4": "film",
    });
    expect((await it.run()).skipped).toEqual([]);
    expect(await it.shown("docs/guide/page")).toEqual({
      "./img/a%20b.png": "image/png 1",
      "../b.gif?x=1#y": "image/gif 2",
      "/c.svg": "image/svg+xml 120",
      "@site/static/d.png": "image/png 3",
      "/base/e.png#width=3": "image/png 5",
    });
  });

  test("are read from inside the source alone, and what is not shown is in the ledger once", async () => {
    using it = await opened({
      "a.md":
        "# A\n\n![a](../../outside.png) ![b](gone.png) ![c](/etc/passwd) ![d](script.svg) ![e](words.png)",
      "b.md": "# B\n\n![b](gone.png) ![f](large.png)",
      "script.svg": '<svg onload="alert(1)"/>',
      "words.png": "no image",
      "large.png": new Uint8Array(5_000_001),
    });
    const report = await it.run();
    expect(report.skipped.toSorted()).toEqual([
      "../../outside.png: not_found",
      "gone.png: not_found",
      "large.png: too_large",
      "script.svg: refused",
      "words.png: refused",
    ]);
    expect([await it.shown("a"), await it.shown("b")]).toEqual([{}, {}]);
  });

  test("a page is read again when only its image has changed, come, or gone", async () => {
    using it = await opened({ "a.md": "# A\n\n![a](a.png)", "b.md": "# B\n\nWords." });
    expect(await it.run()).toMatchObject({ added: 2, skipped: ["a.png: not_found"] });
    expect(await it.run()).toMatchObject({ changed: 0, unchanged: 2, skipped: ["a.png: not_found"] });
    await it.write({ "a.png": pngBytes(1, 1) });
    expect(await it.run()).toMatchObject({ changed: 1, unchanged: 1, skipped: [] });
    expect(await it.shown("a")).toEqual({ "a.png": "image/png 1" });
    expect(await it.run()).toMatchObject({ changed: 0, unchanged: 2 });
    await it.write({ "a.png": pngBytes(2, 1) });
    expect(await it.run()).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await it.shown("a")).toEqual({ "a.png": "image/png 2" });
    it.remove("a.png");
    expect(await it.run()).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await it.shown("a")).toEqual({});
  });

  test("are no more than the setting allows for a source, each content counted once; 0 keeps none", async () => {
    const one = pngBytes(1, 1);
    const files = {
      "a.md": "# A\n\n![a](a.png) ![b](b.png) ![c](c.png)",
      "a.png": one,
      "b.png": one,
      "c.png": pngBytes(2, 2),
    };
    using it = await opened(files, { imageBytesMax: one.length + 10 });
    expect((await it.run()).skipped).toEqual(["c.png: too_large"]);
    expect(Object.keys(await it.shown("a"))).toEqual(["a.png", "b.png"]);
    using none = await opened(files, { imageBytesMax: 0 });
    expect((await none.run()).skipped).toEqual([]);
    expect(await none.shown("a")).toEqual({});
  });
});
