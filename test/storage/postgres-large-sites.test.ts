import { describe, expect, test } from "bun:test";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { NO_COUNTS, publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { hasPostgres, newDatabase, queryNow } from "../helpers/postgres.ts";
import { writeElsewhere } from "../helpers/postgres-other.ts";
import { addSite } from "../helpers/site-data.ts";
import { openTestPostgres, type PostgresStorage } from "../helpers/test-postgres.ts";

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const PAGES = 1200;
const STAGED_AT_ONCE = 60;
/** Far fewer than pages: a small table is read whole now and then, which costs less. */
const ROWS_FOR_EACH = 150;
const SET = "test:one";

/** How many rows of pages and passages were read so far. What a connection has read is told when it ends. */
async function rowsRead(url: string): Promise<number> {
  const connections = "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()";
  while ((queryNow<{ count: number }>(nameOf(url), connections, [])[0]?.count ?? 0) > 1) await Bun.sleep(20);
  const [read] = queryNow<{ rows: number }>(
    nameOf(url),
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS rows FROM pg_stat_user_tables
     WHERE relname IN ('pages', 'passages')`,
    [],
  );
  return read?.rows ?? 0;
}

async function inStorage<R>(url: string, work: (storage: PostgresStorage) => Promise<R>): Promise<R> {
  const storage = await openTestPostgres({ url });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

describe.if(hasPostgres)("the work of a run on a large site", () => {
  const pages = Array.from({ length: PAGES }, (_, index) => stagedPage(`p${index}`, `text ${index}`));

  /** A site that readers see, with vectors for all passages; and a run, of which no statistics know. */
  async function prepare(url: string) {
    return inStorage(url, async (storage) => {
      const site = await addSite(storage.sites, "docs");
      const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
      await publishPages(storage.ingest, source, pages);
      const embedder = await storage.passageVectors.embedder(SET, 8);
      const missing = await storage.passageVectors.missing(site.id, embedder, 0, PAGES + 1);
      const [bits, vector] = [new Uint8Array([1]), new Int8Array(8)];
      const vectors = missing.map(({ passageId }) => ({ passageId, bits, vector }));
      await storage.passageVectors.put(embedder, vectors);
      queryNow(nameOf(url), "ANALYZE", []);
      return { source, embedder };
    });
  }

  test("looks up each page, and not all of them for each: to stage it, and for the vectors of before", async () => {
    const url = await newDatabase();
    const { source, embedder } = await prepare(url);
    const read = [await rowsRead(url)];
    const runId = await inStorage(url, async ({ ingest }) => {
      const run = await ingest.openRun(source, TEST_TIME);
      for (let at = 0; at < PAGES; at += STAGED_AT_ONCE)
        await ingest.stage(source, run.runId, pages.slice(at, at + STAGED_AT_ONCE));
      return run.runId;
    });
    read.push(await rowsRead(url));
    await inStorage(url, (storage) => storage.passageVectors.reuse(runId, embedder));
    read.push(await rowsRead(url));
    const known = queryNow(nameOf(url), "SELECT count(*) AS count FROM passage_vectors", []);
    expect(known).toEqual([{ count: PAGES * 2 }]);
    const [before = 0, staged = 0, reused = 0] = read;
    expect(staged - before).toBeLessThan(PAGES * ROWS_FOR_EACH);
    expect(reused - staged).toBeLessThan(PAGES * ROWS_FOR_EACH);
  });

  const firstOf = (born: number) =>
    `DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE born = ${born} ORDER BY id LIMIT 500)`;

  test("takes back all of a generation, though another server takes back the same", async () => {
    const url = await newDatabase();
    using storage = await openTestPostgres({ url });
    const site = await addSite(storage.sites, "docs");
    const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
    await publishPages(storage.ingest, source, [stagedPage("kept", "one")]);
    const { runId } = await storage.ingest.openRun(source, TEST_TIME);
    await storage.ingest.stage(source, runId, pages.slice(0, 700));
    await storage.ingest.drop(source, runId, ["kept"]);
    await storage.ingest.publish(source, runId, { counts: NO_COUNTS, at: TEST_TIME });
    await storage.generations.show(site.id, 1);
    const end = await writeElsewhere(url, firstOf(runId));
    const opened = storage.ingest.openRun(source, TEST_TIME);
    await end();
    await opened;
    const left = "SELECT path, died FROM pages UNION ALL SELECT text, died FROM passages";
    expect(queryNow<{ path: string; died: number | null }>(nameOf(url), left, [])).toEqual([
      { path: "kept", died: null },
      { path: "one", died: null },
    ]);
  });

  test("prunes all that no kept generation shows, though another server prunes the same", async () => {
    const url = await newDatabase();
    using storage = await openTestPostgres({ url });
    const site = await addSite(storage.sites, "docs");
    const source = await storage.sources.open(sourceSpec(site.id), TEST_TIME);
    const some = pages.slice(0, 700);
    const first = await storage.ingest.openRun(source, TEST_TIME);
    await storage.ingest.stage(source, first.runId, some);
    await storage.ingest.publish(source, first.runId, { counts: NO_COUNTS, at: TEST_TIME });
    await publishPages(
      storage.ingest,
      source,
      [],
      some.map(({ path }) => path),
    );
    const end = await writeElsewhere(url, firstOf(first.runId));
    const pruned = storage.ingest.prune(site.id, 1);
    await end();
    await pruned;
    expect(queryNow(nameOf(url), "SELECT count(*) AS count FROM pages", [])).toEqual([{ count: 0 }]);
  });
});
