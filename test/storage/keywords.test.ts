import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { memoryReader } from "../helpers/memory-reader.ts";
import { openIngest } from "../helpers/open-ingest.ts";
import { openSearch } from "../helpers/open-search.ts";
import { sourceSpec } from "../helpers/page-data.ts";
import { addSite } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { testLog } from "../helpers/test-log.ts";
import { type OpenStorage, openStorageAt } from "../helpers/test-storage.ts";

const LONG = "Some more is said of it here. ".repeat(80);
const PAGE = `---
keywords: [okapi, C2065]
f1_keywords: cpp/unicorn_mode
---

# Animals

${LONG}

## Others

${LONG}`;

/** Where the passages are that a question's words find. */
async function found(storage: OpenStorage, text: string) {
  const search = openSearch(storage);
  const { hits } = await search.find({
    audience: "everything",
    siteId: 1,
    text,
    pageSize: 50,
    parts: { nearest: false },
  });
  return hits.map(({ path, position }) => `${path} ${position}`);
}

async function ingested(directory: string): Promise<OpenStorage> {
  const storage = await openStorageAt(directory);
  const site = await addSite(storage.sites);
  await openIngest(storage, () => TEST_TIME).run({
    source: sourceSpec(site.id),
    reader: memoryReader({ animals: PAGE, other: "# Other\n\nA zebra." }),
    generation: 0,
    signal: new AbortController().signal,
  });
  return storage;
}

describe("the keywords that a page's author chose", () => {
  test("find the page, at its beginning", async () => {
    using directory = temporaryDirectory();
    const storage = await ingested(directory.path);
    for (const word of ["okapi", "C2065", "unicorn_mode"])
      expect([word, await found(storage, word)]).toEqual([word, ["animals 0"]]);
    storage.close();
  });

  test("find it after the keyword index was made anew, as by an upgrade", async () => {
    using directory = temporaryDirectory();
    const storage = await ingested(directory.path);
    storage.database.run("UPDATE segments SET revision = 'another'");
    storage.close();
    const { log, lines } = testLog();
    const again = await openStorageAt(directory.path, { log });
    // That it begins is said before, for it takes a while.
    expect(lines.filter(({ level }) => level === "info")).toMatchObject([
      { event: expect.stringContaining("is made anew"), passages: 5 },
      { event: expect.stringContaining("is being made"), site: "docs", passages: 5, of: 5 },
      { event: expect.stringContaining("was made anew"), passages: 5 },
    ]);
    for (const word of ["okapi", "C2065", "unicorn_mode"])
      expect([word, await found(again, word)]).toEqual([word, ["animals 0"]]);
    expect(await found(again, "zebra")).toEqual(["other 0"]);
    again.close();
  });
});
