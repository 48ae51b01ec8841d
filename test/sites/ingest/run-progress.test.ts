import { expect, test } from "bun:test";
import type { SourceReader } from "../../../src/reading/source-reader.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";

test("how far a run is can be read while it goes on, by whoever has the database", async () => {
  using it = await openIngestSite();
  const seen: Record<string, number>[] = [];
  const look = async () => {
    it.advance(1000);
    const [source] = await it.storage.sources.list(it.site.id);
    seen.push({ ...source?.lastRun?.counts });
  };
  const reader: SourceReader = {
    async *list() {
      for (const path of ["a", "b", "c"]) {
        await look();
        yield {
          path,
          location: `${path}.md`,
          found: "test",
          format: "md" as const,
          read: async () => new TextEncoder().encode(`# ${path}\n\nSome words of page ${path}.`),
        };
      }
      yield { location: "d.md", found: "test", reason: "hidden" as const, detail: "is hidden" };
      await look();
    },
  };
  await it.run(reader, {}, { onEmbedding: () => void look() });
  expect(seen.slice(0, 4).map(({ listed = 0, added = 0 }) => [listed, added])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(seen.at(-1)).toMatchObject({ listed: 3, added: 3, skipped: 1, passages: 3 });
  expect(seen.at(-1)?.["embedded"]).toBeGreaterThanOrEqual(0);
  const [source] = await it.storage.sources.list(it.site.id);
  // At its end it has what it always had.
  expect(source?.lastRun?.counts).toEqual({
    added: 3,
    changed: 0,
    unchanged: 0,
    removed: 0,
    passages: 3,
    skipped: 1,
  });
});

test("a run goes on where its progress cannot be noted", async () => {
  using it = await openIngestSite();
  it.storage.ledger.noteProgress = async () => {
    throw new Error("disk full");
  };
  await it.run({ a: "zebra", b: "lion" });
  expect(await it.page("a")).toEqual(["zebra"]);
});
