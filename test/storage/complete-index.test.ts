import { expect, test } from "bun:test";
import { heldLease } from "../../src/kernel/lib/lease.ts";
import { createSegmentStore } from "../../src/storage/content/segments.ts";
import { completeIndex } from "../../src/storage/sqlite/complete-index.ts";
import { openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { lockServer } from "../../src/storage/sqlite/files/server-lock.ts";
import { createSqliteSql } from "../../src/storage/sqlite/sql.ts";
import { expectWhole } from "../helpers/ingest-site.ts";
import { publishPages, sourceSpec, stagedPage } from "../helpers/page-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite } from "../helpers/site-data.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";
import { quietLog, testLog } from "../helpers/test-log.ts";
import { openStorageAt } from "../helpers/test-storage.ts";

const SITES = ["one", "two", "three"];

/** A data directory with three sites, as a version left it that had no segments. */
async function unindexed() {
  const directory = temporaryDirectory();
  const storage = await openStorageAt(directory.path);
  for (const domain of SITES) {
    const site = await addSite(storage.sites, domain);
    const source = await storage.sources.open(sourceSpec(site.id), 0);
    await publishPages(storage.ingest, source, [stagedPage("a", "zebra"), stagedPage("b", "lion")]);
  }
  storage.database.run("DELETE FROM meta WHERE name = 'keyword_index'");
  storage.close();
  return {
    directory: directory.path,
    /** The ids of all segments that are there once the directory was opened. */
    async segments(log = quietLog()) {
      const opened = await openStorageAt(directory.path, { log });
      try {
        expectWhole(opened);
        return opened.database
          .query<{ id: number }, []>("SELECT id FROM segments ORDER BY id")
          .all()
          .map(({ id }) => id);
      } finally {
        opened.close();
      }
    },
    /** The database as it is, without what opening it does. */
    raw() {
      const database = openDatabase(directory.path, { synchronous: "normal" });
      const segments = createSegmentStore(
        createSqliteSql(database),
        async () => heldLease(() => {}),
        "passages",
      );
      const options = { directory: directory.path, locked: false, log: quietLog(), isReadOnly: false };
      return {
        database,
        segments,
        complete: (change = {}) => completeIndex(database, segments, { ...options, ...change }),
        segmentRows: () => database.query("SELECT id, finished FROM segments ORDER BY id").all(),
        [Symbol.dispose]: () => database.close(),
      };
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

test("a database without an index is given one when it is opened, once, and the log says how far it is", async () => {
  using it = await unindexed();
  const { log, lines } = testLog();
  expect(await it.segments(log)).toEqual([1, 2, 3]);
  expect(lines).toMatchObject([
    { event: "the keyword index is made anew, before anything else", passages: 6 },
    ...SITES.map((site) => ({
      event: "the keyword index of a site is being made",
      site,
      passages: 2,
      of: 2,
    })),
    { event: "the keyword index was made anew", passages: 6 },
  ]);
  const again = testLog();
  expect(await it.segments(again.log)).toEqual([1, 2, 3]);
  expect(again.lines).toEqual([]);
});

test("who opens it is told how far it is", async () => {
  using it = await unindexed();
  const told: number[][] = [];
  const storage = await openStorageAt(it.directory, { onUpgrade: (...given) => told.push(given) });
  storage.close();
  expect(told).toEqual(SITES.map(() => [2, 2]));
});

test("an upgrade that was killed goes on from what it had finished, and leaves nothing half done", async () => {
  using it = await unindexed();
  {
    using raw = it.raw();
    const { segments } = raw;
    const { write } = segments;
    segments.write = async (id, rows) => {
      if (id > 1) throw new Error("killed");
      await write(id, rows);
    };
    await expect(raw.complete()).rejects.toThrow("killed");
    expect(raw.segmentRows()).toEqual([
      { id: 1, finished: 1 },
      { id: 2, finished: 0 },
    ]);
  }
  expect(await it.segments()).toEqual([1, 3, 4]);
});

test("one that was killed before it noted that it was done finds nothing left to do", async () => {
  using it = await unindexed();
  await it.segments();
  {
    using raw = it.raw();
    raw.database.run("DELETE FROM meta WHERE name = 'keyword_index'");
  }
  expect(await it.segments()).toEqual([1, 2, 3]);
});

test("what another revision has made is made anew, and nothing of it stays", async () => {
  using it = await unindexed();
  await it.segments();
  {
    using raw = it.raw();
    raw.database.run("UPDATE segments SET revision = 'older' WHERE id = 2");
  }
  expect(await it.segments()).toEqual([1, 3, 4]);
});

test("while a server is at work nobody else makes the index; the server does it when it starts", async () => {
  using it = await unindexed();
  const lock = lockServer(it.directory);
  {
    using raw = it.raw();
    const error = await appErrorOf(() => raw.complete({ waitMs: 0 }));
    expect([error.code, error.hint]).toEqual(["conflict", expect.stringContaining("Stop the server")]);
    expect(raw.segmentRows()).toEqual([]);
    await raw.complete({ locked: true });
    expect(raw.segmentRows()).toHaveLength(3);
  }
  lock?.release();
});

test("a database that cannot be written, and has no index, is refused", async () => {
  using it = await unindexed();
  using raw = it.raw();
  const error = await appErrorOf(() => raw.complete({ isReadOnly: true }));
  expect([error.code, error.message]).toEqual(["unavailable", expect.stringContaining("has to be upgraded")]);
  expect(raw.segmentRows()).toEqual([]);
});
