import { expect, test } from "bun:test";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { memoryReader } from "../../helpers/memory-reader.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";

const PAGES = 1100;

test("a source that leaves most of its pages at once is written in parts", async () => {
  using it = await openIngestSite();
  const { storage } = it;
  const sizes: Record<string, number[]> = { drop: [], record: [] };
  const ingest = {
    ...storage.ingest,
    drop: (...given: Parameters<typeof storage.ingest.drop>) => {
      sizes["drop"]?.push(given[2].length);
      return storage.ingest.drop(...given);
    },
  };
  const ledger = {
    ...storage.ledger,
    record: (...given: Parameters<typeof storage.ledger.record>) => {
      sizes["record"]?.push(given[2].length);
      return storage.ledger.record(...given);
    },
  };
  const run = async (files: Record<string, string>, force = false) =>
    openIngest({ ...storage, ingest, ledger }, it.clock, { pagesMax: 2000 }).run({
      source: sourceSpec(it.site.id),
      reader: memoryReader(files),
      generation: await it.generation(),
      force,
      signal: new AbortController().signal,
    });
  const names = Array.from({ length: PAGES }, (_, index) => [`p${index}`, "zebra"]);
  await run(Object.fromEntries([...names, ["kept", "zebra"]]));
  expect(await run({ kept: "zebra" }, true)).toMatchObject({ removed: PAGES, unchanged: 1 });
  expect(sizes["drop"]).toEqual([500, 500, 100]);
  expect(Math.max(...(sizes["record"] ?? []))).toBeLessThanOrEqual(500);
});
