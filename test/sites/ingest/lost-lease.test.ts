import { expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { trackedReader } from "../../helpers/tracked-reader.ts";

test("a run whose lease is lost in its middle ends, and readers see nothing of it", async () => {
  using it = await openIngestSite();
  await it.run({ a: "zebra" });
  const before = it.content();
  const loss = new AbortController();
  const losing: SourceReader = {
    async *list(signal) {
      yield* trackedReader({ a: "lion", b: "otter" }).list(signal);
      loss.abort(new AppError("unavailable", "The database was lost."));
    },
  };
  let released = 0;
  const { storage } = it;
  const ingest = {
    ...storage.ingest,
    lock: async () => ({
      lost: loss.signal,
      async release() {
        released += 1;
      },
    }),
  };
  const run = openIngest({ ...storage, ingest }, it.clock).run({
    source: sourceSpec(it.site.id),
    reader: losing,
    generation: await it.generation(),
    signal: new AbortController().signal,
  });
  await expect(run).rejects.toThrow("The database was lost.");
  expect(released).toBe(1);
  expect(it.content()).toEqual(before);
  expect(await it.run({ a: "lion", b: "otter" })).toMatchObject({ changed: 1, added: 1 });
});
